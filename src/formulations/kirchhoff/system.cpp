#include "formulations/kirchhoff/system.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::kirchhoff {

namespace {

// Angles whose absolute value nothing determines (no orientation held anywhere on the rod) are kept by a spring to
// where they are, this share of the twist stiffness of an edge: at equilibrium it exerts no force.
constexpr double kSpinShift = 1e-8;

constexpr double kSmallLoad = 1e-3;

}  // namespace

Mat3 System::side_frame(const RodState& state, const Side& side, double offset) const {
  Mat3 frame;
  if (side.is_edge()) {
    frame = state.frame[at(side.edge)];
  } else {
    const Section& section = model_.sections[at(side.section)];
    frame = state.rotor[at(section.rotor)] * section.base;
  }
  if (offset == 0) return frame;
  return frame * Eigen::AngleAxisd(offset, Vec3::UnitZ()).toRotationMatrix();
}

Balance System::evaluate(RodState& state, const Targets& targets, Want want) {
  want_tangent_ = want != Want::Residual;
  if (want_tangent_) tangent_.set_zero();
  for (Vec3& f : node_force_) f.setZero();
  for (double& f : node_force_sum_) f = 0;
  for (Vec3& m : rotor_moment_) m.setZero();
  for (double& m : rotor_moment_sum_) m = 0;

  Balance balance;
  for (const RodRange& range : model_.rods) add_rod(range, state, want == Want::TrueTangent, balance);
  add_loads(state, targets, balance);
  add_ties(state, balance);
  add_sliders(state, targets, balance);
  if (motion_ != nullptr) {
    add_inertia(state);
    add_spin(state);
  }
  gather_residual(state, balance);
  return balance;
}

// One pass along the rod: the joints of a node, then the edge that ends there, whose joints are then both done. What an
// edge gathers is still in the cache when it is spent.
void System::add_rod(const RodRange& range, RodState& state, bool true_tension, Balance& balance) {
  const int nodes = range.mesh.nodes();
  const int edges = range.mesh.edges();
  auto clear_edge = [&](int j) {
    edge_moment_[at(range.first_edge + j)].setZero();
    edge_moment_sum_[at(range.first_edge + j)] = 0;
    if (want_tangent_) edge_stiffness_[at(range.first_edge + j)].setZero();
  };
  if (range.mesh.closed) clear_edge(edges - 1);
  int k = range.first_joint;
  for (int i = 0; i < nodes; ++i) {
    if (i < edges && !(range.mesh.closed && i == edges - 1)) clear_edge(i);
    for (; k < range.first_joint + range.joints && model_.joints[at(k)].node == range.first_node + i; ++k) {
      balance.elastic += add_joint(state, k);
      state.twist[at(k)] = strain_[at(k)].twist;
    }
    if (i > 0) add_edge(state, range.first_edge + i - 1, true_tension, balance);
  }
  if (range.mesh.closed) add_edge(state, range.first_edge + edges - 1, true_tension, balance);
}

// Strain, moments on its two sides and, if wanted, its stiffness. Returns its energy.
double System::add_joint(const RodState& state, int index) {
  const Joint& joint = model_.joints[at(index)];
  const Mat3 left = side_frame(state, joint.left, joint.offset);
  const Mat3 right = side_frame(state, joint.right, 0);
  rod::JointStrain& strain = strain_[at(index)];
  strain = rod::joint_strain(left, right, state.twist[at(index)]);
  const rod::JointElasticity elasticity = joint_elasticity(state, index);
  const Vec3 components = rod::joint_moment_components(strain, elasticity);
  const Vec3 moment = rod::joint_moment(strain, components);

  const double size = moment.norm();
  auto add_moment = [&](const Side& side, double sign) {
    if (side.is_edge()) {
      edge_moment_[at(side.edge)] += sign * moment;
      edge_moment_sum_[at(side.edge)] += size;
    } else {
      const int rotor = model_.sections[at(side.section)].rotor;
      rotor_moment_[at(rotor)] += sign * moment;
      rotor_moment_sum_[at(rotor)] += size;
    }
  };
  add_moment(joint.left, -1);
  add_moment(joint.right, 1);
  const double energy = rod::joint_energy(strain, elasticity);
  if (!want_tangent_) return energy;

  const Mat3 c = rod::joint_stiffness(strain, elasticity, components);
  Mat3 coupling = -c + 0.5 * math::skew(moment);
  if (joint.left.is_edge() && joint.right.is_edge()) {
    const rod::Mat34 w0 = edge_turning(state, joint.left.edge);
    const rod::Mat34 w1 = edge_turning(state, joint.right.edge);
    edge_stiffness_[at(joint.left.edge)].noalias() += w0.transpose() * c * w0;
    edge_stiffness_[at(joint.right.edge)].noalias() += w1.transpose() * c * w1;
    scatter_coupling(joint, w0.transpose() * coupling * w1);
  } else {
    scatter_side(state, joint, c, coupling);
  }
  return energy;
}

