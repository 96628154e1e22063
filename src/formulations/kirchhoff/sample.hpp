// What the outside sees of a Kirchhoff state.
#pragma once

#include "formulations/kirchhoff/system.hpp"

namespace filum::kirchhoff {

// `system` must have evaluated `state` last: the pose reads its strains and residual forces.
Pose sample_pose(const ModelData& model, const System& system, const Balance& balance, const RodState& state,
                 const Targets& targets);

}  // namespace filum::kirchhoff
