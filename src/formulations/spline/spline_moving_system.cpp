// Inertia, and forces averaged over a step, in the balance of spline rods.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "rod/bending_average.hpp"
#include "rod/bending_step.hpp"
#include "rod/carried_twist.hpp"
#include "rod/edge.hpp"
#include "rod/edge_spin.hpp"
#include "rod/spline_strain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::spline {

namespace {

// x_g b_h − ∫ up to x_g of the parabola that is 1 at Gauss point h and 0 at the others, b_h its whole integral: of a
// segment of length 1. Collocation at Gauss points.
const double kRoot = std::sqrt(15.0);
const std::array<std::array<double, 3>, 3> kUneven = [] {
  const std::array<double, 3> share{0.5 - kRoot / 10, 0.5, 0.5 + kRoot / 10};
  const std::array<double, 3> whole{5.0 / 18, 4.0 / 9, 5.0 / 18};
  const std::array<std::array<double, 3>, 3> part{{{5.0 / 36, 2.0 / 9 - kRoot / 15, 5.0 / 36 - kRoot / 30},
                                                   {5.0 / 36 + kRoot / 24, 2.0 / 9, 5.0 / 36 - kRoot / 24},
                                                   {5.0 / 36 + kRoot / 30, 2.0 / 9 + kRoot / 15, 5.0 / 36}}};
  std::array<std::array<double, 3>, 3> uneven{};
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t h = 0; h < 3; ++h) uneven[g][h] = share[g] * whole[h] - part[g][h];
  return uneven;
}();

}  // namespace

void System::set_motion(const SplineMotion* motion) {
  motion_ = motion;
  turn_.assign(model_.curve.size() - model_.nodes.bodies.size(), 0);
  spin_.resize(turn_.size());
  // free flight, but for what is gripped
  for (std::size_t node = 0; averages() && node < turn_.size(); ++node)
    if (model_.curve[node].section < 0) turn_[node] = 2 * std::atan(0.5 * motion->step * motion->node_spin[node]);
  end_twist_.resize(model_.segments.size());
  bend_turn_.resize(model_.bends.size());
  bend_start_.assign(averages() ? model_.bends.size() : 0, {});
}

// What a bend point that bends on its directors has at the start of the step: found once.
const System::BendStart& System::bend_start(const SplineState& state, int point, const rod::BendPlace& start,
                                            double rest_speed) {
  BendStart& known = bend_start_[at(point)];
  if (std::exchange(known.known, true)) return known;
  known.excess = rod::spline_strain(start.v, start.a, start.frame, rest_speed).curvature - model_.bends[at(point)].rest;
  if (model_.segments[at(point / kBendPoints)].law < 0) return known;
  const Site site = bend_site(model_, state, point, known.excess);
  known.relief = rod::kept_relief(site.joint, state.plastic.at(site.memory)).head<2>();
  return known;
}

// The consistent mass is constant: c M (x − x̂), and Rayleigh's α M v.
void System::add_inertia(const SplineState& state, const Segment& segment, Element& element) {
  const double drag = motion_->drag[at(segment.rod)] * motion_->rate;
  for (int q = 0; q < 4; ++q) {
    const Vec3& x = state.control[at(segment.first + q)];
    const Vec3 pull = motion_->inertia * (x - motion_->reference[at(segment.first + q)]) +
                      drag * (x - motion_->control[at(segment.first + q)]);
    for (int p = 0; p < 4; ++p) {
      const double mass = segment.mass[at(p)][at(q)];
      element.force.segment<3>(4 * p) += mass * pull;
      force_sum_[at(segment.first + p)] += mass * pull.norm();
      inertia_ = std::max(inertia_, motion_->inertia * mass * x.norm());
      if (want_tangent_)
        element.stiffness.block<3, 3>(4 * p, 4 * q).diagonal().array() += (motion_->inertia + drag) * mass;
    }
  }
}

// The end of the step whose middle the state is, and what the nodes' spins ask for.
void System::look_ahead(const SplineState& state) {
  end_control_.resize(state.control.size());
  end_leg_.resize(state.leg.size());
  for (std::size_t i = 0; i < state.control.size(); ++i) {
    end_control_[i] = 2 * state.control[i] - motion_->control[i];
    end_leg_[i] = 2 * state.leg[i] - motion_->leg[i];
  }
  for (std::size_t node = 0; node < turn_.size(); ++node) turn_node(state, static_cast<int>(node));
}

