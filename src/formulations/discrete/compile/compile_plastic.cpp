// Laws of sections that yield or slip, and where joints and edges keep what they remember.
//
// A joint where the section changes yields by the law of the side that yields first, at that side's moment.
#include "formulations/discrete/compile/compiler.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

namespace {

ElasticLengths elastic_lengths(const Plasticity& plastic, const PlasticPlace& edge) {
  if (edge.law < 0 || plastic.laws[at(edge.law)].stretch.empty()) return {};
  const double first = rod::kRests * plastic.laws[at(edge.law)].stretch.corner[0] * edge.yield[0];
  const double shortest = std::max(0.0, 1 - first);
  return {shortest * shortest, (1 + first) * (1 + first)};
}

}  // namespace

// Rods of one section and material share a law.
int Compiler::law_of(const filum::Section& section, const Material& material) {
  for (const KnownLaw& known : known_laws_)
    if (known.section == section && known.material == material) return known.law;
  int law = -1;
  if (std::optional<rod::SectionPlasticity> made = rod::section_plasticity(section, material)) {
    law = static_cast<int>(model_.plasticity.laws.size());
    model_.plasticity.laws.push_back(std::move(*made));
  }
  known_laws_.push_back({section, material, law});
  return law;
}

void Compiler::add_plasticity() {
  Plasticity& plastic = model_.plasticity;
  if (plastic.empty()) return;
  for (const RodRange& range : model_.rods) {
    for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
      add_plastic_joint(range, model_.joints[at(k)]);
    for (const int law : range.edge_law) {
      PlasticPlace place{law, plastic.memory, Vec3::Ones()};
      if (law >= 0) {
        place.yield[0] = plastic.laws[at(law)].stretch_yield;
        plastic.memory += plastic.laws[at(law)].edge_memory();
      }
      plastic.edges.push_back(place);
      plastic.elastic.push_back(elastic_lengths(plastic, place));
    }
  }
}

void Compiler::add_plastic_joint(const RodRange& range, const Joint& joint) {
  Plasticity& plastic = model_.plasticity;
  PlasticPlace place;
  double least = 0;
  for (const Side& side : {joint.left, joint.right}) {
    if (!side.is_edge()) continue;
    const int law = range.edge_law[at(side.edge - range.first_edge)];
    if (law < 0) continue;
    const rod::SectionPlasticity& of = plastic.laws[at(law)];
    const Stiffness& stiff = range.edge_stiffness[at(side.edge - range.first_edge)];
    const Vec3 moment(stiff.EI[0] * of.bend_yield[0], stiff.EI[1] * of.bend_yield[1], stiff.GJ * of.twist_yield);
    const double first = of.bend.empty() ? moment[2] : moment.head<2>().minCoeff();
    if (place.law >= 0 && first >= least) continue;
    place.law = law;
    least = first;
    // the strain at which the joint as a whole bears that moment
    place.yield = moment.cwiseQuotient(joint.elasticity.stiffness);
  }
  if (place.law >= 0) {
    place.memory = plastic.memory;
    plastic.memory += plastic.laws[at(place.law)].joint_memory();
  }
  plastic.joints.push_back(place);
  rod::YieldGauge& gauge = plastic.gauges.emplace_back();
  if (place.law < 0) return;
  gauge.rest = joint.elasticity.rest;
  rod::each_group(plastic.laws[at(place.law)], [&]<int N>(int first, const rod::ParallelElements& elements, int) {
    for (int i = first; i < first + N && !elements.empty(); ++i)
      gauge.per[i] = 1 / (elements.corner[0] * place.yield[i]);
  });
}

}  // namespace filum::discrete
