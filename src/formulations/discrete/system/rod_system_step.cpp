// The rods in the balance of a step that keeps energy: edges and joints, whose forces and moments are means over the step.
//
// A joint's moment M (rod/joint_step.hpp) acts on the turns of its two sides. On an edge all moments together are a
// force and a torque about it (rod/edge_turn.hpp); a rotor takes them as they are. The tangent is the plain derivative by
// the state at the step's end, unsymmetric: δM = L_A w_A + L_B w_B, and w = W q of an edge, q = (δe, rest × δθ).
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

void RodSystem::begin_conserving_edge(const RodState& state, int index) {
  const Edge& edge = model_.edges[at(index)];
  OpenEdge& e = open(index);
  const rod::AxialStart& start = motion_->start_edge[at(index)];
  e.length = state.edge[at(index)].norm();
  per_length_[at(index)] = 1 / e.length;
  e.rest = edge.rest_length * state.length_factor[at(edge.rod)];
  e.moment.setZero();
  e.moment_sum = 0;
  e.turn = rod::edge_turn(start.edge, start.length, motion_->start_frame[at(index)], state.edge[at(index)], e.length,
                          state.frame[at(index)]);
  if (!want_tangent_) return;
  e.turning = rod::turning(state.frame[at(index)].col(2), e.length);
  e.turning.col(3) *= 1 / e.rest;
  e.map = rod::moment_map(e.turn);
  e.map.row(3) *= 1 / e.rest;
  e.slope.setZero();
}

// Its moment on its two sides and, if wanted, how that changes.
void RodSystem::add_conserving_joint(const RodState& state, int index) {
  const Joint& joint = model_.joints[at(index)];
  rod::JointStrain& strain = strain_[at(index)];
  const bool plain = joint.left.is_edge() && joint.right.is_edge();
  strain = rod::joint_strain(side_frame(model_, state, joint.left, joint.offset),
                             side_frame(model_, state, joint.right, 0), state.twist[at(index)]);
  const rod::JointStepStart& start = motion_->joint_start[at(index)];
  rod::StepLaw law = joint_step_law(model_, state, *motion_, index);
  rod::JointYield yield;
  if (!model_.plasticity.empty()) {
    // the mean of what is taken at the two ends
    yield = joint_yield(model_, state, strain.vector(), true, index);
    law.base -= 0.5 * (kept_relief(model_, state, index) + yield.relief);
  }
  const rod::JointStep step = rod::joint_step(start, strain, law, side_turn(joint.left), side_turn(joint.right));

  const double size = step.moment.norm();
  auto add_moment = [&](const Side& side, double sign) {
    if (side.is_edge()) {
      open(side.edge).moment += sign * step.moment;
      open(side.edge).moment_sum += size;
    } else {
      const int rotor = model_.sections[at(side.section)].rotor;
      rotor_moment_[at(rotor)] += sign * step.moment;
      rotor_moment_sum_[at(rotor)] += size;
    }
  };
  add_moment(joint.left, -1);
  add_moment(joint.right, 1);
  if (!want_tangent_) return;

  rod::JointStepTangent t = rod::joint_step_tangent(start, strain, law, step);
  if (yield.yields && yield_ == Yield::On) rod::soften(step, 0.5 * yield.softening, t);
  if (!plain) return scatter_conserving_side(joint, t);
  OpenEdge& a = open(joint.left.edge);
  OpenEdge& b = open(joint.right.edge);
  const rod::Mat34 by_a = t.by_a * a.turning;
  const rod::Mat34 by_b = t.by_b * b.turning;
  a.slope -= by_a;
  b.slope += by_b;
  scatter_conserving(joint, -a.map * by_b, b.map * by_a);
}

Vec3 RodSystem::side_turn(const Side& side) const {
  if (side.is_edge()) return open_[side.edge == closing_ ? 2 : static_cast<std::size_t>(side.edge % 2)].turn.turn;
  return rotor_turn_[at(model_.sections[at(side.section)].rotor)];
}

