// What of a scene the formulation chain alone can honour.
#pragma once

#include "scene/validate.hpp"

#include <vector>

namespace filum::scene {

// One each: «winch 'w1' needs formulation chain». For the check of every other formulation.
std::vector<Problem> needing_chain(const Scene& scene);

}  // namespace filum::scene