// The map from (δe, length × δθ) to the rotation of an edge's frame.
rod::Mat34 System::edge_turning(const RodState& state, int index) const {
  const Edge& edge = model_.edges[at(index)];
  rod::Mat34 w = rod::turning(state.frame[at(index)].col(2), state.edge[at(index)].norm());
  w.col(3) /= edge.rest_length * state.length_factor[at(edge.rod)];
  return w;
}

// Edge–edge coupling h on (e0, θ0) × (e1, θ1), with e0 = x_b − x_a and e1 = x_c − x_b, spread over the nodes a, b, c.
void System::scatter_coupling(const Joint& joint, const rod::Mat4& h) {
  const JointSlots& slots = joint_slots_[static_cast<std::size_t>(&joint - model_.joints.data())];
  const Mat3 ee = h.topLeftCorner<3, 3>();
  // (x_b, x_b) and (x_b, θ_b)
  rod::Mat4 bb = rod::Mat4::Zero();
  bb.topLeftCorner<3, 3>() = -(ee + ee.transpose());
  bb.topRightCorner<3, 1>() = h.topRightCorner<3, 1>();
  bb.bottomLeftCorner<1, 3>() = h.topRightCorner<3, 1>().transpose();
  tangent_.add_diagonal(slots.bb, bb);
  // (a, b)
  rod::Mat4 ab = h;
  ab.topRightCorner<3, 1>() *= -1;
  ab.bottomLeftCorner<1, 3>() *= -1;
  // (a, c)
  Eigen::Matrix<double, 4, 3> ac = h.leftCols<3>();
  ac.topRows<3>() *= -1;
  tangent_.add(slots.ac, ac);
  tangent_.add(slots.ab, ab);
  // (x_b, x_c) and, in the same block, nothing else
  tangent_.add(slots.bc, ee);
}

// Edge–section joint: the section's rotor takes the place of one edge.
void System::scatter_side(const RodState& state, const Joint& joint, const Mat3& c, const Mat3& coupling) {
  const bool edge_left = joint.left.is_edge();
  const int edge_index = edge_left ? joint.left.edge : joint.right.edge;
  const Edge& edge = model_.edges[at(edge_index)];
  const rod::Mat34 w = edge_turning(state, edge_index);
  edge_stiffness_[at(edge_index)].noalias() += w.transpose() * c * w;

  const int block = rotor_block(model_.sections[at(edge_left ? joint.right.section : joint.left.section)].rotor);
  if (block < 0) return;
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(c / (arm_ * arm_)));
  // rows (e, θ) of the edge against the rotor's columns
  const Mat3 toward = edge_left ? coupling : Mat3(coupling.transpose());
  const Eigen::Matrix<double, 4, 3> h = w.transpose() * toward / arm_;
  Eigen::Matrix<double, 4, 3> at_a = h;
  at_a.topRows<3>() *= -1;
  tangent_.add(tangent_.pair(edge.a, block), at_a);
  tangent_.add(tangent_.pair(edge.b, block), Mat3(h.topRows<3>()));
}

