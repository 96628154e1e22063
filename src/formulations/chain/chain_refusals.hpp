// What of a scene the formulation `chain` cannot honour.
#pragma once

#include "formulations/chain/chain_variant.hpp"
#include "scene/problem.hpp"

#include <vector>

namespace filum {
struct Scene;
}

namespace filum::chain {

std::vector<scene::Problem> refusals(const Scene& scene, const ChainVariant& variant);

}  // namespace filum::chain
