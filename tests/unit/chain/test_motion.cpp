// Steps of a chain against what the scheme promises exactly, and against closed forms.
#include "formulations/chain/mechanism/chain_compile.hpp"
#include "formulations/chain/mechanism/chain_start.hpp"
#include "formulations/chain/mechanism/row_weights.hpp"
#include "formulations/chain/solve/chain_step.hpp"
#include "math/rotation.hpp"
#include "unit/chain/chain_rig.hpp"

#include <algorithm>
#include <vector>

namespace filum::test_motion {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;

// Steel of 10 mm as a stranded rope.
Section steel() {
  return wire(1e11, 0.01, 7850, 0.1);
}

// Mean time between zero crossings in one direction, placed by straight lines between values.
double period_of(const std::vector<double>& y, double dt) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < y.size(); ++i)
    if (y[i - 1] > 0 && y[i] <= 0) crossings.push_back(dt * (static_cast<double>(i) - y[i] / (y[i] - y[i - 1])));
  REQUIRE(crossings.size() > 1);
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

Scene lone_body(const Vec3& inertia, const Vec3& spin) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {load(1, Vec3::Zero())};
  scene.bodies[0].inertia = inertia;
  scene.bodies[0].spin = spin;
  return scene;
}

Vec3 angular_momentum(const Vec3& inertia, const BodyPose& body) {
  return body.orientation * inertia.cwiseProduct(body.orientation.conjugate() * body.spin);
}

// A load on a massless rope, straight below the origin.
Scene roped(double mass, double length, double stiffness) {
  Scene scene;
  scene.bodies = {load(mass, Vec3(0, 0, -length))};
  Rope rope;
  rope.name = "rope";
  rope.stiffness = stiffness;
  rope.through.resize(2);
  rope.through[1].body = "load";
  scene.ropes = {rope};
  return scene;
}

}  // namespace

TEST_CASE("a body that turns evenly keeps a unit quaternion for 1e5 steps") {
  ChainRig rig(lone_body(Vec3::Ones(), Vec3(1, -2, 3)));
  REQUIRE(rig.run(100000));
  const BodyPose body = rig.pose().bodies[0];
  CHECK(std::abs(body.orientation.norm() - 1) < 1e-12);
  CHECK((body.spin - Vec3(1, -2, 3)).norm() < 1e-9);
}

TEST_CASE("a body that nothing turns keeps momentum and energy to the order of the step, and gains no energy") {
  const Vec3 inertia(1, 2, 2.5);
  const Vec3 spin(0.3, 2, 0.2);
  const double energy = 0.5 * spin.dot(inertia.cwiseProduct(spin));
  double before = 0;
  for (const double dt : {0.01, 0.005}) {
    ChainRig rig(lone_body(inertia, spin));
    const Vec3 start = angular_momentum(inertia, rig.pose().bodies[0]);
    double worst = 0;
    for (double t = 0; t < 10; t += dt) {
      REQUIRE(rig.step(dt));
      const Pose pose = rig.pose();
      worst = std::max(worst, (angular_momentum(inertia, pose.bodies[0]) - start).norm() / start.norm());
      CHECK(pose.energy.kinetic < 1.001 * energy);
    }
    CHECK(worst < 10 * dt);
    if (before > 0) CHECK(worst < 0.6 * before);
    before = worst;
  }
}

TEST_CASE("a load on a spring loses (1 + ω²h²)^½ of its amplitude a step, whatever the stiffness") {
  for (const double stiffness : {1e2, 1e4, 1e7}) {
    CAPTURE(stiffness);
    const double mass = 10;
    ChainRig rig(roped(mass, 3, stiffness));
    const double rest = -3 - mass * kGravity / stiffness;
    const double square = stiffness / mass * kFrame * kFrame;
    std::vector<double> x;
    for (int i = 0; i < 20; ++i) {
      x.push_back(rig.pose().bodies[0].position[2] - rest);
      REQUIRE(rig.step());
    }
    // the step's own recurrence, whose roots have that magnitude: (1 + ω²h²) x⁺ = 2x − x⁻
    for (std::size_t i = 2; i < x.size(); ++i)
      CHECK(std::abs((1 + square) * x[i] - 2 * x[i - 1] + x[i - 2]) < 1e-12 * (1 + square));
  }
}