// Inertia about the tangent: the force and torque on (r′, angle) of a node, and their derivatives by the step's end.
void System::turn_node(const SplineState& state, int node) {
  const NodeCurve& curve = model_.curve[at(node)];
  const double inertia = curve.spin_inertia;
  NodeSpin& spin = spin_[at(node)];
  const Vec3 v1 = leg_sum(end_leg_, curve.first, curve.slope);
  const double angle = turn_[at(node)];
  const rod::PlaceTurn place =
      rod::place_turn(leg_sum(motion_->leg, curve.first, curve.slope), state.node_frame[at(node)], v1,
                      rod::carried_frame(state.node_frame[at(node)], v1, angle), angle);
  const rod::EdgeSpin moment =
      rod::edge_spin<double>(place.turn, {inertia, motion_->node_spin[at(node)], motion_->step, motion_->spin_share});
  spin.carry = place.carry;
  spin.mean_tangent = place.turn.mean;
  spin.half_tan = place.turn.half_tan;
  spin.force = rod::moment_on_place(place, moment.torque);
  // what slows it by Rayleigh's α acts on 2 tan(α/2)
  const rod::TanShare share = rod::tan_share(angle);
  const double slowing = motion_->drag[at(curve.rod)] * inertia / motion_->step * 2;
  spin.force[3] += slowing * spin.half_tan * share.value;
  if (!want_tangent_) return;
  spin.tangent = rod::place_map(place) * moment.by_rotation * rod::place_rotation(place) +
                 rod::place_derivative(place, moment.torque);
  spin.tangent(3, 3) +=
      slowing * (0.5 * (1 + spin.half_tan * spin.half_tan) * share.value + spin.half_tan * share.slope);
}

// Every node's spin is added once, with the segment that begins there.
void System::add_spin(const Segment& segment, int end, Element& element) const {
  const NodeSpin& spin = spin_[at(segment.node[at(end)])];
  const std::array<double, 4> slope = rod::on_points(segment.slope[end == 0 ? 0 : 2]);
  const int angle = 4 * segment.turner[at(end)] + 3;
  for (int p = 0; p < 4; ++p) element.force.segment<3>(4 * p) += slope[at(p)] * spin.force.head<3>();
  element.force[angle] += spin.force[3] / arm_;
  if (!want_tangent_) return;
  for (int p = 0; p < 4; ++p) {
    for (int q = 0; q < 4; ++q)
      element.stiffness.block<3, 3>(4 * p, 4 * q) +=
          2 * slope[at(p)] * slope[at(q)] * spin.tangent.topLeftCorner<3, 3>();
    element.stiffness.block<3, 1>(4 * p, angle) += slope[at(p)] / arm_ * spin.tangent.topRightCorner<3, 1>();
    element.stiffness.block<1, 3>(angle, 4 * p) += 2 * slope[at(p)] / arm_ * spin.tangent.bottomLeftCorner<1, 3>();
  }
  element.stiffness(angle, angle) += spin.tangent(3, 3) / (arm_ * arm_);
}

// What carrying adds along a segment, and the turns of its bend points: its material stays evenly twisted, while what
// carrying adds is not even along it. With M(x) = ∫ m du up to the share x of the segment, α0 and α1 the turns of its nodes,
//
//     α(x) = α0 + x (α1 − α0) + x M(1) − M(x),      M by the parabola through the values at the Gauss points.
void System::turn_segment(int index) {
  const Segment& segment = model_.segments[at(index)];
  const std::array<double, 2> turn{turn_[at(segment.node[0])], turn_[at(segment.node[1])]};
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    twisting_.carried[at(g)] = rod::carried_twist_step(
        leg_sum(motion_->leg, segment.first, point.slope), leg_sum(motion_->leg, segment.first, point.bend),
        leg_sum(end_leg_, segment.first, point.slope), leg_sum(end_leg_, segment.first, point.bend));
    twisting_.torque[at(g)] = 0;
    if (want_tangent_) twisting_.gradient[at(g)] = carried_gradient(index, g);
  }
  for (int g = 0; g < kBendPoints; ++g) {
    const double share = model_.bends[at(kBendPoints * index + g)].share;
    double angle = turn[0] + share * (turn[1] - turn[0]);
    for (int h = 0; h < kBendPoints; ++h)
      angle += segment.width * kUneven[at(g)][at(h)] * twisting_.carried[at(h)].value;
    bend_turn_[at(kBendPoints * index + g)] = angle;
  }
}

