// The implicit stepper: one step of an integrator.
//
// The step foresees where things go, has the balance of forces, inertia and damping found that its integrator asks for
// (system/step_newton.hpp), tells velocities and spins at the end of the step and does the accounts.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_stepper.hpp"
#include "formulations/formulation.hpp"

#include <memory>
#include <vector>

namespace filum::discrete {

// Refers to the model, which must outlive it.
std::unique_ptr<StepScheme> make_implicit_scheme(const ModelData& model);

// What of a scene its integrators cannot honour.
std::vector<scene::Problem> implicit_refusals(const Scene& scene);

// Sliding holds that have an equilibrium but no motion: free along an axis they have no mass to say how they go there.
std::vector<scene::Problem> slider_refusals(const Scene& scene);

}  // namespace filum::discrete
