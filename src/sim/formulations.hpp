// The formulations by name: the one place that knows which there are.
#pragma once

#include "formulations/formulation.hpp"

#include <memory>
#include <string>

namespace filum::sim {

// Null when there is none of that name.
std::unique_ptr<Formulation> make_formulation(const std::string& name);

// Whether it moves rods in time, or finds equilibria alone.
bool has_dynamics(const std::string& name);

}  // namespace filum::sim
