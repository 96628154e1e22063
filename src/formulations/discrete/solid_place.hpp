// Where a solid is, and how it sees points of the world.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/formulation.hpp"

#include <filum/scene.hpp>

#include <cstddef>
#include <vector>

namespace filum::discrete {

struct SolidPlace {
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  [[nodiscard]] Vec3 seen(const Vec3& x) const { return rotation.transpose() * (x - position); }
};

// With the body that carries it, as the targets say, or in the world.
inline SolidPlace place_of(const Solid& solid, const Targets& targets) {
  if (solid.body < 0) return {};
  const BodyPose& body = targets.bodies[at(solid.body)];
  return {body.position, body.orientation.toRotationMatrix()};
}

// With a free body, where its node and rotor are.
inline SolidPlace place_of(const ModelData& model, const Solid& solid, const std::vector<Vec3>& position,
                           const std::vector<Mat3>& rotor) {
  const FreeBody& body = model.bodies[at(solid.free)];
  return {position[at(body.node)],
          rotor[at(body.rotor)] * model.scene->bodies[at(body.body)].orientation.toRotationMatrix()};
}

// A ball of this radius goes straight through a solid, from one side of it to another: the normals at both ends of its way
// are opposed, and the way between them is inside. The way is as the solid sees it.
inline bool leads_through(const Solid& solid, const geometry::Segment& way, double radius) {
  constexpr double kOpposed = -0.2;  // cosine
  if ((way.to - way.from).norm() < radius) return false;
  geometry::Box box;
  box.add(way.from);
  box.add(way.to);
  if (solid.bounds.square_distance(box) > radius * radius) return false;
  if (!(geometry::distance_from(solid.shape, way, radius).value < 0.5 * radius)) return false;
  return geometry::distance_from(solid.shape, way.from)
             .normal.dot(geometry::distance_from(solid.shape, way.to).normal) < kOpposed;
}

// A feature of the one as the other sees it.
inline SolidFeature feature_seen(SolidFeature feature, const SolidPlace& own, const SolidPlace& other) {
  const Mat3 turn = other.rotation.transpose() * own.rotation;
  const Vec3 from = other.seen(own.position);
  feature.core = {from + turn * feature.core.from, from + turn * feature.core.to};
  feature.axis = turn * feature.axis;
  feature.side = turn * feature.side;
  return feature;
}

}  // namespace filum::discrete