// Stretch, the second-order part of the frame's turning, and the sums on its nodes.
void System::add_edge(RodState& state, int index, bool true_tension, Balance& balance) {
  const Edge& edge = model_.edges[at(index)];
  const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
  const double length = state.edge[at(index)].norm();
  const Vec3 t = state.frame[at(index)].col(2);
  const Vec3 moment = edge_moment_[at(index)];
  const Vec3 shear = moment.cross(t) / length;
  rod::Stretch stretch;
  Vec3 axial;
  const bool averaged = motion_ != nullptr && motion_->average_tension;
  if (averaged) {
    average_[at(index)] =
        rod::axial_average(motion_->start_edge[at(index)], state.edge[at(index)], rest, edge.axial_stiffness,
                           motion_->chi, edge.axial_viscosity, motion_->step);
    stretch.force = average_[at(index)].force;
    axial = stretch.force * average_[at(index)].direction;
  } else {
    stretch = rod::stretch(length, rest, edge.axial_stiffness);
    if (motion_ != nullptr && edge.axial_viscosity > 0)
      stretch.force +=
          edge.axial_viscosity * (length - motion_->start_edge[at(index)].length) / (rest * motion_->elapsed);
    axial = stretch.force * t;
  }
  balance.elastic += stretch.energy;
  axial_force_[at(index)] = stretch.force;
  const Vec3 force = axial + shear;
  edge_force_[at(index)] = force;
  node_force_[at(edge.a)] -= force;
  node_force_[at(edge.b)] += force;
  const double size = std::abs(stretch.force) + shear.norm();
  node_force_sum_[at(edge.a)] += size;
  node_force_sum_[at(edge.b)] += size;
  if (!want_tangent_) return;

  rod::Mat4& h = edge_stiffness_[at(index)];
  rod::Mat4 turning = rod::turning_stiffness(t, length, moment);
  turning.topRightCorner<3, 1>() /= rest;
  turning.bottomLeftCorner<1, 3>() /= rest;
  h += turning;
  const double tension = true_tension ? stretch.force : state.tension[at(index)];
  const double viscous = motion_ != nullptr ? edge.axial_viscosity / motion_->elapsed : 0;
  if (!averaged)
    h.topLeftCorner<3, 3>() += rod::stretch_stiffness(t, length, rest, edge.axial_stiffness + viscous, tension);
  if (model_.spin_free[at(edge.rod)]) h(3, 3) += kSpinShift * spin_stiffness_[at(index)];
  if (motion_ != nullptr && !motion_->angle_reference.empty())
    h(3, 3) += motion_->inertia * edge.spin_inertia / (rest * rest);

  // e = x_b − x_a
  const EdgeSlots& slots = edge_slots_[at(index)];
  rod::Mat4 aa = h;
  aa.topRightCorner<3, 1>() *= -1;
  aa.bottomLeftCorner<1, 3>() *= -1;
  tangent_.add_diagonal(slots.aa, aa);
  Eigen::Matrix<double, 4, 3> ab = h.leftCols<3>();
  ab.topRows<3>() *= -1;
  tangent_.add(slots.ab, ab);
  tangent_.add_diagonal(slots.bb, Mat3(h.topLeftCorner<3, 3>()));
  if (averaged) scatter_averaged(index, tension);
}

// The unsymmetric stiffness of an averaged tension, on e_b − e_a.
void System::scatter_averaged(int index, double tension) {
  const Mat3 k = rod::axial_average_stiffness(average_[at(index)], tension);
  const EdgeSlots& slots = edge_slots_[at(index)];
  tangent_.add_diagonal(slots.aa, k);
  tangent_.add_diagonal(slots.bb, k);
  tangent_.add_split(slots.ab, Mat3(-k), Mat3(-k));
}

void System::add_loads(const RodState& state, const Targets& targets, Balance& balance) {
  auto pull = [&](int node, const Vec3& force) {
    node_force_[at(node)] -= force;
    node_force_sum_[at(node)] += force.norm();
    balance.potential -= force.dot(state.position[at(node)]);
  };
  const Vec3 gravity = targets.load * model_.scene.gravity;
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    // a rod of another length is more or less of the same stock
    const double factor = state.length_factor[r];
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      const Vec3 weight = factor * model_.node_mass[at(node)] * gravity;
      pull(node, weight);
      balance.gravity -= weight.dot(state.position[at(node)]);
      if (!model_.distributed[at(node)].isZero(0)) pull(node, targets.load * factor * model_.distributed[at(node)]);
    }
  }
  for (const FreeBody& body : model_.bodies) {
    const Vec3 weight = model_.node_mass[at(body.node)] * gravity;
    pull(body.node, weight);
    balance.gravity -= weight.dot(state.position[at(body.node)]);
  }
  for (const PointLoad& load : model_.forces) {
    Vec3 force = targets.load * targets.force_scale[at(load.index)] * load.value;
    if (!load.follow) {
      pull(load.node, force);
      continue;
    }
    force = state.rotor[at(load.rotor)] * force;
    node_force_[at(load.node)] -= force;
    node_force_sum_[at(load.node)] += force.norm();
    // the force turns with the rotor: δF = w × F
    if (want_tangent_ && rotor_block(load.rotor) >= 0)
      tangent_.add_one_sided(tangent_.pair(load.node, rotor_block(load.rotor)), Mat3(math::skew(force) / arm_));
  }
  for (const PointLoad& load : model_.torques) {
    Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
    if (load.follow) torque = state.rotor[at(load.rotor)] * torque;
    rotor_moment_[at(load.rotor)] -= torque;
    rotor_moment_sum_[at(load.rotor)] += torque.norm();
    // generalised force in exponential coordinates: T + ½ T × w for a dead torque, T − ½ T × w for one that follows
    const double half = load.follow ? 0.5 : -0.5;
    if (const int block = rotor_block(load.rotor); want_tangent_ && block >= 0)
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(half / (arm_ * arm_) * math::skew(torque)));
  }
}