// The derivative of what carrying adds at a bend point, by the middle of the step.
System::Vec16 System::carried_gradient(int index, int g) const {
  const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
  const rod::CarriedTwist& carried = twisting_.carried[at(g)];
  const std::array<double, 4> slope = rod::on_points(point.slope);
  const std::array<double, 4> bend = rod::on_points(point.bend);
  Vec16 gradient = Vec16::Zero();
  for (int p = 0; p < 4; ++p)
    gradient.segment<3>(4 * p) = 2 * (slope[at(p)] * carried.value_by_v + bend[at(p)] * carried.value_by_a);
  return gradient;
}

// What yield takes from the mean moment of a step: the mean of what its memory takes at the start, and what it takes after
// the return at the end (rod/plastic_joint.hpp). The site has the strain at the end.
System::MeanYield System::mean_yield(const Site& site, const SplineState& state, bool may) const {
  const rod::JointYield end = site_yield(site, state, may && yield_ != Yield::Off);
  MeanYield mean;
  mean.relief = 0.5 * (rod::kept_relief(site.joint, state.plastic.at(site.memory)) + end.relief);
  if (yield_ == Yield::On) mean.softening = 0.5 * end.softening;
  mean.energy = end.energy;
  return mean;
}

// The twist at the step's end, and its mean torque on the angles and, through what carrying adds, on the curve; and what the
// torques on the turns of the bend points are on the curve.
void System::add_averaged_twist(const SplineState& state, int index, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const double stiffness = segment.stiffness.GJ / (element.length_factor * segment.width);
  const double rest = element.length_factor * segment.rest_twist;
  Vec16 lever = Vec16::Zero();
  Vec16 gradient = Vec16::Zero();  // of the twist, by the middle of the step
  double twist = motion_->twist[at(index)] + turn_[at(segment.node[1])] - turn_[at(segment.node[0])];
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const rod::CarriedTwist& carried = twisting_.carried[at(g)];
    twist += point.weight * carried.value;
    const std::array<double, 4> slope = rod::on_points(point.slope);
    for (int p = 0; p < 4; ++p) lever.segment<3>(4 * p) += point.weight * slope[at(p)] * carried.lever;
    if (want_tangent_) gradient += point.weight * twisting_.gradient[at(g)];
  }
  for (int end = 0; end < 2; ++end)
    lever[4 * segment.turner[at(end)] + 3] = gradient[4 * segment.turner[at(end)] + 3] = (end == 0 ? -1 : 1) / arm_;
  end_twist_[at(index)] = twist;
  double before = motion_->twist[at(index)];
  if (segment.lay != 0) {
    const auto [start, end] = unlaid_over_step(segment, element.length_factor, lever, gradient);
    before += start;
    twist += end;
  }
  double torque = stiffness * (0.5 * (before + twist) - rest);
  double slope_of_torque = 0.5 * stiffness;
  element.torque = torque;
  if (want_tangent_ && segment.lay != 0) laid_slope_[at(index)] = segment.lay * slope_of_torque * gradient;
  balance.elastic += 0.5 * stiffness * (twist - rest) * (twist - rest);
  if (segment.law >= 0 && !twist_rests(model_, state, index, twist - rest)) {
    const MeanYield yield = mean_yield(twist_site(model_, state, index, twist - rest), state, true);
    torque -= yield.relief[2];
    slope_of_torque -= yield.softening(2, 2);
    balance.elastic += yield.energy;
  }
  moment_sum_ = std::max(moment_sum_, std::abs(torque));
  element.force += torque * lever;
  if (!want_tangent_) return;
  element.stiffness += slope_of_torque * lever * gradient.transpose();
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const double part = 2 * (torque * point.weight + twisting_.torque[at(g)]);
    spread_step(point, part * twisting_.carried[at(g)].by_v, part * twisting_.carried[at(g)].by_a, element);
  }
}

