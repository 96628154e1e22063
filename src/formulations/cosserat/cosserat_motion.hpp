// A cosserat model in motion: the implicit stepper with its balance found in rotations, forces and positions.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_stepper.hpp"
#include "formulations/formulation.hpp"

#include <memory>
#include <vector>

namespace filum::cosserat {

std::unique_ptr<discrete::RodStepper> make_stepper(const discrete::ModelData& model);

// Gives the segments of a state that has no forces in them those that its tensions suggest.
void guess_forces(discrete::RodState& state);

// What of a scene cannot be moved.
std::vector<scene::Problem> motion_refusals(const Scene& scene);

}  // namespace filum::cosserat
