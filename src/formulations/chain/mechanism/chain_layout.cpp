#include "formulations/chain/mechanism/chain_layout.hpp"

#include "base/index.hpp"
#include "body/rigid_body.hpp"
#include "formulations/chain/reeving/ropes.hpp"
#include "formulations/chain/reeving/wheels.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "math/rotation.hpp"
#include "scene/layout.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// The rods as the shared mesh cuts them: whatever is tied to a rod finds a boundary at its place.
RodData rod_data(const discrete::ModelData& rods, int index) {
  const Rod& rod = rods.scene.rods[at(index)];
  const discrete::RodRange& range = rods.rods[at(index)];
  const discrete::RodMesh& mesh = range.mesh;
  RodData data;
  data.length = mesh.length;
  data.closed = mesh.closed;
  data.even = !mesh.closed && rod.stations.empty() && rod.rest.kind == RestKind::Straight;
  data.element = mesh.length / mesh.edges();
  data.stiffness = range.edge_stiffness;

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
  const Scene& scene = rods.scene;
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
  const Scene& scene = model.scene;
  Reel reel;
  reel.rod = index_of(scene.rods, winch.rod);
  const RodData& rod = model.rods[at(reel.rod)];
  reel.side = winch.at.at(rod.length) > 0.5 * rod.length ? 1 : -1;
  reel.body = winch.body.empty() ? -1 : index_of(scene.bodies, winch.body);
  const Vec3 drawn = (reel.side < 0 ? rod.boundaries.front() : rod.boundaries.back()).position;
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
  wheel.rod = index_of(model.scene.rods, sheave.rod);
  wheel.s = sheave.at.at(model.rods[at(wheel.rod)].length);
  wheel.body = sheave.body.empty() ? -1 : index_of(model.scene.bodies, sheave.body);
  wheel.point = sheave.point;
  wheel.axis = sheave.axis.normalized();
  wheel.radius = sheave.radius;
  wheel.friction = sheave.friction;
  wheel.inertia = sheave.inertia;
  return wheel;
}

Part body_part(const Body& body) {
  Part part;
  part.moves = body.motion == BodyMotion::Free;
  part.mass = body.mass;
  part.inertia = body.inertia.value_or(body::box_body(body.mass, body.box).inertia);
  return part;
}

}  // namespace

int RodData::element_at(double s) const {
  const auto after = std::upper_bound(boundaries.begin(), boundaries.end(), s,
                                      [](double arc, const Boundary& boundary) { return arc < boundary.s; });
  const int index = static_cast<int>(after - boundaries.begin()) - 1;
  return std::clamp(index, 0, static_cast<int>(boundaries.size()) - 2);
}

namespace {

ModelData compile_as_given(const Scene& scene) {
  const discrete::ModelData rods = discrete::compile_model(scene);
  ModelData model;
  model.scene = scene;
  model.size = rods.size;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) model.rods.push_back(rod_data(rods, static_cast<int>(r)));
  for (const Hold& hold : scene.holds) model.grips.push_back(make_grip(rods, hold));
  for (const Winch& winch : scene.winches) model.reels.push_back(make_reel(model, winch));
  for (const Sheave& sheave : scene.sheaves) model.wheels.push_back(make_wheel(model, sheave));
  for (const Body& body : scene.bodies) model.bodies.push_back(body_part(body));
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
  model.variant = variant;
  return model;
}

double half_length(const ModelData& model, const Element& element, double length_factor) {
  const RodData& rod = model.rods[at(element.rod)];
  const int original = rod.element_at(0.5 * (element.begin + element.end));
  return 0.5 * length_factor * rod.chord[at(original)] * element.length();
}

// A round bar of even density: its own rotary inertia about the axis, half of that and the bar's about the others.
Part element_part(const ModelData& model, const Element& element, double length_factor) {
  const RodData& rod = model.rods[at(element.rod)];
  const auto original = at(rod.element_at(0.5 * (element.begin + element.end)));
  const Damping& damping = model.scene.rods[at(element.rod)].damping;
  const Stiffness& stiff = rod.stiffness[original];
  const double length = element.length();
  const double rigid = 2 * half_length(model, element, length_factor);
  Part part;
  part.moves = true;
  part.mass = stiff.mass_per_length * length;
  const double spin = stiff.polar_inertia * length;
  const double across = part.mass * rigid * rigid / 12 + 0.5 * spin;
  part.inertia = {across, across, spin};
  part.drag = damping.mass;
  part.air = damping.air * length;
  part.load = rod.load[original] * length;
  return part;
}

