// The frame of one side of a joint: an edge's, or that of a cross-section fixed to a rotor.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <Eigen/Geometry>

namespace filum::discrete {

// Turned about its d3 by `offset`.
inline Mat3 side_frame(const ModelData& model, const RodState& state, const Side& side, double offset) {
  Mat3 frame;
  if (side.is_edge()) {
    frame = state.frame[at(side.edge)];
  } else {
    const Section& section = model.sections[at(side.section)];
    frame = state.rotor[at(section.rotor)] * section.base;
  }
  if (offset == 0) return frame;
  return frame * Eigen::AngleAxisd(offset, Vec3::UnitZ()).toRotationMatrix();
}

}  // namespace filum::discrete
