// What a search for an equilibrium ends with.
#pragma once

#include "formulations/formulation.hpp"

#include <memory>

namespace filum::sim {

struct Equilibrium {
  std::unique_ptr<State> state;  // the best one found
  SolveReport report;
};

}  // namespace filum::sim
