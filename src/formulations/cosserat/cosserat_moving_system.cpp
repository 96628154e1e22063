#include "formulations/cosserat/cosserat_moving_system.hpp"

#include "base/index.hpp"
#include "body/spin_inertia.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/slider.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::cosserat {

using discrete::RodState;

namespace {

// Angles that nothing determines are kept by a spring to where they are, this share of a segment's twist stiffness.
constexpr double kMovingSpinShift = 1e-8;

// A rod that nothing loads is measured against a thousandth of what would bend it visibly.
constexpr double kMovingSmallLoad = 1e-3;

constexpr int kForce = 3;  // row of a segment's force within its block

}  // namespace

MovingSystem::MovingSystem(const discrete::ModelData& model) : Assembly(model) {
  for (const discrete::Joint& joint : model.joints)
    stiffest_ = std::max(stiffest_, joint.elasticity.stiffness.maxCoeff());
  segment_force_.resize(model.edges.size());
  axial_force_.resize(model.edges.size());
  strain_rate_.resize(model.edges.size());
  std::vector<double> drawn;
  for (const discrete::Slider& slider : model.sliders) drawn.push_back(drawn_slide(model, slider));
  lay_out(drawn);
}

void MovingSystem::scatter(int block, int row, int other, int column, const Mat3& m, const Mat3& back) {
  const discrete::Tangent::Pair pair = tangent_.pair(block, other);
  if (block == other) {
    tangent_.add_diagonal(pair, m, row, column);
    tangent_.add_diagonal(pair, back, column, row);
  } else if (tangent_.symmetric()) {
    tangent_.add(pair, m, row, column);
  } else {
    tangent_.add_split(pair, m, back, row, column);
  }
}

StepBalance MovingSystem::evaluate(RodState& state, const Targets& targets, const discrete::Motion& motion,
                                   bool want_tangent) {
  motion_ = &motion;
  track_sliders(state);
  begin(want_tangent);
  inertia_ = gap_ = late_ = 0;
  add_loads(state, targets);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) measure_joint(state, static_cast<int>(k));
  for (std::size_t j = 0; j < model_.edges.size(); ++j) add_segment(state, static_cast<int>(j));
  add_ties(state);
  add_sliders(state, targets);
  add_torques(state, targets);
  add_bodies(state);
  return measure(state);
}

// Its strain, and what it adds to the rotations of its two sides.
void MovingSystem::measure_joint(RodState& state, int index) {
  const discrete::Joint& joint = model_.joints[at(index)];
  rod::JointStrain& strain = strain_[at(index)];
  strain = rod::joint_strain(side_frame(model_, state, joint.left, joint.offset),
                             side_frame(model_, state, joint.right, 0), state.twist[at(index)]);
  state.twist[at(index)] = strain.twist;
  add_joint(index, strain, joint_elasticity(model_, state, motion_, index));
}

rod::AxialLaw MovingSystem::axial_law(const RodState& state, int edge) const {
  const discrete::Edge& e = model_.edges[at(edge)];
  const double rest = e.rest_length * state.length_factor[at(e.rod)];
  const double pull = state.tension[at(edge)];
  if (motion_->average_tension)
    return rod::averaged_law(pull, state.frame[at(edge)].col(2), motion_->start_edge[at(edge)], rest, e.axial_stiffness,
                             motion_->chi, e.axial_viscosity, motion_->step);
  return rod::viscous_law(pull, rest, e.axial_stiffness, motion_->start_edge[at(edge)].length, e.axial_viscosity,
                          motion_->elapsed);
}