// `ab`: the left edge's rows (δe, δθ) by the right edge's columns; `ba` the other way round. Spread over the nodes a, b,
// c with e_left = x_b − x_a and e_right = x_c − x_b.
void RodSystem::scatter_conserving(const Joint& joint, const rod::Mat4& ab, const rod::Mat4& ba) {
  const EdgeSlots& left = edge_slots_[at(joint.left.edge)];
  const EdgeSlots& right = edge_slots_[at(joint.right.edge)];
  // (a, b) and (b, a)
  rod::Mat4 direct = ab, mirror = ba;
  direct.topRightCorner<3, 1>() *= -1;
  direct.bottomLeftCorner<1, 3>() *= -1;
  mirror.topRightCorner<3, 1>() *= -1;
  mirror.bottomLeftCorner<1, 3>() *= -1;
  tangent_.add_split(left.ab, direct, mirror);
  // (a, c) and (c, a)
  Eigen::Matrix<double, 4, 3> ac = ab.leftCols<3>();
  ac.topRows<3>() *= -1;
  Eigen::Matrix<double, 3, 4> ca = ba.topRows<3>();
  ca.leftCols<3>() *= -1;
  tangent_.add_split(joint_slot_[static_cast<std::size_t>(&joint - model_.joints.data())], ac, ca);
  // (b, b): the left edge's end by the right edge's start, and the other way round
  rod::Mat4 bb = rod::Mat4::Zero();
  bb.topLeftCorner<3, 3>() = -ab.topLeftCorner<3, 3>() - ba.topLeftCorner<3, 3>();
  bb.topRightCorner<3, 1>() = ab.topRightCorner<3, 1>();
  bb.bottomLeftCorner<1, 3>() = ba.bottomLeftCorner<1, 3>();
  tangent_.add_diagonal(right.aa, bb);
  // (b, c) and (c, b)
  Eigen::Matrix<double, 3, 3> bc = ab.topLeftCorner<3, 3>(), cb = ba.topLeftCorner<3, 3>();
  tangent_.add_split(right.ab, bc, cb);
}

// A section's rotor takes the place of one edge.
void RodSystem::scatter_conserving_side(const Joint& joint, const rod::JointStepTangent& t) {
  const bool edge_left = joint.left.is_edge();
  const int edge_index = edge_left ? joint.left.edge : joint.right.edge;
  const Edge& edge = model_.edges[at(edge_index)];
  const int rotor = model_.sections[at(edge_left ? joint.right.section : joint.left.section)].rotor;
  OpenEdge& e = open(edge_index);
  const double sign = edge_left ? -1 : 1;  // of the moment on the edge
  const rod::Mat34 by_edge = (edge_left ? t.by_a : t.by_b) * e.turning;
  e.slope += sign * by_edge;
  const int block = rotor_block(rotor);
  if (block < 0) return;
  const Mat3 by_rotor = (edge_left ? t.by_b : t.by_a) / arm_;
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(-sign / arm_ * by_rotor));
  // rows of the edge by the rotor's columns, and back
  const Eigen::Matrix<double, 4, 3> h = sign * e.map * by_rotor;
  const rod::Mat34 back = -sign / arm_ * by_edge;
  Eigen::Matrix<double, 4, 3> at_a = h;
  at_a.topRows<3>() *= -1;
  rod::Mat34 from_a = back;
  from_a.leftCols<3>() *= -1;
  tangent_.add_split(tangent_.pair(edge.a, block), at_a, from_a);
  tangent_.add_split(tangent_.pair(edge.b, block), Mat3(h.topRows<3>()), Mat3(back.leftCols<3>()));
}

