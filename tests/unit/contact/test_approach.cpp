// Strands that come near each other: the closest approach against a search, its derivatives by differences, and that it
// changes without a jump from strands that cross to strands that lie along each other.
#include "base/index.hpp"
#include "contact/approach.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace filum::test_approach {

using namespace filum::contact;

namespace {

constexpr int kNodes = 6;  // of a strand

// Two strands of evenly spaced nodes, with the cubic whose slopes are those of parabolas.
struct Rig {
  std::vector<Vec3> nodes;
  std::vector<Span> spans;
  double length = 1;

  explicit Rig(double span_length) : nodes(2 * kNodes), length(span_length) {
    for (int strand = 0; strand < 2; ++strand)
      for (int k = 0; k + 1 < kNodes; ++k) spans.push_back(span(strand * kNodes, k));
  }
  [[nodiscard]] Strand second() const { return {kNodes - 1, kNodes - 1, false}; }

 private:
  [[nodiscard]] Span span(int first, int k) const {
    Span out;
    out.length = length;
    out.radius = 1;
    // slopes at both ends, of the parabola through a node and its neighbours
    std::array<double, kNodes> at_start{};
    std::array<double, kNodes> at_end{};
    const auto slope = [&](int node, std::array<double, kNodes>& w) {
      if (node == 0)
        w[0] = -1.5, w[1] = 2, w[2] = -0.5;
      else if (node == kNodes - 1)
        w[at(node)] = 1.5, w[at(node - 1)] = -2, w[at(node - 2)] = 0.5;
      else
        w[at(node - 1)] = -0.5, w[at(node + 1)] = 0.5;
    };
    slope(k, at_start);
    slope(k + 1, at_end);
    for (int node = std::max(0, k - 1); node <= std::min(kNodes - 1, k + 2); ++node) {
      const double p0 = node == k ? 1 : 0;
      const double p1 = node == k + 1 ? 1 : 0;
      const double m0 = at_start[at(node)];
      const double m1 = at_end[at(node)];
      out.weight.row(out.count) << p0, m0, 3 * (p1 - p0) - 2 * m0 - m1, 2 * (p0 - p1) + m0 + m1;
      out.node[at(out.count++)] = first + node;
    }
    return out;
  }
};

// Two straight strands, 2 apart along z, that cross by an angle at a place of the first.
void lay(Rig& rig, double angle, double place) {
  for (int k = 0; k < kNodes; ++k) {
    const double s = (k - 0.5 * (kNodes - 1)) * rig.length;
    rig.nodes[at(k)] = {s, 0, 2};
    rig.nodes[at(kNodes + k)] = {place + s * std::cos(angle), s * std::sin(angle), 0};
  }
}

double gap_at(const Rig& rig, double keep, Approach place) {
  REQUIRE(find_approach(rig.spans, rig.second(), rig.nodes, keep, place));
  return curve_gap(rig.spans, rig.nodes, keep, place).rho;
}

struct Random {
  std::mt19937 engine{7};
  double operator()() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
};

}  // namespace

TEST_CASE("approach: gradient and second derivative against differences, for any angle and shape") {
  Random random;
  for (int run = 0; run < 60; ++run) {
    CAPTURE(run);
    Rig rig(1 + std::abs(random()) * 3);
    lay(rig, 0.02 + 1.5 * std::abs(random()), 0.3 * random() * rig.length);
    for (Vec3& x : rig.nodes) x += 0.15 * Vec3(random(), random(), random());
    const double keep = keeping(rig.spans[2], 1);
    Approach place{.a = 2, .b = kNodes + 1};
    REQUIRE(find_approach(rig.spans, rig.second(), rig.nodes, keep, place));
    const CurveGap gap = curve_gap(rig.spans, rig.nodes, keep, place);
    Vec3 n = gap.apart / gap.rho;
    const double h = 1e-4;
    for (int p = 0; p < gap.count; ++p)
      for (int axis = 0; axis < 3; ++axis) {
        const auto moved = [&](double by) {
          Rig other = rig;
          other.nodes[at(gap.node[at(p)])][axis] += by;
          return other;
        };
        const Rig up = moved(h);
        const Rig down = moved(-h);
        const double slope = (gap_at(up, keep, place) - gap_at(down, keep, place)) / (2 * h);
        CHECK(slope == doctest::Approx(gap.weight[at(p)] * n[axis]).epsilon(1e-5).scale(1));
        // the gradient of all nodes by this one
        Approach upper = place;
        Approach lower = place;
        REQUIRE(find_approach(up.spans, up.second(), up.nodes, keep, upper));
        REQUIRE(find_approach(down.spans, down.second(), down.nodes, keep, lower));
        // where a node is passed the second derivative jumps
        if (upper.b != lower.b || upper.a_slides != lower.a_slides || upper.b_slides != lower.b_slides) continue;
        const CurveGap above = curve_gap(up.spans, up.nodes, keep, upper);
        const CurveGap below = curve_gap(down.spans, down.nodes, keep, lower);
        for (int q = 0; q < gap.count; ++q) {
          const Vec3 change =
              (above.weight[at(q)] * above.apart / above.rho - below.weight[at(q)] * below.apart / below.rho) / (2 * h);
          Vec3 told = gap.weight[at(p)] * gap.weight[at(q)] / gap.rho * (Vec3::Unit(axis) - n[axis] * n);
          for (int i = 0; i < gap.slides; ++i)
            for (int j = 0; j < gap.slides; ++j)
              told -= gap.inverse(i, j) / gap.rho * gap.slide[at(i)][at(q)] * gap.slide[at(j)][at(p)][axis];
          CHECK((change - told).norm() < 2e-4 * (1 + told.norm()));
        }
      }
  }
}

