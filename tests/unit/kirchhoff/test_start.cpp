// What a scene begins with: rods where they are drawn, each edge as long as its material.
#include "formulations/kirchhoff/kirchhoff.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

namespace filum::test_start {

using test::scene_of;

namespace {

RodPose started(const Scene& scene) {
  const std::unique_ptr<Model> model = kirchhoff::KirchhoffFormulation{}.compile(scene);
  const Targets targets = sim::resting_targets(scene);
  return model->sample(*model->workspace(), *model->start(targets), targets).rods[0];
}

// The largest strain of an edge.
double largest_strain(const RodPose& rod) {
  double worst = 0;
  for (std::size_t i = 1; i < rod.s.size(); ++i)
    worst = std::max(worst, std::abs((rod.position[i] - rod.position[i - 1]).norm() / (rod.s[i] - rod.s[i - 1]) - 1));
  return worst;
}

// The largest distance from a circle about the origin of the x-z plane.
double off_circle(const RodPose& rod, double radius) {
  double worst = 0;
  for (const Vec3& x : rod.position) worst = std::max(worst, std::abs(x.norm() - radius) + std::abs(x.y()));
  return worst;
}

// Half a circle of radius 1, hanging, in 20 edges; on the circle itself their chords are short by (π/20)²/24 = 1e-3.
const std::string kArc = "{section: wire, material: metal, segments: 20, shape: {arc: [[-1,0,0],[0,0,-1],[1,0,0]]}";

// The lengths are solved for to 1e-12.
constexpr double kExact = 1e-11;

}  // namespace

TEST_CASE("an arc between two holds begins unstretched, and ends at its holds") {
  const RodPose rod = started(scene_of("rods: {a: " + kArc + R"(}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position]}]
)"));
  CHECK(largest_strain(rod) < kExact);
  CHECK(rod.position.front() == Vec3(-1, 0, 0));
  CHECK((rod.position.back() - Vec3(1, 0, 0)).norm() < 1e-15);
  // as near to the drawn shape as its chords are short
  CHECK(off_circle(rod, 1) < 3e-3);
}

TEST_CASE("a free arc, one held along some axes, and a ring likewise") {
  const RodPose free = started(scene_of("rods: {a: " + kArc + "}}\n"));
  CHECK(largest_strain(free) < kExact);
  CHECK(off_circle(free, 1) < 3e-3);

  const RodPose guided = started(scene_of("rods: {a: " + kArc + R"(}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: middle, fix: {position: [z]}}]
)"));
  CHECK(largest_strain(guided) < kExact);
  CHECK(guided.position[10].z() == doctest::Approx(-1).epsilon(1e-15));

  const RodPose ring = started(scene_of(R"(
rods: {a: {section: wire, material: metal, segments: 20, closed: true,
           shape: {arc: {centre: [0, 0, 0], axis: [0, 1, 0], start: [1, 0, 0], angle: 360 deg}}}}
)"));
  CHECK(largest_strain(ring) < kExact);
  // evenly larger: a circle still
  CHECK(off_circle(ring, ring.position[0].norm()) < 1e-12);
}

TEST_CASE("a slack rod begins with its own length, however it is laid") {
  const RodPose rod = started(scene_of(R"(
rods: {a: {section: wire, material: metal, segments: 20, length: 1.3, shape: {line: [[0,0,0],[1,0,0]]}}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]
)"));
  CHECK(largest_strain(rod) < kExact);
  CHECK(rod.position.back() == Vec3(1, 0, 0));
}

TEST_CASE("what is drawn stretched, or straight between holds that are too near, begins as drawn if it is to") {
  const RodPose longer = started(scene_of(R"(
rods: {a: {section: wire, material: metal, segments: 20, length: 0.98, shape: {line: [[0,0,0],[1,0,0]]}}}
holds: [{rod: a, at: start, fix: [position]}]
simulation: {start: as-shaped}
)"));
  CHECK(longer.position.back() == Vec3(1, 0, 0));
  const RodPose pressed = started(scene_of(R"(
rods: {a: {section: wire, material: metal, segments: 20, length: 1.005, shape: {line: [[0,0,0],[1,0,0]]}}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]
)"));
  for (std::size_t i = 0; i < pressed.s.size(); ++i)
    CHECK((pressed.position[i] - Vec3(0.05 * static_cast<double>(i), 0, 0)).norm() < 1e-12);
}

TEST_CASE("a rest shape as drawn is left where it is drawn") {
  const RodPose rod = started(scene_of("rods: {a: " + kArc + R"(, rest: as-shaped}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]
)"));
  CHECK(off_circle(rod, 1) < 1e-14);
}

}  // namespace filum::test_start
