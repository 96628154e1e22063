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

// Iterations after which its search for an equilibrium is better left, for another's or for smaller steps: those that
// found one needed fewer.
int patience_with(std::string_view name);

// Those that have a feature: «chain», «kirchhoff or cosserat».
std::string formulations_with(Feature feature);

}  // namespace filum::sim