TEST_CASE("damping of the joints is that of φ + βφ̇, and rigid joints stand it") {
  for (const double damping : {0.0, 0.02, 1.0}) {
    CAPTURE(damping);
    // one element of next to no mass
    Section thread = steel();
    thread.EA = 1e4;
    thread.mass_per_length = 1e-6;
    Scene scene = pendulum(thread, 2, 1, 10, 0);
    scene.simulation.chain.damping = damping;
    ChainRig rig(scene);
    const double stiffness = thread.EA / 2;
    const double square = stiffness / 10 * kFrame * kFrame;
    const double rest = -2 - 10 * kGravity / stiffness;
    std::vector<double> x;
    for (int i = 0; i < 20; ++i) {
      x.push_back(rig.pose().bodies[0].position[2] - rest);
      REQUIRE(rig.step());
    }
    for (std::size_t i = 2; i < x.size(); ++i) {
      const double rate = (x[i] - x[i - 1]) / kFrame;
      const double change = x[i - 1] - x[i - 2];
      const chain::RowWeights weights = chain::row_weights(std::abs(x[i - 1] + rest + 2), std::abs(change));
      const double seen = x[i - 1] + weights.now * kFrame * rate - weights.before * change;
      // the element's own mass is 1e-7 of the load's
      CHECK(std::abs(x[i] - 2 * x[i - 1] + x[i - 2] + square * (seen + damping * rate)) < 1e-7);
    }
  }
  Section rigid = steel();
  rigid.EA = 1e18;
  Scene scene = pendulum(rigid, 2, 10, 1000, 0.5);
  scene.simulation.chain.damping = 0.1;
  ChainRig rig(scene);
  REQUIRE(rig.run(300));
  CHECK(rig.pose().bodies[0].position.norm() == doctest::Approx(2).epsilon(1e-3));
}

TEST_CASE("slow stretch is damped by a quarter of what backward Euler takes, fast stretch is still stable") {
  // x⁺ − 2x + x⁻ = −Ω²(x + γ(x⁺ − x) − γ′(x − x⁻)): product of the roots, and where they lie
  const chain::RowWeights slow = chain::row_weights(1, 0);
  auto product = [](const chain::RowWeights& weights, double square) {
    return (1 + weights.before * square) / (1 + weights.now * square);
  };
  CHECK((1 - product(slow, 1e-6)) / 1e-6 == doctest::Approx(0.25).epsilon(1e-4));
  CHECK((1 - product({}, 1e-6)) / 1e-6 == doctest::Approx(1).epsilon(1e-4));
  for (const double change : {0.0, 0.1, 0.2, 1.0})
    for (const double square : {0.1, 4.0, 1e3, 1e9}) {
      const chain::RowWeights weights = chain::row_weights(1, change);
      // Jury's conditions for both roots within the unit circle
      const double constant = product(weights, square);
      const double sum = (2 - square * (1 - weights.now - weights.before)) / (1 + weights.now * square);
      CHECK(constant < 1);
      CHECK(std::abs(sum) <= 1 + constant);
    }
  CHECK(chain::row_weights(0, 0).before == 0);
  CHECK(chain::row_weights(1, 0.3).now == 1);
}

TEST_CASE("a rope at its breaking load swings from 60° without losing it") {
  // 4 m of 10 mm wire rope, 1.8 per cent of strain: backward Euler takes 4.7 per cent in 15 s
  const double mass = 1.8e9 * std::numbers::pi * 0.25e-4 / kGravity;
  const double angle = std::numbers::pi / 3;
  const Section rope = wire(1e11, 0.01, 7850, 0.1);
  ChainRig rig(pendulum(rope, 4, 8, mass, angle, 4 * mass * kGravity * std::cos(angle) / rope.EA));
  auto mean_over = [&](int steps) {
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
      REQUIRE(rig.step());
      const Energy energy = rig.pose().energy;
      sum += energy.elastic + energy.gravity + energy.kinetic;
    }
    return sum / steps;
  };
  // a period, and another one 15 s later
  const int period = 258;
  const double early = mean_over(period);
  REQUIRE(rig.run(900 - period));
  const double late = mean_over(period);
  CHECK(std::abs(late - early) < 0.02 * mass * kGravity * 4 * 0.5);
}

TEST_CASE("a pendulum on a rigid rope from the horizontal: period 7.4163 √(L/g), and no energy from nowhere") {
  Scene scene = roped(100, 5, 0);
  scene.bodies[0].position = Vec3(5, 0, 0);
  ChainRig rig(scene);
  std::vector<double> x;
  const double start = rig.pose().energy.balance();
  double most = -1e300;
  for (int i = 0; i < 3600; ++i) {
    REQUIRE(rig.step());
    const Pose pose = rig.pose();
    x.push_back(pose.bodies[0].position[0]);
    most = std::max(most, pose.energy.balance());
  }
  CHECK(period_of(x, kFrame) == doctest::Approx(7.4163 * std::sqrt(5 / kGravity)).epsilon(0.01));
  // the ripple of symplectic Euler within a swing
  CHECK(most - start < 0.03 * 100 * kGravity * 5);
}

