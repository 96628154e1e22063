// Scenes by chance, many of them senseless: rods of one segment, shapes that fold or stand still, holds on one spot,
// stiffnesses and loads over twenty orders of magnitude. Each is refused, or solved and run. What calls itself converged,
// or come to its end, has no number that is none.
#include "rod/finite_pose.hpp"

#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace filum::test_fuzzed_scenes {

namespace {

// The same on every machine: the distributions of the standard library are not.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double scaled(double low, double high) { return low * std::pow(high / low, unit()); }
  bool odds(double share) { return unit() < share; }
  int below(int count) { return static_cast<int>(unit() * count); }
  // Often a round number, which is where things coincide.
  double some(double size) { return odds(0.4) ? size * (below(5) - 2) / 2 : between(-size, size); }
  Vec3 vector(double size) { return {some(size), some(size), some(size)}; }

 private:
  std::mt19937_64 engine_;
};

Section some_section(Chance& chance) {
  Section section;
  section.shape = static_cast<SectionShape>(chance.below(5));
  section.radius = section.outer_radius = chance.scaled(1e-4, 0.1);
  section.inner_radius = section.outer_radius * chance.between(0, 0.99);
  section.width = chance.scaled(1e-4, 0.1);
  section.height = section.width * chance.scaled(1e-3, 1);
  section.radii = Vec2(section.width, section.height);
  if (section.shape != SectionShape::Given) return section;
  section.EA = chance.scaled(1e-2, 1e9);
  section.EI = Vec2(chance.scaled(1e-8, 1e3), chance.scaled(1e-8, 1e3));
  section.GJ = chance.scaled(1e-8, 1e3);
  section.mass_per_length = chance.scaled(1e-6, 1e3);
  return section;
}

Curve some_shape(Chance& chance, bool closed) {
  Curve curve;
  const int kind = closed ? 3 : chance.below(5);
  curve.kind = static_cast<CurveKind>(kind);
  const int points = kind == 0 ? 2 : 2 + chance.below(4);
  for (int k = 0; k < points; ++k) curve.points.push_back(chance.vector(1));
  if (chance.odds(0.1)) curve.points.back() = curve.points.front();
  curve.centre = chance.vector(0.5);
  curve.axis = chance.vector(1);
  curve.start = chance.vector(1);
  curve.angle = closed ? 2 * 3.141592653589793 : chance.some(8);
  curve.pitch = chance.some(0.3);
  return curve;
}

void add_holds(Chance& chance, Scene& scene) {
  const int holds = chance.below(4);
  for (int k = 0; k < holds; ++k) {
    Hold hold;
    hold.name = "hold " + std::to_string(k);
    hold.rod = scene.rods[static_cast<std::size_t>(chance.below(static_cast<int>(scene.rods.size())))].name;
    hold.at = {chance.odds(0.6) ? static_cast<double>(chance.below(3)) / 2 : chance.unit(), 0};
    for (auto& axis : hold.fix.position) axis = chance.odds(0.85);
    if (chance.odds(0.4)) hold.fix.orientation = {true, true, true};
    if (chance.odds(0.05)) hold.fix.orientation = {true, true, false};
    if (chance.odds(0.3)) hold.position = chance.vector(1);
    if (chance.odds(0.2)) hold.orientation = Quat(chance.some(1), chance.some(1), chance.some(1), chance.some(1));
    hold.slide = chance.odds(0.1);
    if (!scene.bodies.empty() && chance.odds(0.3)) hold.body = scene.bodies[0].name;
    scene.holds.push_back(hold);
  }
}