Quat wanted_section(const HoldTarget& target) {
  return target.orientation * Quat(Eigen::AngleAxisd(2 * math::kPi * target.turns, Vec3::UnitZ()));
}

ChainState start_state(const ModelData& model, const Targets& targets) {
  ChainState state;
  const Scene& scene = model.scene;
  // elements along the drawn shape
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const RodData& rod = model.rods[r];
    const std::size_t first = state.parts.size();
    const bool over_wheels =
        std::any_of(model.wheels.begin(), model.wheels.end(), [&](const Wheel& wheel) { return at(wheel.rod) == r; });
    if (over_wheels) lay_over_wheels(model, static_cast<int>(r), state.elements, state.parts);
    for (std::size_t j = 0; !over_wheels && j + 1 < rod.boundaries.size(); ++j) {
      state.elements.push_back({static_cast<int>(r), rod.boundaries[j].s, rod.boundaries[j + 1].s, -1});
      PartState part;
      part.position = 0.5 * (rod.boundaries[j].position + rod.boundaries[j + 1].position);
      part.orientation = Quat(rod.frame[j]).normalized();
      state.parts.push_back(part);
    }
    // moved as a rigid body about its centre of mass
    Vec3 centre = Vec3::Zero();
    double mass = 0;
    for (std::size_t k = first; k < state.parts.size(); ++k) {
      const double m = element_part(model, state.elements[k], 1).mass;
      centre += m * state.parts[k].position;
      mass += m;
    }
    if (mass > 0) centre /= mass;
    for (std::size_t k = first; k < state.parts.size(); ++k) {
      state.parts[k].spin = scene.rods[r].spin;
      state.parts[k].velocity = scene.rods[r].velocity + scene.rods[r].spin.cross(state.parts[k].position - centre);
    }
    const double wanted = targets.rod_length.empty() ? rod.length : targets.rod_length[r];
    state.length_factor.push_back(wanted > 0 && !over_wheels ? wanted / rod.length : 1);
  }
  // bodies: free ones where the scene has them, others where they are asked to be
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    PartState part{body.position, body.orientation, Vec3::Zero(), Vec3::Zero(), 0};
    if (body.motion == BodyMotion::Free) {
      part.velocity = body.velocity;
      part.spin = body.spin;
    } else {
      part.position = targets.bodies[b].position;
      part.orientation = targets.bodies[b].orientation;
    }
    state.parts.push_back(part);
  }
  for (const HoldTarget& hold : targets.holds) {
    state.parts.push_back({hold.position, wanted_section(hold), Vec3::Zero(), Vec3::Zero(), 0});
    state.hold_turns.push_back(hold.turns);
  }
  state.parts.push_back({});
  state.force_scale = targets.force_scale;
  state.torque_scale = targets.torque_scale;
  state.load = targets.load;

  state.structure = structure_of(state.elements);

  // links begin with the twist that the rods are drawn with
  const Mechanism mechanism = make_mechanism(model, state);
  for (const Link& link : mechanism.links) {
    LinkState memory;
    memory.twist = link.start_twist;
    state.links.push_back(memory);
  }
  state.corners.resize(8 * scene.planes.size() * scene.bodies.size());
  state.wheels.resize(scene.sheaves.size());
  for (std::size_t e = 0; e < state.elements.size(); ++e)
    if (const int wheel = state.elements[e].wheel; wheel >= 0)
      state.wheels[at(wheel)].reached = state.wheels[at(wheel)].stuck = state.elements[e + 1].begin;
  state.winches.resize(scene.winches.size());
  state.pulls.assign(scene.bodies.size(), Mat3::Zero());
  state.ropes = start_ropes(mechanism, scene, state.parts);
  return state;
}

}  // namespace filum::chain
