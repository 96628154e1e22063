// Laid ropes in the chain: torque, turns and stretch of closed form, at rest and in motion, on drums and over sheaves.
#include "unit/chain/chain_rig.hpp"

#include "formulations/chain/mechanism/joint_residual.hpp"

#include <cmath>

namespace filum::test_laid_ropes {

using namespace filum::test;

namespace {

constexpr double kEA = 2e6;
constexpr double kGJ = 4;
constexpr double kThick = 8e-3;
constexpr double kFactor = 0.08;
constexpr double kLever = kFactor * kThick;
constexpr double kMass = 200;

Section rope() {
  Section section;
  section.shape = SectionShape::Given;
  section.EA = kEA;
  section.EI = {0.5, 0.5};
  section.GJ = kGJ;
  section.mass_per_length = 0.25;
  section.radius = kThick / 2;
  return section;
}

// A hook on 2 m of laid rope, which the top keeps from turning.
Scene hook(bool held) {
  Scene scene = one_rod(rope(), Vec3::Zero(), Vec3(0, 0, -2), 10);
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].lay.torque_factor = kFactor;
  Body body = load(kMass, Vec3(0, 0, -2));
  body.inertia = Vec3::Constant(2);
  scene.bodies = {body};
  scene.holds = {grip(0, true), grip(1, true, "load")};
  if (!held) return scene;
  BodyJoint rail;
  rail.name = "rail";
  rail.kind = JointKind::Slider;
  rail.body = "load";
  rail.axis = Vec3::UnitZ();
  scene.joints = {rail};
  return scene;
}

double mean_pull() {
  return (kMass + 0.25) * 9.81;
}

// A hook on two laid falls, 2 R apart.
constexpr double kHalfSpacing = 0.05;
Scene two_falls(double length) {
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.simulation.formulation = "chain";
  Section section = rope();
  section.EI = {0.05, 0.05};
  section.GJ = 1.1;
  section.mass_per_length = 0.01;
  scene.sections = {{"section", section}};
  Body body = load(kMass, Vec3(0, 0, -length));
  body.inertia = Vec3(5, 5, 0.5);
  scene.bodies = {body};
  for (const double side : {-kHalfSpacing, kHalfSpacing}) {
    Scene fall = one_rod(section, Vec3(side, 0, 0), Vec3(side, 0, -length), 16);
    Rod rod = fall.rods[0];
    rod.name = side < 0 ? "left" : "right";
    rod.lay.torque_factor = kFactor;
    // the hook turns slowly, its swing is not what is looked for
    rod.damping.twist = 0.3;
    scene.rods.push_back(rod);
    for (const double end : {0.0, 1.0}) {
      Hold hold = grip(end, true, end > 0 ? "load" : "");
      hold.rod = rod.name;
      hold.name = rod.name + (end > 0 ? " hook" : " top");
      scene.holds.push_back(hold);
    }
  }
  return scene;
}

// W R² sin θ/h = k d W − 2 (GJ − (k d)² EA) θ/L; negative: there is none.
double balanced_angle(double length) {
  const double weight = kMass * 9.81;
  const double twisting = 1.1 - kLever * kLever * kEA;
  for (double angle = 0; angle < std::numbers::pi / 2; angle += 1e-4) {
    const double height = std::sqrt(length * length - 2 * kHalfSpacing * kHalfSpacing * (1 - std::cos(angle)));
    if (weight * kHalfSpacing * kHalfSpacing * std::sin(angle) / height >=
        kLever * weight - 2 * twisting * angle / length)
      return angle;
  }
  return -1;
}

double hook_angle(const Pose& pose) {
  const Vec3 across = pose.bodies[0].orientation * Vec3::UnitX();
  return std::abs(std::atan2(across[1], across[0]));
}

}  // namespace

TEST_CASE("two laid falls turn their hook to the closed-form angle, and beyond their height wind round each other") {
  // R²/(k d) = 3.9 m
  const double limit = kHalfSpacing * kHalfSpacing / kLever;
  const double below = 0.6 * limit;
  ChainRig rig(two_falls(below));
  REQUIRE(rig.solve().converged);
  CHECK(hook_angle(rig.pose()) == doctest::Approx(balanced_angle(below)).epsilon(0.03));
  const double above = 1.5 * limit;
  REQUIRE(balanced_angle(above) < 0);
  ChainRig winds(two_falls(above));
  double most = 0;
  for (int i = 0; i < 1200 && most < 3; ++i) {
    REQUIRE(winds.step());
    most = std::max(most, hook_angle(winds.pose()));
  }
  CHECK(most > 3);
}