Scene some_scene(std::uint64_t seed) {
  Chance chance(seed);
  Scene scene;
  scene.gravity = chance.odds(0.8) ? Vec3(0, 0, -9.81) : chance.vector(100);
  scene.materials = {{"stuff", {chance.scaled(1e3, 1e13), chance.between(-0.5, 0.5), chance.scaled(1e-2, 1e5)}}};
  scene.sections = {{"s", some_section(chance)}};
  const int rods = 1 + chance.below(3);
  for (int r = 0; r < rods; ++r) {
    Rod rod;
    rod.name = "rod " + std::to_string(r);
    rod.material = "stuff";
    rod.section = "s";
    rod.segments = chance.odds(0.4) ? 1 + chance.below(3) : 1 + chance.below(10);
    rod.closed = chance.odds(0.1);
    rod.shape = some_shape(chance, rod.closed);
    rod.rest.kind = static_cast<RestKind>(chance.below(3));
    rod.rest.curvature = Vec2(chance.some(20), chance.some(20));
    if (chance.odds(0.4)) rod.length = chance.scaled(0.01, 10);
    if (chance.odds(0.2)) rod.twist = chance.some(50);
    if (chance.odds(0.3)) rod.spin = chance.vector(50);
    if (chance.odds(0.3)) rod.velocity = chance.vector(10);
    scene.rods.push_back(rod);
  }
  if (chance.odds(0.3)) {
    Body body;
    body.name = "body";
    body.motion = static_cast<BodyMotion>(chance.below(3));
    body.mass = chance.scaled(1e-6, 1e4);
    if (chance.odds(0.7)) body.box = Vec3::Constant(chance.scaled(1e-3, 1));
    body.position = chance.vector(1);
    body.spin = chance.odds(0.3) ? chance.vector(100) : Vec3::Zero();
    scene.bodies = {body};
  }
  add_holds(chance, scene);
  const auto place = [&] { return RodPoint{scene.rods[0].name, {chance.unit(), 0}}; };
  if (rods > 1 && chance.odds(0.4)) {
    Junction junction;
    junction.name = "knot";
    junction.rods = {place(), {scene.rods[1].name, {chance.odds(0.5) ? 0.0 : chance.unit(), 0}}};
    scene.junctions = {junction};
  }
  if (chance.odds(0.4)) scene.forces = {{place(), {}, chance.scaled(1e-6, 1e6) * chance.vector(1), chance.odds(0.3)}};
  if (chance.odds(0.2)) scene.torques = {{place(), {}, chance.scaled(1e-6, 1e3) * chance.vector(1), chance.odds(0.3)}};
  const char* const formulations[] = {"kirchhoff", "kirchhoff", "cosserat", "chain", "spline"};
  scene.simulation.formulation = formulations[chance.below(5)];
  scene.simulation.step = chance.scaled(1e-4, 0.1);
  scene.simulation.end = 4 * scene.simulation.step;
  scene.simulation.integrator =
      chance.odds(0.7) ? Integrator::EnergyMomentum : static_cast<Integrator>(chance.below(4));
  scene.simulation.rotary_inertia = chance.odds(0.2);
  return scene;
}

struct Tally {
  int refused = 0;
  int solved = 0;
  int run = 0;
  int not_found = 0;
};

bool all_finite(const Outcome& outcome) {
  for (const auto& state : outcome.states)
    if (!rod::is_finite(state.pose)) return false;
  return true;
}

Tally fuzz(std::uint64_t first, int scenes) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(scenes); ++seed) {
    CAPTURE(seed);
    const Scene scene = some_scene(seed);
    if (const Result<Outcome> outcome = solve(scene); !outcome.ok()) {
      ++tally.refused;
    } else if (outcome->solve.converged) {
      ++tally.solved;
      CHECK(all_finite(*outcome));
      CHECK(std::isfinite(outcome->solve.residual));
    } else {
      ++tally.not_found;
    }
    const Result<Outcome> moved = run(scene);
    if (!moved.ok() || !moved->run->completed) continue;
    ++tally.run;
    CHECK(all_finite(*moved));
    CHECK(std::isfinite(moved->run->max_energy_error));
  }
  return tally;
}

}  // namespace

TEST_CASE("nothing that chance makes converges with a number that is none") {
  const Tally tally = fuzz(1, 120);
  // the scenes are not all senseless
  CHECK(tally.solved > 5);
  CHECK(tally.run > 5);
}

TEST_SUITE("long") {
  TEST_CASE("nor do twenty thousand more") {
    const Tally tally = fuzz(1'000'000, 20'000);
    MESSAGE("refused " << tally.refused << ", solved " << tally.solved << ", not found " << tally.not_found << ", run "
                       << tally.run);
    CHECK(tally.solved > 1'000);
    CHECK(tally.run > 1'000);
  }
}

}  // namespace filum::test_fuzzed_scenes
