#include "formulations/chain/mechanism/chain_compile.hpp"

#include "base/index.hpp"
#include "formulations/chain/reeving/wheel_path.hpp"
#include "formulations/chain/touch/touch_compile.hpp"
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "math/frame.hpp"
#include "scene/body_mass.hpp"
#include "scene/layout.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::chain {

namespace {

// The rods as the shared mesh cuts them: whatever is tied to a rod finds a boundary at its place.
RodData rod_data(const discrete::ModelData& rods, int index) {
  const Rod& rod = rods.scene->rods[at(index)];
  const discrete::RodRange& range = rods.rods[at(index)];
  const discrete::RodMesh& mesh = range.mesh;
  RodData data;
  data.length = mesh.length;
  data.closed = mesh.closed;
  data.even = !mesh.closed && rod.stations.empty() && rod.rest.kind == RestKind::Straight;
  data.element = mesh.length / mesh.edges();
  data.stiffness = range.edge_stiffness;
  data.law = range.edge_law;
  data.surface = range.edge_surface;
  data.torque_factor = rod.lay.torque_factor;

  const scene::RodLayout layout(rod);
  for (int i = 0; i <= mesh.edges(); ++i) {
    const int node = i < mesh.nodes() ? i : 0;
    Boundary boundary;
    boundary.s = i < mesh.nodes() ? mesh.s[at(i)] : mesh.length;
    boundary.is_break = mesh.is_break[at(node)];
    boundary.position = rods.start_position[at(range.first_node + node)];
    data.boundaries.push_back(boundary);
  }
  for (Boundary& boundary : data.boundaries)
    if (boundary.is_break) boundary.frame = layout.at(boundary.s).frame;
  for (int j = 0; j < mesh.edges(); ++j) {
    const discrete::Edge& edge = rods.edges[at(range.first_edge + j)];
    data.chord.push_back(edge.rest_length / mesh.edge_length(j));
    data.frame.push_back(rods.start_frame[at(range.first_edge + j)]);
    data.load.push_back(edge.distributed / mesh.edge_length(j));
  }

  // strains at rest, of the whole joint or of its halves
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const discrete::Joint& joint = rods.joints[at(k)];
    Boundary& boundary = data.boundaries[at(joint.node - range.first_node)];
    if (joint.offset != 0) data.seam = joint.offset;
    if (!joint.right.is_edge()) boundary.rest_before = joint.elasticity.rest;
    if (!joint.left.is_edge()) boundary.rest_after = joint.elasticity.rest;
    boundary.rest += joint.elasticity.rest;
    boundary.twist += rods.start_twist[at(k)];
  }
  return data;
}

Grip make_grip(const discrete::ModelData& rods, const Hold& hold) {
  const Scene& scene = *rods.scene;
  Grip grip;
  grip.rod = index_of(scene.rods, hold.rod);
  grip.s = hold.at.at(rods.rods[at(grip.rod)].mesh.length);
  const int body = hold.body.empty() ? -1 : index_of(scene.bodies, hold.body);
  if (body < 0 || scene.bodies[at(body)].motion != BodyMotion::Free) return grip;
  grip.body = body;
  const scene::Placement place = scene::RodLayout(scene.rods[at(grip.rod)]).at(grip.s);
  const Mat3 axes = scene.bodies[at(body)].orientation.toRotationMatrix().transpose();
  grip.point = axes * (hold.position.value_or(place.position) - scene.bodies[at(body)].position);
  grip.section = axes * (hold.orientation ? hold.orientation->toRotationMatrix() : place.frame);
  return grip;
}

Reel make_reel(const ModelData& model, const Winch& winch) {
  const Scene& scene = *model.scene;
  Reel reel;
  reel.rod = index_of(scene.rods, winch.rod);
  const RodData& rod = model.rods[at(reel.rod)];
  reel.side = winch.at.at(rod.length) > 0.5 * rod.length ? 1 : -1;
  reel.body = winch.body.empty() ? -1 : index_of(scene.bodies, winch.body);
  const Vec3 drawn = (reel.side < 0 ? rod.boundaries.front() : rod.boundaries.back()).position;
  const Mat3 frame = (reel.side < 0 ? rod.boundaries.front() : rod.boundaries.back()).frame;
  reel.section =
      reel.body < 0 ? frame : Mat3(scene.bodies[at(reel.body)].orientation.toRotationMatrix().transpose() * frame);
  if (winch.point)
    reel.point = *winch.point;
  else if (reel.body < 0)
    reel.point = drawn;
  else
    reel.point = scene.bodies[at(reel.body)].orientation.conjugate() * (drawn - scene.bodies[at(reel.body)].position);
  return reel;
}

