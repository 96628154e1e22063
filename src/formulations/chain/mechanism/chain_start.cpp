#include "formulations/chain/mechanism/chain_start.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/chain/reeving/ropes.hpp"
#include "formulations/chain/reeving/wheel_path.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <cmath>
#include <utility>

namespace filum::chain {

Quat wanted_section(const HoldTarget& target) {
  return target.orientation * Quat(Eigen::AngleAxisd(2 * math::kPi * target.turns, Vec3::UnitZ()));
}

void place_knots(const ModelData& model, ChainState& state) {
  const std::size_t first = state.elements.size() + model.bodies.size();
  for (std::size_t k = 0; k < model.knots.size(); ++k) {
    const Knot::End& end = model.knots[k].ends.front();
    const double near = kSamePlace * model.rods[at(end.rod)].length;
    // the sections on the two sides of the place, half way
    std::vector<std::pair<std::size_t, int>> sides;
    for (std::size_t e = 0; e < state.elements.size(); ++e) {
      if (state.elements[e].rod != end.rod) continue;
      if (std::abs(state.elements[e].end - end.s) <= near) sides.push_back({e, 1});
      if (std::abs(state.elements[e].begin - end.s) <= near) sides.push_back({e, -1});
    }
    PartState& knot = state.parts[first + k];
    const double share = 1 / static_cast<double>(sides.size());
    Quat section = state.parts[sides.front().first].orientation;
    if (sides.size() > 1) section = section.slerp(0.5, state.parts[sides.back().first].orientation);
    knot = {Vec3::Zero(), (section * Quat(end.section).conjugate()).normalized(), Vec3::Zero(), Vec3::Zero(), 0};
    for (const auto& [e, side] : sides) {
      const PartState& part = state.parts[e];
      const double half = half_length(model, state.elements[e], state.length_factor[at(end.rod)]);
      const Vec3 arm = part.orientation * Vec3(0, 0, side * half);
      knot.position += share * (part.position + arm);
      knot.velocity += share * (part.velocity + part.spin.cross(arm));
      knot.spin += share * part.spin;
    }
  }
}

ChainState start_state(const ModelData& model, const Targets& targets) {
  ChainState state;
  const Scene& scene = *model.scene;
  // elements along the drawn shape
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const RodData& rod = model.rods[r];
    const std::size_t first = state.parts.size();
    const bool over_wheels = runs_over_wheels(model, static_cast<int>(r));
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
    state.peaks.emplace_back();
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
  for (const Knot& knot : model.knots)
    state.parts.push_back({knot.position, Quat::Identity(), Vec3::Zero(), Vec3::Zero(), 0});
  for (const HoldTarget& hold : targets.holds) {
    state.parts.push_back({hold.position, wanted_section(hold), Vec3::Zero(), Vec3::Zero(), 0});
    state.hold_turns.push_back(hold.turns);
  }
  state.parts.push_back({});
  state.force_scale = targets.force_scale;
  state.torque_scale = targets.torque_scale;
  state.load = targets.load;

  state.structure = structure_of(state.elements);
  place_knots(model, state);

  // links begin with the twist that the rods are drawn with
  const Mechanism mechanism = make_mechanism(model, state);
  for (const Link& link : mechanism.links) {
    LinkState memory;
    memory.twist = link.start_twist;
    state.links.push_back(memory);
  }
  make_memory(model, mechanism, state);
  state.wheels.resize(scene.sheaves.size());
  for (std::size_t e = 0; e < state.elements.size(); ++e)
    if (const int wheel = state.elements[e].wheel; wheel >= 0)
      state.wheels[at(wheel)].reached = state.wheels[at(wheel)].stuck = state.elements[e + 1].begin;
  state.winches.resize(scene.winches.size());
  state.joints.resize(scene.joints.size());
  state.pulls.assign(model.bodies.size() + model.knots.size(), Mat3::Zero());
  state.ropes = start_ropes(mechanism, scene, state.parts);
  return state;
}

}  // namespace filum::chain
