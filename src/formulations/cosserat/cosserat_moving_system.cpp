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

MovingSystem::MovingSystem(const discrete::ModelData& model) : model_(model) {
  double bending = 0;
  double whole = 0;
  for (const discrete::Joint& joint : model.joints) {
    bending = std::max(bending, joint.elasticity.stiffness.head<2>().maxCoeff() * joint.length);
    stiffest_ = std::max(stiffest_, joint.elasticity.stiffness.maxCoeff());
  }
  for (const discrete::Edge& edge : model.edges) {
    whole += edge.rest_length;
    axial_ = std::max(axial_, edge.axial_stiffness);
  }
  segment_ = whole / static_cast<double>(model.edges.size());
  // a lone segment on a pin has no joint: its weight gives a measure
  if (bending == 0)
    for (const discrete::Edge& edge : model.edges)
      bending = std::max(bending, edge.mass * model.scene.gravity.norm() * edge.rest_length * model.size);
  moment_unit_ = bending > 0 ? bending / model.size : 1;
  force_unit_ = moment_unit_ / model.size;
  strain_.resize(model.joints.size());
  segments_.resize(model.edges.size());
  segment_force_.resize(model.edges.size());
  axial_force_.resize(model.edges.size());
  strain_rate_.resize(model.edges.size());
  node_force_.resize(at(model.nodes));
  rotor_moment_.resize(model.rotors.size());
  slide_pull_.resize(model.sliders.size());
  std::vector<double> drawn;
  for (const discrete::Slider& slider : model.sliders) drawn.push_back(drawn_slide(model, slider));
  lay_out(drawn);
}

void MovingSystem::lay_out(const std::vector<double>& slide) {
  math::BlockGraph graph;
  edge_block_.clear();
  rotor_block_.clear();
  tie_offset_.clear();
  // sizes: a segment's rotation and force, the positions of nodes, the forces of the ties whose slaves they are
  std::vector<int> ties(at(model_.nodes), 0);
  for (const discrete::Tie& tie : model_.ties) tie_offset_.push_back(3 + 3 * ties[at(tie.slave)]++);
  node_block_.assign(at(model_.nodes), -1);
  node_offset_.assign(at(model_.nodes), 0);
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const discrete::Edge& edge = model_.edges[j];
    if (node_block_[at(edge.a)] < 0 && !model_.rods[at(edge.rod)].mesh.closed)
      node_block_[at(edge.a)] = graph.add_block(3 + 3 * ties[at(edge.a)]);
    edge_block_.push_back(graph.add_block(9 + 3 * ties[at(edge.b)]));
    node_block_[at(edge.b)] = edge_block_.back();
    node_offset_[at(edge.b)] = 6;
  }
  for (int node = 0; node < model_.nodes; ++node)
    if (node_block_[at(node)] < 0) node_block_[at(node)] = graph.add_block(3 + 3 * ties[at(node)]);
  for (const discrete::Rotor& rotor : model_.rotors) {
    const bool held = rotor.fixed[0] && rotor.fixed[1] && rotor.fixed[2];
    rotor_block_.push_back(held ? -1 : graph.add_block(3));
  }
  for (std::size_t k = 0; k < model_.ties.size(); ++k) tie_offset_[k] += node_offset_[at(model_.ties[k].slave)];
  connect(graph);
  connect_sliders(graph, slide);
  const bool midpoint = model_.scene.simulation.integrator == Integrator::EnergyMomentum;
  const bool symmetric = model_.conservative && model_.bodies.empty() && !midpoint;
  tangent_.analyse(graph, math::minimum_degree_order(graph), symmetric);
  step_.assign(at(graph.rows()), 0);
  mark_rows();
}

int MovingSystem::block_of(const discrete::Side& side) const {
  return side.is_edge() ? edge_block_[at(side.edge)] : rotor_block_[at(model_.sections[at(side.section)].rotor)];
}