TEST_CASE("a chain that nothing holds keeps its linear momentum to round-off") {
  Scene scene = one_rod(wire(1e9, 0.02, 1000), Vec3::Zero(), Vec3(2, 0, 0), 20);
  scene.rods[0].velocity = Vec3(1, 2, -1);
  scene.rods[0].spin = Vec3(0.4, 1.5, 3);
  // shorter than drawn and twisted: it bounces and turns back, too
  scene.rods[0].length = 1.98;
  scene.rods[0].twist = 2;
  const chain::ModelData model = chain::compile_model(scene);
  const Targets targets = sim::resting_targets(scene);
  chain::ChainState state = chain::start_state(model, targets);
  chain::ChainStepper stepper(model);
  struct Sum {
    Vec3 linear = Vec3::Zero();
    Vec3 angular = Vec3::Zero();
  };
  auto momentum = [&] {
    Sum sum;
    const chain::Mechanism& mechanism = stepper.fit(state);
    for (std::size_t p = 0; p < state.elements.size(); ++p) {
      const chain::PartState& part = state.parts[p];
      const Vec3 spin = part.orientation.conjugate() * part.spin;
      const Vec3 linear = mechanism.parts[p].mass * part.velocity;
      sum.linear += linear;
      sum.angular += part.position.cross(linear) + part.orientation * mechanism.parts[p].inertia.cwiseProduct(spin);
    }
    return sum;
  };
  const Sum start = momentum();
  double drift = 0;
  for (int i = 0; i < 600; ++i) {
    REQUIRE(stepper.step(state, targets, kFrame).usable);
    const Sum now = momentum();
    CHECK((now.linear - start.linear).norm() < 1e-10 * start.linear.norm());
    drift = std::max(drift, (now.angular - start.angular).norm() / start.angular.norm());
  }
  // forces act at the places of the step's start: of the angular momentum a thousandth is lost in ten seconds
  MESSAGE("angular momentum is off by ", drift);
  CHECK(drift < 0.005);
}

TEST_CASE("a straight cable steps on without a number that is none, in every form") {
  using chain::JointForm;
  for (const JointForm form : {JointForm::Vector, JointForm::Angle, JointForm::LooseAngle}) {
    ChainRig rig(pendulum(steel(), 5, 10, 50, 0), {.joint = form});
    REQUIRE(rig.run(600));
    const Pose pose = rig.pose();
    CHECK(pose.bodies[0].position.head<2>().norm() < 1e-9);
    CHECK(pose.bodies[0].position[2] == doctest::Approx(-5).epsilon(1e-3));
    CHECK(std::isfinite(pose.energy.balance()));
  }
}

TEST_CASE("a load bounces at √(EA/LM)") {
  Section soft = steel();
  soft.EA = 1e5;
  ChainRig rig(pendulum(soft, 10, 20, 1000, 0));
  std::vector<double> z;
  const double rest = -10 - 1000 * kGravity * 10 / soft.EA;
  const double mass = 1000 + soft.mass_per_length * 10 / 3;
  for (int i = 0; i < 1800; ++i) {
    REQUIRE(rig.step());
    z.push_back(rig.pose().bodies[0].position[2] - rest);
  }
  // ωh = 0.05
  CHECK(period_of(z, kFrame) == doctest::Approx(2 * math::kPi / std::sqrt(soft.EA / 10 / mass)).epsilon(0.02));
}

TEST_CASE("a body on a wire turns at √(GJ/LI)") {
  Section section = wire(1e11, 0.01, 7850);
  Scene scene = pendulum(section, 1, 10, 100, 0);
  scene.holds = {grip(0, true), grip(1, true, "load")};
  scene.bodies[0].inertia = Vec3::Constant(20);
  scene.bodies[0].spin = Vec3(0, 0, 1);
  ChainRig rig(scene);
  std::vector<double> spin;
  for (int i = 0; i < 1200; ++i) {
    REQUIRE(rig.step());
    spin.push_back(rig.pose().bodies[0].spin[2]);
  }
  // ωh = 0.03
  CHECK(period_of(spin, kFrame) == doctest::Approx(2 * math::kPi / std::sqrt(section.GJ / 20)).epsilon(0.02));
}

TEST_CASE("a hook's torsional swing keeps its amplitude") {
  // a minute, ten swings: what a step of backward Euler takes of it is 43 per cent
  Section section = wire(1e11, 0.02, 1600);
  section.GJ = 121;
  Scene scene = pendulum(section, 8, 20, 500, 0);
  scene.holds = {grip(0, true), grip(1, true, "load")};
  scene.bodies[0].inertia = Vec3::Constant(13.3);
  scene.bodies[0].spin = Vec3(0, 0, 0.2);
  ChainRig rig(scene);
  REQUIRE(rig.solve().converged);
  double first = 0;
  double last = 0;
  for (int i = 0; i < 3600; ++i) {
    REQUIRE(rig.step());
    const double spin = std::abs(rig.pose().bodies[0].spin[2]);
    if (i < 360) first = std::max(first, spin);
    if (i >= 3240) last = std::max(last, spin);
  }
  CHECK(first == doctest::Approx(0.2).epsilon(0.01));
  CHECK(last == doctest::Approx(first).epsilon(2e-3));
}