// By how much its stretch unlays a segment at both ends of the step, which moves and slopes as its twist does: the mean
// torque does the work of the change on the direction in which lengths are averaged (rod/axial_average.hpp).
std::array<double, 2> System::unlaid_over_step(const Segment& segment, double length_factor, Vec16& lever,
                                               Vec16& gradient) const {
  std::array<double, 2> longer{};
  for (int g = segment.stretch[0]; g < segment.stretch[1]; ++g) {
    const StretchPoint& point = model_.stretches[at(g)];
    const rod::AxialStart& start = motion_->stretch[at(g)];
    const Vec3 end = leg_sum(end_leg_, segment.first, point.slope);
    const double speed = end.norm();
    const double lay = segment.lay * point.weight;
    longer[0] += lay * (start.length - length_factor * point.rest_speed);
    longer[1] += lay * (speed - length_factor * point.rest_speed);
    const std::array<double, 4> slope = rod::on_points(point.slope);
    for (int p = 0; p < 4; ++p) {
      lever.segment<3>(4 * p) += lay * slope[at(p)] / (start.length + speed) * (start.edge + end);
      gradient.segment<3>(4 * p) += 2 * lay * slope[at(p)] / speed * end;
    }
  }
  return longer;
}

// What acts on r′ of a bend point, by r′ and r″ of the middle of the step.
void System::spread_step(const BendPoint& point, const Mat3& vv, const Mat3& va, Element& element) {
  const std::array<double, 4> slope = rod::on_points(point.slope);
  const std::array<double, 4> bend = rod::on_points(point.bend);
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 4; ++q)
      element.stiffness.block<3, 3>(4 * p, 4 * q) += slope[at(p)] * (slope[at(q)] * vv + bend[at(q)] * va);
}

// Bending of a segment that is straight at rest and bends alike in all directions: its directors do not matter. False, and
// nothing is added: it yields, and bends by its law from now on until the step is found, so that Newton does not go to and
// fro between the two averages.
bool System::add_round_bending(const SplineState& state, int index, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const bool may_yield = segment.law >= 0 && !model_.memory.bend[at(segment.law)].bend.empty();
  if (may_yield && bend_yields_[at(index)] != 0) return false;
  std::array<rod::BendingAverage, kBendPoints> bending;
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const double rest_speed = element.length_factor * point.rest_speed;
    const double K = 0.5 * segment.stiffness.EI[0] * point.weight / rest_speed;
    bending[at(g)] = rod::bending_average(
        leg_sum(motion_->leg, segment.first, point.slope), leg_sum(motion_->leg, segment.first, point.bend),
        leg_sum(state.leg, segment.first, point.slope), leg_sum(state.leg, segment.first, point.bend), K);
    if (!may_yield) continue;
    // the energy tells how far it is bent: K (κ j)²; a little more, so that round-off decides nothing
    constexpr double kSlack = 1 + 1e-9;
    const double bent = kSlack * std::sqrt(std::max(0.0, bending[at(g)].energy / K)) / rest_speed;
    if (bend_rests(model_, state, kBendPoints * index + g, bent)) continue;
    bend_yields_[at(index)] = 1;
    return false;
  }
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const rod::BendingAverage& average = bending[at(g)];
    balance.elastic += average.energy;
    moment_sum_ = std::max(moment_sum_, average.on_a.norm() / point.weight);
    const std::array<double, 4> slope = rod::on_points(point.slope);
    const std::array<double, 4> bend = rod::on_points(point.bend);
    for (int p = 0; p < 4; ++p)
      element.force.segment<3>(4 * p) += slope[at(p)] * average.on_v + bend[at(p)] * average.on_a;
    if (!want_tangent_) continue;
    spread_step(point, average.vv, average.va, element);
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q)
        element.stiffness.block<3, 3>(4 * p, 4 * q) +=
            bend[at(p)] * (slope[at(q)] * average.av + bend[at(q)] * average.aa);
  }
  return true;
}

std::vector<char> System::bends_beyond() const {
  std::vector<char> bends = bend_yields_;
  for (std::size_t k = 0; k < bends.size(); ++k)
    if (!model_.segments[k].round) bends[k] = 1;
  return bends;
}

