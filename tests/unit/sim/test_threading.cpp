// Parts that are led through openings: a box through windows a hundredth wider and narrower, turned and off the path,
// through a round hole by its diagonal, a harness with its connectors, what is refused.
#include "sim/assembly/threading.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace filum::test_threading {

namespace {

using sim::Passage;
using Outline = std::vector<Vec2>;

constexpr double kPi = std::numbers::pi;
const Vec3 kBox(0.04, 0.02, 0.03);

// A sheet at z = 0 to `thick` between two outlines of as many corners.
geometry::Shape sheet(const Outline& inner, const Outline& outer, double thick) {
  std::vector<Vec3> corners;
  std::vector<std::array<int, 3>> triangles;
  const int n = static_cast<int>(inner.size());
  for (const double z : {0.0, thick}) {
    for (const Vec2& p : inner) corners.emplace_back(p.x(), p.y(), z);
    for (const Vec2& p : outer) corners.emplace_back(p.x(), p.y(), z);
  }
  const auto quad = [&](int a, int b, int c, int d) {
    triangles.push_back({a, b, c});
    triangles.push_back({a, c, d});
  };
  for (int k = 0; k < n; ++k) {
    const int m = (k + 1) % n;
    quad(k, m, n + m, n + k);
    quad(2 * n + m, 2 * n + k, 3 * n + k, 3 * n + m);
    quad(m, k, 2 * n + k, 2 * n + m);
    quad(n + k, n + m, 3 * n + m, 3 * n + k);
  }
  auto surface = std::make_shared<geometry::MeshSurface>(corners, triangles);
  REQUIRE(surface->closed());
  return geometry::PlacedMesh{std::move(surface)};
}

Outline rectangle(double w, double h) {
  return {{w / 2, h / 2}, {-w / 2, h / 2}, {-w / 2, -h / 2}, {w / 2, -h / 2}};
}

constexpr int kSides = 24;  // of a round hole
Outline circle(double radius) {
  Outline out;
  for (int k = 0; k < kSides; ++k)
    out.emplace_back(radius * std::cos(2 * kPi * k / kSides), radius * std::sin(2 * kPi * k / kSides));
  return out;
}

Passage led(const geometry::Shape& opening, const Quat& orientation, const Vec3& off, bool turns) {
  const sim::Surroundings around({opening});
  const std::vector<Vec3> path{Vec3(0, 0, -0.06) + off, Vec3(0, 0, 0.06) + off};
  sim::PassageOptions options;
  options.orientation = orientation;
  options.turns = turns;
  return pass_through(around, sim::rigid_part(geometry::Block{kBox}), path, options);
}

Quat about(double angle, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(angle, axis));
}

}  // namespace

TEST_CASE("threading: a box passes a window that is a hundredth wider, as near as the window says") {
  const geometry::Shape window = sheet(rectangle(1.01 * kBox.x(), 1.01 * kBox.y()), rectangle(0.2, 0.2), 2e-3);
  const double room = 0.005 * kBox.y();
  const Passage kept = led(window, Quat::Identity(), Vec3::Zero(), false);
  CHECK(kept.passes);
  CHECK(kept.clearance == doctest::Approx(room).epsilon(1e-9));
  // off the middle, turned a little, and the wrong way round: it finds its way, nearly as far from everything
  for (const auto& [turn, off] : {std::pair{Quat::Identity(), Vec3(1e-3, 5e-4, 0)},
                                  {about(0.09, Vec3::UnitZ()), Vec3(0, 0, 0)},
                                  {about(kPi / 2, Vec3::UnitX()), Vec3(0, 0, 0)}}) {
    const Passage found = led(window, turn, off, true);
    CHECK(found.passes);
    CHECK(found.clearance > 0.8 * room);
    CHECK(found.clearance < room + 1e-12);
  }
  // every pose on the way is one that the part has room in
  const sim::Surroundings around({window});
  const sim::RigidPart part = sim::rigid_part(geometry::Block{kBox});
  for (const sim::PassedPose& each : led(window, Quat::Identity(), Vec3(1e-3, 0, 0), true).poses)
    CHECK(around.fit(part, each.pose, part.reach).clearance > 0);
}

TEST_CASE("threading: a box sticks in a window that is a hundredth narrower, where it begins") {
  const geometry::Shape window = sheet(rectangle(0.99 * kBox.x(), 0.99 * kBox.y()), rectangle(0.2, 0.2), 2e-3);
  for (const bool turns : {false, true}) {
    const Passage stuck = led(window, Quat::Identity(), Vec3::Zero(), turns);
    CHECK(!stuck.passes);
    // the front of whichever face went first has come to the sheet, and no further than a hundredth of the part
    CHECK(stuck.way < 0.06 - 0.5 * kBox.minCoeff() + 1e-3);
    CHECK(stuck.way > 0.06 - 0.5 * kBox.norm() - 1e-3);
    CHECK(std::abs(stuck.place.z()) < 2.5e-3);
  }
}

TEST_CASE("threading: a box passes a round hole by the diagonal of its smallest face") {
  const double diagonal = std::hypot(kBox.y(), kBox.z());
  const Outline outer = circle(0.1);
  // the hole is a polygon inscribed in the circle
  const double inscribed = std::cos(kPi / kSides);
  CHECK(led(sheet(circle(0.505 * diagonal / inscribed), outer, 2e-3), Quat::Identity(), Vec3::Zero(), true).passes);
  CHECK(!led(sheet(circle(0.495 * diagonal), outer, 2e-3), Quat::Identity(), Vec3::Zero(), true).passes);
  // as it comes, its large face first, it does not
  CHECK(!led(sheet(circle(0.505 * diagonal / inscribed), outer, 2e-3), Quat::Identity(), Vec3::Zero(), false).passes);
}

