// Inertia, and forces averaged over a step, in the balance of spline rods.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "math/rotation.hpp"
#include "rod/bending_average.hpp"
#include "rod/edge.hpp"
#include "rod/spline_strain.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

void System::set_motion(const SplineMotion* motion) {
  motion_ = motion;
  turn_.assign(model_.curve.size() - model_.nodes.bodies.size(), 0);
  end_twist_.resize(model_.segments.size());
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

// The end of the step whose middle the state is, and the twist there.
void System::look_ahead(const SplineState& state) {
  end_control_.resize(state.control.size());
  end_leg_.resize(state.leg.size());
  for (std::size_t i = 0; i < state.control.size(); ++i) {
    end_control_[i] = 2 * state.control[i] - motion_->control[i];
    end_leg_[i] = 2 * state.leg[i] - motion_->leg[i];
  }
  for (std::size_t k = 0; k < model_.segments.size(); ++k) {
    const Segment& segment = model_.segments[k];
    end_twist_[k] = motion_->twist[k] + turn_[at(segment.node[1])] - turn_[at(segment.node[0])];
    for (int g = 0; g < kBendPoints; ++g) {
      const BendPoint& point = model_.bends[kBendPoints * k + at(g)];
      end_twist_[k] += point.weight * rod::carried_twist(leg_sum(motion_->leg, segment.first, point.slope),
                                                         leg_sum(motion_->leg, segment.first, point.bend),
                                                         leg_sum(end_leg_, segment.first, point.slope),
                                                         leg_sum(end_leg_, segment.first, point.bend));
    }
  }
}

// Bending by its discrete gradient, tension averaged, the mean torque on the curve of mid-step, and twist in balance at
// the step's end. With r′ × r″/|r′|³ = b, a motion δr′ twists the segment by Σ w b·δr′.
void System::add_averaged_segment(const SplineState& state, int index, Want want, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  Element element = empty_element(state.length_factor[at(segment.rod)]);
  const double length = element.length_factor * segment.width;
  const double stiffness = segment.stiffness.GJ / length;
  const double rest = element.length_factor * segment.rest_twist;
  const double end_torque = stiffness * (end_twist_[at(index)] - rest);
  element.torque = 0.5 * (stiffness * (motion_->twist[at(index)] - rest) + end_torque);
  balance.elastic += 0.5 * end_torque * (end_twist_[at(index)] - rest);
  Vec16 lever = Vec16::Zero();  // of the mean torque on the curve
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const double K = 0.5 * segment.stiffness.EI[0] * point.weight / (element.length_factor * point.rest_speed);
    const Vec3 v = leg_sum(state.leg, segment.first, point.slope);
    const Vec3 a = leg_sum(state.leg, segment.first, point.bend);
    const rod::BendingAverage bending = rod::bending_average(leg_sum(motion_->leg, segment.first, point.slope),
                                                             leg_sum(motion_->leg, segment.first, point.bend), v, a, K);
    balance.elastic += bending.energy;
    moment_sum_ = std::max(moment_sum_, bending.on_a.norm() / point.weight);
    const double per_cube = 1 / (v.squaredNorm() * v.norm());
    const Vec3 twisting = point.weight * per_cube * v.cross(a);
    const Vec3 end_v = leg_sum(end_leg_, segment.first, point.slope);
    const Vec3 end_a = leg_sum(end_leg_, segment.first, point.bend);
    const Vec3 end_twisting = 2 * point.weight / (end_v.squaredNorm() * end_v.norm()) * end_v.cross(end_a);
    const std::array<double, 4> slope = rod::on_points(point.slope);
    const std::array<double, 4> bend = rod::on_points(point.bend);
    for (int p = 0; p < 4; ++p) {
      element.force.segment<3>(4 * p) += slope[at(p)] * bending.on_v + bend[at(p)] * bending.on_a;
      lever.segment<3>(4 * p) += slope[at(p)] * twisting;
      element.twist.segment<3>(4 * p) += slope[at(p)] * end_twisting;
    }
    if (!want_tangent_) continue;
    const double torque = element.torque * point.weight * per_cube;
    const Mat3 vv = bending.vv - torque * (math::skew(a) + 3 / v.squaredNorm() * v.cross(a) * v.transpose());
    const Mat3 va = bending.va + torque * math::skew(v);
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q)
        element.stiffness.block<3, 3>(4 * p, 4 * q) +=
            slope[at(p)] * (slope[at(q)] * vv + bend[at(q)] * va) +
            bend[at(p)] * (slope[at(q)] * bending.av + bend[at(q)] * bending.aa);
  }
  element.force += element.torque * lever;
  Vec16 ends = Vec16::Zero();
  ends[4 * segment.turner[0] + 3] = -1 / arm_;
  ends[4 * segment.turner[1] + 3] = 1 / arm_;
  element.force += end_torque * ends;
  moment_sum_ = std::max(moment_sum_, std::abs(end_torque));
  if (want_tangent_) element.stiffness += stiffness * (ends + 0.5 * lever) * (ends + element.twist).transpose();
  for (int p = 0; p < 4; ++p) force_sum_[at(segment.first + p)] += element.force.segment<3>(4 * p).norm();
  add_averaged_stretch(state, index, want, element, balance);
  add_inertia(state, segment, element);
  scatter(segment, index, element);
}

void System::add_averaged_stretch(const SplineState& state, int index, Want want, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const double EA = segment.stiffness.EA;
  for (int g = first_stretch_[at(index)]; g < first_stretch_[at(index) + 1]; ++g) {
    const StretchPoint& point = model_.stretches[at(g)];
    const double rest_speed = element.length_factor * point.rest_speed;
    const Vec3 v = leg_sum(state.leg, segment.first, point.slope);
    // the unknown is the middle of the step
    const rod::AxialStart& start = motion_->stretch[at(g)];
    const rod::AxialAverage mean =
        rod::axial_average<double>(start, 2 * v - start.edge, {rest_speed, EA, 0, motion_->chi, motion_->step});
    axial_[at(g)] = mean.force;
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
    const double acting = want == Want::TrueTangent ? mean.force : state.tension[at(g)];
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
    const double from = turn_[at(segment.node[0])];
    const double to = turn_[at(segment.node[1])];
    for (int g = 0; g < kBendPoints; ++g) {
      const std::size_t index = kBendPoints * k + at(g);
      const BendPoint& point = model_.bends[index];
      state.bend_frame[index] = rod::carried_frame(
          state.bend_frame[index], leg_sum(state.leg, segment.first, point.slope), from + point.share * (to - from));
    }
  }
  for (std::size_t node = 0; node < state.node_frame.size(); ++node) {
    const NodeCurve& curve = model_.curve[node];
    state.node_frame[node] =
        rod::carried_frame(state.node_frame[node], leg_sum(state.leg, curve.first, curve.slope), turn_[node]);
  }
}

}  // namespace filum::spline
