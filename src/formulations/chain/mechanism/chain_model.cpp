#include "formulations/chain/mechanism/chain_model.hpp"

#include "base/index.hpp"

#include <filum/scene.hpp>

#include <algorithm>

namespace filum::chain {

int RodData::element_at(double s) const {
  const auto after = std::upper_bound(boundaries.begin(), boundaries.end(), s,
                                      [](double arc, const Boundary& boundary) { return arc < boundary.s; });
  const int index = static_cast<int>(after - boundaries.begin()) - 1;
  return std::clamp(index, 0, static_cast<int>(boundaries.size()) - 2);
}

double half_length(const ModelData& model, const Element& element, double length_factor) {
  const RodData& rod = model.rods[at(element.rod)];
  const int original = rod.element_at(0.5 * (element.begin + element.end));
  return 0.5 * length_factor * rod.chord[at(original)] * element.length();
}

const Stiffness& stiffness_of(const ModelData& model, const Element& element) {
  const RodData& rod = model.rods[at(element.rod)];
  return rod.stiffness[at(rod.element_at(0.5 * (element.begin + element.end)))];
}

int law_of(const ModelData& model, const Element& element) {
  if (model.laws.empty()) return -1;
  const RodData& rod = model.rods[at(element.rod)];
  return rod.law[at(rod.element_at(0.5 * (element.begin + element.end)))];
}

// A round bar of even density: its own rotary inertia about the axis, half of that and the bar's about the others.
Part element_part(const ModelData& model, const Element& element, double length_factor) {
  const RodData& rod = model.rods[at(element.rod)];
  const auto original = at(rod.element_at(0.5 * (element.begin + element.end)));
  const Damping& damping = model.scene->rods[at(element.rod)].damping;
  const Stiffness& stiff = rod.stiffness[original];
  const double length = element.length();
  const double rigid = 2 * half_length(model, element, length_factor);
  Part part;
  part.moves = true;
  part.mass = stiff.mass_per_length * length;
  const double spin = stiff.polar_inertia * length;
  const double across = part.mass * rigid * rigid / 12 + 0.5 * spin;
  part.inertia = {across, across, spin};
  part.drag = damping.mass;
  part.air = damping.air * length;
  part.load = rod.load[original] * length;
  return part;
}

bool runs_over_wheels(const ModelData& model, int rod) {
  return std::any_of(model.wheels.begin(), model.wheels.end(), [&](const Wheel& wheel) { return wheel.rod == rod; });
}

}  // namespace filum::chain