Wheel make_wheel(const ModelData& model, const Sheave& sheave) {
  Wheel wheel;
  wheel.rod = index_of(model.scene->rods, sheave.rod);
  wheel.s = sheave.at.at(model.rods[at(wheel.rod)].length);
  wheel.body = sheave.body.empty() ? -1 : index_of(model.scene->bodies, sheave.body);
  wheel.point = sheave.point;
  wheel.axis = sheave.axis.normalized();
  wheel.radius = sheave.radius;
  wheel.friction = sheave.friction;
  wheel.inertia = sheave.inertia;
  return wheel;
}

JointData make_joint(const Scene& scene, const BodyJoint& joint) {
  const auto body_of = [&](const std::string& name) { return name.empty() ? -1 : index_of(scene.bodies, name); };
  JointData made;
  made.kind = joint.kind;
  made.a = body_of(joint.to);
  made.b = body_of(joint.body);
  const Vec3 place = joint.point.value_or(scene.bodies[at(made.b)].position);
  const Mat3 axes = math::frame_from(joint.axis.normalized(), math::any_perpendicular(joint.axis));
  const auto seen = [&](int body, Vec3& arm, Mat3& base) {
    const Body none;
    const Body& from = body < 0 ? none : scene.bodies[at(body)];
    arm = from.orientation.conjugate() * (place - from.position);
    base = from.orientation.toRotationMatrix().transpose() * axes;
  };
  seen(made.a, made.arm_a, made.base_a);
  seen(made.b, made.arm_b, made.base_b);
  const bool slides = joint.kind == JointKind::Slider;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  made.lowest = (slides ? joint.min_travel : joint.min_angle).value_or(-kNever);
  made.highest = (slides ? joint.max_travel : joint.max_angle).value_or(kNever);
  made.motor = (slides ? joint.max_force : joint.max_torque).value_or(-1);
  made.rate = slides ? joint.speed : joint.spin;
  made.force = slides ? joint.force : joint.torque;
  return made;
}

Part body_part(const Body& body) {
  Part part;
  part.moves = body.motion == BodyMotion::Free;
  const body::RigidBody rigid = scene::rigid_body(body);
  part.mass = rigid.mass;
  part.inertia = rigid.inertia;
  return part;
}

// The share of an element's mass that a knot takes from it.
constexpr double kKnotShare = 0.1;

// One place of a rod that a junction joins, its section as the rod is drawn.
Knot::End knot_end(const ModelData& model, const RodPoint& point) {
  Knot::End end;
  end.rod = index_of(model.scene->rods, point.rod);
  const RodData& rod = model.rods[at(end.rod)];
  end.s = point.at.at(rod.length);
  const auto here = [&](const Boundary& boundary) { return std::abs(boundary.s - end.s) <= kSamePlace * rod.length; };
  const auto place = std::find_if(rod.boundaries.begin(), rod.boundaries.end(), here);
  end.point = place->position;
  end.section = place->frame;
  // as much from either side
  const bool first = place == rod.boundaries.begin();
  const bool last = place + 1 == rod.boundaries.end();
  double shortest = rod.length;
  if (!first) shortest = std::min(shortest, place->s - (place - 1)->s);
  if (!last) shortest = std::min(shortest, (place + 1)->s - place->s);
  end.mass = kKnotShare * shortest * rod.stiffness[at(rod.element_at(end.s))].mass_per_length;
  end.sides = (first || last) && !rod.closed ? 1 : 2;
  return end;
}

bool same_place(const ModelData& model, const Knot::End& a, const Knot::End& b) {
  return a.rod == b.rod && std::abs(a.s - b.s) <= kSamePlace * model.rods[at(a.rod)].length;
}

// Appends the ends that are new; whether there was one that is not.
bool take_ends(const ModelData& model, const std::vector<Knot::End>& ends, Knot& knot) {
  bool shared = false;
  const std::vector<Knot::End> before = knot.ends;
  for (const Knot::End& end : ends) {
    const bool known = std::any_of(before.begin(), before.end(),
                                   [&](const Knot::End& other) { return same_place(model, end, other); });
    if (!known) knot.ends.push_back(end);
    shared = shared || known;
  }
  return shared;
}