// Its own balance of moments, the forces on its nodes, and whether it leads from one to the other.
void MovingSystem::add_segment(const RodState& state, int index) {
  const discrete::Edge& edge = model_.edges[at(index)];
  rod::PulledSegment& segment = segments_[at(index)];
  segment.direction = state.frame[at(index)].col(2);
  segment.force = state.edge_force[at(index)];
  segment.law = axial_law(state, index);
  segment_force_[at(index)] = segment.force;
  axial_force_[at(index)] = segment.law.pull;
  strain_rate_[at(index)] = segment.law.strain_rate;
  force_scale_ = std::max(force_scale_, segment.force.norm());
  late_ = std::max(late_, std::abs(segment.along() - segment.law.force));
  node_force_[at(edge.a)] -= segment.force;
  node_force_[at(edge.b)] += segment.force;
  const Vec3 chord = state.position[at(edge.b)] - state.position[at(edge.a)];
  gap_ = std::max(gap_, (chord - segment.way()).norm() / model_.size);

  // torques about itself
  double spin = 0;
  if (!motion_->angle_reference.empty() && edge.spin_inertia > 0) {
    const double angle = discrete::angle_between(motion_->start_frame[at(index)], state.frame[at(index)]);
    spin = motion_->inertia * edge.spin_inertia * (angle - motion_->angle_reference[at(index)]);
    moment_scale_ = std::max(moment_scale_, std::abs(spin));
  }
  const int block = edge_block_[at(index)];
  const int row = tangent_.rows_before(block);
  add_to_step(row, segment.settled_moment() + spin * segment.direction);
  add_to_step(row + kForce, moment_unit_ / model_.size * (chord - segment.settled_way()));
  if (!want_tangent_) return;

  double about_itself = 0;
  if (model_.spin_free[at(edge.rod)]) about_itself = kMovingSpinShift * moment_unit_ * model_.size / edge.rest_length;
  if (spin != 0 || !motion_->angle_reference.empty()) about_itself += motion_->inertia * edge.spin_inertia;
  const Mat3 h = segment.turning_stiffness() + about_itself * segment.direction * segment.direction.transpose();
  const discrete::Tangent::Pair own = tangent_.pair(block, block);
  tangent_.add_diagonal(own, Mat3(h / moment_unit_));
  tangent_.add_diagonal(own, Mat3(segment.coupling() / model_.size), 0, kForce);
  tangent_.add_diagonal(own, Mat3(segment.way_by_turn() / model_.size), kForce, 0);
  tangent_.add_diagonal(own, Mat3(-force_unit_ / model_.size * segment.compliance()), kForce, kForce);
  const Mat3 unit = Mat3::Identity();
  scatter(block, kForce, node_block_[at(edge.b)], node_offset_[at(edge.b)], unit, unit);
  scatter(block, kForce, node_block_[at(edge.a)], node_offset_[at(edge.a)], -unit, -unit);
}

// Loads on every node, with its inertia and drag.
void MovingSystem::add_loads(const RodState& state, const Targets& targets) {
  const Vec3 gravity = targets.load * model_.scene.gravity;
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const discrete::RodRange& range = model_.rods[r];
    const double factor = state.length_factor[r];
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node)
      add_node(state, node,
               factor * (model_.node_mass[at(node)] * gravity + targets.load * model_.distributed[at(node)]));
  }
  for (const discrete::FreeBody& body : model_.bodies)
    add_node(state, body.node, model_.node_mass[at(body.node)] * gravity);
  for (const discrete::PointLoad& load : model_.forces) {
    Vec3 force = targets.load * targets.force_scale[at(load.index)] * load.value;
    if (load.follow) force = state.rotor[at(load.rotor)] * force;
    node_force_[at(load.node)] -= force;
    force_scale_ = std::max(force_scale_, force.norm());
    // it turns with the rotor, δF = w × F
    const int rotor = load.follow ? rotor_block_[at(load.rotor)] : -1;
    if (want_tangent_ && rotor >= 0)
      tangent_.add_one_sided(tangent_.pair(node_block_[at(load.node)], rotor),
                             Mat3(model_.size / moment_unit_ * math::skew(force)), node_offset_[at(load.node)], 0);
  }
}

void MovingSystem::add_node(const RodState& state, int node, const Vec3& load) {
  const double mass = motion_->inertia * model_.node_mass[at(node)];
  const Vec3& x = state.position[at(node)];
  const Vec3 inertia = mass * (x - motion_->reference[at(node)]);
  inertia_ = std::max(inertia_, mass * x.norm());
  const Vec3 v = motion_->rate * (x - motion_->velocity_reference[at(node)]);
  const double speed = v.norm();
  const double linear = model_.node_drag[at(node)] + model_.node_air[at(node)] * speed;
  node_force_[at(node)] = inertia + linear * v - load;
  force_scale_ = std::max({force_scale_, load.norm(), inertia.norm(), linear * speed});
  if (!want_tangent_) return;
  // ∂(|v| v)/∂v = |v| + v vᵀ/|v|
  Mat3 k = (mass + motion_->rate * linear) * Mat3::Identity();
  if (speed > 0) k += motion_->rate * model_.node_air[at(node)] / speed * v * v.transpose();
  const int block = node_block_[at(node)];
  const int offset = node_offset_[at(node)];
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(model_.size / force_unit_ * k), offset, offset);
}

