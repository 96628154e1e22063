// What the outside sees of the contacts of a state.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <filum/pose.hpp>

#include <vector>

namespace filum::discrete {

std::vector<ContactPose> sample_contacts(const ModelData& model, const RodState& state);

}  // namespace filum::discrete
