// Holds that slide, and those that leave axes of the free body free that carries them (carried_grip.hpp).
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::discrete {

// The grip meets its body, and the rod's nodes meet the body's turn.
void RodSystem::connect_carried(int index, math::BlockGraph& graph) const {
  const Slider& slider = model_.sliders[at(index)];
  if (!slider.carried()) return;
  const FreeBody& body = model_.bodies[at(slider.body)];
  graph.connect(slider_block_[at(index)], body.node);
  const int turn = rotor_block(body.rotor);
  if (turn < 0) return;
  graph.connect(slider_block_[at(index)], turn);
  graph.connect(body.node, turn);
  for (const int node : slider_window_[at(index)]) graph.connect(model_.rods[at(slider.rod)].first_node + node, turn);
}

namespace {

// At rest, or at the end of a step: all by the arc length there.
GripAct act_at(const GripPoint& point) {
  GripAct act;
  act.slope = act.end_slope = point.slope;
  act.slope_by_s = point.bend;
  for (int i = 0; i < point.support.count; ++i)
    act.add({point.support.node[at(i)], point.weight.value[at(i)], point.weight.value[at(i)], point.weight.slope[at(i)],
             point.weight.slope[at(i)]});
  return act;
}

// Over a step that keeps energy: the point goes from p₀(s₀) to p₁(s₁). Half of the force acts at either arc length, and
// it stands square to the mean of what lies between the two on the rod's curve at both ends: so its work is
// F·(p₁(s₁) − p₀(s₀)), that on the body with the sign reversed.
GripAct act_between(const GripPoint& start, const GripPoint& end, const GripPoint& start_at_end,
                    const GripPoint& end_at_start, double slid, double least) {
  GripAct act;
  act.end_slope = end.slope;
  const bool far = std::abs(slid) > least;
  if (far) {
    // from places of one curve alone: bodies drop out
    act.slope =
        0.5 / slid * ((start_at_end.place.apart - start.place.apart) + (end.place.apart - end_at_start.place.apart));
    act.slope_by_s = (0.5 * (start_at_end.slope + end.slope) - act.slope) / slid;
  } else {
    act.slope = 0.5 * (start_at_end.slope + end.slope);
    act.slope_by_s = 0.25 * (start_at_end.bend + end.bend);
  }
  for (int i = 0; i < end.support.count; ++i) {
    const double value = end.weight.value[at(i)], slope = end.weight.slope[at(i)];
    act.add({end.support.node[at(i)], value, 0.5 * value, 0.5 * slope, 0.5 * (far ? value / slid : slope)});
  }
  for (int i = 0; i < start.support.count; ++i) {
    const double value = start.weight.value[at(i)];
    act.add({start.support.node[at(i)], 0, 0.5 * value, 0, far ? -0.5 * value / slid : 0});
  }
  return act;
}

}  // namespace

// By which a grip acts on its rod, and the rod on it.
GripAct RodSystem::grip_act(int index, const RodState& state, const Targets& targets, const GripPoint& end,
                            CarriedGrip& grip) const {
  const Slider& slider = model_.sliders[at(index)];
  const Vec3 arm = slider.carried() ? slider.arm : slider_target(slider, targets);
  const Vec3& lambda = state.slide_force[at(index)];
  if (!conserving()) {
    grip = carried_grip(end.place, arm, lambda);
    return act_at(end);
  }
  constexpr double kHardly = 1e-7;  // of the rod's length
  const double before = motion_->start_slide[at(index)], now = state.slide[at(index)];
  const auto at_start = [&](double s) {
    return grip_point(model_, index, s, motion_->start_position, motion_->start_rotor);
  };
  const GripPoint start = at_start(before);
  grip = carried_grip(start.place, end.place, arm, lambda);
  return act_between(start, end, at_start(now), grip_point(model_, index, before, state.position, state.rotor),
                     slide_way(model_, slider, before, now), kHardly * model_.rods[at(slider.rod)].mesh.length);
}

// The grips of sliding holds, each on a point whose arc length is free.
void RodSystem::add_sliders(const RodState& state, const Targets& targets, Balance& balance) {
  for (int k = 0; k < static_cast<int>(model_.sliders.size()); ++k) add_grip(k, state, targets, balance);
}

void RodSystem::add_grip(int index, const RodState& state, const Targets& targets, Balance& balance) {
  const Slider& slider = model_.sliders[at(index)];
  const GripPoint end = grip_point(model_, index, state.slide[at(index)], state.position, state.rotor);
  CarriedGrip grip;
  const GripAct act = grip_act(index, state, targets, end, grip);
  for (int axis = 0; axis < 3; ++axis)
    if (!slider.fixed[at(axis)]) grip.gap[axis] = 0;
  balance.constraint = std::max(balance.constraint, grip.gap.norm() / model_.size);

  // on the rod, and back on the body
  const int first_node = model_.rods[at(slider.rod)].first_node;
  const auto push = [&](int node, double share) {
    node_force_[at(node)] += share * grip.force;
    node_force_sum_[at(node)] += std::abs(share) * grip.force.norm();
  };
  for (const GripAct::Node& node : act.list()) push(first_node + node.node, node.force);
  if (slider.carried()) {
    const FreeBody& body = model_.bodies[at(slider.body)];
    push(body.node, -1);
    rotor_moment_[at(body.rotor)] += grip.moment;
  }

  // the gap, and what drives the rod through the grip
  const bool stays = !slider.slides || state.slide_stop[at(index)] != 0;
  const SliderFriction friction = slider_friction(model_, index, state);
  const double pull = grip.force.dot(act.slope) + friction.force;
  const int row = tangent_.rows_before(slider_block_[at(index)]);
  for (int axis = 0; axis < 3; ++axis) step_[at(row + axis)] = -stiffness_scale_ * grip.gap[axis];
  step_[at(row + 3)] = stays ? 0 : -pull;
  balance.potential += friction.energy;
  stop_pull_[at(index)] = pull;
  if (!stays) largest_.slide_pull = std::max(largest_.slide_pull, std::abs(pull));
  if (want_tangent_) add_grip_tangent(index, act, grip, stays ? nullptr : &friction);
}

// `slides`: the friction of one that does; null: its arc length is kept.
void RodSystem::add_grip_tangent(int index, const GripAct& act, const CarriedGrip& grip, const SliderFriction* slides) {
  using Mat34 = Eigen::Matrix<double, 3, 4>;
  using Mat43 = Eigen::Matrix<double, 4, 3>;
  const Slider& slider = model_.sliders[at(index)];
  const FreeBody* body = slider.carried() ? &model_.bodies[at(slider.body)] : nullptr;
  const int first_node = model_.rods[at(slider.rod)].first_node;
  const int block = slider_block_[at(index)];
  const int turn = body != nullptr ? rotor_block(body->rotor) : -1;
  Mat3 held = Mat3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    if (slider.fixed[at(axis)]) held(axis, axis) = stiffness_scale_;
  const Mat3 by_lambda = grip.force_by_lambda * held;
  const Mat3 gap_by_point = grip.gap_by_point.transpose() * held;

  // nodes with the multiplier and the arc length, and with the body's turn
  const auto couple = [&](int row, const GripAct::Node& node) {
    Mat34 forth, back;
    forth << node.force * by_lambda, (slides != nullptr ? node.force_by_s : 0) * grip.force;
    back << node.gap * gap_by_point, (slides != nullptr ? node.pull : 0) * grip.force;
    tangent_.add_both(row, block, forth, Mat43(back.transpose()));
    if (turn >= 0)
      tangent_.add_both(row, turn, Mat3(node.force / arm_ * grip.force_by_turn),
                        Mat3(node.gap / arm_ * grip.moment_by_point));
  };
  for (const GripAct::Node& node : act.list()) couple(first_node + node.node, node);
  if (body != nullptr) couple(body->node, {0, -1, -1, 0, 0});

  // the turn with the multiplier and the arc length, and with itself
  const bool moves = slides != nullptr;
  if (turn >= 0) {
    const Vec3 by_s = moves ? Vec3(grip.moment_by_point * act.end_slope) : Vec3(Vec3::Zero());
    const Vec3 pull = moves ? Vec3(grip.force_by_turn.transpose() * act.slope) : Vec3(Vec3::Zero());
    Mat34 forth, back;
    forth << grip.moment_by_lambda * held, by_s;
    back << grip.gap_by_turn.transpose() * held, pull;
    tangent_.add_both(turn, block, Mat34(forth / arm_), Mat43(back.transpose() / arm_));
    tangent_.add_diagonal(tangent_.pair(turn, turn), Mat3(grip.moment_by_turn / (arm_ * arm_)));
  }

  // the grip with itself
  rod::Mat4 own = rod::Mat4::Zero();
  if (moves) {
    own.topRightCorner<3, 1>() = held * (grip.gap_by_point * act.end_slope);
    own.bottomLeftCorner<1, 3>() = act.slope.transpose() * by_lambda;
  }
  for (int axis = 0; axis < 3; ++axis)
    if (!slider.fixed[at(axis)]) own(axis, axis) = stiffness_scale_;
  own(3, 3) =
      moves ? grip.force.dot(act.slope_by_s) + slider_keep(model_, slider) + slides->stiffness : stiffness_scale_;
  tangent_.add_diagonal(tangent_.pair(block, block), own);
}

}  // namespace filum::discrete