// x_slave = x_master + R·arm. In the middle of a step the mean arm, so that the tie is closed at its end.
void MovingSystem::add_ties(const RodState& state) {
  for (std::size_t k = 0; k < model_.ties.size(); ++k) {
    const discrete::Tie& tie = model_.ties[k];
    const Mat3& rotation = state.rotor[at(tie.rotor)];
    const Vec3& lambda = state.tie_force[k];
    body::MeanArm arm{rotation * tie.arm, {}};
    if (motion_->average_tension)
      arm = body::mean_arm(motion_->start_rotor[at(tie.rotor)], rotation, tie.arm);
    else
      arm.by_rotation = -math::skew(arm.value);
    const Vec3 gap = state.position[at(tie.slave)] - state.position[at(tie.master)] - arm.value;
    gap_ = std::max(gap_, gap.norm() / model_.size);
    force_scale_ = std::max(force_scale_, lambda.norm());
    node_force_[at(tie.slave)] += lambda;
    node_force_[at(tie.master)] -= lambda;
    const Vec3 torque = arm.value.cross(lambda);
    rotor_moment_[at(tie.rotor)] -= torque;
    const int block = node_block_[at(tie.slave)];
    const int row = tie_offset_[k];
    add_to_step(tangent_.rows_before(block) + row, moment_unit_ / model_.size * gap);
    if (!want_tangent_) continue;
    const Mat3 unit = Mat3::Identity();
    scatter(block, row, block, node_offset_[at(tie.slave)], unit, unit);
    scatter(block, row, node_block_[at(tie.master)], node_offset_[at(tie.master)], -unit, -unit);
    const int rotor = rotor_block_[at(tie.rotor)];
    if (rotor < 0) continue;
    scatter(block, row, rotor, 0, -arm.by_rotation / model_.size, -math::skew(arm.value) / model_.size);
    // the torque −arm × λ turns with the arm; in exponential coordinates its own turning counts half
    const Mat3 turned = math::skew(lambda) * arm.by_rotation - 0.5 * math::skew(torque);
    tangent_.add_diagonal(tangent_.pair(rotor, rotor), Mat3(turned / moment_unit_));
  }
}

// The grips of sliding holds, each on a point whose arc length is free.
void MovingSystem::add_sliders(const RodState& state, const Targets& targets) {
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const int first_node = model_.rods[at(model_.sliders[k].rod)].first_node;
    const discrete::SliderGrip grip = slider_grip(model_, static_cast<int>(k), state, targets,
                                                  motion_->average_tension ? &motion_->velocity_reference : nullptr);
    gap_ = std::max(gap_, grip.gap.norm() / model_.size);
    force_scale_ = std::max(force_scale_, grip.force.norm());
    const bool stopped = state.slide_stop[k] != 0;
    slide_pull_[k] = grip.pull();
    if (!stopped) late_ = std::max(late_, std::abs(grip.pull()));
    const int block = slider_block_[k];
    const int row = tangent_.rows_before(block);
    add_to_step(row, moment_unit_ / model_.size * grip.gap);
    if (!stopped) step_[at(row + 3)] += model_.size * grip.pull();
    const double per_force = model_.size / force_unit_;
    for (int i = 0; i < grip.support.count; ++i) {
      const int node = first_node + grip.support.node[at(i)];
      node_force_[at(node)] += grip.weight.value[at(i)] * grip.force;
      if (!want_tangent_) continue;
      Eigen::Matrix<double, 3, 4> h;
      h.leftCols<3>() = grip.weight.value[at(i)] * Mat3::Identity();
      h.col(3) = stopped ? Vec3::Zero() : Vec3(per_force * grip.weight.slope[at(i)] * grip.force);
      tangent_.add(tangent_.pair(node_block_[at(node)], block), h, node_offset_[at(node)], 0);
    }
    if (!want_tangent_) continue;
    Eigen::Matrix4d own = Eigen::Matrix4d::Zero();
    if (!stopped) {
      own.topRightCorner<3, 1>() = grip.slope;
      own.bottomLeftCorner<1, 3>() = grip.slope.transpose();
    }
    own(3, 3) = stopped ? 1 : per_force * (grip.force.dot(grip.bend) + slider_keep(model_, model_.sliders[k]));
    tangent_.add_diagonal(tangent_.pair(block, block), own);
  }
}

