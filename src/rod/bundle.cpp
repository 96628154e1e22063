// Bundles of wires: how thick, how heavy, and how stiff they are between two bounds.
//
// A wire is stranded copper in soft insulation. Its strands always slip on each other: copper area A_c in strands of
// diameter s bends with E·A_c·s²/16, the insulation with E·π(D⁴ − D_c⁴)/64, where the strands fill 78 % of their circle
// D_c. What is missing of a wire follows from mass = copper + insulation over its circle.
//
// Round bundle: one wire is its own diameter, two lie side by side, more fill the circle to 1/1.2² = 69 %:
// D = 1.2·√Σd². Seven equal wires in a hexagon are 3.00 d thick, the law gives 3.17 d; nineteen 4.86 d and 5.23 d, which
// a bundle bound by hand reaches rather than the densest packing.
//
// Bounds. Slipping: every wire bends about its own axis, EI = Σ EI_i. Bonded: plane sections, the wires spread evenly
// over the circle of radius R, EI = Σ (EI_i + EA_i·(R² − r_i²)/4), and the tape is a tube. Both twist as round bars of
// copper, GJ = EI/(1 + ν). The bounds are a factor of hundreds apart, so `bond` goes between their logarithms.
#include <filum/section.hpp>

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace filum {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kPacking = 1.2;      // diameter over √Σd²
constexpr double kStrandFill = 0.78;  // of the conductor's circle
constexpr double kUsualStrand = 0.21e-3;

// Single-core wires of vehicles with thin walls, ISO 6722-1 and type FLRY-B: strands, largest diameter, usual mass.
constexpr CommonWire wire(const char* name, int strands, double strand, double diameter, double mass) {
  return {name, strands * kPi * strand * strand / 4 * 1e-6, strand * 1e-3, diameter * 1e-3, mass * 1e-3};
}
constexpr std::array kWires{
    wire("FLRY-B 0.35", 12, 0.21, 1.4, 4.5), wire("FLRY-B 0.5", 16, 0.21, 1.6, 6.6),
    wire("FLRY-B 0.75", 24, 0.21, 1.9, 9.0), wire("FLRY-B 1", 32, 0.21, 2.1, 11.0),
    wire("FLRY-B 1.5", 30, 0.26, 2.4, 16.0), wire("FLRY-B 2.5", 50, 0.26, 3.0, 26.0),
    wire("FLRY-B 4", 56, 0.31, 3.7, 42.0),   wire("FLRY-B 6", 84, 0.31, 4.3, 61.0),
    wire("FLRY-B 10", 80, 0.41, 6.0, 108.0), wire("FLRY-B 16", 126, 0.41, 7.2, 170.0),
};

const Material& common(std::string_view name) {
  for (const NamedMaterial& candidate : common_materials())
    if (name == candidate.name) return candidate.material;
  FILUM_ASSERT(false);
  return common_materials().begin()->material;
}

double circle(double diameter) {
  return kPi * diameter * diameter / 4;
}

// All of a wire, what is not given filled in.
struct Wire {
  double diameter = 0;
  double mass = 0;
  double EA = 0;
  double EI = 0;
};

double diameter_of(const BundleWire& given) {
  if (given.diameter) return *given.diameter;
  const CommonWire* usual = find_wire(given.wire);
  return usual ? usual->diameter : 0;
}

Wire whole(const BundleWire& given) {
  const Material& copper = common("copper");
  const Material& insulation = common("pvc");
  const CommonWire* usual = find_wire(given.wire);
  Wire wire;
  wire.diameter = diameter_of(given);
  const double area = circle(wire.diameter);
  // copper: given, else what the mass leaves, else the common wire's
  double conductor = 0;
  if (given.conductor)
    conductor = *given.conductor;
  else if (given.mass)
    conductor = (*given.mass - insulation.density * area) / (copper.density - insulation.density / kStrandFill);
  else if (usual)
    conductor = usual->conductor;
  conductor = std::clamp(conductor, 0.0, kStrandFill * area);
  // mass
  if (given.mass)
    wire.mass = *given.mass;
  else if (usual && !given.conductor && !given.diameter)
    wire.mass = usual->mass;
  else
    wire.mass = copper.density * conductor + insulation.density * (area - conductor / kStrandFill);
  // stiffness
  const double strand = given.strand ? *given.strand : usual ? usual->strand : kUsualStrand;
  const double core = conductor / kStrandFill;
  wire.EA = copper.young * conductor + insulation.young * (area - core);
  wire.EI =
      copper.young * conductor * strand * strand / 16 + insulation.young * (area * area - core * core) / (4 * kPi);
  return wire;
}

double between(double lower, double upper, double share) {
  return lower * std::pow(upper / lower, share);
}

}  // namespace

double bundle_diameter(const std::vector<BundleWire>& wires) {
  double squares = 0;
  double largest = 0;
  double second = 0;
  for (const BundleWire& kind : wires) {
    const double d = diameter_of(kind);
    squares += kind.count * d * d;
    for (int i = 0; i < std::min(kind.count, 2); ++i) {
      second = std::max(second, std::min(d, largest));
      largest = std::max(largest, d);
    }
  }
  int count = 0;
  for (const BundleWire& kind : wires) count += kind.count;
  return count > 2 ? std::max(kPacking * std::sqrt(squares), largest + second) : largest + second;
}

BundleFacts bundle_facts(const Section& section) {
  BundleFacts facts;
  const double inner = bundle_diameter(section.bundle);
  facts.diameter = inner + 2 * section.tape;
  // the wires
  double spread = 0;
  for (const BundleWire& kind : section.bundle) {
    const Wire wire = whole(kind);
    facts.wires += kind.count;
    facts.EA += kind.count * wire.EA;
    facts.mass_per_length += kind.count * wire.mass;
    facts.slipping.EI += kind.count * wire.EI;
    spread += kind.count * wire.EA * (inner * inner - wire.diameter * wire.diameter) / 16;
  }
  // what is wrapped round
  const Material& tape = common("pvc");
  const double wrap = circle(facts.diameter) - circle(inner);
  facts.EA += tape.young * wrap;
  facts.mass_per_length += tape.density * wrap;
  const double tube = tape.young * wrap * (facts.diameter * facts.diameter + inner * inner) / 16;

  // bounds, and what lies between
  const double poisson = common("copper").poisson;
  facts.bonded.EI = facts.slipping.EI + std::max(spread, 0.0) + tube;
  facts.chosen.EI = between(facts.slipping.EI, facts.bonded.EI, section.bond);
  for (BundleStiffness* each : {&facts.slipping, &facts.bonded, &facts.chosen}) each->GJ = each->EI / (1 + poisson);
  return facts;
}

const CommonWire* find_wire(const std::string& name) {
  for (const CommonWire& candidate : kWires)
    if (name == candidate.name) return &candidate;
  return nullptr;
}

std::vector<std::string> common_wire_names() {
  std::vector<std::string> names;
  for (const CommonWire& each : kWires) names.emplace_back(each.name);
  return names;
}

}  // namespace filum
