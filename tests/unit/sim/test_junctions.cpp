// Junctions: rods joined rigidly, with offsets, in loops, in the middle, in series.
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

namespace filum::test_junctions {

using filum::test::check_balance;
using filum::test::last;
using filum::test::scene_of;
using filum::test::solved;

namespace {

Pose equilibrium(const Scene& scene) {
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  check_balance(scene, last(outcome));
  return last(outcome);
}

struct Place {
  Vec3 position;
  Mat3 frame;
};

Place place(const Pose& pose, std::size_t rod, double s) {
  const std::size_t i = test::sample_at(pose.rods[rod], s);
  return {pose.rods[rod].position[i], pose.rods[rod].frame[i].toRotationMatrix()};
}

// How a place lies as seen from another.
void check_same_relation(const Place& a, const Place& b, const Place& a0, const Place& b0) {
  const Vec3 arm = a.frame.transpose() * (b.position - a.position);
  const Vec3 arm0 = a0.frame.transpose() * (b0.position - a0.position);
  CHECK((arm - arm0).norm() < 1e-10);
  CHECK((a.frame.transpose() * b.frame - a0.frame.transpose() * b0.frame).norm() < 1e-10);
}

}  // namespace

TEST_CASE("a Y with offsets keeps its relative poses") {
  const std::string text = R"(
rods:
  trunk: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0]]}, normal: [0,0,1]}
  left:  {material: rubber, section: band, segments: 20, shape: {line: [[0.32,0.01,0],[0.5,0.2,0]]}, normal: [0,0,1]}
  right: {material: rubber, section: hose, segments: 20, shape: {line: [[0.3,-0.02,0.01],[0.5,-0.2,0]]}, normal: [0,0,1]}
holds: [{rod: trunk, at: start, fix: [position, orientation]}, {rod: left, at: end, fix: [position]}]
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}]
forces: [{rod: right, at: end, force: [0, 0.01, 0.02]}]
)";
  const Scene scene = scene_of(text);
  const Pose pose = equilibrium(scene);
  auto drawn = [](Vec3 from, Vec3 to, double share) {
    const Vec3 d3 = (to - from).normalized();
    Vec3 d1 = Vec3::UnitZ() - d3.z() * d3;
    d1.normalize();
    Mat3 frame;
    frame << d1, d3.cross(d1), d3;
    return Place{from + share * (to - from), frame};
  };
  const Place trunk0 = drawn({0, 0, 0}, {0.3, 0, 0}, 1);
  const Place left0 = drawn({0.32, 0.01, 0}, {0.5, 0.2, 0}, 0);
  const Place right0 = drawn({0.3, -0.02, 0.01}, {0.5, -0.2, 0}, 0);
  const Place trunk = place(pose, 0, 0.3);
  check_same_relation(trunk, place(pose, 1, 0), trunk0, left0);
  check_same_relation(trunk, place(pose, 2, 0), trunk0, right0);
}

TEST_CASE("a place in two junctions joins all of them") {
  // right hangs on the trunk's end through a second junction, listed the other way round
  const std::string rods = R"(
rods:
  trunk: {material: rubber, section: hose, segments: 12, shape: {line: [[0,0,0],[0.3,0,0]]}}
  left:  {material: rubber, section: hose, segments: 12, shape: {line: [[0.3,0,0],[0.5,0.2,0]]}}
  right: {material: rubber, section: hose, segments: 12, shape: {line: [[0.3,0,0],[0.5,-0.2,0]]}}
holds: [{rod: trunk, at: start, fix: [position, orientation]}]
)";
  const Pose one = equilibrium(scene_of(rods + R"(
junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}, {rod: right, at: start}]}])"));
  for (const char* junctions : {"junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}]}, {rods: [{rod: "
                                "right, at: start}, {rod: trunk, at: end}]}]",
                                "junctions: [{rods: [{rod: trunk, at: end}, {rod: left, at: start}]}, {rods: [{rod: "
                                "left, at: start}, {rod: right, at: start}]}]"}) {
    const Pose two = equilibrium(scene_of(rods + junctions));
    for (std::size_t r = 0; r < 3; ++r)
      CHECK((one.rods[r].position.back() - two.rods[r].position.back()).norm() < 1e-9);
  }
}

