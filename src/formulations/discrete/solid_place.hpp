// Where the targets put a solid, and how it sees points of the world.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/formulation.hpp"

#include <cstddef>

namespace filum::discrete {

struct SolidPlace {
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  [[nodiscard]] Vec3 seen(const Vec3& x) const { return rotation.transpose() * (x - position); }
};

// With the body that carries it, or in the world.
inline SolidPlace place_of(const Solid& solid, const Targets& targets) {
  if (solid.body < 0) return {};
  const BodyPose& body = targets.bodies[at(solid.body)];
  return {body.position, body.orientation.toRotationMatrix()};
}

}  // namespace filum::discrete
