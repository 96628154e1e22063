#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::discrete {

namespace {

constexpr double kSmallLoad = 1e-3;

}  // namespace

Balance RodSystem::evaluate(RodState& state, const Targets& targets, Want want) {
  want_tangent_ = want != Want::Residual;
  if (contact_.acts()) contact_.evaluate(state);
  if (rod_contact_.acts()) rod_contact_.evaluate(state);
  if (body_contact_.acts()) body_contact_.evaluate(state);
  if (contact_.lacks_links() || (rod_contact_.acts() && rod_contact_.lacks_links()) ||
      (body_contact_.acts() && body_contact_.lacks_links()))
    track_contacts();
  if (want_tangent_) tangent_.set_zero();
  for (Vec3& m : rotor_moment_) m.setZero();
  for (double& m : rotor_moment_sum_) m = 0;
  largest_ = {};
  spent_ = 0;
  if (conserving())
    for (std::size_t r = 0; r < rotor_turn_.size(); ++r)
      rotor_turn_[r] = math::cayley_vector(state.rotor[r] * motion_->start_rotor[r].transpose());

  Balance balance;
  for (int rod = 0; rod < static_cast<int>(model_.rods.size()); ++rod) add_rod(rod, state, targets, want, balance);
  for (const FreeBody& body : model_.bodies) add_node(state, body.node, targets.load * model_.gravity, balance);
  balance.potential = balance.gravity + spent_;
  add_loads(state, targets, balance);
  add_ties(state, balance);
  add_sliders(state, targets, balance);
  if (contact_.acts()) {
    for (const ContactTerm& touch : contact_.terms()) add_contact(touch, state);
    balance.settled = contact_.settled();
    balance.sunk = contact_.sunk();
  }
  if (rod_contact_.acts()) {
    for (const ContactTerm& touch : rod_contact_.terms()) add_contact(touch, state);
    balance.settled = balance.settled && rod_contact_.settled();
    balance.sunk += rod_contact_.sunk();
  }
  if (body_contact_.acts()) {
    for (const ContactTerm& touch : body_contact_.terms()) add_contact(touch, state);
    balance.settled = balance.settled && body_contact_.settled();
  }
  if (model_.outlines) measure_torques(state);
  if (motion_ != nullptr) add_rotor_spin(state);
  gather_residual(balance);
  return balance;
}

// Forces and torques of the scene.
void RodSystem::add_loads(const RodState& state, const Targets& targets, Balance& balance) {
  for (const LoadedNode& loaded : model_.loaded) {
    const Vec3 force = targets.load * state.length_factor[at(loaded.rod)] * loaded.force;
    node_force_[at(loaded.node)] -= force;
    node_force_sum_[at(loaded.node)] += force.norm();
    balance.potential -= force.dot(state.position[at(loaded.node)]);
  }
  for (const PointLoad& load : model_.forces) {
    Vec3 force = targets.load * targets.force_scale[at(load.index)] * load.value;
    const Vec3 at_end = load.follow ? Vec3(state.rotor[at(load.rotor)] * force) : force;
    if (load.follow)
      force = conserving() ? Vec3(0.5 * (at_end + motion_->start_rotor[at(load.rotor)] * force)) : at_end;
    else
      balance.potential -= force.dot(state.position[at(load.node)]);
    node_force_[at(load.node)] -= force;
    node_force_sum_[at(load.node)] += force.norm();
    // a force that follows turns with the rotor: δF = w × F
    if (load.follow && want_tangent_ && rotor_block(load.rotor) >= 0)
      tangent_.add_one_sided(tangent_.pair(load.node, rotor_block(load.rotor)),
                             Mat3(math::skew(at_end) * ((conserving() ? 0.5 : 1) / arm_)));
  }
  for (const PointLoad& load : model_.torques) {
    Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
    const Vec3 at_end = load.follow ? Vec3(state.rotor[at(load.rotor)] * torque) : torque;
    if (load.follow)
      torque = conserving() ? Vec3(0.5 * (at_end + motion_->start_rotor[at(load.rotor)] * torque)) : at_end;
    rotor_moment_[at(load.rotor)] -= torque;
    rotor_moment_sum_[at(load.rotor)] += torque.norm();
    // generalised force in exponential coordinates: T + ½ T × w for a dead torque, T − ½ T × w for one that follows
    const double half = conserving() ? (load.follow ? 0.5 : 0) : (load.follow ? 0.5 : -0.5);
    if (const int block = rotor_block(load.rotor); want_tangent_ && block >= 0)
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(half / (arm_ * arm_) * math::skew(at_end)));
  }
}