void MovingSystem::connect(math::BlockGraph& graph) const {
  const auto join = [&](int a, int b) {
    if (a >= 0 && b >= 0 && a != b) graph.connect(a, b);
  };
  for (std::size_t j = 0; j < model_.edges.size(); ++j) join(edge_block_[j], node_block_[at(model_.edges[j].a)]);
  for (const discrete::Joint& joint : model_.joints) join(block_of(joint.left), block_of(joint.right));
  for (const discrete::Tie& tie : model_.ties) {
    join(node_block_[at(tie.slave)], node_block_[at(tie.master)]);
    join(node_block_[at(tie.slave)], rotor_block_[at(tie.rotor)]);
  }
  for (const discrete::PointLoad& load : model_.forces)
    if (load.follow) join(node_block_[at(load.node)], rotor_block_[at(load.rotor)]);
}

// A sliding hold may wander some nodes either way before the pattern is made anew.
void MovingSystem::connect_sliders(math::BlockGraph& graph, const std::vector<double>& slide) {
  constexpr int kWindow = 8;
  slider_block_.clear();
  slider_window_.assign(slide.size(), {});
  for (std::size_t k = 0; k < slide.size(); ++k) {
    slider_block_.push_back(graph.add_block(4));
    const discrete::RodRange& range = model_.rods[at(model_.sliders[k].rod)];
    const int nodes = range.mesh.nodes();
    const int first = discrete::slider_support(range.mesh, slide[k]).node[0];
    for (int i = first - kWindow; i <= first + 3 + kWindow; ++i) {
      const int node = range.mesh.closed ? ((i % nodes) + nodes) % nodes : i;
      if (node < 0 || node >= nodes) continue;
      slider_window_[k].push_back(node);
      graph.connect(slider_block_[k], node_block_[at(range.first_node + node)]);
    }
  }
}

void MovingSystem::track_sliders(const RodState& state) {
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const discrete::SliderSupport support =
        discrete::slider_support(model_.rods[at(model_.sliders[k].rod)].mesh, state.slide[k]);
    const std::vector<int>& window = slider_window_[k];
    for (int i = 0; i < support.count; ++i)
      if (std::find(window.begin(), window.end(), support.node[at(i)]) == window.end()) return lay_out(state.slide);
  }
}

void MovingSystem::mark_rows() {
  held_.assign(step_.size(), 0);
  for (int node = 0; node < model_.nodes; ++node)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (model_.position_hold[at(node)][axis] >= 0)
        held_[at(tangent_.rows_before(node_block_[at(node)]) + node_offset_[at(node)]) + axis] = 1;
  for (std::size_t r = 0; r < model_.rotors.size(); ++r)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (rotor_block_[r] >= 0 && model_.rotors[r].fixed[axis])
        held_[at(tangent_.rows_before(rotor_block_[r])) + axis] = 1;
  for (std::size_t k = 0; k < model_.sliders.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!model_.sliders[k].fixed[axis]) held_[at(tangent_.rows_before(slider_block_[k])) + axis] = 1;
  tangent_.hold_rows(held_);
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

void MovingSystem::add_to(int row, const Vec3& value) {
  for (int i = 0; i < 3; ++i) step_[at(row + i)] += value[i];
}

Vec3 MovingSystem::step_at(int row) const {
  return {step_[at(row)], step_[at(row + 1)], step_[at(row + 2)]};
}

StepBalance MovingSystem::evaluate(RodState& state, const Targets& targets, const discrete::Motion& motion,
                                   bool want_tangent) {
  motion_ = &motion;
  want_tangent_ = want_tangent;
  track_sliders(state);
  if (want_tangent_) tangent_.set_zero();
  std::fill(step_.begin(), step_.end(), 0.0);
  for (Vec3& m : rotor_moment_) m.setZero();
  moment_scale_ = force_scale_ = inertia_ = gap_ = late_ = 0;
  add_loads(state, targets);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) add_joint(state, static_cast<int>(k));
  for (std::size_t j = 0; j < model_.edges.size(); ++j) add_segment(state, static_cast<int>(j));
  add_ties(state);
  add_sliders(state, targets);
  add_torques(state, targets);
  add_bodies(state);
  return measure(state);
}