// A hold that keeps a laid rope from turning and lets it move: the half element beside it feels the pull only if it ends
// at a part of its own.
bool needs_knot(const ModelData& model, const Hold& hold) {
  const RodData& rod = model.rods[at(index_of(model.scene->rods, hold.rod))];
  return rod.torque_factor != 0 && hold.holds_orientation() && !fixes_all(hold.fix.position);
}

// Junctions that share a place are one knot.
std::vector<Knot> make_knots(const ModelData& model) {
  std::vector<Knot> knots;
  for (const Junction& junction : model.scene->junctions) {
    Knot knot;
    for (const RodPoint& point : junction.rods) take_ends(model, {knot_end(model, point)}, knot);
    std::erase_if(knots, [&](const Knot& other) {
      Knot together = other;
      const bool shared = take_ends(model, knot.ends, together);
      if (shared) knot = std::move(together);
      return shared;
    });
    knots.push_back(std::move(knot));
  }
  for (const Hold& hold : model.scene->holds) {
    if (!needs_knot(model, hold)) continue;
    const Knot::End end = knot_end(model, {hold.rod, hold.at});
    const auto there = [&](const Knot::End& other) { return same_place(model, end, other); };
    if (std::none_of(knots.begin(), knots.end(),
                     [&](const Knot& knot) { return std::any_of(knot.ends.begin(), knot.ends.end(), there); }))
      knots.emplace_back().ends = {end};
  }
  for (Knot& knot : knots) {
    knot.position = knot.ends.front().point;
    knot.part.moves = true;
    double turning = 0;
    for (Knot::End& end : knot.ends) {
      end.point -= knot.position;
      knot.part.mass += end.sides * end.mass;
      knot.part.drag = std::max(knot.part.drag, model.scene->rods[at(end.rod)].damping.mass);
      const double element = model.rods[at(end.rod)].element;
      turning += end.sides * end.mass * (element * element / 12 + end.point.squaredNorm());
    }
    knot.part.inertia.setConstant(turning);
  }
  return knots;
}

ModelData compile_as_given(const Scene& scene) {
  discrete::ModelData rods = discrete::compile_model(scene);
  ModelData model;
  model.scene = std::make_shared<Scene>(scene);
  model.gravity = scene.gravity;
  model.size = rods.size;
  model.laws = rods.plasticity.laws;
  for (const rod::SectionPlasticity& law : model.laws) model.stretch_laws.push_back(discrete::stretch_as_twist(law));
  for (std::size_t r = 0; r < scene.rods.size(); ++r) model.rods.push_back(rod_data(rods, static_cast<int>(r)));
  model.knots = make_knots(model);
  for (const Hold& hold : scene.holds) model.grips.push_back(make_grip(rods, hold));
  for (const Winch& winch : scene.winches) model.reels.push_back(make_reel(model, winch));
  for (const Sheave& sheave : scene.sheaves) model.wheels.push_back(make_wheel(model, sheave));
  for (const BodyJoint& joint : scene.joints) model.joints.push_back(make_joint(scene, joint));
  for (const Body& body : scene.bodies) model.bodies.push_back(body_part(body));
  compile_touch(model, rods);
  return model;
}

}  // namespace

ModelData compile_model(const Scene& scene, const ChainVariant& variant) {
  ModelData model = compile_as_given(scene);
  // a rod over wheels is as long as its way, unless the scene gives its length
  Scene laid = scene;
  for (const Wheel& wheel : model.wheels)
    if (!scene.rods[at(wheel.rod)].length) laid.rods[at(wheel.rod)].length = length_over_wheels(model, wheel.rod);
  if (laid != scene) model = compile_as_given(laid);
  // a drum holds rope that is laid over wheels as it is laid
  for (Reel& reel : model.reels) {
    if (!runs_over_wheels(model, reel.rod)) continue;
    std::vector<Element> elements;
    std::vector<PartState> parts;
    lay_over_wheels(model, reel.rod, elements, parts);
    const Quat carrier = reel.body < 0 ? Quat(Quat::Identity()) : scene.bodies[at(reel.body)].orientation;
    reel.section =
        (carrier.conjugate() * (reel.side < 0 ? parts.front() : parts.back()).orientation).toRotationMatrix();
  }
  model.variant = variant;
  return model;
}

}  // namespace filum::chain
