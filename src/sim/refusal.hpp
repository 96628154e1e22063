// What the scene's formulation cannot honour, told before anything is solved.
#pragma once

#include "scene/validate.hpp"

#include <optional>

namespace filum::sim {

// The first thing that the formulation named in the scene refuses, or nothing. The scene must be valid.
std::optional<scene::Problem> refusal(const Scene& scene);

}  // namespace filum::sim
