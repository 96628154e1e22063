// The stations of rods and the solids of obstacles of a compiled scene.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "scene/validate.hpp"

#include <vector>

namespace filum::discrete {

// Once nodes, edges and holds are there.
void compile_contact(ModelData& model);

// Of rods against each other (compile_rod_contact.cpp).
void compile_rod_contact(ModelData& model);

// The numbers of the contact law for what touches at an edge of a rod.
[[nodiscard]] SpanLaw edge_law(const ModelData& model, int rod, int edge);

// What of a scene's contacts discrete rods cannot honour yet.
std::vector<scene::Problem> contact_refusals(const Scene& scene);

}  // namespace filum::discrete
