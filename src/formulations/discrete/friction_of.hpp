// The coefficient of friction where two things of a compiled scene touch.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

#include <algorithm>

namespace filum::discrete {

// Of a rod at a station on a solid.
[[nodiscard]] inline double friction_of(const ModelData& model, const ContactStation& station, std::size_t solid) {
  return model.solids[solid].rod_friction[static_cast<std::size_t>(station.surface)];
}

// Of two edges of rods on each other.
[[nodiscard]] inline double edge_friction(const ModelData& model, int a, int b) {
  const auto surface = [&](int edge) {
    const RodRange& range = model.rods[static_cast<std::size_t>(model.edges[static_cast<std::size_t>(edge)].rod)];
    return static_cast<std::size_t>(range.edge_surface[static_cast<std::size_t>(edge - range.first_edge)]);
  };
  return model.rod_friction[surface(a) * model.surfaces.size() + surface(b)];
}

// Something may rub: solids on rods or on each other, rods on rods.
[[nodiscard]] inline bool solids_rub(const ModelData& model) {
  const auto some = [](double friction) { return friction > 0; };
  return std::any_of(model.solids.begin(), model.solids.end(),
                     [&](const Solid& solid) {
                       return std::any_of(solid.rod_friction.begin(), solid.rod_friction.end(), some);
                     }) ||
         std::any_of(model.solid_pairs.begin(), model.solid_pairs.end(),
                     [](const SolidPair& pair) { return pair.friction > 0; });
}
[[nodiscard]] inline bool rods_rub(const ModelData& model) {
  return std::any_of(model.rod_friction.begin(), model.rod_friction.end(),
                     [](double friction) { return friction > 0; });
}

}  // namespace filum::discrete
