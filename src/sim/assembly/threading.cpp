#include "sim/assembly/threading.hpp"

#include "base/index.hpp"
#include "scene/obstacle_shape.hpp"
#include "sim/assembly/placed_solids.hpp"
#include "sim/assembly/thickest.hpp"

#include <algorithm>
#include <utility>

namespace filum::sim {
namespace {

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Bodies that go along: rods of the harness are held on them, and they are not fixed.
std::vector<std::string> connectors(const Scene& scene, const std::vector<std::string>& rods) {
  std::vector<std::string> list;
  for (const Hold& hold : scene.holds) {
    const int body = hold.body.empty() ? -1 : index_of(scene.bodies, hold.body);
    if (body < 0 || !(rods.empty() || among(rods, hold.rod)) || among(list, hold.body)) continue;
    if (scene.bodies[at(body)].motion != BodyMotion::Fixed) list.push_back(hold.body);
  }
  return list;
}

Status refusal(const Scene& scene, const ThreadingRequest& request) {
  if (request.path.size() < 2)
    return bad_input("the path needs two points or more, one before the opening and one behind it");
  for (std::size_t k = 0; k + 1 < request.path.size(); ++k)
    if (!((request.path[k + 1] - request.path[k]).norm() > 0))
      return bad_input("points " + std::to_string(k + 1) + " and " + std::to_string(k + 2) +
                       " of the path are the same");
  for (const std::string& rod : request.rods)
    if (index_of(scene.rods, rod) < 0) return bad_input("there is no rod '" + rod + "'");
  const std::vector<Obstacle> obstacles = scene::obstacles_of(scene);
  for (const std::string& name : request.through)
    if (index_of(obstacles, name) < 0) return bad_input("there is no obstacle '" + name + "'");
  if (scene.rods.empty()) return bad_input("the scene has no rod");
  return Done{};
}

}  // namespace

Result<Threading> check_threading(const Scene& scene, const ThreadingRequest& request) {
  if (const Status status = refusal(scene, request); !status) return status.error();
  const std::vector<std::string> bodies = connectors(scene, request.rods);
  std::vector<geometry::Shape> shapes;
  std::vector<ObjectRef> names;
  for (PlacedSolid& solid : placed_solids(scene)) {
    const bool goes_along =
        solid.ref.kind == ObjectKind::Body ? among(bodies, solid.ref.name) : among(bodies, solid.body);
    if (goes_along || (!request.through.empty() && !among(request.through, solid.ref.name))) continue;
    shapes.push_back(std::move(solid.shape));
    names.push_back(solid.ref);
  }
  if (shapes.empty()) return bad_input("there is nothing to pass: the scene has no obstacle that stands in the way");
  const Surroundings around(std::move(shapes));

  constexpr double kLook = 0.25;  // of the path's length: up to which clearances are told, of thin parts too
  double length = 0;
  for (std::size_t k = 0; k + 1 < request.path.size(); ++k) length += (request.path[k + 1] - request.path[k]).norm();
  Threading out;
  PassageOptions options;
  options.clearance = request.clearance;
  options.progress = request.progress;
  const auto lead = [&](ObjectRef ref, double s, const geometry::Shape& shape, const Quat& orientation, bool turns) {
    options.orientation = orientation;
    options.turns = turns;
    RigidPart rigid = rigid_part(shape);
    rigid.look = std::max(rigid.look, kLook * length);
    ThreadedPart part{std::move(ref), s, pass_through(around, rigid, request.path, options), {}};
    if (part.passage.solid >= 0) part.nearest = names[at(part.passage.solid)];
    out.stopped = out.stopped || part.passage.stopped;
    out.parts.push_back(std::move(part));
  };
  for (const std::string& name : bodies) {
    const Body& body = scene.bodies[at(index_of(scene.bodies, name))];
    if (const auto shape = scene::shape_of(body))
      lead({ObjectKind::Body, name}, 0, *shape, body.orientation, request.turns);
  }
  for (const Rod& rod : scene.rods) {
    if (!request.rods.empty() && !among(request.rods, rod.name)) continue;
    const auto [s, radius] = thickest(scene, rod);
    lead({ObjectKind::Rod, rod.name}, s, geometry::Ball{Vec3::Zero(), radius}, Quat::Identity(), false);
  }
  out.passes = !out.stopped && std::all_of(out.parts.begin(), out.parts.end(),
                                           [](const ThreadedPart& part) { return part.passage.passes; });
  return out;
}

}  // namespace filum::sim
