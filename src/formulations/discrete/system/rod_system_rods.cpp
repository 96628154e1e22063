// The rods in the balance: nodes, joints and edges, in one pass along each rod.
//
// At a node its own forces come first, then its joints, then the edge that ends there, whose joints are then both done.
// What an edge gathers goes into the matrix at once, while it is in the cache.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_lanes.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

namespace {

// Angles whose absolute value nothing determines (no orientation held anywhere on the rod) are kept by a spring to
// where they are, this share of the twist stiffness of an edge: at equilibrium it exerts no force.
constexpr double kSpinShift = 1e-8;

}  // namespace

void RodSystem::add_rod(int rod, RodState& state, const Targets& targets, Want want, Balance& balance) {
  const RodRange& range = model_.rods[at(rod)];
  const int edges = range.mesh.edges();
  // a rod of another length is more or less of the same stock
  const Vec3 gravity = targets.load * state.length_factor[at(rod)] * model_.gravity;
  const bool true_tension = want == Want::TrueTangent;
  closing_ = range.mesh.closed ? range.first_edge + edges - 1 : -1;
  if (conserving()) return add_conserving_rod(rod, state, gravity, balance);
  measure_joints(range, state);
  if (range.mesh.closed) begin_edge(state, closing_);
  int k = range.first_joint;
  for (int i = 0; i < range.mesh.nodes(); ++i) {
    const int node = range.first_node + i;
    const int edge = range.first_edge + i;
    add_node(state, node, gravity, balance);
    if (i < edges && edge != closing_) begin_edge(state, edge);
    for (; k < range.first_joint + range.joints && model_.joints[at(k)].node == node; ++k)
      balance.elastic += add_joint(state, k);
    if (i > 0) end_edge(state, edge - 1, true_tension, balance);
  }
  if (range.mesh.closed) end_edge(state, closing_, true_tension, balance);
}

// Strains and unwrapped twists of a rod's joints.
void RodSystem::measure_joints(const RodRange& range, RodState& state) {
  const int end = range.first_joint + range.joints;
  math::in_lanes([&]<class T>() {
    for (int first = range.first_joint; first < end; first += math::kLanesOf<T>) {
      const rod::JointStrainOf<T> strain = joint_strains<T>(model_, state, first, end - 1);
      math::scatter<rod::JointStrainOf, T>(strain, end - first,
                                           [&](int i) -> rod::JointStrain& { return strain_[at(first + i)]; });
      math::scatter<math::NumberOf, T>(strain.twist, end - first,
                                       [&](int i) -> double& { return state.twist[at(first + i)]; });
    }
  });
}

// A node's own weight and inertia.
void RodSystem::add_node(const RodState& state, int node, const Vec3& gravity, Balance& balance) {
  const Vec3 weight = model_.node_mass[at(node)] * gravity;
  balance.gravity -= weight.dot(state.position[at(node)]);
  node_force_[at(node)] = -weight;
  node_force_sum_[at(node)] = weight.norm();
  if (motion_ != nullptr) add_inertia(state, node);
}

void RodSystem::begin_edge(const RodState& state, int index) {
  const Edge& edge = model_.edges[at(index)];
  OpenEdge& e = open(index);
  e.length = state.edge[at(index)].norm();
  per_length_[at(index)] = 1 / e.length;
  e.rest = edge.rest_length * state.length_factor[at(edge.rod)];
  e.moment.setZero();
  e.moment_sum = 0;
  e.lay_pull = e.lay_rate = 0;
  if (!want_tangent_) return;
  e.turning = rod::turning(state.frame[at(index)].col(2), e.length);
  e.turning.col(3) *= 1 / e.rest;
  e.stiffness.setZero();
  e.aa.setZero();
  e.ab.setZero();
}

