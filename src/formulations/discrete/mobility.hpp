// Which rods could still move as rigid bodies: what their holds leave free.
//
// Rods joined by junctions or held to the same free body are one component. A component that can move has a singular
// stiffness matrix where nothing restores it, and no equilibrium at all if a net force acts along a direction that no
// hold opposes.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/formulation.hpp"

#include <string>
#include <vector>

namespace filum::discrete {

struct Component {
  std::vector<int> rods;
  std::vector<int> bodies;  // of ModelData::bodies
  FixedAxes held{};         // some hold opposes translation along this world axis
  bool mobile = false;      // some rigid motion is free
};

std::vector<Component> find_components(const ModelData& model);

// Why there can be no equilibrium, or empty: a component pushed along an axis on which nothing holds it.
std::string unopposed_force(const ModelData& model, const std::vector<Component>& components, const Targets& targets);

}  // namespace filum::discrete
