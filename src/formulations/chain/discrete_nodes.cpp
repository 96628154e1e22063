#include "formulations/chain/discrete_nodes.hpp"

#include "base/index.hpp"
#include "formulations/chain/chain_sample.hpp"
#include "formulations/chain/mechanism/chain_start.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "rod/joint.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace filum::chain {

namespace {

// What the holds, bodies and drivers last asked for, as the state has it.
Targets asked_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  Targets targets;
  for (std::size_t h = 0; h < model.grips.size(); ++h) {
    const PartState& part = state.parts[at(mechanism.first_hold) + h];
    const Quat back(Eigen::AngleAxisd(-2 * math::kPi * state.hold_turns[h], Vec3::UnitZ()));
    targets.holds.push_back({part.position, part.orientation * back, state.hold_turns[h]});
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const PartState& part = state.parts[at(mechanism.first_body) + b];
    targets.bodies.push_back({part.position, part.orientation, part.velocity, part.spin});
  }
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    targets.rod_length.push_back(state.length_factor[r] * model.rods[r].length);
  targets.force_scale = state.force_scale;
  targets.torque_scale = state.torque_scale;
  targets.winch_speed.assign(model.reels.size(), 0);
  targets.rope_length.assign(model.scene->ropes.size(), -1);
  targets.load = state.load;
  return targets;
}

// One rod of a chain by arc length: a line from corner to corner, and the frames of its elements.
class ChainLine {
 public:
  ChainLine(const ModelData& model, const Mechanism& mechanism, const ChainState& state, int rod) : state_(state) {
    while (state.elements[first_].rod != rod) ++first_;
    last_ = first_;
    while (last_ + 1 < state.elements.size() && state.elements[last_ + 1].rod == rod) ++last_;
    for (std::size_t e = first_; e <= last_; ++e) {
      add(mechanism, e, -1, e > first_);
      add(mechanism, e, 1, false);
    }
    // a ring's ends are one corner
    if (model.rods[at(rod)].closed) {
      corner_.front() = corner_.back() = 0.5 * (corner_.front() + corner_.back());
      velocity_.front() = velocity_.back() = 0.5 * (velocity_.front() + velocity_.back());
    }
  }

  [[nodiscard]] std::size_t element_at(double s) const {
    std::size_t e = first_;
    while (e < last_ && state_.elements[e].end <= s) ++e;
    return e;
  }
  [[nodiscard]] Vec3 position(double s) const { return between(corner_, s); }
  [[nodiscard]] Vec3 velocity(double s) const { return between(velocity_, s); }
  [[nodiscard]] const PartState& part(double s) const { return state_.parts[element_at(s)]; }

  // The cross-section there: half way between two elements that meet.
  [[nodiscard]] Quat section(double s) const {
    const std::size_t e = element_at(s);
    const Element& element = state_.elements[e];
    if (e == first_ || s - element.begin > 1e-6 * element.length()) return state_.parts[e].orientation;
    return state_.parts[e - 1].orientation.slerp(0.5, state_.parts[e].orientation);
  }

 private:
  void add(const Mechanism& mechanism, std::size_t e, int side, bool meets) {
    const PartState& part = state_.parts[e];
    const Vec3 arm = part.orientation * Vec3(0, 0, side * mechanism.half_length[e]);
    const Vec3 place = part.position + arm;
    const Vec3 rate = part.velocity + part.spin.cross(arm);
    if (meets) {
      corner_.back() = 0.5 * (corner_.back() + place);
      velocity_.back() = 0.5 * (velocity_.back() + rate);
    } else {
      corner_.push_back(place);
      velocity_.push_back(rate);
    }
  }

  [[nodiscard]] Vec3 between(const std::vector<Vec3>& list, double s) const {
    const std::size_t e = element_at(s);
    const double share = std::clamp((s - state_.elements[e].begin) / state_.elements[e].length(), 0.0, 1.0);
    return (1 - share) * list[e - first_] + share * list[e - first_ + 1];
  }

  const ChainState& state_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::vector<Vec3> corner_;
  std::vector<Vec3> velocity_;
};

