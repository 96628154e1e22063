// Rods that are drawn through a solid, moved out of it to one side before an equilibrium is looked for.
//
// Each point inside would be pushed to its own nearest face, and where those differ the rod would be torn between them.
// So a run of edges inside one solid leaves it as one: along the direction, of those across the rod, in which the longest
// way out is shortest. What lies beside it rises with it, in a slope.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

#include <vector>

namespace filum::discrete {

// A run that was moved.
struct PushedOut {
  int rod = 0;
  double s = 0;    // where it was deepest, m
  int solid = 0;   // of the model
  double way = 0;  // the longest, m
  Vec3 direction = Vec3::UnitZ();
};

// What a state remembers of the drawing that it began from.
struct Drawn {
  bool fresh = true;                   // nothing has been solved yet
  std::vector<PushedOut> pushed = {};  // what was drawn inside obstacles
};

// Runs whose centre line is inside, by less than a quarter of the rod's length.
std::vector<PushedOut> push_out(const ModelData& model, const Targets& targets, RodState& state);

// As it is told.
Event pushed_event(const ModelData& model, const PushedOut& pushed);

}  // namespace filum::discrete
