// Scenes at the edge: the coarsest meshes, nothing held, taut and slack, soft and stiff, small and large, turned ends.
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <numbers>
#include <random>

namespace filum::test_hard_scenes {

using filum::test::check_balance;
using filum::test::last;
using filum::test::scene_of;
using filum::test::solved;

namespace {

constexpr double kPi = std::numbers::pi;

Outcome balanced(const Scene& scene) {
  const Outcome outcome = solved(scene);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  check_balance(scene, last(outcome));
  return outcome;
}

bool finite(const Pose& pose) {
  for (const RodPose& rod : pose.rods)
    for (const Vec3& x : rod.position)
      if (!x.allFinite()) return false;
  return true;
}

std::string vec(const Vec3& v) {
  return "[" + std::to_string(v.x()) + ", " + std::to_string(v.y()) + ", " + std::to_string(v.z()) + "]";
}

}  // namespace

TEST_CASE("one, two and three segments") {
  for (const int segments : {1, 2, 3})
    for (const char* hold :
         {"{rod: a, at: start, fix: [position, orientation]}", "{rod: a, at: start, fix: [position]}",
          "{rod: a, at: middle, fix: [position, orientation]}",
          "{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}",
          "{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}"}) {
      CAPTURE(segments);
      CAPTURE(hold);
      balanced(scene_of("rods: {a: {material: rubber, section: hose, segments: " + std::to_string(segments) +
                        ", shape: {line: [[0,0,0],[0.3,0,0.1]]}}}\nholds: [" + hold + "]"));
    }
}

TEST_CASE("nothing held: at rest without weight, refused to converge with it") {
  const std::string rod =
      "rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0.1]]}}}\n";
  const Outcome still = solved("gravity: [0, 0, 0]\n" + rod);
  CHECK((last(still).rods[0].position.back() - Vec3(0.3, 0, 0.1)).norm() < 1e-9);
  const Outcome falling = solved(scene_of(rod));
  CHECK_FALSE(falling.solve.converged);
  CHECK_FALSE(falling.solve.why.empty());
  CHECK(finite(last(falling)));
  // loads that cancel are an equilibrium
  const Outcome pulled =
      solved("gravity: [0, 0, 0]\n" + rod +
             "forces: [{rod: a, at: start, force: [-0.3, 0, -0.1]}, {rod: a, at: end, force: [0.3, 0, 0.1]}]");
  CHECK(last(pulled).rods[0].axial_force[10] == doctest::Approx(std::hypot(0.3, 0.1)).epsilon(1e-8));
}

TEST_CASE("too little held: each such scene ends with a reason, not at a wrong place") {
  // a rod free to slide along x under a force along x; one free to swing about its axis with a torque about it
  for (const char* rest :
       {"holds: [{rod: a, at: start, fix: {position: [y, z]}}]\nforces: [{rod: a, at: end, force: [1, 0, 0]}]",
        "gravity: [0, 0, 0]\nholds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position]}]\n"
        "torques: [{rod: a, at: middle, torque: [0.01, 0, 0]}]"}) {
    CAPTURE(rest);
    const Outcome outcome = solved(scene_of(
        std::string(
            "rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0]]}}}\n") +
        rest));
    CHECK_FALSE(outcome.solve.converged);
    CHECK_FALSE(outcome.solve.why.empty());
    CHECK(finite(last(outcome)));
  }
}

TEST_CASE("free along one axis without a load along it is fine") {
  const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0]]}}}
holds: [{rod: a, at: start, fix: {position: [y, z]}}, {rod: a, at: end, fix: {position: [y, z]}}]
)");
  const Outcome outcome = balanced(scene);
  CHECK(std::abs(last(outcome).rods[0].position[10].x() - 0.15) < 1e-6);
}

