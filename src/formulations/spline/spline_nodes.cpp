#include "formulations/spline/spline_nodes.hpp"

#include "base/index.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/spline/segment_frames.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::spline {

namespace {

using discrete::Joint;
using discrete::ModelData;
using discrete::RodRange;
using discrete::RodState;

// Nodes nearer to where they are drawn than this share of the length are there: holds say the same place in other digits.
constexpr double kSamePlace = 1e-9;

// The twist that the joints at a node leave to the segment before it and to the one after it.
struct NodeTwist {
  double before = 0;
  double after = 0;
};

std::vector<NodeTwist> node_twists(const ModelData& model, const std::vector<double>& twist) {
  std::vector<NodeTwist> found(at(model.nodes));
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    NodeTwist& node = found[at(joint.node)];
    const double before = joint.left.is_edge() ? (joint.right.is_edge() ? joint.cell_share : 1) : 0;
    node.before += before * twist[k];
    node.after += (1 - before) * twist[k];
  }
  return found;
}

// One rod's curve through its nodes.
class Fit {
 public:
  Fit(const SplineModel& model, const RodState& nodes, const std::vector<NodeTwist>& twist, int rod)
      : model_(model),
        nodes_(nodes),
        twist_(twist),
        range_(model.nodes.rods[at(rod)]),
        spline_(model.rods[at(rod)]),
        drawn_(is_as_drawn()) {}

  void run(SplineState& state) {
    std::vector<Vec3> slopes;
    for (int i = 0; i < range_.mesh.nodes(); ++i) slopes.push_back(slope(i));
    const std::span<const Vec3> points(nodes_.position.data() + range_.first_node, slopes.size());
    for (const Vec3& control : spline_.knots.through(points, slopes)) state.control.push_back(control);
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = parabola(nodes_.velocity, static_cast<int>(i));
    const std::span<const Vec3> velocities(nodes_.velocity.data() + range_.first_node, slopes.size());
    for (const Vec3& velocity : spline_.knots.through(velocities, slopes)) state.velocity.push_back(velocity);
  }

  // The frame at a node whose tangent is now known.
  [[nodiscard]] Mat3 frame(int i, const Vec3& v) const {
    const Vec3 t = v.normalized();
    const int node = range_.first_node + i;
    if (const int section = model_.curve[at(node)].section; section >= 0)
      return rod::carried_frame(gripped(section), v, 0);
    if (drawn_) return math::frame_from(t, spline_.drawn_frame[at(i)].col(0));
    // half the joint's twist on from the edge before, or back from the one after
    const bool first = i == 0;
    const Mat3& edge = nodes_.frame[at(range_.first_edge + (first ? 0 : i - 1))];
    return rod::carried_frame(edge, v, first ? -twist_[at(node)].after : twist_[at(node)].before);
  }

  [[nodiscard]] double near_twist(int segment) const {
    const int next = (segment + 1) % range_.mesh.nodes();
    return twist_[at(range_.first_node + segment)].after + twist_[at(range_.first_node + next)].before;
  }

 private:
  [[nodiscard]] bool is_as_drawn() const {
    for (int i = range_.first_node; i < range_.first_node + range_.mesh.nodes(); ++i)
      if ((nodes_.position[at(i)] - model_.nodes.start_position[at(i)]).norm() > kSamePlace * range_.mesh.length)
        return false;
    return true;
  }

  [[nodiscard]] Mat3 gripped(int section) const {
    const discrete::Section& held = model_.nodes.sections[at(section)];
    return nodes_.rotor[at(held.rotor)] * held.base;
  }

  // r′ at a break.
  [[nodiscard]] Vec3 slope(int i) const {
    const int node = range_.first_node + i;
    if (drawn_) return range_.drawn_length / range_.mesh.length * spline_.drawn_frame[at(i)].col(2);
    const Vec3 estimate = parabola(nodes_.position, i);
    const int section = model_.curve[at(node)].section;
    return section < 0 ? estimate : Vec3(estimate.norm() * gripped(section).col(2));
  }

  // The slope of the parabola through the values at a node and its neighbours.
  [[nodiscard]] Vec3 parabola(const std::vector<Vec3>& value, int i) const {
    const discrete::RodMesh& mesh = range_.mesh;
    const auto x = [&](int k) { return value[at(range_.first_node + k % mesh.nodes())]; };
    const auto rate = [&](int k) { return Vec3((x(k + 1) - x(k)) / mesh.edge_length(k)); };
    if (mesh.nodes() == 2) return rate(0);
    const int middle = mesh.closed ? i : std::clamp(i, 1, mesh.nodes() - 2);
    const int before = (middle + mesh.nodes() - 1) % mesh.nodes();
    const double h0 = mesh.edge_length(before);
    const double h1 = mesh.edge_length(middle);
    const Vec3 bend = (rate(middle) - rate(before)) / (h0 + h1);  // half of r″
    const Vec3 at_middle = rate(before) + h0 * bend;
    return at_middle + 2 * (mesh.s[at(i)] - mesh.s[at(middle)]) * bend;
  }

