// Rods in motion under the projection stepper: lengths, momentum, stability, beams.
#include "unit/kirchhoff/projection_rig.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::test_projection_motion {

using namespace filum::test;

namespace {

constexpr double kBending = 0.01;
constexpr double kMass = 0.1;

Scene line(int segments) {
  Scene scene = bare_scene(given(kBending, 0.008, kMass));
  add_line(scene, {0, 0, 0}, {1, 0, 0}, segments);
  return scene;
}

Scene cantilever(int segments) {
  Scene scene = line(segments);
  add_hold(scene, 0, Grip::Clamp);
  return scene;
}

// A free rod thrown and tumbling.
Motion thrown(int segments) {
  Motion motion(line(segments));
  std::mt19937 random(9);
  std::uniform_real_distribution<double> side(-1, 1);
  for (int node = 0; node < motion.model.nodes; ++node) {
    const double s = motion.x(node).x();
    motion.v(node) = Vec3(0.3, 2 * std::cos(7 * s), 1.5 * s) + 0.1 * Vec3(side(random), side(random), side(random));
  }
  return motion;
}

void check_free_rod(long steps) {
  Motion motion = thrown(20);
  const double h = motion.scheme->longest_step();
  const Vec3 momentum = motion.momentum();
  const double energy = motion.energy();
  double most = 0;
  for (long k = 0; k < steps; ++k) {
    const std::vector<Vec3> before = motion.state.position;
    motion.steps(1, h);
    most = std::max(most, motion.energy());
    if (k % 100 != 0) continue;
    REQUIRE(motion.stretch() <= 1e-10);
    // v⁺ = (x⁺ − x)/h but for the round-off of positions of 1 m, or of the way the rod has gone by then
    const double round_off = 4e-16 * (2 + motion.x(0).norm()) / h;
    for (int node = 0; node < motion.model.nodes; ++node)
      REQUIRE((motion.v(node) - (motion.x(node) - before[at(node)]) / h).norm() <= round_off + 1e-12);
  }
  CHECK((motion.momentum() - momentum).norm() <= 1e-12 * momentum.norm());
  // the projection takes energy and never gives any, but for what symplectic Euler swings by
  CHECK(most <= 1.02 * energy);
  CHECK(motion.energy() < energy);
  MESSAGE("free rod: share of energy left " << motion.energy() / energy << " after " << steps << " steps, iterations "
                                            << motion.most_iterations);
}

// Period of the tip's swing about its mean by the crossings of zero.
double tip_period(Motion& motion, int tip, double dt, int periods) {
  double t = 0;
  double first = 0;
  int crossings = 0;
  double last = motion.x(tip).z();
  while (crossings <= 2 * periods) {
    motion.steps(1, dt);
    t += dt;
    const double z = motion.x(tip).z();
    if (last * z < 0) {
      const double crossing = t - dt * z / (z - last);
      if (crossings == 0) first = crossing;
      if (++crossings == 2 * periods + 1) return (crossing - first) / periods;
    }
    last = z;
  }
  return 0;
}

}  // namespace

TEST_CASE("projection: edges have their lengths after a few iterations") {
  Scene scene = cantilever(30);
  scene.gravity = {0, 0, -9.81};
  Motion motion(scene);
  for (int k = 0; k < 400; ++k) {
    motion.steps(1, motion.scheme->longest_step());
    REQUIRE(motion.stretch() <= 1e-10);
  }
  CHECK(motion.most_iterations <= 4);
}

TEST_CASE("projection: a free rod keeps its lengths and its momentum") {
  check_free_rod(3000);
}

TEST_CASE("projection: the stability edge is where the chain's fastest mode puts it") {
  // ω² = 16 EI/(m l³) for a long uniform rod: h < ½ √(m l³/EI)
  const int segments = 40;
  const double edge = std::sqrt(kMass / segments * std::pow(1.0 / segments, 3) / kBending) / 2;
  Scene scene = line(segments);
  CHECK(Motion(scene).scheme->longest_step() < edge);
  CHECK(Motion(scene).scheme->longest_step() > 0.8 * edge);
  auto grows = [&](double factor) {
    Motion motion(scene);
    // the saw-tooth that the fastest mode is, too small to be anything but linear
    for (int node = 0; node < motion.model.nodes; ++node) motion.v(node).z() = node % 2 == 0 ? 1e-9 : -1e-9;
    for (int k = 0; k < 300; ++k)
      if (!motion.step(factor * edge).usable || motion.fastest() > 1e-6) return true;
    return motion.fastest() > 1e-7;
  };
  CHECK_FALSE(grows(0.93));
  CHECK(grows(1.1));
  CHECK_FALSE([&] {
    Motion motion(scene);
    for (int node = 0; node < motion.model.nodes; ++node) motion.v(node).z() = node % 2 == 0 ? 1e-9 : -1e-9;
    motion.steps(300, motion.scheme->longest_step());
    return motion.fastest() > 1e-8;
  }());
}