// Bending of any other segment, on its directors.
void System::add_averaged_bending(const SplineState& state, int index, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const Vec2& EI = segment.stiffness.EI;
  TurnProducts products;
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const double rest_speed = element.length_factor * point.rest_speed;
    const double weight = point.weight * rest_speed;
    const double angle = bend_turn_[at(kBendPoints * index + g)];
    rod::BendPlace start, end;
    start.v = leg_sum(motion_->leg, segment.first, point.slope);
    start.a = leg_sum(motion_->leg, segment.first, point.bend);
    start.frame = state.bend_frame[at(kBendPoints * index + g)];
    end.v = leg_sum(end_leg_, segment.first, point.slope);
    end.a = leg_sum(end_leg_, segment.first, point.bend);
    end.frame = rod::carried_frame(start.frame, end.v, angle);
    const BendStart& before = bend_start(state, kBendPoints * index + g, start, rest_speed);
    const Vec2 after = rod::spline_strain(end.v, end.a, end.frame, rest_speed).curvature - point.rest;
    rod::MeanMoment moment;
    moment.value = 0.5 * weight * EI.cwiseProduct(before.excess + after);
    moment.slope = Vec2(0.5 * weight * EI).asDiagonal();
    balance.elastic += 0.5 * weight * after.dot(EI.cwiseProduct(after));
    if (segment.law >= 0) {
      const rod::JointYield yield =
          site_yield(bend_site(model_, state, kBendPoints * index + g, after), state, yield_ != Yield::Off);
      moment.value -= 0.5 * weight * (before.relief + yield.relief.head<2>());
      if (yield_ == Yield::On) moment.slope -= 0.5 * weight * yield.softening.topLeftCorner<2, 2>();
      balance.elastic += weight * yield.energy;
    }
    moment_sum_ = std::max(moment_sum_, moment.value.norm() / weight);
    spread_bending_step(index, g, rod::bending_step(start, end, angle, rest_speed, moment, want_tangent_), element,
                        products);
  }
  if (want_tangent_) element.stiffness += products.left.lazyProduct(products.right.transpose());
}

// From (r′, r″, angle) of a bend point to control points and angles of nodes. The unknown is the middle of the step, the
// derivatives are by its end.
void System::spread_bending_step(int index, int g, const rod::BendingStep& bending, Element& element,
                                 TurnProducts& products) {
  const Segment& segment = model_.segments[at(index)];
  const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
  const std::array<double, 4> slope = rod::on_points(point.slope);
  const std::array<double, 4> bend = rod::on_points(point.bend);
  // the turn's lever on the unknowns, and its gradient
  Vec16 lever = Vec16::Zero();
  Vec16 gradient = Vec16::Zero();
  for (int h = 0; h < kBendPoints; ++h) {
    const double uneven = segment.width * kUneven[at(g)][at(h)];
    const std::array<double, 4> there = rod::on_points(model_.bends[at(kBendPoints * index + h)].slope);
    for (int p = 0; p < 4; ++p) lever.segment<3>(4 * p) += uneven * there[at(p)] * twisting_.carried[at(h)].lever;
    twisting_.torque[at(h)] += uneven * bending.force[6];
    if (want_tangent_) gradient += uneven * twisting_.gradient[at(h)];
  }
  for (int end = 0; end < 2; ++end) {
    const int angle = 4 * segment.turner[at(end)] + 3;
    lever[angle] = gradient[angle] = (end == 0 ? 1 - point.share : point.share) / arm_;
  }
  for (int p = 0; p < 4; ++p)
    element.force.segment<3>(4 * p) +=
        slope[at(p)] * bending.force.head<3>() + bend[at(p)] * bending.force.segment<3>(3);
  element.force += bending.force[6] * lever;
  if (!want_tangent_) return;
  const rod::Mat7& k = bending.tangent;
  Vec16 by_turn = Vec16::Zero();  // forces per turn
  Vec16 torque = k(6, 6) * gradient;
  for (int p = 0; p < 4; ++p) {
    const Eigen::Matrix<double, 3, 7> left = slope[at(p)] * k.topRows<3>() + bend[at(p)] * k.middleRows<3>(3);
    for (int q = 0; q < 4; ++q)
      element.stiffness.block<3, 3>(4 * p, 4 * q) +=
          2 * (slope[at(q)] * left.leftCols<3>() + bend[at(q)] * left.middleCols<3>(3));
    by_turn.segment<3>(4 * p) = left.col(6);
    torque.segment<3>(4 * p) +=
        2 * (slope[at(p)] * k.block<1, 3>(6, 0) + bend[at(p)] * k.block<1, 3>(6, 3)).transpose();
  }
  products.left.col(2 * g) = by_turn;
  products.left.col(2 * g + 1) = lever;
  products.right.col(2 * g) = gradient;
  products.right.col(2 * g + 1) = torque;
}

