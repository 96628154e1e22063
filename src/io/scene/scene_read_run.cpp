// How it is simulated and what is recorded.
#include "io/scene/scene_parts.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "sim/formulations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace filum::io {
namespace {

std::string read_formulation(const Node& node) {
  const std::string text = read_text(node);
  const std::vector<std::string_view> names = sim::formulation_names();
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  if (text == "spline") refuse_not_yet(node, "formulation " + text, "simulation");
  refuse(node, fmt::format("expected a formulation ({}), found {}", fmt::join(names, ", "), node.describe()));
}

// A name, or {name: generalised-alpha, spectral_radius: 0.5}.
void read_integrator(const Node& node, Simulation& simulation) {
  if (!node.is_mapping()) {
    simulation.integrator = read_word(node, kIntegrators);
    return;
  }
  const Fields fields(node, keys::integrator, "integrator");
  simulation.integrator = read_word(fields.require("name"), kIntegrators);
  const Node* radius = fields.find("spectral_radius");
  if (!radius) return;
  if (simulation.integrator != Integrator::GeneralisedAlpha)
    refuse(*radius, "only the integrator generalised-alpha has a spectral_radius");
  simulation.spectral_radius = read_number(*radius, Dimension::Number);
}

// A word, or {result: FOLDER}.
void read_start(const Node& node, Simulation& simulation) {
  if (!node.is_mapping()) {
    simulation.start = read_word(node, kStarts);
    return;
  }
  const Fields fields(node, keys::start, "start of simulation");
  simulation.start = StartKind::Result;
  simulation.start_result = read_text(fields.require("result"));
}

ChainOptions read_chain(const Node& node) {
  const Fields fields(node, keys::chain, "chain of simulation");
  ChainOptions chain;
  fields.optional("sweeps", chain.sweeps, read_integer);
  fields.number("damping", chain.damping, Dimension::Time);
  fields.number("detail", chain.detail, Dimension::Number);
  return chain;
}

}  // namespace

void read_simulation(const Node& node, Scene& scene) {
  const Fields fields(node, keys::simulation, "simulation");
  Simulation& simulation = scene.simulation;
  fields.optional("formulation", simulation.formulation, read_formulation);
  fields.optional("mode", simulation.mode, [](const Node& n) { return read_word(n, kModes); });
  fields.optional("stepper", simulation.stepper, [](const Node& n) { return read_word(n, kSteppers); });
  if (const Node* integrator = fields.find("integrator")) read_integrator(*integrator, simulation);
  fields.optional("rotary_inertia", simulation.rotary_inertia, read_flag);
  fields.number("step", simulation.step, Dimension::Time);
  fields.number("tolerance", simulation.tolerance, Dimension::Number);
  fields.optional("iterations", simulation.iterations, read_integer);
  fields.number("end", simulation.end, Dimension::Time);
  if (const Node* start = fields.find("start")) read_start(*start, simulation);
  fields.optional("chain", simulation.chain, read_chain);
}

void read_record(const Node& node, Scene& scene) {
  const Fields fields(node, keys::record, "record");
  fields.number("every", scene.record.every, Dimension::Time);
  const Node* probes = fields.find("probes");
  if (!probes) return;
  read_list(*probes, "probes", [&](const Node& item, std::size_t i) {
    const std::string name = read_name(item, "probe", i);
    const Fields probe(item, keys::probe, fmt::format("probe {}", shown(name)));
    scene.record.probes.push_back({name, read_rod_point(probe)});
  });
}

}  // namespace filum::io
