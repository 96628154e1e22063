// What of a scene spline rods cannot be moved with, though it has equilibria.
#pragma once

#include "scene/validate.hpp"

#include <vector>

namespace filum::spline {

std::vector<scene::Problem> motion_refusals(const Scene& scene);

}  // namespace filum::spline