// Twist rate of a rod where it is joined nearest to s, rad/m.
double twist_rate(const Mechanism& mechanism, const ChainState& state, int rod, double s) {
  double rate = 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (link.rod != rod || !link.turn || !(link.cell > 0) || std::abs(link.arc - s) >= nearest) continue;
    nearest = std::abs(link.arc - s);
    rate = state.links[k].twist / link.cell;
  }
  return rate;
}

void take_rod(const ChainLine& line, const discrete::ModelData& rods, const discrete::RodRange& range,
              discrete::RodState& nodes, double factor) {
  const discrete::RodMesh& mesh = range.mesh;
  for (int i = 0; i < mesh.nodes(); ++i) {
    nodes.position[at(range.first_node + i)] = line.position(mesh.s[at(i)]);
    nodes.velocity[at(range.first_node + i)] = line.velocity(mesh.s[at(i)]);
  }
  for (int j = 0; j < mesh.edges(); ++j) {
    const auto index = at(range.first_edge + j);
    const discrete::Edge& edge = rods.edges[index];
    const PartState& part = line.part(mesh.s[at(j)] + 0.5 * mesh.edge_length(j));
    nodes.edge[index] = nodes.position[at(edge.b)] - nodes.position[at(edge.a)];
    nodes.frame[index] = rod::carried_frame(part.orientation.toRotationMatrix(), nodes.edge[index], 0);
    const Vec3 own_spin = nodes.frame[index].transpose() * part.spin;
    nodes.edge_spin[index] = own_spin[2];
    nodes.edge_tilt[index] = own_spin.head<2>();
    nodes.tension[index] = edge.axial_stiffness * (nodes.edge[index].norm() / (factor * edge.rest_length) - 1);
  }
}

// Bodies, what hangs on them, and the cross-sections that nothing outside leads.
void take_rotors(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                 const discrete::ModelData& rods, const std::vector<ChainLine>& lines, discrete::RodState& nodes) {
  for (const discrete::FreeBody& body : rods.bodies) {
    const PartState& part = state.parts[at(mechanism.first_body + body.body)];
    nodes.position[at(body.node)] = part.position;
    nodes.velocity[at(body.node)] = part.velocity;
    const Quat turned = part.orientation * model.scene->bodies[at(body.body)].orientation.conjugate();
    nodes.rotor[at(body.rotor)] = turned.toRotationMatrix();
    nodes.rotor_spin[at(body.rotor)] = turned.conjugate() * part.spin;
  }
  for (const discrete::Joint& joint : rods.joints) {
    const int section = std::max(joint.left.section, joint.right.section);
    if (section < 0) continue;
    const int index = rods.sections[at(section)].rotor;
    const discrete::Rotor& rotor = rods.rotors[at(index)];
    const bool led = rotor.hold >= 0 && fixes_all(rotor.fixed);
    if (rotor.body >= 0 || led) continue;
    const discrete::RodRange& range = rods.rods[at(joint.rod)];
    const double s = range.mesh.s[at(joint.node - range.first_node)];
    const Mat3 frame = lines[at(joint.rod)].section(s).toRotationMatrix();
    nodes.rotor[at(index)] = Quat(Mat3(frame * rods.sections[at(section)].base.transpose())).normalized();
    nodes.rotor_spin[at(index)] = nodes.rotor[at(index)].transpose() * lines[at(joint.rod)].part(s).spin;
  }
}

// Where a link or a hold leaves no choice, to the last digit.
void put_held(const discrete::ModelData& rods, const Targets& targets, discrete::RodState& nodes) {
  for (std::size_t i = 0; i < rods.position_hold.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      if (const int hold = rods.position_hold[i][at(axis)]; hold >= 0)
        nodes.position[i][axis] = targets.holds[at(hold)].position[axis];
  for (const discrete::Tie& tie : rods.ties)
    nodes.position[at(tie.slave)] = nodes.position[at(tie.master)] + nodes.rotor[at(tie.rotor)] * tie.arm;
}

}  // namespace

