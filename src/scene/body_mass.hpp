// Mass and principal inertia of a body of the scene: as given, or those of its shape.
#pragma once

#include "body/rigid_body.hpp"
#include "geometry/solid_mass.hpp"

namespace filum {
struct Body;
}

namespace filum::scene {

// Of density one; a point has none.
[[nodiscard]] geometry::SolidMass solid_of(const Body& body);

[[nodiscard]] body::RigidBody rigid_body(const Body& body);

}  // namespace filum::scene
