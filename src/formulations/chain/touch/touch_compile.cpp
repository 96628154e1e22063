#include "formulations/chain/touch/touch_compile.hpp"

#include "base/index.hpp"
#include "formulations/discrete/compile/compile_contact.hpp"
#include "formulations/discrete/solid_place.hpp"
#include "scene/obstacle_shape.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <optional>

namespace filum::chain {

namespace {

// What has no extent in a direction, m: planes hold it off all the same.
constexpr double kThin = 1e-4;

bool is_plane(const discrete::Solid& solid) {
  return solid.body < 0 && std::holds_alternative<geometry::HalfSpace>(solid.shape);
}

geometry::Shape shape_on_planes(const Body& body) {
  if (const std::optional<geometry::Shape> shape = scene::shape_of(body)) return *shape;
  const Vec3 size = (2 * scene::half_extents(body)).cwiseMax(kThin);
  return geometry::Block{size, Vec3::Zero(), Quat::Identity()};
}

// Free bodies that are not solid, behind all others.
void add_for_planes(discrete::ModelData& rods) {
  if (std::none_of(rods.solids.begin(), rods.solids.end(), is_plane)) return;
  for (std::size_t k = 0; k < rods.bodies.size(); ++k) {
    const Body& body = rods.scene->bodies[at(rods.bodies[k].body)];
    if (body.solid) continue;
    discrete::Solid solid;
    solid.shape = shape_on_planes(body);
    solid.bounds = geometry::bounds_of(solid.shape);
    solid.obstacle = -1;
    solid.body = rods.bodies[k].body;
    solid.free = static_cast<int>(k);
    solid.material = body.material;
    rods.solids.push_back(std::move(solid));
  }
}

// Bodies that a joint joins go through each other about it.
bool are_joined(const ModelData& model, int a, int b) {
  return std::any_of(model.joints.begin(), model.joints.end(), [&](const JointData& joint) {
    return joint.a >= 0 && std::minmax(joint.a, joint.b) == std::minmax(a, b);
  });
}

discrete::SolidPlace drawn_place(const Scene& scene, const discrete::Solid& solid) {
  if (solid.body < 0) return {};
  const Body& body = scene.bodies[at(solid.body)];
  return {body.position, body.orientation.toRotationMatrix()};
}

// From where something grips a rod inside a solid, as far as the rod leaves it.
std::optional<TouchModel::LeftOut> left_out_at(const ModelData& model, int rod, double s, int solid) {
  constexpr double kInside = 1e-9;  // of the radius: what is drawn just touching is not inside by round-off
  const RodData& data = model.rods[at(rod)];
  const discrete::Solid& of = model.touch.solids[at(solid)];
  const discrete::SolidPlace place = drawn_place(*model.scene, of);
  const int last = static_cast<int>(data.boundaries.size()) - 1;
  const auto radius = [&](int k) { return data.stiffness[at(std::min(k, last - 1))].outline.maxCoeff(); };
  const auto gap = [&](int k) {
    return geometry::distance_from(of.shape, place.seen(data.boundaries[at(k)].position)).value - radius(k);
  };
  int here = data.element_at(s);
  if (data.boundaries[at(here + 1)].s - s < s - data.boundaries[at(here)].s) ++here;
  if (!(gap(here) < -kInside * radius(here))) return {};
  TouchModel::LeftOut out{rod, solid, data.boundaries[at(here)].s, data.boundaries[at(here)].s};
  for (const int step : {-1, 1})
    for (int k = here + step; k >= 0 && k <= last; k += step) {
      if (!(gap(k) < -kInside * radius(k)) || gap(k) < gap(k - step)) break;
      (step < 0 ? out.from : out.to) = data.boundaries[at(k)].s;
    }
  return out;
}

void leave_out(ModelData& model) {
  TouchModel& touch = model.touch;
  const auto add = [&](int rod, double s, int solid) {
    if (const auto out = left_out_at(model, rod, s, solid)) touch.left_out.push_back(*out);
  };
  for (int k = 0; k < static_cast<int>(touch.solids.size()); ++k) {
    if (touch.holds_rods[at(k)] == 0) continue;
    for (const Grip& grip : model.grips) add(grip.rod, grip.s, k);
    for (const Knot& knot : model.knots)
      for (const Knot::End& end : knot.ends) add(end.rod, end.s, k);
    const int body = touch.solids[at(k)].body;
    // the rope of a drum or a wheel is at home in what carries it
    const auto whole = [&](int rod) { touch.left_out.push_back({rod, k, 0, model.rods[at(rod)].length}); };
    for (const Reel& reel : model.reels) {
      if (body >= 0 && reel.body == body) whole(reel.rod);
      add(reel.rod, reel.side < 0 ? 0 : model.rods[at(reel.rod)].length, k);
    }
    for (const Wheel& wheel : model.wheels)
      if (body >= 0 && wheel.body == body) whole(wheel.rod);
  }
}

}  // namespace

void compile_touch(ModelData& model, discrete::ModelData& rods) {
  model.touch.surfaces = static_cast<int>(rods.surfaces.size());
  discrete::compile_rod_friction(rods);
  model.touch.rod_friction = rods.rod_friction;
  if (!model.scene->contact.obstacles) return;
  discrete::compile_solids(rods);
  const std::size_t solid = rods.solids.size();
  add_for_planes(rods);
  discrete::compile_body_contact(rods);
  TouchModel& touch = model.touch;
  touch.solids = std::move(rods.solids);
  touch.holds_rods.assign(touch.solids.size(), 0);
  std::fill_n(touch.holds_rods.begin(), solid, 1);
  for (const discrete::SolidPair& pair : rods.solid_pairs) {
    const discrete::Solid& a = touch.solids[at(pair.a)];
    const discrete::Solid& b = touch.solids[at(pair.b)];
    const bool for_planes = at(pair.a) >= solid || at(pair.b) >= solid;
    if ((for_planes && !is_plane(b)) || are_joined(model, a.body, b.body)) continue;
    touch.pairs.push_back(pair);
  }
  leave_out(model);
}

}  // namespace filum::chain
