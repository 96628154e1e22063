// Everything that grips, joins and loads a spline rod: balance of all forces, and agreement with kirchhoff.
#include "unit/spline/spline_rig.hpp"

#include "rod/pose_at.hpp"

namespace filum::test::test_spline_scenes {

namespace {

// Largest distance between the rods of two poses, by arc length.
double apart(const Pose& a, const Pose& b) {
  double most = 0;
  for (std::size_t r = 0; r < a.rods.size(); ++r)
    for (std::size_t i = 0; i < b.rods[r].s.size(); ++i)
      most = std::max(most, (rod::position_at(a.rods[r], b.rods[r].s[i]) - b.rods[r].position[i]).norm());
  return most;
}

// Solved as a spline of few segments and as fine discrete rods.
void compare(const std::string& text, double tolerance, int fine = 400) {
  const Scene scene = in_spline(scene_of(text));
  const Outcome spline = solved(scene);
  CHECK_MESSAGE(spline.solve.converged, spline.solve.why);
  // weight is lumped at the samples here: forces are exact, moments as good as the samples are close
  const Wrench sum = outside(scene, last(spline));
  CHECK(sum.force.norm() <= 1e-8 * sum.force_scale);
  CHECK(sum.moment.norm() <= 1e-3 * std::max(sum.moment_scale, 0.1 * sum.force_scale));
  Scene same = scene_of(text);
  for (Rod& rod : same.rods) rod.segments = fine;
  const Outcome nodes = solved(same);
  CHECK_MESSAGE(nodes.solve.converged, nodes.solve.why);
  CHECK(apart(last(spline), last(nodes)) < tolerance);
  CHECK(last(spline).energy.elastic == doctest::Approx(last(nodes).energy.elastic).epsilon(2e-3));
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const double force = last(nodes).holds[h].force.norm() + 1e-3;
    CHECK((last(spline).holds[h].force - last(nodes).holds[h].force).norm() < 2e-3 * force);
    const double moment = last(nodes).holds[h].moment.norm() + 1e-3 * force;
    CHECK((last(spline).holds[h].moment - last(nodes).holds[h].moment).norm() < 1e-2 * moment);
  }
}

}  // namespace

TEST_CASE("A hose between two clamps, one of them turned, with a pin in the middle") {
  compare(R"(rods: {hose: {section: hose, material: rubber, length: 0.6, segments: 24,
              shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}}
holds:
  - {rod: hose, at: start, fix: [position, orientation]}
  - {rod: hose, at: 0.22, fix: [position], position: [0.18, 0.03, -0.05]}
  - {rod: hose, at: end, fix: [position, orientation], orientation: {tangent: [0.8, 0.6, 0], normal: [0, 0, 1]}}
)",
          3e-4);
}

TEST_CASE("Holds by axis, a hinge, a clamp inside and a force at a place") {
  compare(R"(rods: {band: {section: band, material: rubber, normal: [0, 1, 0], segments: 48,
              shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
holds:
  - {rod: band, at: start, fix: {position: true, orientation: [x, z]}}
  - {rod: band, at: 0.15, fix: [position, orientation]}
  - {rod: band, at: end, fix: {position: [y, z]}}
forces: [{rod: band, at: 0.3, force: [0, 0.01, -0.05]}]
)",
          2e-4);
}

TEST_CASE("Stations, distributed force, uniform rest curvature") {
  compare(R"(rods: {hose: {section: hose, material: rubber, segments: 24, stations: [{s: 0.2, section: band}],
              normal: [0, 0, 1], rest: {curvature: [1.0, 2.0], twist_rate: 3.0},
              shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
holds: [{rod: hose, at: start, fix: [position, orientation]}]
distributed: [{rod: hose, from: 0.1, to: 0.3, force_per_length: [0, 0.2, 0]}]
)",
          3e-4);
}

TEST_CASE("A junction of three rods") {
  compare(R"(rods:
  trunk: {section: hose, material: rubber, segments: 16, shape: {line: [[0, 0, 0], [0.2, 0, 0]]}}
  left: {section: hose, material: rubber, segments: 16, shape: {line: [[0.2, 0, 0], [0.4, 0.1, 0]]}}
  right: {section: hose, material: rubber, segments: 16, shape: {line: [[0.2, 0, 0], [0.4, -0.15, 0]]}}
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
holds:
  - {rod: trunk, at: start, fix: [position, orientation]}
  - {rod: left, at: end, fix: [position]}
)",
          3e-4);
}

TEST_CASE("A free body hangs on a rod") {
  compare(R"(rods: {hose: {section: hose, material: rubber, segments: 16, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
bodies: {weight: {box: [0.02, 0.02, 0.02], mass: 0.02, position: [0.31, 0, 0], motion: free}}
holds:
  - {rod: hose, at: start, fix: [position, orientation]}
  - {rod: hose, at: end, fix: [position, orientation], body: weight}
)",
          3e-4);
}

TEST_CASE("What is drawn at rest stays as it is drawn") {
  Scene scene = in_spline(scene_of(R"(rods:
  coil: {section: hose, material: rubber, segments: 60, rest: as-shaped,
         shape: {helix: {centre: [0, 0, 0], start: [0.05, 0, 0], axis: [0, 0, 1], angle: 12, pitch: 0.02}}}
holds: [{rod: coil, at: start, fix: [position, orientation]}]
)"));
  scene.gravity.setZero();
  const Outcome outcome = solved(scene);
  CHECK(outcome.solve.converged);
  CHECK(last(outcome).energy.elastic < 1e-20);
  CHECK(outcome.solve.iterations <= 2);
}

TEST_CASE("A planar S-curve has no twist") {
  const Outcome outcome = solved(in_spline(scene_of(R"(rods: {hose: {section: hose, material: rubber, length: 0.4,
  segments: 20, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
holds:
  - {rod: hose, at: start, fix: [position, orientation]}
  - {rod: hose, at: end, fix: [position, orientation], position: [0.28, 0, 0.12]}
)")));
  CHECK(outcome.solve.converged);
  for (const double twist : last(outcome).rods[0].twist) CHECK(std::abs(twist) < 1e-9);
}

TEST_CASE("What a spline cannot do is refused by name") {
  const auto refused = [](const std::string& text) {
    const Result<Outcome> outcome = solve(in_spline(scene_of(text)), {});
    return outcome.ok() ? std::string() : outcome.error().text();
  };
  const std::string ring = refused(R"(rods: {ring: {section: hose, material: rubber, closed: true, segments: 3,
  shape: {arc: {centre: [0, 0, 0], start: [1, 0, 0], axis: [0, 0, 1], angle: 6.283185307179586}}}}
)");
  CHECK(ring.find("the closed rod 'ring'") != std::string::npos);
}

}  // namespace filum::test::test_spline_scenes
