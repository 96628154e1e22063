// The schemes that are kirchhoff's own. Each refers to the model, which must outlive it.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_stepper.hpp"

#include <memory>
#include <vector>

namespace filum::kirchhoff {

std::unique_ptr<discrete::StepScheme> make_projection_scheme(const discrete::ModelData& model);
std::unique_ptr<discrete::StepScheme> make_variational_scheme(const discrete::ModelData& model);

// What of a scene they cannot honour.
std::vector<scene::Problem> projection_refusals(const Scene& scene);
std::vector<scene::Problem> variational_refusals(const Scene& scene);

}  // namespace filum::kirchhoff
