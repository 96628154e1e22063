// The stations of rods and the solids of obstacles of a compiled scene.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "scene/validate.hpp"

#include <vector>

namespace filum::discrete {

// Once nodes, edges and holds are there.
void compile_contact(ModelData& model);

// Of these the solids alone: obstacles, scenery that is solid, and bodies that are so themselves.
void compile_solids(ModelData& model);

// Of rods against each other (compile_rod_contact.cpp).
void compile_rod_contact(ModelData& model);

// Of this the coefficients of friction alone.
void compile_rod_friction(ModelData& model);

// Of solids against each other (compile_body_contact.cpp).
void compile_body_contact(ModelData& model);

// A scene with all that touches in it.
ModelData compile_with_contact(const Scene& scene);

// The numbers of the contact law for what touches at an edge of a rod.
[[nodiscard]] SpanLaw edge_law(const ModelData& model, int rod, int edge);

// Something of the scene is held off by obstacles, or by rods.
[[nodiscard]] bool has_contact(const Scene& scene);

// What of a scene's contacts discrete rods cannot honour yet.
std::vector<scene::Problem> contact_refusals(const Scene& scene);

}  // namespace filum::discrete