TEST_CASE("two holds on one junction share its reactions without counting them twice") {
  const std::string rods = R"(
rods:
  a: {material: rubber, section: hose, segments: 10, shape: {line: [[0,0,0],[0.3,0,0]]}}
  b: {material: rubber, section: hose, segments: 10, shape: {line: [[0.3,0,0],[0.5,0.1,0]]}}
junctions: [{rods: [{rod: a, at: end}, {rod: b, at: start}]}]
)";
  equilibrium(scene_of(
      rods + "holds: [{rod: a, at: end, fix: [position, orientation]}, {rod: b, at: start, fix: [orientation]}]"));
  equilibrium(scene_of(
      rods +
      "holds: [{rod: a, at: end, fix: [position, orientation]}, {rod: b, at: start, fix: {orientation: [x, y]}}]"));
  equilibrium(scene_of(
      rods +
      "holds: [{rod: a, at: end, fix: {orientation: [x, y]}}, {rod: b, at: start, fix: [position, orientation]}]"));
}

TEST_CASE("a triangle of rods hangs from a corner") {
  const Scene scene = scene_of(R"(
rods:
  a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0]]}}
  b: {material: rubber, section: hose, segments: 20, shape: {line: [[0.3,0,0],[0.15,0,-0.26]]}}
  c: {material: rubber, section: hose, segments: 20, shape: {line: [[0.15,0,-0.26],[0,0,0]]}}
holds: [{rod: a, at: start, fix: [position]}]
junctions:
  - {rods: [{rod: a, at: end}, {rod: b, at: start}]}
  - {rods: [{rod: b, at: end}, {rod: c, at: start}]}
  - {rods: [{rod: c, at: end}, {rod: a, at: start}]}
)");
  const Pose pose = equilibrium(scene);
  CHECK((pose.rods[0].position.back() - pose.rods[1].position.front()).norm() < 1e-10);
  CHECK((pose.rods[1].position.back() - pose.rods[2].position.front()).norm() < 1e-10);
  CHECK((pose.rods[2].position.back() - pose.rods[0].position.front()).norm() < 1e-10);
}

TEST_CASE("a rod joined in its middle") {
  const Scene scene = scene_of(R"(
rods:
  beam: {material: rubber, section: hose, segments: 21, shape: {line: [[0,0,0],[0.4,0,0]]}}
  mast: {material: rubber, section: hose, segments: 10, shape: {line: [[0.2,0,0],[0.2,0.2,0]]}}
holds: [{rod: beam, at: start, fix: [position, orientation]}, {rod: beam, at: end, fix: [position, orientation]}]
junctions: [{rods: [{rod: mast, at: start}, {rod: beam, at: middle}]}]
)");
  const Pose pose = equilibrium(scene);
  const Place beam = place(pose, 0, 0.2);
  const Place mast = place(pose, 1, 0);
  CHECK((beam.position - mast.position).norm() < 1e-12);
  CHECK(std::abs(beam.frame.col(2).dot(mast.frame.col(2))) < 1e-10);
  // the mast twists the beam: it tips over by more than its own bending
  CHECK(mast.frame.col(2).z() < -0.01);
}

TEST_CASE("two rods in series are one rod, to second order") {
  auto gap = [](int segments) {
    const std::string n = std::to_string(segments);
    const std::string load = "forces: [{rod: z, at: end, force: [0, 0.02, 0]}]\n";
    const Pose one = equilibrium(scene_of("rods: {z: {material: rubber, section: hose, segments: " + n +
                                          R"(, shape: {line: [[0,0,0],[0.4,0,0]]}}}
holds: [{rod: z, at: start, fix: [position, orientation]}]
)" + load));
    const std::string half = std::to_string(segments / 2);
    const Pose two = equilibrium(
        scene_of("rods: {a: {material: rubber, section: hose, segments: " + half +
                 ", shape: {line: [[0,0,0],[0.2,0,0]]}}, z: {material: rubber, section: hose, segments: " + half +
                 R"(, shape: {line: [[0.2,0,0],[0.4,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
junctions: [{rods: [{rod: a, at: end}, {rod: z, at: start}]}]
)" + load));
    return (one.rods[0].position.back() - two.rods[1].position.back()).norm() / 0.4;
  };
  const double coarse = gap(20);
  const double fine = gap(40);
  CHECK(coarse < 2e-3);
  CHECK(fine < coarse / 3.3);
}

}  // namespace filum::test_junctions