// Moments on its two sides and, if wanted, its stiffness. Returns its energy.
double RodSystem::add_joint(const RodState& state, int index) {
  const Joint& joint = model_.joints[at(index)];
  const rod::JointStrain& strain = strain_[at(index)];
  const bool plain = joint.left.is_edge() && joint.right.is_edge();
  const rod::JointElasticity elasticity = joint_elasticity(model_, state, motion_, index);
  Vec3 components = rod::joint_moment_components(strain, elasticity);
  double energy = rod::joint_energy(strain, elasticity);
  rod::JointYield yield;
  if (!model_.plasticity.empty()) {
    yield = joint_yield(model_, state, strain.vector(), yield_ != Yield::Off, index);
    components -= yield.relief;
    energy += yield.energy;
    spent_ += yield.spent;
  }
  const Vec3 moment = rod::joint_moment(strain, components);

  const double size = moment.norm();
  auto add_moment = [&](const Side& side, double sign) {
    if (side.is_edge()) {
      open(side.edge).moment += sign * moment;
      open(side.edge).moment_sum += size;
    } else {
      const int rotor = model_.sections[at(side.section)].rotor;
      rotor_moment_[at(rotor)] += sign * moment;
      rotor_moment_sum_[at(rotor)] += size;
    }
  };
  add_moment(joint.left, -1);
  add_moment(joint.right, 1);
  if (!joint.lay.isZero(0)) add_lay(state, index);
  if (!want_tangent_) return energy;

  Mat3 c = rod::joint_stiffness(strain, elasticity, components);
  if (yield.yields && yield_ == Yield::On) {
    const Mat3 gradient = rod::strain_gradient(strain);
    c -= gradient * yield.softening * gradient.transpose();
  }
  const Mat3 coupling = -c + 0.5 * math::skew(moment);
  if (joint.left.is_edge()) open(joint.left.edge).stiffness += c;
  if (joint.right.is_edge()) open(joint.right.edge).stiffness += c;
  if (plain)
    scatter_coupling(joint, open(joint.left.edge).turning.transpose() * coupling * open(joint.right.edge).turning);
  else
    scatter_side(joint, c, coupling);
  return energy;
}

// Edge–edge coupling h on (e0, θ0) × (e1, θ1), with e0 = x_b − x_a and e1 = x_c − x_b, spread over the nodes a, b, c.
void RodSystem::scatter_coupling(const Joint& joint, const rod::Mat4& h) {
  const auto ee = h.topLeftCorner<3, 3>();
  OpenEdge& left = open(joint.left.edge);
  OpenEdge& right = open(joint.right.edge);
  // (x_b, x_b) and (x_b, θ_b)
  right.aa.topLeftCorner<3, 3>() -= ee + ee.transpose();
  right.aa.topRightCorner<3, 1>() += h.topRightCorner<3, 1>();
  right.aa.bottomLeftCorner<1, 3>() += h.topRightCorner<3, 1>().transpose();
  // (a, x_b) and (x_b, x_c)
  left.ab.topRows<3>() += ee;
  left.ab.row(3) -= h.bottomLeftCorner<1, 3>();
  right.ab.topRows<3>() += ee;
  // (a, θ_b)
  Eigen::Vector4d angle = h.col(3);
  angle.head<3>() *= -1;
  tangent_.add(edge_slots_[at(joint.left.edge)].ab, angle, 0, 3);
  // (a, x_c)
  Eigen::Matrix<double, 4, 3> ac = h.leftCols<3>();
  ac.topRows<3>() *= -1;
  tangent_.add(joint_slot_[static_cast<std::size_t>(&joint - model_.joints.data())], ac);
}

// Edge–section joint: the section's rotor takes the place of one edge.
void RodSystem::scatter_side(const Joint& joint, const Mat3& c, const Mat3& coupling) {
  const bool edge_left = joint.left.is_edge();
  const int edge_index = edge_left ? joint.left.edge : joint.right.edge;
  const int block = rotor_block(model_.sections[at(edge_left ? joint.right.section : joint.left.section)].rotor);
  if (block < 0) return;
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(c / (arm_ * arm_)));
  // rows (e, θ) of the edge against the rotor's columns
  const Mat3 toward = edge_left ? coupling : Mat3(coupling.transpose());
  scatter_rotor(joint, open(edge_index).turning.transpose() * toward / arm_);
}

// Rows (e, θ) of a joint's edge by the rotor of its section.
void RodSystem::scatter_rotor(const Joint& joint, const Eigen::Matrix<double, 4, 3>& h) {
  const bool edge_left = joint.left.is_edge();
  const Edge& edge = model_.edges[at(edge_left ? joint.left.edge : joint.right.edge)];
  const int block = rotor_block(model_.sections[at(edge_left ? joint.right.section : joint.left.section)].rotor);
  if (block < 0) return;
  Eigen::Matrix<double, 4, 3> at_a = h;
  at_a.topRows<3>() *= -1;
  tangent_.add(tangent_.pair(edge.a, block), at_a);
  tangent_.add(tangent_.pair(edge.b, block), Mat3(h.topRows<3>()));
}