// The edge's angular momentum about itself, J ω t, carried by its tangent. With 2 tan(α/2) = h ((1 − a) ω0 + a ω1) the
// torque G = J (ω1 t1 − ω0 t0)/h on its turn does the work ½ J (ω1² − ω0²) for a = ½.
Vec3 RodSystem::add_edge_spin(const RodState& state, int index) {
  const double inertia = model_.edges[at(index)].spin_inertia;
  OpenEdge& e = open(index);
  if (inertia == 0) return Vec3::Zero();
  const double h = motion_->step;
  const double a = motion_->spin_share;
  const double before = motion_->start_spin[at(index)];
  const double after = (2 * e.turn.half_tan / h - (1 - a) * before) / a;
  const Vec3 t0 = motion_->start_frame[at(index)].col(2);
  const Vec3 t1 = state.frame[at(index)].col(2);
  const double rate = inertia / h;
  if (want_tangent_) {
    const double by_angle = (1 + e.turn.half_tan * e.turn.half_tan) / (a * h);
    const Mat3 by_rotation = rate * (by_angle * t1 * e.turn.angle_gradient().transpose() - after * math::skew(t1));
    e.slope += by_rotation * e.turning;
  }
  return rate * (after * t1 - before * t0);
}

void RodSystem::end_conserving_edge(const RodState& state, int index) {
  const Edge& edge = model_.edges[at(index)];
  OpenEdge& e = open(index);
  average_ = rod::axial_average(motion_->start_edge[at(index)], state.edge[at(index)],
                                {e.rest, edge.axial_stiffness, edge.axial_viscosity, motion_->chi, motion_->step});
  if (!model_.plasticity.empty()) {
    const EdgeYield yield = edge_yield(model_, state, e.length, stretch_yields_[at(index)] != 0, index);
    average_.force -= 0.5 * (yield.kept + yield.relief);
    if (yield_ == Yield::On) average_.rate -= 0.5 * yield.softening / e.rest;
  }
  axial_force_[at(index)] = average_.force;
  axial_gradient_[at(index)] = average_.rate * average_.end_tangent;
  axial_change_[at(index)] = average_.change;

  const Vec3 spin = add_edge_spin(state, index);
  const Vec3 moment = e.moment + spin;
  const rod::Vec4 turning = rod::moment_on_edge(e.turn, moment);
  const Vec3 shear = turning.head<3>();
  const Vec3 force = average_.force * average_.direction + shear;
  edge_force_[at(index)] = force;
  node_force_[at(edge.a)] -= force;
  node_force_[at(edge.b)] += force;
  const double size = std::abs(average_.force) + shear.norm();
  node_force_sum_[at(edge.a)] += size;
  node_force_sum_[at(edge.b)] += size;
  step_[at(node_row_[at(edge.a)] + 3)] = -turning[3] / e.rest;
  largest_.moment = std::max(largest_.moment, std::abs(turning[3]));
  largest_.moment_sum = std::max({largest_.moment_sum, e.moment_sum, spin.norm()});
  if (!want_tangent_) return;

  // on (δe, rest × δθ)
  rod::Mat4 own = rod::moment_map_derivative(e.turn, moment);
  own.row(3) *= 1 / e.rest;
  own.col(3) *= 1 / e.rest;
  rod::Mat4 h = e.map * e.slope + own;
  h.topLeftCorner<3, 3>() += rod::axial_average_stiffness(average_, state.tension[at(index)]);

  const EdgeSlots& slots = edge_slots_[at(index)];
  rod::Mat4 aa = h;
  aa.topRightCorner<3, 1>() *= -1;
  aa.bottomLeftCorner<1, 3>() *= -1;
  tangent_.add_diagonal(slots.aa, aa);
  Eigen::Matrix<double, 4, 3> ab = h.leftCols<3>();
  ab.topRows<3>() *= -1;
  rod::Mat34 ba = h.topRows<3>();
  ba.leftCols<3>() *= -1;
  tangent_.add_split(slots.ab, ab, ba);
  tangent_.add_diagonal(slots.bb, Mat3(h.topLeftCorner<3, 3>()));
}

}  // namespace filum::discrete