TEST_CASE("projection: a cantilever hangs as deep as the beam does") {
  // δ = qL⁴/(8EI); Gregory's weights leave 1e-5 at N = 20, being 0.7 % of the length 1e-4
  const int segments = 20;
  Scene scene = cantilever(segments);
  scene.gravity = {0, 0, -0.005};
  scene.rods[0].damping.mass = 2.2;  // about critical for the first mode
  Motion motion(scene);
  const double h = motion.scheme->longest_step();
  motion.steps(static_cast<long>(14 / h), h);
  const double wanted = -kMass * 0.005 / (8 * kBending);
  CHECK(motion.fastest() < 1e-6);
  CHECK(motion.x(segments).z() == doctest::Approx(wanted).epsilon(1e-3));
  CHECK(motion.state.hold_force[0].z() == doctest::Approx(kMass * 0.005).epsilon(1e-3));
  CHECK(motion.state.hold_moment[0].y() == doctest::Approx(-0.5 * kMass * 0.005).epsilon(2e-3));
}

TEST_CASE("projection: a cantilever swings at its first frequency") {
  const int segments = 20;
  Motion motion(cantilever(segments));
  for (int node = 0; node < motion.model.nodes; ++node) {
    const double s = motion.x(node).x();
    motion.v(node).z() = 0.01 * s * s * (6 - 4 * s + s * s) / 3;
  }
  const double period = tip_period(motion, segments, motion.scheme->longest_step(), 2);
  const double wanted = kTurn / (3.5160 * std::sqrt(kBending / kMass));
  CHECK(period == doctest::Approx(wanted).epsilon(3e-3));
}

TEST_CASE("projection: rods that are held too far apart are refused in words") {
  Scene scene = cantilever(10);
  add_hold(scene, 1, Grip::Place);
  Motion motion(scene);
  motion.targets.holds[1].position.x() += 0.05;
  const StepReport report = motion.step(1e-4);
  CHECK_FALSE(report.usable);
  CHECK(std::string(report.why).find("stretched tight") != std::string::npos);
}

TEST_CASE("projection: a taut rod that is pushed in is paid for what it gains") {
  // straight between two clamps, one of which sets off at once: the first projection goes a long way, and what its
  // iterates pulled at the hold on that way added up to sixty times the energy that came of it
  Scene scene = bare_scene(given(1e-2, 1e-2, 0.05));
  scene.gravity = {0, 0, -9.81};
  add_line(scene, Vec3::Zero(), Vec3::UnitX(), 20);
  add_hold(scene, 0, Grip::Clamp);
  add_hold(scene, 1, Grip::Clamp);
  Motion motion(scene);
  constexpr double kStep = 1e-3;
  const double start = motion.energy();
  double most = 0;
  double worst = 0;
  for (int k = 1; k <= 500; ++k) {
    motion.targets.holds[1].position = Vec3(1 - 0.2e-3 * k, 0, 0.2e-3 * k);
    motion.steps(1, kStep);
    const double gained = motion.energy() - start;
    most = std::max(most, gained);
    worst = std::max(worst, std::abs(gained - motion.state.work));
  }
  MESSAGE("gained " << most << " J at most, off the work by " << worst << " J");
  // the projection is of first order, and the first step has a rod in it that must jump
  CHECK(worst < 0.5 * most);
}

TEST_CASE("projection: a straight rod held at both ends hangs between them") {
  // straight between two held points the rows of the edges depend on one another
  Scene scene = cantilever(10);
  add_hold(scene, 1, Grip::Place);
  Motion motion(scene);
  motion.steps(100, motion.scheme->longest_step());
  CHECK(motion.fastest() < 1e-10);
}