// Lagrangian λ·(x_slave − x_master − R·arm). An integrator that evaluates the middle of a step takes the mean arm, so
// that the tie is closed at the step's end and does no work.
void RodSystem::add_ties(const RodState& state, Balance& balance) {
  const bool averaged = conserving();
  for (std::size_t k = 0; k < model_.ties.size(); ++k) {
    const Tie& tie = model_.ties[k];
    const Mat3& rotation = state.rotor[at(tie.rotor)];
    const Vec3 lambda = state.tie_force[k];
    const Vec3 end_arm = rotation * tie.arm;
    const Vec3 arm = averaged ? Vec3(0.5 * (end_arm + motion_->start_rotor[at(tie.rotor)] * tie.arm)) : end_arm;
    const Vec3 gap = state.position[at(tie.slave)] - state.position[at(tie.master)] - end_arm;
    balance.constraint = std::max(balance.constraint, gap.norm() / model_.size);
    node_force_[at(tie.slave)] += lambda;
    node_force_[at(tie.master)] -= lambda;
    node_force_sum_[at(tie.slave)] += lambda.norm();
    node_force_sum_[at(tie.master)] += lambda.norm();
    const Vec3 torque = arm.cross(lambda);
    rotor_moment_[at(tie.rotor)] -= torque;
    for (int axis = 0; axis < 3; ++axis) step_[at(tie_row_[k] + axis)] = -stiffness_scale_ * gap[axis];
    if (!want_tangent_) continue;

    const Mat3 unit = stiffness_scale_ * Mat3::Identity();
    const int row = tie_row_[k] - node_row_[at(tie.slave)];
    const Tangent::Pair own = tangent_.pair(tie.slave, tie.slave);
    tangent_.add_diagonal(own, unit, row, 0);
    tangent_.add_diagonal(own, unit, 0, row);
    tangent_.add(tangent_.pair(tie.slave, tie.master), Mat3(-unit), row, 0);
    const int block = rotor_block(tie.rotor);
    if (block < 0) continue;
    const Tangent::Pair pair = tangent_.pair(tie.slave, block);
    const double scale = stiffness_scale_ / arm_;
    if (averaged) {
      tangent_.add_split(pair, Mat3(scale * math::skew(end_arm)), Mat3(-scale * math::skew(arm)), row, 0);
      // the torque −arm × λ turns with the arm
      const Mat3 turned = -0.5 * math::skew(lambda) * math::skew(end_arm);
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(turned / (arm_ * arm_)));
    } else {
      // λ·(w × arm) = w·(arm × λ), and to second order −½ λ·(w × (w × arm))
      tangent_.add(pair, Mat3(scale * math::skew(arm)), row, 0);
      const Mat3 curved =
          lambda.dot(arm) * Mat3::Identity() - 0.5 * (lambda * arm.transpose() + arm * lambda.transpose());
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(curved / (arm_ * arm_)));
    }
  }
}

double RodSystem::largest_multiplier(const RodState& state) const {
  double largest = 0;
  for (const Vec3& f : state.tie_force) largest = std::max(largest, f.norm());
  for (const Vec3& f : state.slide_force) largest = std::max(largest, f.norm());
  for (const double f : state.contact_force) largest = std::max(largest, f);
  for (const RodTouch& touch : state.rod_touch.list) largest = std::max(largest, touch.force);
  return largest;
}

// The right-hand side, and how well the forces balance.
void RodSystem::gather_residual(Balance& balance) {
  double sum = 0;  // what is no number drops out of a maximum, but not out of a sum
  double force = 0;
  double force_scale = 0;
  double moment = largest_.moment;
  double moment_scale = largest_.moment_sum;
  for (int node = 0; node < model_.nodes; ++node) {
    const int row = node_row_[at(node)];
    Vec3 r = node_force_[at(node)];
    for (int axis = 0; axis < 3; ++axis) {
      if (fixed_[at(row + axis)] != 0) r[axis] = 0;
      step_[at(row + axis)] = -r[axis];
    }
    force = std::max(force, r.squaredNorm());
    sum += r.squaredNorm();
    force_scale = std::max(force_scale, node_force_sum_[at(node)]);
  }
  force = std::sqrt(force);
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    moment_scale = std::max(moment_scale, rotor_moment_sum_[r]);
    if (rotor_block_[r] < 0) continue;
    const int row = tangent_.rows_before(rotor_block_[r]);
    for (int axis = 0; axis < 3; ++axis) {
      const bool held = fixed_[at(row + axis)] != 0;
      step_[at(row + axis)] = held ? 0 : -rotor_moment_[r][axis] / arm_;
      if (held) continue;
      moment = std::max(moment, std::abs(rotor_moment_[r][axis]));
      sum += std::abs(rotor_moment_[r][axis]);
    }
  }

  // a straight hanging rod carries no moment: forces times an edge are then the measure of moments
  moment_scale = std::max(moment_scale, force_scale * arm_);
  // a rod that nothing loads is measured against a thousandth of what would bend it visibly
  force_scale = std::max({force_scale, moment_scale / model_.size, kSmallLoad * soft_force_});
  moment_scale = std::max(moment_scale, force_scale * arm_);
  constexpr double kRoundOff = std::numeric_limits<double>::epsilon();
  const double tiny = std::numeric_limits<double>::min();
  force_scale = std::max(force_scale, tiny);
  moment_scale = std::max(moment_scale, tiny);
  balance.moment = moment / moment_scale;
  balance.residual = std::max(std::max(force, largest_.slide_pull) / force_scale, balance.moment);
  balance.floor =
      kRoundOff * std::max((largest_axial_ + largest_bending_ / arm_) / force_scale, largest_bending_ / moment_scale);
  balance.floor = std::max(balance.floor, largest_.contact / force_scale);
  balance.moment_floor = balance.floor;
  if (motion_ != nullptr) {
    // positions far from the origin leave much of a heavy body's inertia to round-off, but nothing of its turning: a
    // moment that were let off with it would do its work over whole turns
    balance.floor = std::max(balance.floor, kRoundOff * std::sqrt(largest_.inertia) / force_scale);
    balance.moment_floor = std::max(balance.moment_floor, kRoundOff * motion_->inertia * largest_spin_ / moment_scale);
  }
  for (const Edge& edge : model_.edges) sum += std::abs(step_[at(node_row_[at(edge.a)] + 3)]);
  balance.finite = std::isfinite(sum) && std::isfinite(balance.residual) && std::isfinite(balance.elastic) &&
                   std::isfinite(balance.potential) && std::isfinite(balance.constraint);
}

}  // namespace filum::discrete
