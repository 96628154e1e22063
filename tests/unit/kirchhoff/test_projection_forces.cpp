// Forces of the projection stepper against differences of the energy, twist settled at every point.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/kirchhoff/projection/projection_forces.hpp"

#include "formulations/kirchhoff/projection/projection_twist.hpp"
#include "unit/kirchhoff/projection_rig.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace filum::test_projection_forces {

using discrete::ModelData;
using discrete::RodState;
using kirchhoff::BinormalForces;
using kirchhoff::QuasiStaticTwist;
using namespace filum::test;

namespace {

// A clamped rod bent at random, twisted by some turns.
Motion crumpled(const Section& section, const RestShape& rest, bool closed, double twist) {
  Scene scene = bare_scene(section);
  if (closed)
    add_ring(scene, 1, 12);
  else
    add_line(scene, {0, 0, 0}, {1, 0, 0}, 9);
  scene.rods[0].rest = rest;
  scene.rods[0].twist = twist;
  if (!closed) {
    add_hold(scene, 0, Grip::Clamp);
    add_hold(scene, 1, Grip::Clamp);
  }
  Motion motion(scene);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> side(-0.05, 0.05);
  motion.displace([&](int, const Vec3&) { return Vec3(side(random), side(random), side(random)); });
  return motion;
}

const Section kBand = [] {
  Section band = given(0.02, 0.013, 0.1);
  band.EI = Vec2(0.02, 0.05);
  return band;
}();

RestShape curved() {
  RestShape rest;
  rest.kind = RestKind::Uniform;
  rest.curvature = Vec2(0.7, -1.1);
  rest.twist_rate = 0.9;
  return rest;
}

void check_gradient(Motion motion) {
  BinormalForces forces(motion.model);
  QuasiStaticTwist twist(motion.model);
  const std::vector<Vec3> still(motion.model.rotors.size(), Vec3::Zero());
  REQUIRE(twist.settle(motion.state, still, 1));
  forces.evaluate(motion.state);

  double size = 0;
  Vec3 sum = Vec3::Zero();
  for (int node = 0; node < motion.model.nodes; ++node) {
    size = std::max(size, forces.node_force(node).norm());
    sum += forces.node_force(node);
  }
  CHECK(sum.norm() <= 1e-13 * size * motion.model.nodes);

  const double h = 1e-6;
  for (int node = 0; node < motion.model.nodes; ++node)
    for (int axis = 0; axis < 3; ++axis) {
      auto energy = [&](double by) {
        Motion& moved = motion;
        const RodState kept = moved.state;
        moved.displace([&](int n, const Vec3&) { return n == node ? Vec3(by * Vec3::Unit(axis)) : Vec3::Zero(); });
        REQUIRE(twist.settle(moved.state, still, 1));
        const double value = moved.elastic();
        moved.state = kept;
        return value;
      };
      const double slope = (energy(h) - energy(-h)) / (2 * h);
      // differences of an energy of order 1 at 1e-6: round-off 1e-10, third derivatives (1/l³) 1e-9
      CHECK(std::abs(forces.node_force(node)[axis] + slope) <= 1e-8 * size);
    }
}

}  // namespace

TEST_CASE("projection: forces are the slope of the energy with the twist settled") {
  SUBCASE("round, clamped, three turns") {
    check_gradient(crumpled(given(0.02, 0.013, 0.1), {}, false, 3 * kTurn));
  }
  SUBCASE("round ring") {
    check_gradient(crumpled(given(0.02, 0.013, 0.1), {}, true, 4));
  }
  SUBCASE("band, clamped") {
    check_gradient(crumpled(kBand, {}, false, 2));
  }
  SUBCASE("curved at rest, clamped") {
    check_gradient(crumpled(kBand, curved(), false, -3));
  }
  SUBCASE("band, ring") {
    check_gradient(crumpled(kBand, {}, true, 1));
  }
}

TEST_CASE("projection: Newton gives a round rod the uniform twist of the closed form") {
  // a band that is round but for one part in a million goes the other way, and must get the same
  Section nearly = given(0.02, 0.013, 0.1);
  nearly.EI[1] *= 1 + 1e-6;
  Motion round = crumpled(given(0.02, 0.013, 0.1), {}, false, 1.5 * kTurn);
  Motion flat = crumpled(nearly, {}, false, 1.5 * kTurn);
  for (Motion* motion : {&round, &flat}) {
    QuasiStaticTwist twist(motion->model);
    const std::vector<Vec3> still(motion->model.rotors.size(), Vec3::Zero());
    REQUIRE(twist.settle(motion->state, still, 1));
  }
  for (std::size_t k = 0; k < round.state.twist.size(); ++k)
    CHECK(flat.state.twist[k] == doctest::Approx(round.state.twist[k]).epsilon(1e-4));
  CHECK(flat.twist() == doctest::Approx(round.twist()).epsilon(1e-12));
}

TEST_CASE("projection: a straight rod of any twist and a planar ring feel no force of twist") {
  Scene straight = bare_scene(given(0.02, 0.013, 0.1));
  add_line(straight, {0, 0, 0}, {1, 0, 0}, 20).twist = 11;
  add_hold(straight, 0, Grip::Clamp);
  add_hold(straight, 1, Grip::Frame);
  Motion motion(straight);
  BinormalForces forces(motion.model);
  forces.evaluate(motion.state);
  for (int node = 0; node < motion.model.nodes; ++node) CHECK(forces.node_force(node).norm() < 1e-12);

  // the ring's bending acts in its plane; its twist, out of it and along it, cancels
  Scene scene = bare_scene(given(0.02, 0.013, 0.1));
  add_ring(scene, 1, 24).twist = 5;
  Motion ring(scene);
  BinormalForces on_ring(ring.model);
  on_ring.evaluate(ring.state);
  for (int node = 0; node < ring.model.nodes; ++node) {
    const Vec3 radial = ring.x(node).normalized();
    const Vec3 force = on_ring.node_force(node);
    CHECK((force - force.dot(radial) * radial).norm() < 1e-12);
  }
}

TEST_CASE("projection: masses add up to the rod's, its ends have half") {
  Scene scene = bare_scene(given(0.02, 0.013, 0.3));
  add_line(scene, {0, 0, 0}, {2, 0, 0}, 8);
  const ModelData model = discrete::compile_model(scene);
  double sum = 0;
  for (const double mass : model.node_mass) sum += mass;
  CHECK(sum == doctest::Approx(0.6).epsilon(1e-14));
  CHECK(model.node_mass.front() == doctest::Approx(0.5 * model.node_mass[4]).epsilon(1e-14));
}

TEST_CASE("projection: the energy of a ring is 2αN² tan²(π/N)/L") {
  Scene scene = bare_scene(given(0.02, 0.013, 0.3));
  add_ring(scene, 1, 40);
  Motion ring(scene);
  ring.steps(1, 1e-6);
  const double tan = std::tan(std::numbers::pi / 40);
  CHECK(ring.elastic() == doctest::Approx(2 * 0.02 * 1600 * tan * tan).epsilon(1e-9));
}

}  // namespace filum::test_projection_forces
