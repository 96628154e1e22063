// The formulations by name: the one place that knows which there are.
#pragma once

#include "formulations/formulation.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace filum::sim {

// All that there are, in the order in which they are listed to people.
std::vector<std::string_view> formulation_names();

// Null when there is none of that name.
std::unique_ptr<Formulation> make_formulation(std::string_view name);

// Whether a formulation would search for the equilibrium of a scene in positions and angles, although it has unknowns of
// its own or none other: where things touch, all that share equilibria do.
bool searches_in_positions(const Formulation& formulation, const Scene& scene);

// Iterations after which its search for an equilibrium is better left, for another's or for smaller steps: those that
// found one needed fewer.
int patience_with(std::string_view name, const Scene& scene);

// Those that have a feature: «chain», «kirchhoff or cosserat».
std::string formulations_with(Feature feature);

}  // namespace filum::sim
