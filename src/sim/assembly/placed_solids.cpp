#include "sim/assembly/placed_solids.hpp"

#include "base/index.hpp"
#include "scene/obstacle_shape.hpp"

#include <type_traits>
#include <utility>
#include <variant>

namespace filum::sim {
namespace {

// As somebody sees it who stands where the body's own origin does.
geometry::Shape placed(geometry::Shape shape, const Body& body) {
  const auto put = [&](const Vec3& x) -> Vec3 { return body.position + body.orientation * x; };
  std::visit(
      [&](auto& s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, geometry::HalfSpace>) {
          s.point = put(s.point);
          s.normal = body.orientation * s.normal;
        } else if constexpr (std::is_same_v<S, geometry::Ball>) {
          s.centre = put(s.centre);
        } else if constexpr (std::is_same_v<S, geometry::Capsule> || std::is_same_v<S, geometry::Cylinder>) {
          s.axis = {put(s.axis.from), put(s.axis.to)};
        } else {
          s.position = put(s.position);
          s.orientation = body.orientation * s.orientation;
        }
      },
      shape);
  return shape;
}

}  // namespace

std::vector<PlacedSolid> placed_solids(const Scene& scene) {
  std::vector<PlacedSolid> list;
  const std::vector<Obstacle> obstacles = scene::obstacles_of(scene);
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    geometry::Shape shape = scene::shape_of(obstacles[k]);
    const int body = obstacles[k].body.empty() ? -1 : index_of(scene.bodies, obstacles[k].body);
    if (body >= 0) shape = placed(std::move(shape), scene.bodies[at(body)]);
    list.push_back({std::move(shape), scene::obstacle_named(scene, static_cast<int>(k)), obstacles[k].body});
  }
  for (const Body& body : scene.bodies)
    if (body.solid)
      if (auto shape = scene::shape_of(body))
        list.push_back({placed(std::move(*shape), body), {ObjectKind::Body, body.name}, body.name});
  return list;
}

}  // namespace filum::sim