// Bending, twist and stretch, each as the mean over the step that does the work by which its energy changes.
void System::add_averaged_segment(const SplineState& state, int index, Want want, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  Element element = empty_element(state.length_factor[at(segment.rod)]);
  turn_segment(index);
  if (!segment.round || !add_round_bending(state, index, element, balance))
    add_averaged_bending(state, index, element, balance);
  add_averaged_twist(state, index, element, balance);
  add_spin(segment, 0, element);
  const RodSpline& rod = model_.rods[at(segment.rod)];
  if (!rod.knots.closed() && index + 1 == rod.first_segment + rod.knots.segments()) add_spin(segment, 1, element);
  for (int p = 0; p < 4; ++p) force_sum_[at(segment.first + p)] += element.force.segment<3>(4 * p).norm();
  add_averaged_stretch(state, index, want, element, balance);
  add_inertia(state, segment, element);
  scatter(segment, index, element);
}

double System::step_turn() const {
  double most = 0;
  for (const NodeSpin& spin : spin_)
    most = std::max(
        {most, 2 * std::atan(std::abs(spin.half_tan)), 2 * std::acos(std::min(1.0, spin.mean_tangent.norm()))});
  return most;
}

double System::end_spin(int node) const {
  const double share = motion_->spin_share;
  return (2 * spin_[at(node)].half_tan / motion_->step - (1 - share) * motion_->node_spin[at(node)]) / share;
}

void System::add_averaged_stretch(const SplineState& state, int index, Want want, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const double EA = segment.axial;
  for (int g = segment.stretch[0]; g < segment.stretch[1]; ++g) {
    const StretchPoint& point = model_.stretches[at(g)];
    const double rest_speed = element.length_factor * point.rest_speed;
    const Vec3 v = leg_sum(state.leg, segment.first, point.slope);
    // the unknown is the middle of the step
    const rod::AxialStart& start = motion_->stretch[at(g)];
    rod::AxialAverage mean =
        rod::axial_average<double>(start, 2 * v - start.edge, {rest_speed, EA, 0, motion_->chi, motion_->step});
    const bool may = segment.law >= 0 && stretch_yields_[at(g)] != 0;
    const double end = (2 * mean.mean_length - start.length) / rest_speed - 1;
    if (segment.law >= 0 && !stretch_rests(model_, state, g, may ? end : 0)) {
      const MeanYield yield = mean_yield(stretch_site(model_, state, g, end), state, may);
      mean.force -= yield.relief[2];
      mean.rate -= yield.softening(2, 2) / rest_speed;
      balance.elastic += point.weight * rest_speed * yield.energy;
    }
    // what a laid rope's torque adds acts through the twist
    axial_[at(g)] = mean.force + segment.lay * element.torque;
    axial_gradient_[at(g)] = 2 * mean.rate * mean.end_tangent;
    strain_change_[at(g)] = mean.change;
    const double strain = (2 * mean.mean_length - motion_->stretch[at(g)].length) / rest_speed - 1;
    balance.elastic += 0.5 * point.weight * rest_speed * EA * strain * strain;
    const Vec3 force = point.weight * mean.force * mean.direction;
    const std::array<double, 4> slope = rod::on_points(point.slope);
    for (int p = 0; p < 4; ++p) {
      element.force.segment<3>(4 * p) += slope[at(p)] * force;
      force_sum_[at(segment.first + p)] += std::abs(slope[at(p)]) * force.norm();
    }
    if (!want_tangent_) continue;
    const double acting = want == Want::TrueTangent ? axial_[at(g)] : state.tension[at(g)];
    const Mat3 h = 2 * point.weight * rod::axial_average_stiffness(mean, acting);
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q) element.stiffness.block<3, 3>(4 * p, 4 * q) += slope[at(p)] * slope[at(q)] * h;
  }
}

void System::advance_to_end(SplineState& state) const {
  state.control = end_control_;
  state.leg = end_leg_;
  state.twist = end_twist_;
  for (std::size_t k = 0; k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    for (int g = 0; g < kBendPoints; ++g) {
      const std::size_t index = kBendPoints * k + at(g);
      state.bend_frame[index] = rod::carried_frame(
          state.bend_frame[index], leg_sum(state.leg, segment.first, model_.bends[index].slope), bend_turn_[index]);
    }
  }
  for (std::size_t node = 0; node < state.node_frame.size(); ++node) {
    const NodeCurve& curve = model_.curve[node];
    state.node_frame[node] =
        rod::carried_frame(state.node_frame[node], leg_sum(state.leg, curve.first, curve.slope), turn_[node]);
  }
}

}  // namespace filum::spline