  const SplineModel& model_;
  const RodState& nodes_;
  const std::vector<NodeTwist>& twist_;
  const RodRange& range_;
  const RodSpline& spline_;
  bool drawn_;
};

// What no list of a discrete state says: enough to make an empty one of.
Targets blank_targets(const ModelData& model, const SplineState& state) {
  Targets targets;
  targets.holds.resize(model.scene->holds.size());
  targets.bodies.resize(model.scene->bodies.size());
  targets.force_scale.assign(model.scene->forces.size(), 1);
  targets.torque_scale.assign(model.scene->torques.size(), 1);
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    targets.rod_length.push_back(state.length_factor[r] * model.rods[r].mesh.length);
  return targets;
}

}  // namespace

SplineState from_nodes(const SplineModel& model, const RodState& nodes) {
  SplineState state;
  const std::vector<NodeTwist> twist = node_twists(model.nodes, nodes.twist);
  std::vector<Fit> fits;
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod)
    fits.emplace_back(model, nodes, twist, rod).run(state);
  for (const discrete::FreeBody& body : model.nodes.bodies) {
    state.control.push_back(nodes.position[at(body.node)]);
    state.velocity.push_back(nodes.velocity[at(body.node)]);
  }
  measure_legs(state);
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    const RodRange& range = model.nodes.rods[r];
    for (int i = 0; i < range.mesh.nodes(); ++i)
      state.node_frame.push_back(fits[r].frame(i, node_slope(model, state, range.first_node + i)));
    for (int k = 0; k < range.mesh.edges(); ++k) state.twist.push_back(fits[r].near_twist(k));
  }
  state.bend_frame.assign(model.bends.size(), Mat3::Identity());
  for (const StretchPoint& point : model.stretches) state.tension.push_back(nodes.tension[at(point.segment)]);
  state.rotor = nodes.rotor;
  state.rotor_target = nodes.rotor_target;
  state.rotor_turns = nodes.rotor_turns;
  state.grip.assign(model.grips.size(), Vec3::Zero());
  static_cast<discrete::SliderMemory&>(state) = nodes;
  state.length_factor = nodes.length_factor;
  state.strain_step.assign(model.stretches.size(), 0);
  state.force_scale = nodes.force_scale;
  state.torque_scale = nodes.torque_scale;
  state.rotor_spin = nodes.rotor_spin;
  state.node_spin.assign(state.node_frame.size(), 0);
  for (std::size_t k = 0; k < model.segments.size(); ++k)
    for (const int node : model.segments[k].node)
      if (const double whole = model.curve[at(node)].spin_inertia; whole > 0)
        state.node_spin[at(node)] += 0.5 * model.nodes.edges[k].spin_inertia / whole * nodes.edge_spin[k];
  state.moving = nodes.moving;
  state.work = nodes.work;
  state.dissipated = nodes.dissipated;
  state.drained = nodes.drained;
  state.last_step = nodes.last_step;
  resynchronise(model, state);
  plastic_from_nodes(model, nodes, state);
  return state;
}

RodState to_nodes(const SplineModel& model, const SplineState& state) {
  const ModelData& data = model.nodes;
  RodState nodes = discrete::start_state(data, blank_targets(data, state));
  nodes.rotor = state.rotor;
  nodes.rotor_target = state.rotor_target;
  nodes.rotor_turns = state.rotor_turns;
  nodes.length_factor = state.length_factor;
  static_cast<discrete::SliderMemory&>(nodes) = state;
  for (int node = 0; node < data.nodes; ++node) {
    nodes.position[at(node)] = node_position(model, state, node);
    nodes.velocity[at(node)] = node_sum(model, state.velocity, node);
  }
  nodes.force_scale = state.force_scale;
  nodes.torque_scale = state.torque_scale;
  nodes.rotor_spin = state.rotor_spin;
  nodes.moving = state.moving;
  nodes.work = state.work;
  nodes.dissipated = state.dissipated;
  nodes.drained = state.drained;
  nodes.last_step = state.last_step;
  for (std::size_t j = 0; j < data.edges.size(); ++j) {
    const Segment& segment = model.segments[j];
    nodes.edge[j] = nodes.position[at(data.edges[j].b)] - nodes.position[at(data.edges[j].a)];
    const Mat3 middle =
        frame_within(segment_slopes(state.leg, segment), state.node_frame[at(segment.node[0])], state.twist[j], 0.5);
    nodes.frame[j] = rod::carried_frame(middle, nodes.edge[j], 0);
    nodes.tension[j] = 0;
    nodes.edge_spin[j] = 0.5 * (state.node_spin[at(segment.node[0])] + state.node_spin[at(segment.node[1])]);
  }
  std::vector<int> points(data.edges.size(), 0);
  for (const StretchPoint& point : model.stretches) ++points[at(point.segment)];
  for (std::size_t g = 0; g < model.stretches.size(); ++g) {
    const auto segment = at(model.stretches[g].segment);
    nodes.tension[segment] += state.tension[g] / points[segment];
  }
  plastic_to_nodes(model, state, nodes);
  // whole turns of the joints from the twists of the half segments beside them
  for (std::size_t k = 0; k < data.joints.size(); ++k) {
    const Joint& joint = data.joints[k];
    double near = 0;
    for (const discrete::Side& side : {joint.left, joint.right})
      if (side.is_edge()) near += 0.5 * state.twist[at(side.edge)];
    nodes.twist[k] = rod::joint_strain(discrete::side_frame(data, nodes, joint.left, joint.offset),
                                       discrete::side_frame(data, nodes, joint.right, 0), near)
                         .twist;
  }
  return nodes;
}