TEST_CASE("holds too far apart: the rod is stretched by just that much") {
  for (const double far : {0.31, 0.45, 0.9}) {
    const Scene scene = scene_of(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, length: 0.3, segments: 25, shape: {line: [[0,0,0],[0.3,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], position: [)" +
                                 std::to_string(far) + ", 0, 0]}]");
    const Outcome outcome = balanced(scene);
    const double EA = 5e6 * kPi * 25e-6;
    CHECK(last(outcome).holds[1].force.x() == doctest::Approx(EA * (far / 0.3 - 1)).epsilon(1e-10));
    CHECK(outcome.solve.stable == true);
  }
}

TEST_CASE("slack between holds: far shorter, at one place, and beyond") {
  for (const double apart : {0.2, 0.05, 0.0, -0.1})
    for (const char* fix : {"[position]", "[position, orientation]"}) {
      CAPTURE(apart);
      CAPTURE(fix);
      const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 50, shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{rod: a, at: start, fix: )" +
                                   std::string(fix) + "}, {rod: a, at: end, fix: " + fix + ", position: [" +
                                   std::to_string(apart) + ", 0, 0]}]");
      const Outcome outcome = balanced(scene);
      CHECK(last(outcome).rods[0].length == doctest::Approx(0.5).epsilon(1e-3));
    }
}

TEST_CASE("from the softest to the stiffest") {
  for (const double young : {1e3, 1e4, 1e5, 1e7, 1e9, 1e11, 1e13}) {
    CAPTURE(young);
    Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 50, shape: {line: [[0,0,0],[0.45,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}]
)");
    scene.materials[0].material.young = young;
    const Outcome outcome = solved(scene);
    CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
    // a stiff rod carries forces far above its weight: sums are measured by them
    check_balance(scene, last(outcome));
  }
}

TEST_CASE("micrometres and kilometres give the same shape") {
  // all lengths × k and E × k: weight per stiffness, ρ g L³ / (E r²), is the same
  auto shape = [](double k) {
    Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 40, shape: {line: [[0,0,0],[0.42,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: end, fix: [position, orientation], position: [0.3, 0.1, 0.1], orientation: {tangent: [0, 1, 0], normal: [1, 0, 0]}}]
)");
    scene.materials[0].material.young *= k;
    for (SectionEntry& s : scene.sections) s.section.radius *= k;
    Rod& rod = scene.rods[0];
    rod.length = *rod.length * k;
    for (Vec3& x : rod.shape.points) x *= k;
    scene.holds[1].position = *scene.holds[1].position * k;
    const Outcome outcome = solved(scene);
    CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
    std::vector<Vec3> x = last(outcome).rods[0].position;
    for (Vec3& p : x) p /= k;
    return x;
  };
  const std::vector<Vec3> base = shape(1);
  for (const double k : {1e-6, 1e-3, 1e3, 1e6}) {
    const std::vector<Vec3> scaled = shape(k);
    double worst = 0;
    for (std::size_t i = 0; i < base.size(); ++i) worst = std::max(worst, (scaled[i] - base[i]).norm());
    CHECK(worst < 1e-9);
  }
}

TEST_CASE("ends turned by right angles and right round") {
  for (const char* pose : {"{tangent: [0, 1, 0], normal: [0, 0, 1]}", "{tangent: [0, 0, 1], normal: [1, 0, 0]}",
                           "{tangent: [-1, 0, 0], normal: [0, 0, 1]}", "{tangent: [1, 0, 0], normal: [0, 0, -1]}",
                           "{tangent: [-1, 0, 0], normal: [0, 1, 0]}"})
    for (const char* gravity : {"[0, 0, -9.81]", "[0, 0, 0]"}) {
      CAPTURE(pose);
      CAPTURE(gravity);
      balanced(scene_of("gravity: " + std::string(gravity) + R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 50, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: end, fix: [position, orientation], position: [0.3, 0, 0], orientation: )" +
                        pose + "}]"));
    }
}