TEST_CASE("approach: where strands cross the station is at the crossing, where they are parallel it stays") {
  for (const double length : {1.0, 3.3, 20.0}) {
    CAPTURE(length);
    Rig rig(length);
    const double keep = keeping(rig.spans[2], 1);
    for (const double share : {-0.45, -0.2, 0.0, 0.3}) {
      lay(rig, 1.3, share * length);
      Approach place{.a = 2, .b = kNodes + 1};
      REQUIRE(find_approach(rig.spans, rig.second(), rig.nodes, keep, place));
      // the distance of the lines is 2, to a hundredth of the radius at the worst
      const double rho = curve_gap(rig.spans, rig.nodes, keep, place).rho;
      CHECK(rho >= 2);
      CHECK(rho < 2.0101);
      CHECK(std::abs((place.u - 0.5) - share) < 0.05);
    }
    lay(rig, 0, 0.3 * length);
    Approach place{.a = 2, .b = kNodes + 1};
    REQUIRE(find_approach(rig.spans, rig.second(), rig.nodes, keep, place));
    CHECK(place.u == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(curve_gap(rig.spans, rig.nodes, keep, place).rho == doctest::Approx(2).epsilon(1e-12));
  }
}

TEST_CASE("approach: from parallel to square the distance, its direction and its weights change without a jump") {
  Rig rig(2);
  const double keep = keeping(rig.spans[2], 1);
  Approach place{.a = 2, .b = kNodes + 1};
  CurveGap before;
  const int steps = 2000;
  double largest = 0;
  for (int k = 0; k <= steps; ++k) {
    lay(rig, 1.57 * k / steps, 0.6);
    REQUIRE(find_approach(rig.spans, rig.second(), rig.nodes, keep, place));
    const CurveGap gap = curve_gap(rig.spans, rig.nodes, keep, place);
    if (k > 0) {
      // what the force on any node changes by in a two-thousandth of a right angle, as a share of the force
      std::array<Vec3, 2 * kNodes> change;
      change.fill(Vec3::Zero());
      for (int p = 0; p < gap.count; ++p) change[at(gap.node[at(p)])] += gap.weight[at(p)] * gap.apart / gap.rho;
      for (int p = 0; p < before.count; ++p)
        change[at(before.node[at(p)])] -= before.weight[at(p)] * before.apart / before.rho;
      for (const Vec3& by : change) largest = std::max(largest, by.norm());
    }
    before = gap;
  }
  CHECK(largest < 0.01);
}

TEST_CASE("approach: never further than the nearest pair of a fine search") {
  Random random;
  for (int run = 0; run < 200; ++run) {
    CAPTURE(run);
    Rig rig(1.5);
    lay(rig, 0.1 + 1.4 * std::abs(random()), 0.5 * random());
    for (Vec3& x : rig.nodes) x += 0.1 * Vec3(random(), random(), random());
    const double keep = keeping(rig.spans[2], 1);
    const auto energy = [&](double u, int b, double v) {
      const double off = (u - 0.5) * rig.length;
      return (span_point(rig.spans[2], rig.nodes, u) - span_point(rig.spans[at(b)], rig.nodes, v)).squaredNorm() +
             keep * off * off;
    };
    double least = 1e9;
    Approach place{.a = 2};
    for (int i = 0; i <= 20; ++i)
      for (int b = kNodes - 1; b < 2 * kNodes - 2; ++b)
        for (int j = 0; j <= 20; ++j)
          if (const double here = energy(i / 20.0, b, j / 20.0); here < least) {
            least = here;
            place.u = i / 20.0;
            place.b = b;
            place.v = j / 20.0;
          }
    REQUIRE(find_approach(rig.spans, rig.second(), rig.nodes, keep, place));
    CHECK(curve_gap(rig.spans, rig.nodes, keep, place).rho <= std::sqrt(least) + 1e-12);
  }
}

}  // namespace filum::test_approach