// Lagrangian λ·(x_slave − x_master − R·arm). An integrator that evaluates the middle of a step takes the mean arm, so
// that the tie is closed at the step's end and does no work.
void System::add_ties(const RodState& state, Balance& balance) {
  const bool averaged = motion_ != nullptr && motion_->average_tension;
  for (std::size_t k = 0; k < model_.ties.size(); ++k) {
    const Tie& tie = model_.ties[k];
    const Mat3& rotation = state.rotor[at(tie.rotor)];
    const Vec3 lambda = state.tie_force[k];
    body::MeanArm arm;
    if (averaged) {
      arm = body::mean_arm(motion_->start_rotor[at(tie.rotor)], rotation, tie.arm);
    } else {
      arm.value = rotation * tie.arm;
      arm.by_rotation = -math::skew(arm.value);
    }
    const Vec3 gap = state.position[at(tie.slave)] - state.position[at(tie.master)] - arm.value;
    balance.constraint = std::max(balance.constraint, gap.norm() / model_.size);
    node_force_[at(tie.slave)] += lambda;
    node_force_[at(tie.master)] -= lambda;
    node_force_sum_[at(tie.slave)] += lambda.norm();
    node_force_sum_[at(tie.master)] += lambda.norm();
    const Vec3 torque = arm.value.cross(lambda);
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
      tangent_.add_split(pair, Mat3(-scale * arm.by_rotation), Mat3(-scale * math::skew(arm.value)), row, 0);
      // the torque −arm × λ turns with the arm
      const Mat3 turned = math::skew(lambda) * arm.by_rotation - 0.5 * math::skew(torque);
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(turned / (arm_ * arm_)));
    } else {
      // λ·(w × arm) = w·(arm × λ), and to second order −½ λ·(w × (w × arm))
      tangent_.add(pair, Mat3(scale * math::skew(arm.value)), row, 0);
      const Mat3 curved = lambda.dot(arm.value) * Mat3::Identity() -
                          0.5 * (lambda * arm.value.transpose() + arm.value * lambda.transpose());
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(curved / (arm_ * arm_)));
    }
  }
}

// Lagrangian λ·(x(s) − p): the grip on a point whose arc length s is free. An integrator that evaluates the middle of a
// step, x = (x0 + x1)/2, asks for x1(s) = p, with s that of the step's end: the same with x − x0/2 and p/2.
void System::add_sliders(const RodState& state, const Targets& targets, Balance& balance) {
  const bool averaged = motion_ != nullptr && motion_->average_tension;
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const Slider& slider = model_.sliders[k];
    const RodRange& range = model_.rods[at(slider.rod)];
    const SliderWeights w = slider_weights(range.mesh, state.slide[k]);
    const SliderSupport& support = slider_support_[k];
    Vec3 lambda = state.slide_force[k];
    Vec3 point = Vec3::Zero();
    Vec3 slope = Vec3::Zero();
    Vec3 bend = Vec3::Zero();
    for (int i = 0; i < support.count; ++i) {
      const auto node = at(range.first_node + support.node[at(i)]);
      const Vec3 x = state.position[node] - (averaged ? Vec3(0.5 * motion_->velocity_reference[node]) : Vec3::Zero());
      point += w.value[at(i)] * x;
      slope += w.slope[at(i)] * x;
      bend += w.curvature[at(i)] * x;
    }
    Vec3 gap = point - (averaged ? 0.5 : 1.0) * targets.holds[at(slider.hold)].position;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!slider.fixed[axis]) gap[static_cast<int>(axis)] = lambda[static_cast<int>(axis)] = 0;
    balance.constraint = std::max(balance.constraint, gap.norm() / model_.size);
    for (int i = 0; i < support.count; ++i) {
      const int node = range.first_node + support.node[at(i)];
      node_force_[at(node)] += w.value[at(i)] * lambda;
      node_force_sum_[at(node)] += std::abs(w.value[at(i)]) * lambda.norm();
    }
    const int row = tangent_.rows_before(slider_block_[k]);
    for (int axis = 0; axis < 3; ++axis) step_[at(row + axis)] = -stiffness_scale_ * gap[axis];
    const bool stopped = state.slide_stop[k] != 0;
    stop_pull_[k] = lambda.dot(slope);
    step_[at(row + 3)] = stopped ? 0 : -lambda.dot(slope);
    slide_pull_ = stopped ? slide_pull_ : std::max(slide_pull_, std::abs(lambda.dot(slope)));
    if (!want_tangent_) continue;

    const int block = slider_block_[k];
    for (int i = 0; i < support.count; ++i) {
      Eigen::Matrix<double, 3, 4> h = Eigen::Matrix<double, 3, 4>::Zero();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const int a = static_cast<int>(axis);
        if (slider.fixed[axis]) h(a, a) = stiffness_scale_ * w.value[at(i)];
      }
      h.col(3) = stopped ? Vec3::Zero() : Vec3(w.slope[at(i)] * lambda);
      tangent_.add(tangent_.pair(range.first_node + support.node[at(i)], block), h);
    }
    rod::Mat4 own = rod::Mat4::Zero();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int a = static_cast<int>(axis);
      if (!slider.fixed[axis]) own(a, a) = stiffness_scale_;
      if (slider.fixed[axis] && !stopped) own(a, 3) = own(3, a) = stiffness_scale_ * slope[a];
    }
    own(3, 3) = stopped ? stiffness_scale_ : lambda.dot(bend);
    tangent_.add_diagonal(tangent_.pair(block, block), own);
  }
}

