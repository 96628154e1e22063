// Volume, centre and second moments of solids of density one.
//
// A closed mesh is the sum of the tetrahedra from the origin to its triangles, each with its sign: with the corners
// a, b, c of a triangle, D = a·(b × c) and s = a + b + c,
//
//     V = Σ D/6,    V x̄ = Σ D/24 s,    ∫xxᵀ = Σ D/120 (aaᵀ + bbᵀ + ccᵀ + ssᵀ).
//
// The inertia is tr(C)·1 − C with C = ∫xxᵀ − V x̄x̄ᵀ.
#pragma once

#include "geometry/mesh_surface.hpp"

namespace filum::geometry {

struct SolidMass {
  double volume = 0;            // m³
  Vec3 centre = Vec3::Zero();   // m
  Mat3 inertia = Mat3::Zero();  // about the centre, m⁵
};

[[nodiscard]] SolidMass mass_of_mesh(const MeshSurface& mesh);

// About their centres, which are the middle; cylinder and capsule along z, the capsule's caps beyond its length.
[[nodiscard]] SolidMass mass_of_box(const Vec3& edges);
[[nodiscard]] SolidMass mass_of_sphere(double radius);
[[nodiscard]] SolidMass mass_of_cylinder(double radius, double length);
[[nodiscard]] SolidMass mass_of_capsule(double radius, double length);

}  // namespace filum::geometry