TEST_CASE("threading: solids of every kind are kept clear of, by the right distance") {
  const sim::RigidPart box = sim::rigid_part(geometry::Block{Vec3(0.2, 0.2, 0.2)});
  const auto gap = [&](const geometry::Shape& solid) { return sim::Surroundings({solid}).fit(box, {}, 1).clearance; };
  // beside the middle of a face, where no edge of the box is near
  CHECK(gap(geometry::Ball{Vec3(0.2, 0, 0), 0.03}) == doctest::Approx(0.07));
  CHECK(gap(geometry::Capsule{{Vec3(0.2, -1, 0), Vec3(0.2, 1, 0)}, 0.03}) == doctest::Approx(0.07));
  CHECK(gap(geometry::Cylinder{{Vec3(0.2, -1, 0), Vec3(0.2, 1, 0)}, 0.03}) == doctest::Approx(0.07).epsilon(2e-3));
  CHECK(gap(geometry::Block{Vec3(0.02, 0.02, 0.02), Vec3(0.2, 0, 0)}) == doctest::Approx(0.09));
  CHECK(gap(geometry::HalfSpace{Vec3(0, 0, -0.15), Vec3::UnitZ()}) == doctest::Approx(0.05));
  // edges that cross
  CHECK(gap(geometry::Block{Vec3(0.02, 1, 0.02), Vec3(0.15, 0, 0.15), about(kPi / 4, Vec3::UnitY())}) ==
        doctest::Approx(std::sqrt(2) * 0.05 - 0.01));
  CHECK(gap(geometry::Ball{Vec3(0.11, 0, 0), 0.03}) < 0);
}

TEST_CASE("threading: a harness goes through with its connectors, or the one that does not is named") {
  Scene scene = test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, -0.5], [0, 0, -0.1]]}}}
bodies:
  plug: {box: [30 mm, 20 mm, 20 mm], motion: driven, position: [0, 0, -0.09]}
  nose: {sphere: 8 mm, motion: driven, position: [0, 0, -0.5]}
  wall: {box: [1, 1, 1], motion: fixed, position: [0, 0, -2]}
holds:
  - {rod: a, at: end, fix: [position], body: plug}
  - {rod: a, at: start, fix: [position], body: nose}
obstacles:
  - {name: left, box: {size: [80 mm, 200 mm, 2 mm], position: [-60 mm, 0, 0]}}
  - {name: right, box: {size: [80 mm, 200 mm, 2 mm], position: [60 mm, 0, 0]}}
  - {name: top, box: {size: [40 mm, 90 mm, 2 mm], position: [0, 57 mm, 0]}}
  - {name: bottom, box: {size: [40 mm, 90 mm, 2 mm], position: [0, -57 mm, 0]}}
)");
  sim::ThreadingRequest request;
  request.path = {Vec3(0, 0, -0.06), Vec3(0, 0, 0.06)};
  const auto through = check_threading(scene, request);
  REQUIRE(through.ok());
  CHECK(through->passes);
  REQUIRE(through->parts.size() == 3);
  CHECK(through->parts[0].part == ObjectRef{ObjectKind::Body, "plug"});
  // 24 mm of window, a plug of 20, a hose of 10
  CHECK(through->parts[0].passage.clearance == doctest::Approx(2e-3).epsilon(0.05));
  CHECK(through->parts[2].passage.clearance == doctest::Approx(7e-3).epsilon(0.05));
  // a plug that is larger than the window; that it turns is tried above
  scene.bodies[0].box = Vec3(0.03, 0.025, 0.026);
  request.turns = false;
  const auto stuck = check_threading(scene, request);
  REQUIRE(stuck.ok());
  CHECK(!stuck->passes);
  CHECK(!stuck->parts[0].passage.passes);
  CHECK(stuck->parts[1].passage.passes);
  CHECK(stuck->parts[0].nearest.kind == ObjectKind::Obstacle);
  // without the lintel it has room; and a clearance may be asked for
  request.through = {"left", "right", "bottom"};
  CHECK(check_threading(scene, request)->passes);
  request.clearance = 0.02;
  CHECK(!check_threading(scene, request)->passes);
}

TEST_CASE("threading: what makes no sense is refused") {
  const Scene scene = test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0, 0, 1], [1, 0, 1]]}}}
)");
  const auto told = [&](std::vector<Vec3> path, std::vector<std::string> rods, std::vector<std::string> through) {
    sim::ThreadingRequest request;
    request.path = std::move(path);
    request.rods = std::move(rods);
    request.through = std::move(through);
    const auto out = check_threading(scene, request);
    return out.ok() ? std::string() : out.error().message;
  };
  const std::vector<Vec3> path{Vec3::Zero(), Vec3::UnitZ()};
  CHECK(told({Vec3::Zero()}, {}, {}).find("two points or more") != std::string::npos);
  CHECK(told({Vec3::Zero(), Vec3::Zero()}, {}, {}).find("are the same") != std::string::npos);
  CHECK(told(path, {"b"}, {}).find("there is no rod 'b'") != std::string::npos);
  CHECK(told(path, {}, {"panel"}).find("there is no obstacle 'panel'") != std::string::npos);
  CHECK(told(path, {}, {}).find("nothing to pass") != std::string::npos);
}

}  // namespace filum::test_threading
