// What is wrong with a scene, or cannot be honoured by its formulation, told before anything is solved.
#pragma once

#include "scene/validate.hpp"

#include <filum/result.hpp>

#include <optional>

namespace filum::sim {

// The first thing that the formulation named in the scene refuses, or nothing. The scene must be valid.
std::optional<scene::Problem> refusal(const Scene& scene);

// Why this scene can be neither solved nor run, or nothing: it is not valid, has no rod, or is refused.
std::optional<Error> why_not(const Scene& scene);

// What keeps a scene that can be solved from being moved in time, or from having natural modes, or nothing.
std::optional<scene::Problem> motion_refusal(const Scene& scene);
std::optional<scene::Problem> modes_refusal(const Scene& scene);

// The same of any scene.
std::optional<Error> why_not_moving(const Scene& scene);
std::optional<Error> why_no_modes(const Scene& scene);

}  // namespace filum::sim
