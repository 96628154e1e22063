#include "formulations/chain/mechanism/chain_model.hpp"

#include "base/index.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

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
  // a knot has some of its mass
  double kept = part.mass;
  for (const double s : {element.begin, element.end})
    if (const KnotEnd tied = knot_at(model, element.rod, s); tied.knot >= 0)
      kept -= model.knots[at(tied.knot)].ends[at(tied.end)].mass;
  part.inertia *= kept / part.mass;
  part.mass = kept;
  return part;
}

KnotEnd knot_at(const ModelData& model, int rod, double s) {
  const RodData& data = model.rods[at(rod)];
  for (std::size_t k = 0; k < model.knots.size(); ++k)
    for (std::size_t i = 0; i < model.knots[k].ends.size(); ++i) {
      const Knot::End& end = model.knots[k].ends[i];
      if (end.rod != rod) continue;
      const double away = std::abs(end.s - s);
      if (std::min(away, data.closed ? std::abs(data.length - away) : away) <= kSamePlace * data.length)
        return {static_cast<int>(k), static_cast<int>(i)};
    }
  return {};
}

bool runs_over_wheels(const ModelData& model, int rod) {
  return std::any_of(model.wheels.begin(), model.wheels.end(), [&](const Wheel& wheel) { return wheel.rod == rod; });
}

}  // namespace filum::chain