double System::largest_multiplier(const RodState& state) const {
  double largest = 0;
  for (const Vec3& f : state.tie_force) largest = std::max(largest, f.norm());
  for (const Vec3& f : state.slide_force) largest = std::max(largest, f.norm());
  return largest;
}

// The right-hand side, and how well the forces balance.
void System::gather_residual(const RodState& state, Balance& balance) {
  double force = 0;
  double force_scale = 0;
  double moment = 0;
  double moment_scale = 0;
  double axial = 0;
  double bending = 0;
  for (int node = 0; node < model_.nodes; ++node) {
    const int row = node_row_[at(node)];
    Vec3 r = node_force_[at(node)];
    for (int axis = 0; axis < 3; ++axis) {
      if (fixed_[at(row + axis)] != 0) r[axis] = 0;
      step_[at(row + axis)] = -r[axis];
    }
    force = std::max(force, r.norm());
    force_scale = std::max(force_scale, node_force_sum_[at(node)]);
  }
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
    const double along = edge_moment_[j].dot(state.frame[j].col(2));
    const double unbalanced = along + edge_spin_torque_[j];
    step_[at(node_row_[at(edge.a)] + 3)] = -unbalanced / rest;
    moment = std::max(moment, std::abs(unbalanced));
    moment_scale = std::max({moment_scale, edge_moment_sum_[j], std::abs(edge_spin_torque_[j])});
    axial = std::max(axial, edge.axial_stiffness);
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    moment_scale = std::max(moment_scale, rotor_moment_sum_[r]);
    if (rotor_block_[r] < 0) continue;
    const int row = tangent_.rows_before(rotor_block_[r]);
    for (int axis = 0; axis < 3; ++axis) {
      const bool held = fixed_[at(row + axis)] != 0;
      step_[at(row + axis)] = held ? 0 : -rotor_moment_[r][axis] / arm_;
      if (!held) moment = std::max(moment, std::abs(rotor_moment_[r][axis]));
    }
  }
  for (const Joint& joint : model_.joints) bending = std::max(bending, joint.elasticity.stiffness.maxCoeff());

  // a straight hanging rod carries no moment: forces times an edge are then the measure of moments
  moment_scale = std::max(moment_scale, force_scale * arm_);
  // a rod that nothing loads is measured against a thousandth of what would bend it visibly
  force_scale = std::max({force_scale, moment_scale / model_.size, kSmallLoad * soft_force_});
  moment_scale = std::max(moment_scale, force_scale * arm_);
  constexpr double kRoundOff = std::numeric_limits<double>::epsilon();
  const double tiny = std::numeric_limits<double>::min();
  balance.residual = std::max({force, slide_pull_}) / std::max(force_scale, tiny);
  balance.residual = std::max(balance.residual, moment / std::max(moment_scale, tiny));
  balance.floor = kRoundOff * std::max((axial + bending / arm_) / std::max(force_scale, tiny),
                                       bending / std::max(moment_scale, tiny));
  if (motion_ != nullptr)
    balance.floor = std::max(balance.floor, kRoundOff * inertia_size_ / std::max(force_scale, tiny));
  slide_pull_ = 0;
  balance.finite = std::isfinite(balance.residual) && std::isfinite(balance.elastic) &&
                   std::isfinite(balance.potential) && std::isfinite(balance.constraint);
}

}  // namespace filum::kirchhoff