namespace {

// How far held nodes of a rod are to move along one axis, and everything between them in proportion.
void move_axis(const SplineModel& model, const Targets& targets, int rod, int axis, SplineState& state) {
  const RodRange& range = model.nodes.rods[at(rod)];
  std::vector<std::pair<double, double>> moves;  // arc length, way
  for (int i = 0; i < range.mesh.nodes(); ++i) {
    const int node = range.first_node + i;
    if (const int hold = model.nodes.position_hold[at(node)][at(axis)]; hold >= 0)
      moves.emplace_back(range.mesh.s[at(i)],
                         targets.holds[at(hold)].position[axis] - node_position(model, state, node)[axis]);
  }
  if (std::all_of(moves.begin(), moves.end(), [](const auto& move) { return move.second == 0; })) return;
  const RodSpline& spline = model.rods[at(rod)];
  if (spline.knots.closed() && !moves.empty()) {
    const auto [s0, first] = moves.front();
    const auto [s1, last] = moves.back();
    moves.insert(moves.begin(), {s1 - spline.knots.length(), last});
    moves.emplace_back(s0 + spline.knots.length(), first);
  }
  const auto way = [&](double s) {
    const auto after = std::find_if(moves.begin(), moves.end(), [&](const auto& move) { return move.first >= s; });
    if (after == moves.end()) return moves.back().second;
    if (after == moves.begin()) return after->second;
    const auto before = after - 1;
    const double share = (s - before->first) / (after->first - before->first);
    return before->second + share * (after->second - before->second);
  };
  double last = 0;
  for (int i = 0; i < spline.knots.controls(); ++i) {
    const double move = way(spline.knots.abscissa(i % spline.knots.own_controls()));
    state.control[at(spline.first_control + i)][axis] += move;
    if (i > 0) state.leg[at(spline.first_control + i - 1)][axis] += move - last;
    last = move;
  }
}

// Rotors to where their holds want them; whole turns go into the twist beside them.
void turn_rotors(const SplineModel& model, const Targets& targets, SplineState& state) {
  for (std::size_t r = 0; r < model.nodes.rotors.size(); ++r) {
    const discrete::Rotor& rotor = model.nodes.rotors[r];
    if (rotor.hold < 0 || rotor.hold_section < 0) continue;
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 wanted = discrete::wanted_rotation(model.nodes, rotor, target, target.turns);
    const bool held = fixes_all(rotor.fixed);
    // a hinge keeps its own turn, about its world axis, on top of the target
    state.rotor[r] = held ? wanted : Mat3(state.rotor[r] * state.rotor_target[r].transpose() * wanted);
    state.rotor_target[r] = wanted;
    const double turn = 2 * math::kPi * (target.turns - std::exchange(state.rotor_turns[r], target.turns));
    if (turn == 0) continue;
    const int node = model.nodes.hold_node[at(rotor.hold)];
    state.node_frame[at(node)] = state.node_frame[at(node)] * Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
    for (std::size_t k = 0; k < model.segments.size(); ++k) {
      if (model.segments[k].node[1] == node) state.twist[k] += turn;
      if (model.segments[k].node[0] == node) state.twist[k] -= turn;
    }
  }
}

}  // namespace

void apply_targets(const SplineModel& model, const Targets& targets, SplineState& state) {
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) {
    state.length_factor[at(rod)] = targets.rod_length[at(rod)] / model.nodes.rods[at(rod)].mesh.length;
    for (int axis = 0; axis < 3; ++axis) move_axis(model, targets, rod, axis, state);
  }
  turn_rotors(model, targets, state);
  // frames along the moved curve; twists keep their turns
  for (int node = 0; node < static_cast<int>(state.node_frame.size()); ++node)
    state.node_frame[at(node)] = rod::carried_frame(state.node_frame[at(node)], node_slope(model, state, node), 0);
  resynchronise(model, state);
}

}  // namespace filum::spline
