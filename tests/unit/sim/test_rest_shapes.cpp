// Rest shapes: what is drawn at rest is free of stress; prescribed curvature and twist are taken; sections in series.
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace filum::test_rest_shapes {

using filum::test::check_balance;
using filum::test::last;
using filum::test::scene_of;
using filum::test::solved;

namespace {

constexpr double kPi = std::numbers::pi;

// What the rod would store if it were bent to a radius of its own length: the measure of energies here.
double measure(double stiffness, double length) {
  return stiffness / length;
}

const double kHoseBending = 5e6 * kPi * std::pow(5e-3, 4) / 4;

}  // namespace

TEST_CASE("a rod at rest as shaped is free of stress, however it is held") {
  const std::vector<std::string> shapes{
      "arc: {centre: [0,0,0], start: [0.1,0,0], angle: 250 deg}",
      "helix: {centre: [0,0,0], start: [0.05,0,0], turns: 3.3, pitch: 0.08}",
      "spline: [[0,0,0],[0.1,0.05,0],[0.15,-0.1,0.1],[0.3,0,0.2]]",
      "points: [[0,0,0],[0.1,0.05,0],[0.15,-0.1,0.1],[0.3,0,0.2]]",
  };
  const std::vector<std::string> holds{
      "holds: [{rod: a, at: start, fix: [position, orientation]}]",
      "holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation]}]",
      "holds: [{rod: a, at: 30 %, fix: [position, orientation]}, {rod: a, at: 77 %, fix: [orientation]}]",
  };
  for (const std::string& shape : shapes)
    for (const char* section : {"hose", "band"})
      for (const std::string& hold : holds) {
        CAPTURE(shape);
        CAPTURE(section);
        CAPTURE(hold);
        const Outcome outcome =
            solved("gravity: [0,0,0]\nrods: {a: {material: rubber, section: " + std::string(section) +
                   ", segments: 40, rest: as-shaped, shape: {" + shape + "}}}\n" + hold);
        const Pose& pose = last(outcome);
        // strains of 1e-10 at most: energies of 1e-20
        CHECK(pose.energy.elastic < 1e-18 * measure(kHoseBending, 0.4));
        for (const HoldPose& h : pose.holds) {
          CHECK(h.force.norm() < 1e-8 * kHoseBending / 0.16);
          CHECK(h.moment.norm() < 1e-8 * kHoseBending / 0.4);
        }
      }
}

TEST_CASE("a closed rod at rest as shaped is free of stress, out of the plane too") {
  const std::vector<std::string> shapes{
      "arc: {centre: [0,0,0], start: [0.1,0,0], angle: 1 turn}",
      "spline: [[0.1,0,0],[0,0.1,0.04],[-0.1,0,-0.05],[0.02,-0.1,0.06]]",
  };
  for (const std::string& shape : shapes)
    for (const char* section : {"hose", "band"})
      for (const char* hold :
           {"{rod: a, at: start, fix: [position, orientation]}", "{rod: a, at: 30 %, fix: [position, orientation]}"}) {
        CAPTURE(shape);
        CAPTURE(section);
        CAPTURE(hold);
        const Outcome outcome =
            solved("gravity: [0,0,0]\nrods: {a: {material: rubber, section: " + std::string(section) +
                   ", segments: 60, closed: true, rest: as-shaped, shape: {" + shape + "}}}\nholds: [" + hold + "]");
        CHECK(last(outcome).energy.elastic < 1e-18 * measure(kHoseBending, 0.4));
        CHECK(last(outcome).holds[0].moment.norm() < 1e-8 * kHoseBending / 0.4);
      }
}

TEST_CASE("uniform rest curvature and twist are taken on in full by a free rod") {
  const Outcome outcome = solved(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: band, segments: 60, rest: {curvature: [3, 5], twist_rate: 4},
  shape: {line: [[0,0,0],[0.4,0,0]]}, normal: [0,0,1]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)");
  const RodPose& rod = last(outcome).rods[0];
  CHECK(last(outcome).energy.elastic < 1e-18);
  for (std::size_t i = 0; i < rod.s.size(); ++i) {
    CHECK(rod.curvature[i].x() == doctest::Approx(3).epsilon(1e-6));
    CHECK(rod.curvature[i].y() == doctest::Approx(5).epsilon(1e-6));
    CHECK(rod.twist[i] == doctest::Approx(4).epsilon(1e-6));
    CHECK(rod.moment[i].norm() < 1e-9);
  }
  CHECK(rod.turns == doctest::Approx(4 * 0.4 / (2 * kPi)).epsilon(1e-9));
  // the helix of this Darboux vector: the frame at the end is exp(L·(3, 5, 4)) on from the start, to second order
  const Vec3 darboux(3, 5, 4);
  const Mat3 turn = Eigen::AngleAxisd(0.4 * darboux.norm(), darboux.normalized()).toRotationMatrix();
  const Mat3 end = rod.frame.front().toRotationMatrix() * turn;
  CHECK((rod.frame.back().toRotationMatrix() - end).norm() < 2e-3);
}

TEST_CASE("initial twist between clamps stays, and is let out by a hold that does not turn") {
  auto rod = [](const char* end) {
    return std::string(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 30, twist: 1.25 turns, shape: {line: [[0,0,0],[0.4,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: )") +
           end + "}]";
  };
  const Outcome held = solved(rod("[position, orientation]"));
  CHECK(last(held).rods[0].turns == doctest::Approx(1.25).epsilon(1e-12));
  // torque GJ φ/L, with G = E / (2 (1 + ν)) and J = π r⁴ / 2
  const double torsion = 5e6 / (2 * 1.45) * kPi * std::pow(5e-3, 4) / 2;
  CHECK(std::abs(last(held).holds[1].moment.x()) == doctest::Approx(torsion * 2.5 * kPi / 0.4).epsilon(1e-9));
  CHECK(last(held).holds[1].moment.x() > 0);
  CHECK(last(held).holds[0].moment.x() == doctest::Approx(-last(held).holds[1].moment.x()));
  const Outcome free = solved(rod("[position]"));
  CHECK(std::abs(last(free).rods[0].turns) < 1e-9);
}

TEST_CASE("initial twist is kept when the ends are posed elsewhere, on fine meshes too") {
  for (const char* turns : {"3", "-2.25", "0.25"})
    for (const char* segments : {"30", "1200"}) {
      CAPTURE(turns);
      CAPTURE(segments);
      const Outcome outcome =
          solved(std::string("gravity: [0, 0, 0]\nrods: {a: {material: rubber, section: hose, twist: ") + turns +
                 " turns, segments: " + segments + R"(, shape: {line: [[0,0,0],[0.4,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]},
        {rod: a, at: end, fix: [position, orientation], position: [0.5, 0, 0]}])");
      CHECK(last(outcome).rods[0].turns == doctest::Approx(std::stod(turns)).epsilon(1e-9));
    }
}

TEST_CASE("two materials in series: linear theory") {
  // a tip force so small that the theory is linear: w = F [ (L³ − b³) / 3EI1 + b³ / 3EI2 ], b the outer part
  const Scene scene = scene_of(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 60, shape: {line: [[0,0,0],[0.3,0,0]]},
  stations: [{s: 0.12, section: wire, material: metal}]}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
forces: [{rod: a, at: end, force: [1e-4, 0, 1e-6]}, {rod: a, at: end, force: [-1e-4, 0, 0]}]
)");
  const Outcome outcome = solved(scene);
  const double inner = kHoseBending;
  const double outer = 70e9 * kPi * std::pow(1e-3, 4) / 4;
  const double b = 0.18;
  const double tip = 1e-6 * ((0.027 - b * b * b) / (3 * inner) + b * b * b / (3 * outer));
  // second order in 60 segments
  CHECK(last(outcome).rods[0].position.back().z() == doctest::Approx(tip).epsilon(1e-4));
  check_balance(scene, last(outcome));
}

TEST_CASE("stretch in series adds up") {
  const Outcome outcome = solved(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 7, shape: {line: [[0,0,0],[0.3,0,0]]},
  stations: [{s: 0.12, section: wire, material: rubber}]}}
holds: [{rod: a, at: start, fix: [position]}]
forces: [{rod: a, at: end, force: [2, 0, 0]}]
)");
  const double thick = 5e6 * kPi * 25e-6;
  const double thin = 5e6 * kPi * 1e-6;
  CHECK(last(outcome).rods[0].length == doctest::Approx(0.3 + 2 * (0.12 / thick + 0.18 / thin)).epsilon(1e-10));
  CHECK(last(outcome).rods[0].axial_force[3] == doctest::Approx(2).epsilon(1e-9));
}

}  // namespace filum::test_rest_shapes