TEST_CASE("a load on two ropes swings about the vertical for a minute, and no less in the end") {
  Scene scene = pendulum(wire(1e11, 0.02, 1600, 0.1), 8, 10, 500, 0);
  scene.rods.push_back(scene.rods[0]);
  scene.rods[1].name = "other";
  scene.holds.clear();
  for (const int side : {0, 1}) {
    Rod& rod = scene.rods[static_cast<std::size_t>(side)];
    const double x = side == 0 ? -0.5 : 0.5;
    rod.shape.points = {Vec3(x, 0, 0), Vec3(x, 0, -8)};
    for (Hold hold : {grip(0, false), grip(1, false, "load")}) {
      hold.rod = rod.name;
      hold.name += rod.name;
      scene.holds.push_back(hold);
    }
  }
  scene.bodies[0].inertia = Vec3::Constant(133);
  scene.bodies[0].spin = Vec3(0, 0, 0.05);
  ChainRig rig(scene);
  REQUIRE(rig.solve().converged);
  double first = 0;
  double last = 0;
  for (int i = 0; i < 3600; ++i) {
    REQUIRE(rig.step());
    const double spin = std::abs(rig.pose().bodies[0].spin[2]);
    // after the ropes have come along
    if (i >= 300 && i < 660) first = std::max(first, spin);
    if (i >= 3240) last = std::max(last, spin);
  }
  CHECK(first > 0.049);
  CHECK(last == doctest::Approx(first).epsilon(0.01));
}

TEST_CASE("a hold turns a cable by 37 turns, and all of them are kept") {
  // soft in twist: a torque of 37 turns that does not buckle it
  Section section = wire(1e9, 0.02, 1000);
  section.GJ = 0.01 * section.EI[0];
  Scene scene = one_rod(section, Vec3::Zero(), Vec3(2, 0, 0), 20);
  scene.holds = {grip(0, true), grip(1, true)};
  ChainRig rig(scene);
  double before = 0;
  for (int i = 1; i <= 3600; ++i) {
    rig.targets.holds[1].turns = std::min(37.0, 37.0 * i / 3000);
    REQUIRE(rig.step());
    if (i % 60 != 0) continue;
    const double turns = rig.pose().rods[0].turns;
    CHECK(turns > before - 1e-3);
    before = turns;
  }
  CHECK(before == doctest::Approx(37).epsilon(1e-3));
  const SolveReport report = rig.solve();
  REQUIRE_MESSAGE(report.converged, report.why);
  const Pose pose = rig.pose();
  const double torque = section.GJ * 37 * 2 * math::kPi / 2;
  CHECK(pose.rods[0].turns == doctest::Approx(37).epsilon(1e-9));
  CHECK(pose.holds[1].moment[0] == doctest::Approx(torque).epsilon(1e-6));
  CHECK(pose.holds[0].moment[0] == doctest::Approx(-torque).epsilon(1e-6));
}

TEST_CASE("a real rope with ten thousand times an element's mass: the default holds, the plain step does not") {
  const double mass = 1e4 * steel().mass_per_length * 10 / 24;
  for (const bool plain : {false, true}) {
    const double stretch = 10 * mass * kGravity * 0.866 / steel().EA;
    ChainRig rig(pendulum(steel(), 10, 24, mass, math::kPi / 6, stretch), {.plain = plain});
    double worst = 0;
    for (int i = 0; i < 600 && rig.step(); ++i)
      worst = std::max(worst, std::abs(rig.pose().bodies[0].position.norm() / 10 - 1));
    CAPTURE(plain);
    // the load's weight stretches it by 0.4 per cent
    CHECK((worst < 0.01) == !plain);
  }
}

TEST_CASE("a step of the anchor sets the load swinging with its period") {
  Scene scene = pendulum(steel(), 6, 12, 500, 0);
  ChainRig rig(scene);
  rig.targets.holds[0].position = Vec3(0.1, 0, 0);
  std::vector<double> x;
  for (int i = 0; i < 1800; ++i) {
    REQUIRE(rig.step());
    x.push_back(rig.pose().bodies[0].position[0] - 0.1);
  }
  // the rope's own mass on its line
  const double mass = steel().mass_per_length * 6;
  const double length = 6 * (500 + mass / 3) / (500 + mass / 2);
  CHECK(period_of(x, kFrame) == doctest::Approx(2 * math::kPi * std::sqrt(length / kGravity)).epsilon(1e-3));
}

}  // namespace filum::test_motion
