// The stations of rods and the solids of obstacles of a compiled scene.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "scene/validate.hpp"

#include <vector>

namespace filum::discrete {

// Once nodes, edges and holds are there.
void compile_contact(ModelData& model);

// What of a scene's contacts discrete rods cannot honour yet.
std::vector<scene::Problem> contact_refusals(const Scene& scene);

}  // namespace filum::discrete