TEST_CASE("projection: what a rod that may stretch would have stretched is told") {
  Scene scene = cantilever(10);
  scene.gravity = {9.81, 0, 0};
  scene.sections[0].section.EA = 200;
  Motion motion(scene);
  const double h = motion.scheme->longest_step();
  // a weight of 0.98 N on 200 N: 0.5 %
  StepReport report;
  for (int k = 0; k < 5000; ++k) {
    report = motion.step(h);
    if (!report.usable) break;
  }
  CHECK_FALSE(report.usable);
  CHECK(std::string(report.why).find("extensible") != std::string::npos);

  scene.rods[0].extensible = false;
  Motion still(scene);
  for (int k = 0; k < 5000; ++k) report = still.step(h);
  CHECK(report.usable);
  CHECK(report.neglected_strain == doctest::Approx(kMass * 9.81 * 0.95 / 200).epsilon(0.02));
  CHECK(still.state.tension[0] == doctest::Approx(kMass * 9.81 * 0.95).epsilon(1e-6));
}

TEST_CASE("projection: damping takes what the ledger says") {
  Scene scene = cantilever(12);
  SUBCASE("mass") {
    scene.rods[0].damping.mass = 3;
  }
  SUBCASE("air") {
    scene.rods[0].damping.air = 0.5;
  }
  SUBCASE("bending") {
    scene.rods[0].damping.bend = 4e-4;
  }
  SUBCASE("stiffness") {
    scene.rods[0].damping.stiffness = 4e-2;
  }
  Motion motion(scene);
  for (int node = 0; node < motion.model.nodes; ++node) motion.v(node).z() = motion.x(node).x() * motion.x(node).x();
  const double before = motion.energy();
  const double h = 0.1 * motion.scheme->longest_step();
  motion.steps(static_cast<long>(1.5 / h), h);
  const double lost = before - motion.energy();
  CHECK(motion.state.dissipated > 0.02 * before);
  // the projection takes some, too, and symplectic Euler swings: first order in h
  CHECK(lost == doctest::Approx(motion.state.dissipated).epsilon(0.03));
}

TEST_CASE("projection: driven holds do the work that the rod gains") {
  Scene scene = cantilever(12);
  Motion motion(scene);
  const double h = 0.2 * motion.scheme->longest_step();
  const double start = motion.energy();
  const auto count = static_cast<long>(1 / h);
  for (long k = 1; k <= count; ++k) {
    // up and round by a smooth motion
    const double t = static_cast<double>(k) / static_cast<double>(count);
    const double share = t * t * (3 - 2 * t);
    motion.targets.holds[0].position.z() = 0.2 * share;
    motion.targets.holds[0].orientation = Quat(Eigen::AngleAxisd(0.5 * share, Vec3::UnitZ())) *
                                          sim::resting_targets(*motion.model.scene).holds[0].orientation;
    motion.steps(1, h);
  }
  const double gained = motion.energy() - start;
  CHECK(gained > 0);
  CHECK(motion.state.work == doctest::Approx(gained).epsilon(0.03));
}

TEST_CASE("projection: steps are repeatable to the last bit, also after going back to a copy") {
  Motion one = thrown(12);
  Motion other = thrown(12);
  const double h = 0.8 * one.scheme->longest_step();
  one.steps(50, h);
  const discrete::RodState kept = other.state;
  other.steps(7, 0.3 * h);
  other.state = kept;
  other.steps(50, h);
  CHECK(one.state.position == other.state.position);
  CHECK(one.state.velocity == other.state.velocity);
  CHECK(one.state.frame == other.state.frame);
  CHECK(one.state.tension == other.state.tension);
}

TEST_CASE("projection: what it cannot honour is refused by name") {
  Scene scene = cantilever(10);
  CHECK(kirchhoff::projection_refusals(scene).empty());
  scene.holds[0].fix.orientation = {true, true, false};
  scene.junctions.push_back({"knot", {{"rod0", {0.5, 0}}}});
  scene.forces.push_back({{"rod0", {1, 0}}, "", Vec3::UnitX(), true});
  scene.torques.push_back({{"rod0", {1, 0}}, "", Vec3::UnitX(), false});
  scene.simulation.rotary_inertia = true;
  scene.simulation.tolerance = 1e-3;
  Driver driver;
  driver.kind = DriverKind::Rod;
  driver.target = "rod0";
  scene.drivers.push_back(driver);
  const auto refusals = kirchhoff::projection_refusals(scene);
  CHECK(refusals.size() == 7);
  for (const char* name : {"knot", "hold0", "rod0", "follows", "rotary", "adaptive"}) {
    bool found = false;
    for (const auto& refusal : refusals) found = found || refusal.message.find(name) != std::string::npos;
    CHECK_MESSAGE(found, name);
  }
}

TEST_SUITE("long") {
  TEST_CASE("projection: a free rod keeps its momentum for 1e5 steps") {
    check_free_rod(100000);
  }
}

}  // namespace filum::test_projection_motion
