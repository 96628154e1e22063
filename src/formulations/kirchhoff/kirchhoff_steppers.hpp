// The three steppers of kirchhoff, one of which the scene chooses.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_stepper.hpp"

#include <memory>
#include <vector>

namespace filum::kirchhoff {

using namespace discrete;

std::unique_ptr<RodStepper> make_implicit_stepper(const ModelData& model);
std::unique_ptr<RodStepper> make_projection_stepper(const ModelData& model);
std::unique_ptr<RodStepper> make_variational_stepper(const ModelData& model);

// What of a scene they cannot honour; for the implicit one see discrete/implicit.hpp.
std::vector<scene::Problem> projection_refusals(const Scene& scene);
std::vector<scene::Problem> variational_refusals(const Scene& scene);

}  // namespace filum::kirchhoff