TEST_CASE("a hundred random ends") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1, 1);
  auto some = [&] { return Vec3(any(random), any(random), any(random)); };
  int failed = 0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 at = 0.3 * some();
    const Vec3 tangent = some();
    const Vec3 normal = tangent.unitOrthogonal() + 0.3 * some().cross(tangent);
    const Scene scene =
        scene_of(R"(
rods: {a: {material: rubber, section: band, length: 0.6, segments: 40, shape: {line: [[0,0,0],[0.6,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: end, fix: [position, orientation], position: )" +
                 vec(at) + ", orientation: {tangent: " + vec(tangent) + ", normal: " + vec(normal) + "}}]");
    const Outcome outcome = solved(scene);
    failed += outcome.solve.converged ? 0 : 1;
    if (outcome.solve.converged) check_balance(scene, last(outcome));
  }
  CHECK(failed == 0);
}

TEST_CASE("rings: unheld, held at one point, coarse, twisted") {
  auto ring = [](int segments, const std::string& more) {
    return "rods: {a: {material: rubber, section: hose, closed: true, segments: " + std::to_string(segments) +
           ", shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}}}}\n" + more;
  };
  // straight at rest: a circle is its equilibrium, with the moment EI/R everywhere
  const Outcome floating = solved(ring(40, "gravity: [0, 0, 0]"));
  const RodPose& rod = last(floating).rods[0];
  REQUIRE(rod.s.size() == 41);
  for (const Vec2& k : rod.curvature) CHECK(k.norm() == doctest::Approx(10).epsilon(1e-2));
  for (std::size_t i = 0; i + 1 < rod.s.size(); ++i)
    CHECK(rod.curvature[i].norm() == doctest::Approx(rod.curvature[0].norm()).epsilon(1e-7));

  for (const int segments : {3, 4, 5, 40}) {
    CAPTURE(segments);
    balanced(scene_of(ring(segments, "holds: [{rod: a, at: start, fix: [position]}]")));
    balanced(scene_of(ring(segments, "holds: [{rod: a, at: 37 %, fix: [position, orientation]}]")));
  }
  const Outcome twisted = solved(
      "gravity: [0, 0, 0]\nrods: {a: {material: rubber, section: hose, closed: true, segments: 40, twist: 1 turn, "
      "shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}}}}");
  CHECK(last(twisted).rods[0].turns == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("everything at one place") {
  const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0]]}, stations: [{s: 0.15, section: band}]},
       b: {material: rubber, section: hose, segments: 20, shape: {line: [[0.15,0,0],[0.15,0.2,0]]}},
       c: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.3,0,0]]}}}
holds: [{rod: a, at: middle, fix: [position]}, {rod: a, at: middle, fix: [orientation]}, {rod: c, at: middle, fix: [position]}]
junctions: [{rods: [{rod: a, at: middle}, {rod: b, at: start}]}]
forces: [{rod: a, at: middle, force: [1, 2, 3]}, {rod: a, at: middle, force: [0, 0, 1]}]
distributed: [{rod: a, from: 50 %, to: end, force_per_length: [0, 0, -1]}]
)");
  const Outcome outcome = balanced(scene);
  CHECK(last(outcome).holds[0].moment == Vec3::Zero());
  CHECK(last(outcome).holds[1].force == Vec3::Zero());
}

TEST_CASE("two thousand segments") {
  const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 2000, shape: {line: [[0,0,0],[0.45,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position]}]
)");
  const Outcome fine = solved(scene);
  CHECK_MESSAGE(fine.solve.converged, fine.solve.why);
  // the floor is higher here: round-off of EA against forces of a newton, ε EA / F
  const test::Wrench sum = test::outside(scene, last(fine));
  CHECK(sum.force.norm() < 1e-6 * sum.force_scale * 2000);
  Scene coarse = scene;
  coarse.rods[0].segments = 500;
  const Outcome other = solved(coarse);
  CHECK((last(fine).rods[0].position[1000] - last(other).rods[0].position[250]).norm() < 1e-5);
}

TEST_CASE("the same scene twice: the same bits") {
  const Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: band, length: 0.5, segments: 40, shape: {line: [[0,0,0],[0.45,0,0]]}},
       b: {material: rubber, section: hose, segments: 20, shape: {line: [[0.2,0,0],[0.2,0.2,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: end, fix: [position, orientation], position: [0.3, 0.1, 0], orientation: {tangent: [0,1,0.3], normal: [1,0,0]}}]
junctions: [{rods: [{rod: a, at: 40 %}, {rod: b, at: start}]}]
)");
  const Outcome one = balanced(scene);
  const Outcome two = balanced(scene);
  for (std::size_t r = 0; r < 2; ++r) CHECK(last(one).rods[r].position == last(two).rods[r].position);
  CHECK(one.solve.iterations == two.solve.iterations);
}

}  // namespace filum::test_hard_scenes
