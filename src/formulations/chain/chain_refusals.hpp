// What of a scene the formulation `chain` cannot honour.
#pragma once

#include "scene/validate.hpp"

#include <vector>

namespace filum::chain {

std::vector<scene::Problem> refusals(const Scene& scene);

}  // namespace filum::chain
