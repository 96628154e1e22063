// What a mesh of facets stands for: its distance is nearer to the true solid's than the facets, its normal is the
// distance's gradient and turns without jumps, sharp edges and flat faces stay as they are.
#include "geometry/mesh_surface.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace filum::test_smooth_surface {

using namespace filum::geometry;

namespace {

constexpr double kPi = std::numbers::pi;

struct Facets {
  std::vector<Vec3> corners;
  std::vector<std::array<int, 3>> triangles;
  [[nodiscard]] MeshSurface surface() const { return {corners, triangles}; }
};

// A grid that closes upon itself round `across`, and along as well if `ring`; diagonals by lot.
Facets grid(int along, int across, bool ring, const std::function<Vec3(double, double)>& point) {
  std::mt19937 engine(7);
  Facets out;
  const int rows = ring ? along : along + 1;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < across; ++j) out.corners.push_back(point(double(i) / along, double(j) / across));
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j) {
      const int a = i * across + j;
      const int b = i * across + (j + 1) % across;
      const int c = (i + 1) % rows * across + j;
      const int d = (i + 1) % rows * across + (j + 1) % across;
      if (engine() % 2 == 0) {
        out.triangles.push_back({a, b, c});
        out.triangles.push_back({b, d, c});
      } else {
        out.triangles.push_back({a, b, d});
        out.triangles.push_back({a, d, c});
      }
    }
  return out;
}

// About the z-axis, radius 1, height 2, with caps.
Facets cylinder(int round, int along) {
  Facets out = grid(along, round, false,
                    [](double s, double t) { return Vec3(std::cos(2 * kPi * t), std::sin(2 * kPi * t), 2 * s - 1); });
  const int last = static_cast<int>(out.corners.size());
  out.corners.emplace_back(0, 0, -1);
  out.corners.emplace_back(0, 0, 1);
  for (int j = 0; j < round; ++j) {
    out.triangles.push_back({(j + 1) % round, j, last});
    out.triangles.push_back({along * round + j, along * round + (j + 1) % round, last + 1});
  }
  return out;
}
Facets torus(int round, int thick) {
  return grid(round, thick, true, [](double s, double t) {
    const double r = 1 + 0.4 * std::cos(2 * kPi * t);
    return Vec3(r * std::cos(2 * kPi * s), r * std::sin(2 * kPi * s), 0.4 * std::sin(2 * kPi * t));
  });
}
double from_torus(const Vec3& x) {
  return std::hypot(std::hypot(x.x(), x.y()) - 1, x.z()) - 0.4;
}

struct Found {
  int looked = 0;
  int kinks = 0;        // the Hessian changes too fast to compare: near corners
  double gradient = 0;  // largest error
  double hessian = 0;   // likewise, elsewhere
  double jump = 0;      // largest turn of the normal over a step
};
Found compare(const MeshSurface& mesh, double low, double high, double size) {
  constexpr double kStep = 1e-6;
  std::mt19937 engine(11);
  std::uniform_real_distribution<double> dice(-size, size);
  Found out;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 x(dice(engine), dice(engine), 0.5 * dice(engine));
    const Distance here = mesh.smooth_distance(x);
    if (here.value < low || here.value > high) continue;
    ++out.looked;
    Vec3 gradient;
    Mat3 hessian;
    bool same = true;
    for (int k = 0; k < 3; ++k) {
      const Distance plus = mesh.smooth_distance(x + kStep * Vec3::Unit(k));
      const Distance minus = mesh.smooth_distance(x - kStep * Vec3::Unit(k));
      gradient[k] = (plus.value - minus.value) / (2 * kStep);
      hessian.col(k) = (plus.normal - minus.normal) / (2 * kStep);
      same = same && (plus.hessian - minus.hessian).norm() < 1e-3;
      out.jump = std::max(out.jump, (plus.normal - minus.normal).norm() / kStep);
    }
    out.gradient = std::max(out.gradient, (gradient - here.normal).norm());
    if (same)
      out.hessian = std::max(out.hessian, (hessian - here.hessian).norm());
    else
      ++out.kinks;
  }
  return out;
}

}  // namespace

TEST_CASE("smooth surfaces: a true potential whose normal turns without jumps") {
  for (const auto& [round, thick] : {std::pair{48, 24}, std::pair{120, 40}}) {
    const MeshSurface mesh = torus(round, thick).surface();
    REQUIRE(mesh.closed());
    const Found found = compare(mesh, -0.1, 0.3, 1.5);
    CHECK(found.looked > 3000);
    CHECK(found.kinks < 0.02 * found.looked);
    CHECK(found.gradient < 1e-6);
    CHECK(found.hessian < 1e-3);
    CHECK(found.jump < 20);
  }
}

TEST_CASE("smooth surfaces: nearer to what was meshed than the facets") {
  const Facets facets = torus(48, 24);
  const MeshSurface mesh = facets.surface();
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> dice(-1.5, 1.5);
  double smooth = 0;
  double flat = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 x(dice(engine), dice(engine), 0.5 * dice(engine));
    if (std::abs(from_torus(x)) > 0.2) continue;
    smooth = std::max(smooth, std::abs(mesh.smooth_distance(x).value - from_torus(x)));
    flat = std::max(flat, std::abs(mesh.distance(x).value - from_torus(x)));
  }
  CHECK(smooth < 0.1 * flat);
}

TEST_CASE("smooth surfaces: a cylinder of long facets, and of many, has its curvature, and sharp rims") {
  for (const int along : {1, 20}) {
    const MeshSurface mesh = cylinder(40, along).surface();
    REQUIRE(mesh.closed());
    double worst = 0;
    double curvature = 0;
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> dice(-1, 1);
    for (int i = 0; i < 4000; ++i) {
      const double angle = kPi * dice(engine);
      const Vec3 out(std::cos(angle), std::sin(angle), 0);
      const Vec3 x = 1.1 * out + Vec3(0, 0, 0.97 * dice(engine));
      const Distance there = mesh.smooth_distance(x);
      worst = std::max({worst, std::abs(there.value - 0.1), (there.normal - out).norm()});
      const Vec3 round(-out.y(), out.x(), 0);
      curvature = std::max(curvature, std::abs(round.dot(there.hessian * round) * 1.1 - 1));
    }
    CHECK(worst < 1e-3);
    CHECK(curvature < 0.1);
    // a cap is flat, its rim sharp
    for (int i = 0; i < 1000; ++i) {
      const double angle = kPi * dice(engine);
      const Vec3 out(std::cos(angle), std::sin(angle), 0);
      CHECK(mesh.smooth_distance(Vec3(0.9 * out + Vec3(0, 0, 1.1))).value == doctest::Approx(0.1).epsilon(1e-12));
      const Vec3 beyond = out + Vec3(0, 0, 1) + 0.1 * Vec3(out + Vec3::UnitZ()).normalized();
      const Distance rim = mesh.smooth_distance(beyond);
      CHECK(std::abs(rim.value - 0.1) < 1e-3);
      CHECK((rim.normal - Vec3(out + Vec3::UnitZ()).normalized()).norm() < 0.02);
    }
  }
}

TEST_CASE("smooth surfaces: where facets meet at more than 20 degrees, or are large, nothing is rounded") {
  // twelve facets round
  const MeshSurface coarse = cylinder(12, 1).surface();
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> dice(-1.5, 1.5);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 x(dice(engine), dice(engine), dice(engine));
    CHECK(coarse.smooth_distance(x).value == coarse.distance(x).value);
  }
}

}  // namespace filum::test_smooth_surface
