// Joints of laid ropes: what the stretch of their edges adds to their twist (rod/rope_lay.hpp).
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"

namespace filum::discrete {

// λ/l of one side's edge.
[[nodiscard]] inline double lay_per_length(const ModelData& model, const Joint& joint, bool right) {
  const Side& side = right ? joint.right : joint.left;
  return side.is_edge() ? joint.lay[right ? 1 : 0] / model.edges[at(side.edge)].rest_length : 0;
}

// Σ λ (|e|/l − f), the lengths of edges told by their number.
template <class LengthOf>
double lay_turn(const ModelData& model, const Joint& joint, double factor, const LengthOf& length) {
  double sum = 0;
  for (const bool right : {false, true}) {
    const Side& side = right ? joint.right : joint.left;
    if (side.is_edge())
      sum += lay_per_length(model, joint, right) * length(side.edge) - factor * joint.lay[right ? 1 : 0];
  }
  return sum;
}

}  // namespace filum::discrete
