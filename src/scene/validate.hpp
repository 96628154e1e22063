// What no single value of a scene can know: references, ranges, doubles.
//
// Works on the plain data, whether it came from a file or from code, and knows no files: it tells the path of the thing
// that is wrong, and who read the text finds its line.
#pragma once

#include "scene/problem.hpp"

#include <filum/scene.hpp>

#include <optional>

namespace filum::scene {

// The first thing that is wrong, or nothing.
std::optional<Problem> validate(const Scene& scene);

}  // namespace filum::scene