// Rotors with inertia.
void MovingSystem::add_bodies(const RodState& state) {
  for (const discrete::FreeBody& body : model_.bodies) {
    const auto r = at(body.rotor);
    if (rotor_block_[r] < 0) continue;
    const body::SpinInertia spin =
        body::spin_inertia(model_.rotors[r].inertia, motion_->start_rotor[r], state.rotor[r], motion_->spin,
                           motion_->known_spin[r], motion_->known_momentum[r]);
    rotor_moment_[r] += spin.torque;
    moment_scale_ = std::max(moment_scale_, spin.torque.norm());
    if (!want_tangent_) continue;
    // on increments in exponential coordinates the turning of the torque itself counts half: as for a dead torque
    const Mat3 k = spin.tangent + 0.5 * math::skew(spin.torque);
    tangent_.add_diagonal(tangent_.pair(rotor_block_[r], rotor_block_[r]), Mat3(k / moment_unit_));
  }
}

// Turns gradients into the right-hand side, and measures them.
StepBalance MovingSystem::measure(const RodState& state) {
  double moment = 0;
  double force = late_;
  for (const int row : edge_row_) moment = std::max(moment, step_at(row).norm());
  for (int node = 0; node < model_.nodes; ++node) {
    const int row = tangent_.rows_before(node_block_[at(node)]) + node_offset_[at(node)];
    add_to_step(row, model_.size * node_force_[at(node)]);
    for (int axis = 0; axis < 3; ++axis)
      if (held_[at(row + axis)] == 0) force = std::max(force, std::abs(node_force_[at(node)][axis]));
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_block_[r] < 0) continue;
    const int row = rotor_row_[r];
    add_to_step(row, rotor_moment_[r]);
    for (int axis = 0; axis < 3; ++axis)
      if (held_[at(row + axis)] == 0) moment = std::max(moment, std::abs(rotor_moment_[r][axis]));
  }
  for (std::size_t row = 0; row < step_.size(); ++row) step_[row] = held_[row] != 0 ? 0 : -step_[row] / moment_unit_;

  StepBalance balance;
  const double force_scale = std::max({force_scale_, moment_scale_ / model_.size, kMovingSmallLoad * force_unit_});
  const double moment_scale = std::max(moment_scale_, force_scale * segment_);
  constexpr double kRoundOff = std::numeric_limits<double>::epsilon();
  balance.residual = std::max(moment / moment_scale, force / force_scale);
  balance.floor = kRoundOff * std::max(stiffest_ / moment_scale, inertia_ / force_scale);
  balance.gap = gap_;
  balance.finite = std::isfinite(balance.residual) && std::isfinite(balance.gap) && state.position.front().allFinite();
  return balance;
}

bool MovingSystem::solve() {
  tangent_.strike_out();
  if (!tangent_.factor_and_solve(step_.data())) return false;
  return step_is_finite();
}

void MovingSystem::advance(RodState& state, double factor) const {
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const int row = edge_row_[j];
    const Vec3 turn = step_at(row);
    const Vec3 force = force_unit_ * step_at(row + kForce);
    state.tension[j] += factor * (segments_[j].next_pull(turn, force) - state.tension[j]);
    state.edge_force[j] += factor * force;
    state.frame[j] = math::exp_so3(factor * turn) * state.frame[j];
  }
  for (int node = 0; node < model_.nodes; ++node) {
    const int row = tangent_.rows_before(node_block_[at(node)]) + node_offset_[at(node)];
    state.position[at(node)] += factor * model_.size * step_at(row);
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r)
    if (rotor_block_[r] >= 0) state.rotor[r] = math::exp_so3(factor * step_at(rotor_row_[r])) * state.rotor[r];
  for (std::size_t k = 0; k < model_.ties.size(); ++k) {
    const int row = tangent_.rows_before(node_block_[at(model_.ties[k].slave)]) + tie_offset_[k];
    state.tie_force[k] += factor * force_unit_ * step_at(row);
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const int row = tangent_.rows_before(slider_block_[k]);
    state.slide_force[k] += factor * force_unit_ * step_at(row);
    slide(model_, static_cast<int>(k), factor * model_.size * step_[at(row + 3)], state);
  }
  // the edge as its segment has it: what the accounts read
  for (std::size_t j = 0; j < model_.edges.size(); ++j)
    state.edge[j] = state.position[at(model_.edges[j].b)] - state.position[at(model_.edges[j].a)];
}

void MovingSystem::release_stops(RodState& state) const {
  for (std::size_t k = 0; k < state.slide_stop.size(); ++k)
    if (slide_pull_[k] * state.slide_stop[k] > 0) state.slide_stop[k] = 0;
}

}  // namespace filum::cosserat
