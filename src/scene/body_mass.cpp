#include "scene/body_mass.hpp"

#include <filum/scene.hpp>

namespace filum::scene {

geometry::SolidMass solid_of(const Body& body) {
  switch (body.shape) {
    case BodyShape::Box:
      return geometry::mass_of_box(body.box);
    case BodyShape::Sphere:
      return geometry::mass_of_sphere(body.sphere);
    case BodyShape::Cylinder:
      return geometry::mass_of_cylinder(body.round[0], body.round[1]);
    case BodyShape::Capsule:
      return geometry::mass_of_capsule(body.round[0], body.round[1]);
    case BodyShape::Mesh:
      break;
  }
  return body.surface && body.surface->closed() ? geometry::mass_of_mesh(*body.surface) : geometry::SolidMass{};
}

body::RigidBody rigid_body(const Body& body) {
  // a plate or a line has an inertia, but no volume to tell its mass by
  if (body.shape == BodyShape::Box && body.density == 0) {
    body::RigidBody made = body::box_body(body.mass, body.box);
    if (body.inertia) made.inertia = *body.inertia;
    return made;
  }
  const geometry::SolidMass solid = solid_of(body);
  body::RigidBody made;
  made.mass = body.density > 0 ? body.density * solid.volume : body.mass;
  if (body.inertia)
    made.inertia = *body.inertia;
  else if (solid.volume > 0)
    made.inertia = made.mass / solid.volume * solid.inertia.diagonal();
  return made;
}

}  // namespace filum::scene
