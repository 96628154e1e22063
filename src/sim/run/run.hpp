// A run with a formulation of the caller's choice: what <filum/run.hpp> does once it has made the scene's own.
#pragma once

#include "formulations/formulation.hpp"

#include <filum/run.hpp>

#include <memory>

namespace filum::sim {

// The scene must be valid and accepted by the formulation.
Result<Outcome> run_with(std::shared_ptr<const Formulation> formulation, const Scene& scene, const RunOptions& options);

}  // namespace filum::sim