// The axial force of an edge as a vector; notes its size and what it depends on.
Vec3 RodSystem::axial_pull(const RodState& state, int index, Balance& balance) {
  const Edge& edge = model_.edges[at(index)];
  const OpenEdge& e = open(index);
  const Vec3 t = state.frame[at(index)].col(2);
  rod::Stretch stretch = rod::stretch(e.length, e.rest, edge.axial_stiffness);
  double rate = edge.axial_stiffness / e.rest;
  if (motion_ != nullptr && edge.axial_viscosity > 0) {
    const double viscous = edge.axial_viscosity / (e.rest * motion_->step);
    stretch.force += viscous * (e.length - motion_->start_edge[at(index)].length);
    rate += viscous;
  }
  if (model_.laid) {
    stretch.force += e.lay_pull;
    rate += e.lay_rate;
  }
  axial_softening_ = 0;
  if (!model_.plasticity.empty()) {
    const EdgeYield yield = edge_yield(model_, state, e.length, stretch_yields_[at(index)] != 0, index);
    stretch.force -= yield.relief;
    stretch.energy += yield.energy;
    spent_ += yield.spent;
    if (yield_ == Yield::On) axial_softening_ = yield.softening;
    rate -= axial_softening_ / e.rest;
  }
  balance.elastic += stretch.energy;
  axial_force_[at(index)] = stretch.force;
  axial_gradient_[at(index)] = rate * t;
  return stretch.force * t;
}

// Stretch, the second-order part of the frame's turning, and the sums on its nodes.
void RodSystem::end_edge(const RodState& state, int index, bool true_tension, Balance& balance) {
  const Edge& edge = model_.edges[at(index)];
  const OpenEdge& e = open(index);
  const Vec3 t = state.frame[at(index)].col(2);
  if (motion_ != nullptr && motion_->rotary) add_section_spin(state, index);
  const Vec3 axial = axial_pull(state, index, balance);
  const Vec3 shear = per_length_[at(index)] * e.moment.cross(t);
  const Vec3 force = axial + shear;
  edge_force_[at(index)] = force;
  node_force_[at(edge.a)] -= force;
  node_force_[at(edge.b)] += force;
  const double size = std::abs(axial_force_[at(index)]) + shear.norm();
  node_force_sum_[at(edge.a)] += size;
  node_force_sum_[at(edge.b)] += size;
  // torques about itself
  const double spin = spin_torque(state, index);
  const double unbalanced = e.moment.dot(t) + spin;
  step_[at(node_row_[at(edge.a)] + 3)] = -unbalanced / e.rest;
  if (!model_.outlines) largest_.moment = std::max(largest_.moment, std::abs(unbalanced));
  largest_.moment_sum = std::max({largest_.moment_sum, e.moment_sum, std::abs(spin)});
  if (want_tangent_) scatter_edge(state, index, true_tension ? axial_force_[at(index)] : state.tension[at(index)]);
}

// The stiffness of an edge and what it has gathered, on e = x_b − x_a and its angle.
void RodSystem::scatter_edge(const RodState& state, int index, double tension) {
  const Edge& edge = model_.edges[at(index)];
  OpenEdge& e = open(index);
  const Vec3 t = state.frame[at(index)].col(2);
  rod::Mat4 h = rod::turning_stiffness(t, e.length, e.moment);
  h.topRightCorner<3, 1>() *= 1 / e.rest;
  h.bottomLeftCorner<1, 3>() *= 1 / e.rest;
  h.noalias() += e.turning.transpose() * e.stiffness * e.turning;
  if (model_.spin_free[at(edge.rod)]) h(3, 3) += kSpinShift * spin_stiffness_[at(index)];
  if (motion_ != nullptr && !motion_->angle_reference.empty())
    h(3, 3) += motion_->inertia * edge.spin_inertia / (e.rest * e.rest);
  const double viscous = motion_ != nullptr ? edge.axial_viscosity / motion_->step : 0;
  h.topLeftCorner<3, 3>() +=
      rod::stretch_stiffness(t, e.length, e.rest, edge.axial_stiffness + viscous - axial_softening_, tension);

  e.aa += h;
  e.aa.topRightCorner<3, 1>() -= 2 * h.topRightCorner<3, 1>();
  e.aa.bottomLeftCorner<1, 3>() -= 2 * h.bottomLeftCorner<1, 3>();
  e.ab.topRows<3>() -= h.topLeftCorner<3, 3>();
  e.ab.row(3) += h.bottomLeftCorner<1, 3>();
  const Mat3 bb = h.topLeftCorner<3, 3>();
  const EdgeSlots& slots = edge_slots_[at(index)];
  tangent_.add(slots.ab, e.ab);
  tangent_.add_diagonal(slots.aa, e.aa);
  tangent_.add_diagonal(slots.bb, bb);
}

}  // namespace filum::discrete