// Moments on its two sides and, if wanted, its stiffness.
void MovingSystem::add_joint(RodState& state, int index) {
  const discrete::Joint& joint = model_.joints[at(index)];
  rod::JointStrain& strain = strain_[at(index)];
  strain = rod::joint_strain(side_frame(model_, state, joint.left, joint.offset),
                             side_frame(model_, state, joint.right, 0), state.twist[at(index)]);
  state.twist[at(index)] = strain.twist;
  const rod::JointElasticity elasticity = joint_elasticity(model_, state, motion_, index);
  const Vec3 components = rod::joint_moment_components(strain, elasticity);
  const Vec3 moment = rod::joint_moment(strain, components);
  moment_scale_ = std::max(moment_scale_, moment.norm());
  const auto add_moment = [&](const discrete::Side& side, double sign) {
    if (side.is_edge())
      add_to(tangent_.rows_before(edge_block_[at(side.edge)]), sign * moment);
    else
      rotor_moment_[at(model_.sections[at(side.section)].rotor)] += sign * moment;
  };
  add_moment(joint.left, -1);
  add_moment(joint.right, 1);
  if (!want_tangent_) return;

  const Mat3 c = rod::joint_stiffness(strain, elasticity, components) / moment_unit_;
  const int left = block_of(joint.left);
  const int right = block_of(joint.right);
  if (left >= 0) tangent_.add_diagonal(tangent_.pair(left, left), c);
  if (right >= 0) tangent_.add_diagonal(tangent_.pair(right, right), c);
  const Mat3 coupling = -c + 0.5 / moment_unit_ * math::skew(moment);
  if (left >= 0 && right >= 0) scatter(left, 0, right, 0, coupling, coupling.transpose());
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
  add_to(row, segment.settled_moment() + spin * segment.direction);
  add_to(row + kForce, moment_unit_ / model_.size * (chord - segment.settled_way()));
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
    add_to(tangent_.rows_before(block) + row, moment_unit_ / model_.size * gap);
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
    add_to(row, moment_unit_ / model_.size * grip.gap);
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

// Generalised force in exponential coordinates: T + ½ T × w of a dead torque, T − ½ T × w of one that follows.
void MovingSystem::add_torques(const RodState& state, const Targets& targets) {
  for (const discrete::PointLoad& load : model_.torques) {
    Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
    if (load.follow) torque = state.rotor[at(load.rotor)] * torque;
    rotor_moment_[at(load.rotor)] -= torque;
    moment_scale_ = std::max(moment_scale_, torque.norm());
    const double half = load.follow ? 0.5 : -0.5;
    if (const int block = rotor_block_[at(load.rotor)]; want_tangent_ && block >= 0)
      tangent_.add_diagonal(tangent_.pair(block, block), Mat3(half / moment_unit_ * math::skew(torque)));
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
  for (const int block : edge_block_) moment = std::max(moment, step_at(tangent_.rows_before(block)).norm());
  for (int node = 0; node < model_.nodes; ++node) {
    const int row = tangent_.rows_before(node_block_[at(node)]) + node_offset_[at(node)];
    add_to(row, model_.size * node_force_[at(node)]);
    for (int axis = 0; axis < 3; ++axis)
      if (held_[at(row + axis)] == 0) force = std::max(force, std::abs(node_force_[at(node)][axis]));
  }
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_block_[r] < 0) continue;
    const int row = tangent_.rows_before(rotor_block_[r]);
    add_to(row, rotor_moment_[r]);
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
  return std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); });
}

double MovingSystem::largest_rotation() const {
  double largest = 0;
  for (const int block : edge_block_) largest = std::max(largest, step_at(tangent_.rows_before(block)).norm());
  for (const int block : rotor_block_)
    if (block >= 0) largest = std::max(largest, step_at(tangent_.rows_before(block)).norm());
  return largest;
}

void MovingSystem::advance(RodState& state, double factor) const {
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const int row = tangent_.rows_before(edge_block_[j]);
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
    if (rotor_block_[r] >= 0)
      state.rotor[r] = math::exp_so3(factor * step_at(tangent_.rows_before(rotor_block_[r]))) * state.rotor[r];
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
