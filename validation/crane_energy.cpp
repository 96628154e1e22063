// The energy of a swinging gantry crane: trolley, hook block on two massless ropes, sling of rigid elements, load.
//
// The crane is that of scenes/gantry-crane.yaml. It hangs for 3 s, its trolley drives out by 3 m within 3 s and stops,
// and then nothing is done to it for 15 s. The source plots kinetic, gravitational and deformation energy of such a
// swing and tells that their sum «drops by 20 %». It does not tell where its potential energy is zero; here all
// energies are counted from those of the crane at rest, so that the sum at the beginning of the 15 s is the energy of
// the swing, and the loss a share of it.
//
// The source's own crane has 300 kg on elements of 0.3 kg, stiffer than a rope: joints of c_s = 5e6 N/m and c_b = c_t =
// 1e3 N·m/rad. Hook and load are the end bodies of its cable. How many elements there are and how it swings is not
// told; here as the other one.
#include "formulations/chain/chain.hpp"
#include "report/svg/svg_chart.hpp"
#include "sim/run/run.hpp"
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include <filum/scene_file.hpp>

#include <algorithm>
#include <cmath>

namespace filum::validation {

namespace crane_energy_case {
namespace {

constexpr double kRest = 3;      // s: it hangs until then; then it is driven as long
constexpr double kFree = 6;      // s: from here on it swings
constexpr double kWatched = 15;  // s: that it is watched for
constexpr double kPeriod = 5.2;  // s: about a swing, over which energies are averaged: the step makes them ripple

constexpr const char* kCrane = R"(
filum: 1
materials: {rope steel: {young: 1.0e11, poisson: 0.3, density: 7850}}
sections: {sling: {shape: circle, radius: 5 mm}}
rods:
  sling: {material: rope steel, section: sling, segments: 12, shape: {line: [[0, 0, -4.15], [0, 0, -6.155]]}, length: 2}
bodies:
  trolley: {box: [1.2, 0.8, 0.3], position: [0, 0, 0], motion: driven}
  hook: {box: [0.5, 0.2, 0.3], mass: 60, position: [0, 0, -4], motion: free}
  load: {box: [1.0, 1.0, 0.8], mass: 2000, position: [0, 0, -6.555], motion: free}
reeving:
  - {rope: left, stiffness: 1e7, length: 8.015, through: [{body: trolley, point: [-0.4, 0, -0.15]}, {sheave: hook, point: [-0.2, 0, 0], radius: 0.1}, {body: trolley, point: [-0.1, 0, -0.15]}]}
  - {rope: right, stiffness: 1e7, length: 8.015, through: [{body: trolley, point: [0.1, 0, -0.15]}, {sheave: hook, point: [0.2, 0, 0], radius: 0.1}, {body: trolley, point: [0.4, 0, -0.15]}]}
holds:
  - {name: eye, rod: sling, at: start, fix: [position], body: hook}
  - {name: shackle, rod: sling, at: end, fix: [position], body: load}
drivers:
  - {body: trolley, path: [{t: 0, position: [0, 0, 0]}, {t: 3, position: [0, 0, 0]}, {t: 6, position: [3, 0, 0]}]}
simulation: {formulation: chain, mode: dynamics, step: 1/60, end: 26.2}
)";

// Energies of the free swing, counted from those at rest; a value a step.
struct Swing {
  std::vector<double> t, kinetic, gravity, elastic, total;
  double furthest = 0;  // of the load from below its trolley, m
};
Result<Scene> crane(bool published) {
  Result<Scene> scene = parse_scene(kCrane, "crane");
  if (!scene || !published) return scene;
  const double element = 2.0 / 12;
  const double EI = 1e3 * element;
  scene->sections.front().section = given_section(5e6 * element, Vec2(EI, EI), EI, 0.3 / element);
  scene->rods.front().material.clear();
  scene->bodies.back().mass = 300;
  for (Hold& hold : scene->holds) hold.fix.orientation = kAllAxes;
  return scene;
}
Swing swing(Sheet& sheet, bool published, bool plain) {
  auto scene = crane(published);
  if (!scene) {
    sheet.fail(scene.error().text());
    return {};
  }
  Energy rest;
  Swing swing;
  RunOptions options;
  options.frame = [&](const Snapshot& frame) {
    const Energy& now = frame.pose.energy;
    if (frame.t < kRest + 1e-6) rest = now;
    if (frame.t < kFree - 1e-6) return true;
    swing.t.push_back(frame.t - kFree);
    swing.kinetic.push_back(now.kinetic);
    swing.gravity.push_back(now.gravity - rest.gravity);
    swing.elastic.push_back(now.elastic - rest.elastic);
    swing.total.push_back(swing.kinetic.back() + swing.gravity.back() + swing.elastic.back());
    swing.furthest = std::max(swing.furthest, std::abs(frame.pose.bodies.back().position.x() - 3));
    return true;
  };
  const chain::ChainVariant variant{.plain = plain};
  const auto outcome = sim::run_with(std::make_shared<chain::ChainFormulation>(variant), *scene, options);
  if (!outcome) sheet.fail(outcome.error().text());
  if (outcome && !outcome->run->completed) sheet.fail("the run stopped: " + outcome->run->why);
  return swing;
}

// Of what the swing had at first, the means over a period compared.
double loss(const Swing& swing) {
  double first = 0;
  double last = 0;
  for (std::size_t i = 0; i < swing.t.size(); ++i) {
    if (swing.t[i] < kPeriod) first += swing.total[i];
    if (swing.t[i] >= kWatched && swing.t[i] < kWatched + kPeriod) last += swing.total[i];
  }
  return 1 - last / first;
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  const Swing own = swing(sheet, false, false);
  const Swing published = swing(sheet, true, false);
  setting.tell(0.5);
  const Swing plain = swing(sheet, true, true);
  sheet.at_most("two tonnes on wire rope: energy of the swing lost in 15 s", loss(own), 0.05, "asked for");
  sheet.at_least("two tonnes on wire rope: load away from below its trolley, m", own.furthest, 1, "a large swing");
  sheet.at_most("the source's crane: energy lost", loss(published), 0.05, "asked for");
  sheet.at_most("the source's crane and step, solved directly: energy lost", loss(plain), 0.2, "what the source tells");
  return std::move(sheet).result();
}

std::vector<Figure> figures() {
  Sheet sheet{Setting{}};
  const Swing own = swing(sheet, false, false);
  io::Chart chart;
  chart.title = "Energy of the swinging crane";
  chart.quantity = io::Quantity::Energy;
  chart.x_name = "time";
  chart.x_quantity = io::Quantity::Time;
  chart.series = {{"total", own.t, own.total},
                  {"kinetic", own.t, own.kinetic},
                  {"gravity", own.t, own.gravity},
                  {"elastic", own.t, own.elastic}};
  return {{"Fig. 16 of the source: energies beyond those at rest", io::chart_svg(chart)}};
}

}  // namespace
}  // namespace crane_energy_case

Case crane_energy() {
  return {.name = "crane-energy",
          .shows = "A gantry crane that swings for 15 s keeps its energy",
          .source = "Servin & Lacoursière 2007, section VIII and fig. 16",
          .run = crane_energy_case::run,
          .figures = crane_energy_case::figures};
}

}  // namespace filum::validation
