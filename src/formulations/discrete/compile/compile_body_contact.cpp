// Which solids touch which, and by what.
#include "formulations/discrete/compile/compile_contact.hpp"

#include "base/index.hpp"
#include "formulations/discrete/solid_feature.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "scene/friction.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::discrete {
namespace {

// Give of the stick under the weight of the lighter body, of the smaller solid.
constexpr double kBodyGive = 1e-5;
constexpr double kLeastGravity = 1;  // m/s², for the same
// Of the smaller solid: what is drawn deeper inside another is meant to be there.
constexpr double kMeant = 0.05;

bool is_ball(const geometry::Shape& shape) {
  return std::holds_alternative<geometry::Ball>(shape);
}

// The distance from a ball says all; of two balls that from the second.
bool is_told_by_the_other(const ModelData& model, int a, int b) {
  return is_ball(model.solids[at(b)].shape) && !(is_ball(model.solids[at(a)].shape) && a < b);
}

double size_of(const Solid& solid) {
  const Vec3 edges = solid.bounds.high - solid.bounds.low;
  return edges.allFinite() ? edges.minCoeff() : geometry::kFarAway;
}

double mass_of(const ModelData& model, const Solid& solid) {
  return solid.free < 0 ? geometry::kFarAway : model.node_mass[at(model.bodies[at(solid.free)].node)];
}

SolidPlace drawn_place(const ModelData& model, const Solid& solid) {
  if (solid.body < 0) return {};
  const Body& body = model.scene->bodies[at(solid.body)];
  return {body.position, body.orientation.toRotationMatrix()};
}

// How far the features of `a` are drawn into `b`, m. What is nearest at an end of a row is a feature of its own.
double drawn_depth(const ModelData& model, int a, int b) {
  const SolidPlace own = drawn_place(model, model.solids[at(a)]);
  const SolidPlace other = drawn_place(model, model.solids[at(b)]);
  const geometry::Shape& shape = model.solids[at(b)].shape;
  double depth = 0;
  for (const SolidFeature& each : model.solids[at(a)].features) {
    const SolidFeature feature = feature_seen(each, own, other);
    const double share = nearest_share(shape, feature);
    if (feature.kind == FeatureKind::Row && (share == 0 || share == 1)) continue;
    depth = std::max(depth, feature.radius - geometry::distance_from(shape, point_of(feature, share)).value);
  }
  return depth;
}

}  // namespace

void compile_body_contact(ModelData& model) {
  const int count = static_cast<int>(model.solids.size());
  if (std::none_of(model.solids.begin(), model.solids.end(), [](const Solid& solid) { return solid.free >= 0; }))
    return;
  for (Solid& solid : model.solids) solid.features = features_of(solid.shape);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      const Solid& own = model.solids[at(a)];
      const Solid& other = model.solids[at(b)];
      if (own.body == other.body || (own.free < 0 && other.free < 0) || own.features.empty()) continue;
      if (is_told_by_the_other(model, a, b)) continue;
      SolidPair pair;
      pair.a = a;
      pair.b = b;
      pair.friction = scene::pair_friction(model.scene->contact, own.material, other.material)
                          .value_or(std::max(own.friction, other.friction));
      pair.mass = std::min(mass_of(model, own), mass_of(model, other));
      pair.size = std::min(size_of(own), size_of(other));
      pair.stick = pair.mass * std::max(kLeastGravity, model.gravity.norm()) / (kBodyGive * pair.size);
      if (std::max(drawn_depth(model, a, b), drawn_depth(model, b, a)) > kMeant * pair.size) continue;
      model.solid_pairs.push_back(pair);
    }
}

}  // namespace filum::discrete
