// Random scenes in motion that nobody tuned for: strips, coils, arcs and soft tubes as well as round rods, clamped,
// pinned and free, with and without bodies. The default integrator may not gain energy in any of them.
#include "validation/cases.hpp"
#include "validation/motion.hpp"
#include "validation/numbers.hpp"

#include "math/rotation.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace filum::validation {

namespace {

constexpr int kSegments = 60;
constexpr std::uint64_t kFirstSeed = 20261;
constexpr std::array<const char*, 5> kKinds{"strips", "coils", "arcs", "soft tubes", "round rods"};

Material some_material(Numbers& some, bool soft) {
  Material material;
  if (soft) {
    material.young = some.scaled(1e6, 3e7);
    material.poisson = 0.45;
    material.density = some.between(950, 1300);
  } else {
    const bool steel = some.odds(0.5);
    material.young = steel ? 2.1e11 : 7e10;
    material.poisson = 0.3;
    material.density = steel ? 7850 : 2700;
  }
  return material;
}

Section some_section(Numbers& some, std::size_t kind, double length) {
  Section section;
  if (kind == 0) {
    section.shape = SectionShape::Rectangle;
    section.width = length * some.scaled(0.005, 0.05);
    section.height = section.width / some.scaled(2, 60);
  } else if (kind == 3) {
    section.shape = SectionShape::Tube;
    section.outer_radius = length * some.scaled(0.003, 0.02);
    section.inner_radius = section.outer_radius * some.between(0.3, 0.8);
    section.fill_density = some.odds(0.5) ? 1000 : 0;
  } else {
    section.shape = SectionShape::Circle;
    section.radius = length * some.scaled(0.0005, 0.01);
  }
  return section;
}

Curve some_shape(Numbers& some, std::size_t kind, double length) {
  Curve curve;
  if (kind == 1 || (kind == 3 && some.odds(0.5))) {
    const double turns = some.between(1, 4);
    const double rise = some.between(0.1, 0.6);  // share of its length that it is high
    curve.kind = CurveKind::Helix;
    curve.start = Vec3(length * std::sqrt(1 - rise * rise) / (2 * math::kPi * turns), 0, 0);
    curve.angle = 2 * math::kPi * turns;
    curve.pitch = rise * length / turns;
  } else if (kind == 2 || (kind == 0 && some.odds(0.5))) {
    const double angle = some.between(0.3, 4);
    curve.kind = CurveKind::Arc;
    curve.axis = (Vec3::UnitZ() + some.vector(0.7)).normalized();
    curve.start = length / angle * curve.axis.cross(Vec3(0.3, -0.5, 1)).normalized();
    curve.angle = angle;
  } else {
    curve.points = {Vec3::Zero(), length * (Vec3(1, 0, 0) + some.vector(0.5)).normalized()};
  }
  return curve;
}

// A rod of the kind, held and laden somehow.
Scene some_scene(std::size_t kind, std::uint64_t seed) {
  Numbers some(seed);
  Scene scene;
  scene.gravity = some.odds(0.8) ? Vec3(0, 0, -9.81) : Vec3::Zero();
  scene.materials = {{"stuff", some_material(some, kind == 3 || some.odds(0.3))}};
  const double length = some.scaled(0.2, 2);
  scene.sections = {{"section", some_section(some, kind, length)}};
  Rod rod;
  rod.name = "rod";
  rod.material = "stuff";
  rod.section = "section";
  rod.segments = kSegments;
  rod.shape = some_shape(some, kind, length);
  rod.rest.kind = some.odds(0.8) ? RestKind::AsShaped : RestKind::Straight;
  const double held = some.between(0, 3);
  if (held > 2) {
    rod.velocity = some.vector(2);
    rod.spin = some.vector(8);
  } else {
    scene.holds.push_back(held > 1 ? clamp(kStart) : pin(kStart));
    scene.gravity.z() = -9.81;  // without it nothing would move
  }
  scene.rods = {rod};
  if (some.odds(0.3)) {
    Body body;
    body.name = "load";
    body.motion = BodyMotion::Free;
    body.mass = some.scaled(0.05, 2);
    body.box = Vec3::Constant(length * some.between(0.03, 0.1));
    const double end = 1;
    body.position = resample(rod.shape, {&end, 1}).front();
    body.spin = some.vector(3);
    scene.bodies = {body};
    Hold grip = some.odds(0.5) ? clamp(kEnd) : pin(kEnd);
    grip.body = "load";
    scene.holds.push_back(grip);
  }
  return scene;
}

// The worst of a kind at a step.
struct Tally {
  int scenes = 0;
  int lost = 0;           // that did not come to their end
  double gain = 0;        // largest, share of the energy that moved
  double drained = 0;     // likewise, by the integrator
  double iterations = 0;  // largest mean number a step
};

void play(Scene scene, double step, double end, Tally& tally) {
  ++tally.scenes;
  scene.simulation.step = step;
  Result<Session> session = Session::begin(scene);
  if (!session.ok()) {
    ++tally.lost;
    return;
  }
  // without what the integrator drained: what is left may only go down
  const auto kept = [&] {
    const Energy energy = session->pose().energy;
    return energy.balance() - energy.drained;
  };
  const double start = kept();
  double gain = 0;
  const long every = std::max(1L, std::lround(1 / (60 * step)));
  const long steps = std::lround(end / step);
  for (long k = 1; k <= steps; ++k) {
    if (!session->step()) {
      ++tally.lost;
      return;
    }
    if (k % every == 0) gain = std::max(gain, kept() - start);
  }
  const RunReport report = session->report();
  tally.gain = std::max(tally.gain, gain / report.energy_scale);
  tally.drained = std::max(tally.drained, session->pose().energy.drained / report.energy_scale);
  tally.iterations =
      std::max(tally.iterations, static_cast<double>(report.iterations) / static_cast<double>(report.steps));
}

// `all`: what was lost and what it cost too; both hang on the last digit of a violent motion.
Result<std::vector<Row>> battery(const Setting& setting, int scenes_of_each, double end, bool all) {
  Sheet sheet(setting);
  double done = 0;
  for (const double step : {1.0 / 60, 1e-3})
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      Tally tally;
      for (int k = 0; k < scenes_of_each; ++k) {
        play(some_scene(kind, kFirstSeed + 1000 * kind + static_cast<std::uint64_t>(k)), step, end, tally);
        setting.tell(done += 1.0 / (2 * static_cast<double>(kKinds.size()) * scenes_of_each));
      }
      const std::string what = fmt::format("{} {}, {} s at {} ms", tally.scenes, kKinds[kind], end,
                                           std::lround(step * 1e3) == 1 ? "1" : "16.7");
      sheet.at_most(what + ": runs that did not come to their end", tally.lost, 0, "none is given up");
      sheet.at_most(what + ": largest gain over the energy that moved", tally.gain, 0.005, "energy is kept");
      if (!all) continue;
      sheet.at_most(what + ": largest loss, drained, over it", tally.drained, 1, "stated, not promised");
      // an iteration of 60 segments takes some 50 µs
      sheet.at_most(what + ": iterations a step, most in the mean", tally.iterations, 20 * step / 50e-6,
                    "at most twenty times real time");
    }
  return std::move(sheet).result();
}

}  // namespace

Case motion_battery() {
  return {.name = "motion-battery",
          .shows = "Random strips, coils, arcs, tubes and rods in motion never gain energy",
          .source = "none but the balance of energy; scenes by seeds",
          .run = [](const Setting& setting) { return battery(setting, 4, 1, false); }};
}

Case motion_battery_long() {
  return {.name = "motion-battery-long",
          .shows = "Two hundred random scenes in motion never gain energy",
          .source = "none but the balance of energy; scenes by seeds",
          .takes_long = true,
          .run = [](const Setting& setting) { return battery(setting, 40, 5, true); }};
}

}  // namespace filum::validation