discrete::RodState nodes_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                            const discrete::ModelData& rods) {
  const Targets targets = asked_of(model, mechanism, state);
  discrete::RodState nodes = discrete::start_state(rods, targets);
  std::vector<ChainLine> lines;
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    lines.emplace_back(model, mechanism, state, static_cast<int>(r));
    take_rod(lines[r], rods, rods.rods[r], nodes, state.length_factor[r]);
  }
  take_rotors(model, mechanism, state, rods, lines, nodes);
  put_held(rods, targets, nodes);
  for (std::size_t j = 0; j < rods.edges.size(); ++j) {
    nodes.edge[j] = nodes.position[at(rods.edges[j].b)] - nodes.position[at(rods.edges[j].a)];
    nodes.frame[j] = rod::carried_frame(nodes.frame[j], nodes.edge[j], 0);
  }
  for (std::size_t k = 0; k < rods.joints.size(); ++k) {
    const discrete::Joint& joint = rods.joints[k];
    const discrete::RodRange& range = rods.rods[at(joint.rod)];
    const double s = range.mesh.s[at(joint.node - range.first_node)];
    const double near = joint.cell * twist_rate(mechanism, state, joint.rod, s);
    nodes.twist[k] = rod::joint_strain(discrete::side_frame(rods, nodes, joint.left, joint.offset),
                                       discrete::side_frame(rods, nodes, joint.right, 0), near)
                         .twist;
  }

  const Pose pose = sample_pose(model, mechanism, state, targets);
  for (std::size_t h = 0; h < pose.holds.size(); ++h) {
    nodes.hold_force[h] = pose.holds[h].force;
    nodes.hold_moment[h] = pose.holds[h].moment;
  }
  yield_to_nodes(model, mechanism, state, rods, nodes);
  nodes.moving = state.moving;
  nodes.work = state.work;
  nodes.dissipated = state.dissipated;
  return nodes;
}

void take_nodes(const discrete::ModelData& rods, const discrete::RodState& nodes, const ModelData& model,
                ChainState& state) {
  std::size_t first = 0;
  for (std::size_t r = 0; r < model.rods.size(); ++r) {
    std::size_t last = first;
    while (last < state.elements.size() && at(state.elements[last].rod) == r) ++last;
    const discrete::RodRange& range = rods.rods[r];
    const bool over_wheels = runs_over_wheels(model, static_cast<int>(r));
    for (std::size_t e = first; e < last && !over_wheels; ++e) {
      const std::size_t j = at(range.first_edge) + e - first;
      const discrete::Edge& edge = rods.edges[j];
      const Vec3 tangent = nodes.frame[j].col(2);
      const Vec3 rate = nodes.velocity[at(edge.b)] - nodes.velocity[at(edge.a)];
      PartState& part = state.parts[e];
      part.position = 0.5 * (nodes.position[at(edge.a)] + nodes.position[at(edge.b)]);
      part.orientation = Quat(nodes.frame[j]).normalized();
      part.velocity = 0.5 * (nodes.velocity[at(edge.a)] + nodes.velocity[at(edge.b)]);
      part.spin = tangent.cross(rate) / nodes.edge[j].norm() + nodes.edge_spin[j] * tangent;
    }
    first = last;
  }
  for (const discrete::FreeBody& body : rods.bodies) {
    PartState& part = state.parts[state.elements.size() + at(body.body)];
    part.position = nodes.position[at(body.node)];
    part.velocity = nodes.velocity[at(body.node)];
    part.orientation = Quat(nodes.rotor[at(body.rotor)]) * model.scene->bodies[at(body.body)].orientation;
    part.spin = nodes.rotor[at(body.rotor)] * nodes.rotor_spin[at(body.rotor)];
  }
  place_knots(model, state);
  // whole turns: about as many as the joint nearest has
  const Mechanism mechanism = make_mechanism(model, state);
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (link.rod < 0 || !link.turn) continue;
    const discrete::RodRange& range = rods.rods[at(link.rod)];
    double nearest = std::numeric_limits<double>::infinity();
    for (int i = range.first_joint; i < range.first_joint + range.joints; ++i) {
      const discrete::Joint& joint = rods.joints[at(i)];
      const double away = std::abs(range.mesh.s[at(joint.node - range.first_node)] - link.arc);
      if (away >= nearest) continue;
      nearest = away;
      state.links[k].twist = nodes.twist[at(i)] * link.cell / joint.cell;
    }
  }
  yield_from_nodes(rods, nodes, model, mechanism, state);
  state.moving = nodes.moving;
  state.work = nodes.work;
  state.dissipated = nodes.dissipated;
}

}  // namespace filum::chain