TEST_CASE("the rows of a laid joint change as their derivatives say") {
  chain::Link link;
  link.gap = {true, true, true};
  link.turn = true;
  link.lay = 0.3;
  link.arm_a = Vec3(0, 0, 0.5);
  link.arm_b = Vec3(0.1, 0, -0.4);
  chain::PartState a, b;
  a.orientation = Quat(0.9, 0.1, -0.2, 0.3).normalized();
  b.orientation = Quat(0.8, 0.2, -0.1, 0.5).normalized();
  b.position = Vec3(0.2, 0.1, 0.9);
  const auto rows = [&](const chain::PartState& first, const chain::PartState& second) {
    return chain::link_rows(link, chain::JointForm::Vector, first, second, 0);
  };
  const chain::LinkRows here = rows(a, b);
  constexpr double kMove = 1e-6;
  for (int axis = 0; axis < 6; ++axis)
    for (const bool second : {false, true}) {
      chain::Vec6 change[2];
      for (const int sign : {-1, 1}) {
        chain::PartState moved[2] = {a, b};
        chain::PartState& part = moved[second ? 1 : 0];
        if (axis < 3)
          part.position[axis] += sign * kMove;
        else
          part.orientation = Quat(Eigen::AngleAxisd(sign * kMove, Vec3::Unit(axis - 3))) * part.orientation;
        change[sign > 0 ? 1 : 0] = rows(moved[0], moved[1]).value;
      }
      const chain::Vec6 slope = (change[1] - change[0]) / (2 * kMove);
      CHECK((slope - (second ? here.by_b : here.by_a).col(axis)).norm() < 1e-8);
    }
}

TEST_CASE("held from turning, a laid rope has its torque factor times diameter times tension") {
  ChainRig rig(hook(true));
  REQUIRE(rig.solve().converged);
  const Pose pose = rig.pose();
  CHECK(std::abs(pose.rods[0].moment[5][2]) == doctest::Approx(kLever * pose.rods[0].axial_force[5]).epsilon(1e-6));
  CHECK(std::abs(pose.holds[0].moment[2]) == doctest::Approx(kLever * mean_pull()).epsilon(1e-6));
  // as stiff as EA
  CHECK(-pose.bodies[0].position[2] - 2 == doctest::Approx(mean_pull() * 2 / kEA).epsilon(1e-3));
}

TEST_CASE("a free hook turns as far as the closed form says, and the rope is softer") {
  ChainRig rig(hook(false));
  REQUIRE(rig.solve().converged);
  const Pose pose = rig.pose();
  const double turned = kLever * mean_pull() * 2 / (kGJ - kLever * kLever * kEA);
  CHECK(std::abs(pose.rods[0].turns) * 2 * std::numbers::pi == doctest::Approx(turned).epsilon(1e-3));
  const double coupling = kLever * kEA;
  CHECK(-pose.bodies[0].position[2] - 2 ==
        doctest::Approx(mean_pull() * 2 / (kEA - coupling * coupling / kGJ)).epsilon(1e-3));
  CHECK(std::abs(pose.rods[0].moment[5][2]) < 1e-6);
  // the other hand turns it the other way
  Scene left = hook(false);
  left.rods[0].lay.torque_factor = -kFactor;
  ChainRig other(left);
  REQUIRE(other.solve().converged);
  CHECK(other.pose().rods[0].turns == doctest::Approx(-pose.rods[0].turns).epsilon(1e-6));
}

TEST_CASE("a hook that is let go spins up about its closed-form rotation, to twice as far") {
  ChainRig rig(hook(false));
  const double turned = kLever * mean_pull() * 2 / (kGJ - kLever * kLever * kEA);
  // torsional swing of 2 kg m² on (GJ − C²/EA)/L
  const double rate = std::sqrt((kGJ - kLever * kLever * kEA) / 2 / 2.0);
  double most = 0;
  const int half = static_cast<int>(std::numbers::pi / rate / kFrame);
  for (int i = 0; i < 2 * half; ++i) {
    REQUIRE(rig.step());
    most = std::max(most, std::abs(rig.pose().rods[0].turns) * 2 * std::numbers::pi);
    if (i == half / 2)
      CHECK(std::abs(rig.pose().rods[0].turns) * 2 * std::numbers::pi == doctest::Approx(turned).epsilon(0.05));
  }
  CHECK(most == doctest::Approx(2 * turned).epsilon(0.02));
}

TEST_CASE("a drum keeps laid rope from turning, and a sheave carries its torque round") {
  // from the drum up, over the wheel, down to the hook
  Scene scene = one_rod(rope(), Vec3(-0.3, 0, -2), Vec3(0.3, 0, -2), 24);
  scene.gravity = {0, 0, -9.81};
  scene.rods[0].lay.torque_factor = kFactor;
  Body body = load(kMass, Vec3(0.3, 0, -2));
  body.inertia = Vec3::Constant(2);
  scene.bodies = {body};
  scene.holds = {grip(1, true, "load")};
  // without twist between the two: the normal stays along the axle all the way
  scene.rods[0].normal = Vec3::UnitY();
  scene.holds[0].orientation = Quat((Mat3() << Vec3::UnitY(), Vec3::UnitX(), -Vec3::UnitZ()).finished());
  scene.winches = {drum()};
  scene.sheaves = {wheel(Vec3::Zero(), 0.3)};
  BodyJoint rail;
  rail.name = "rail";
  rail.kind = JointKind::Slider;
  rail.body = "load";
  rail.axis = Vec3::UnitZ();
  scene.joints = {rail};
  ChainRig rig(scene);
  REQUIRE(rig.solve().converged);
  const Pose pose = rig.pose();
  const std::size_t last = pose.rods[0].s.size() - 1;
  CHECK(std::abs(pose.rods[0].moment[2][2]) == doctest::Approx(kLever * pose.rods[0].axial_force[2]).epsilon(0.01));
  CHECK(std::abs(pose.rods[0].moment[last - 2][2]) ==
        doctest::Approx(kLever * pose.rods[0].axial_force[last - 2]).epsilon(0.01));
}

}  // namespace filum::test_laid_ropes
