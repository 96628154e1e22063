// What the segments add to the balance: bending and twist at three Gauss points, stretch at the points of its own rule.
#include "formulations/spline/spline_system.hpp"

#include "base/index.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "rod/spline_strain.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

System::Element System::empty_element(double length_factor) const {
  Element element;
  if (want_tangent_) element.stiffness.setZero();
  element.length_factor = length_factor;
  return element;
}

void System::add_segment(const SplineState& state, int index, Want want, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  Element element = empty_element(state.length_factor[at(segment.rod)]);
  // one twist per segment; at another length the rod is more or less of the same stock
  const double length = element.length_factor * segment.width;
  double strain = state.twist[at(index)] - element.length_factor * segment.rest_twist;
  if (segment.lay != 0) strain += unlaid(state.leg, segment, element);
  element.torque = segment.stiffness.GJ / length * strain;
  balance.elastic += 0.5 * element.torque * strain;
  double twist_stiffness = segment.stiffness.GJ / length;
  const double twisted = state.twist[at(index)] - element.length_factor * segment.rest_twist;
  if (segment.law >= 0 && !twist_rests(model_, state, index, twisted)) {
    const rod::JointYield yield = site_yield(twist_site(model_, state, index, twisted), state, yield_ != Yield::Off);
    element.torque -= yield.relief[2];
    balance.elastic += yield.energy;
    spent_ += yield.spent;
    if (yield_ == Yield::On) twist_stiffness -= yield.softening(2, 2);
  }
  element.twist[4 * segment.turner[0] + 3] = -1 / arm_;
  element.twist[4 * segment.turner[1] + 3] = 1 / arm_;

  add_bending(state, index, element, balance);
  if (segment.lay != 0) laid_slope_[at(index)] = segment.lay * twist_stiffness * element.twist;
  if (want_tangent_) element.stiffness += twist_stiffness * element.twist * element.twist.transpose();
  for (int end = 0; end < 2; ++end) {
    const int angle = 4 * segment.turner[at(end)] + 3;
    element.force[angle] += element.torque * element.twist[angle];
  }
  moment_sum_ = std::max(moment_sum_, std::abs(element.torque));
  for (int p = 0; p < 4; ++p) force_sum_[at(segment.first + p)] += element.force.segment<3>(4 * p).norm();
  add_stretch(state, index, want, element, balance);
  if (motion_ != nullptr) add_inertia(state, segment, element);
  scatter(segment, index, element);
}

// By how much its stretch unlays a segment; the gradient is that of its twist (rod/rope_lay.hpp). With the weights of the
// stretch points the tension of a bar is even to the last digit, whatever its torque.
double System::unlaid(const std::vector<Vec3>& leg, const Segment& segment, Element& element) const {
  double longer = 0;
  for (int g = segment.stretch[0]; g < segment.stretch[1]; ++g) {
    const StretchPoint& point = model_.stretches[at(g)];
    const Vec3 v = leg_sum(leg, segment.first, point.slope);
    const double speed = v.norm();
    longer += point.weight * (speed - element.length_factor * point.rest_speed);
    const std::array<double, 4> slope = rod::on_points(point.slope);
    for (int p = 0; p < 4; ++p)
      element.twist.segment<3>(4 * p) += segment.lay * point.weight * slope[at(p)] / speed * v;
  }
  return segment.lay * longer;
}

void System::add_bending(const SplineState& state, int index, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const Vec2& EI = segment.stiffness.EI;
  for (int g = 0; g < kBendPoints; ++g) {
    const BendPoint& point = model_.bends[at(kBendPoints * index + g)];
    const double rest_speed = element.length_factor * point.rest_speed;
    const double weight = point.weight * rest_speed;
    const Vec3 v = leg_sum(state.leg, segment.first, point.slope);
    const Vec3 a = leg_sum(state.leg, segment.first, point.bend);
    const Mat3& frame = state.bend_frame[at(kBendPoints * index + g)];
    const rod::SplineStrain strain = rod::spline_strain(v, a, frame, rest_speed);
    Vec2 moment = EI.cwiseProduct(strain.curvature - point.rest);
    balance.elastic += 0.5 * weight * moment.dot(strain.curvature - point.rest);
    Eigen::Matrix2d tangent = EI.asDiagonal();
    const Vec2 bent = strain.curvature - point.rest;
    if (segment.law >= 0 && !bend_rests(model_, state, kBendPoints * index + g, bent.norm())) {
      const Site site = bend_site(model_, state, kBendPoints * index + g, bent);
      const rod::JointYield yield = site_yield(site, state, yield_ != Yield::Off);
      moment -= yield.relief.head<2>();
      balance.elastic += weight * yield.energy;
      spent_ += weight * yield.spent;
      if (yield_ == Yield::On) tangent -= yield.softening.topLeftCorner<2, 2>();
    }
    moment_sum_ = std::max(moment_sum_, moment.norm());

    // from local axes to the world, and on to control points and angles
    const Mat3 turn = frame / strain.speed;
    const rod::Vec7 gradient =
        weight * (moment[0] * strain.by1 + moment[1] * strain.by2) + element.torque * point.weight * strain.carried;
    const Vec3 by_v = turn * gradient.head<3>();
    const Vec3 by_a = turn * gradient.segment<3>(3);
    const Vec3 carried = point.weight * (turn * strain.carried.head<3>());
    const std::array<double, 4> slope = rod::on_points(point.slope);
    const std::array<double, 4> bend = rod::on_points(point.bend);
    const std::array<double, 2> share{(1 - point.share) / arm_, point.share / arm_};
    for (int p = 0; p < 4; ++p) {
      element.force.segment<3>(4 * p) += slope[at(p)] * by_v + bend[at(p)] * by_a;
      element.twist.segment<3>(4 * p) += slope[at(p)] * carried;
    }
    for (int end = 0; end < 2; ++end) element.force[4 * segment.turner[at(end)] + 3] += share[at(end)] * gradient[6];
    if (!want_tangent_) continue;

    rod::Mat7 h =
        rod::spline_strain_hessian(strain, weight * moment[0], weight * moment[1], element.torque * point.weight);
    h.noalias() += (weight * tangent(0, 0) * strain.by1) * strain.by1.transpose();
    h.noalias() += (weight * tangent(1, 1) * strain.by2) * strain.by2.transpose();
    if (tangent(0, 1) != 0)
      h += weight * tangent(0, 1) * (strain.by1 * strain.by2.transpose() + strain.by2 * strain.by1.transpose());
    spread(segment, point, turn, h, element);
  }
  // what was gathered on one side of the diagonal alone
  if (!want_tangent_) return;
  for (int p = 0; p < 4; ++p) {
    for (int q = p + 1; q < 4; ++q)
      element.stiffness.block<3, 3>(4 * q, 4 * p) = element.stiffness.block<3, 3>(4 * p, 4 * q).transpose();
    for (int end = 0; end < 2; ++end) {
      const int angle = 4 * segment.turner[at(end)] + 3;
      element.stiffness.block<1, 3>(angle, 4 * p) = element.stiffness.block<3, 1>(4 * p, angle).transpose();
    }
  }
}

// A bend point's stiffness in local axes on the control points and angles, above the diagonal.
void System::spread(const Segment& segment, const BendPoint& point, const Mat3& turn, const rod::Mat7& h,
                    Element& element) const {
  const std::array<double, 4> slope = rod::on_points(point.slope);
  const std::array<double, 4> bend = rod::on_points(point.bend);
  const std::array<double, 2> share{(1 - point.share) / arm_, point.share / arm_};
  const Mat3 vv = turn * h.block<3, 3>(0, 0) * turn.transpose();
  const Mat3 va = turn * h.block<3, 3>(0, 3) * turn.transpose();
  const Mat3 aa = turn * h.block<3, 3>(3, 3) * turn.transpose();
  const Vec3 v_angle = turn * h.block<3, 1>(0, 6);
  const Vec3 a_angle = turn * h.block<3, 1>(3, 6);
  for (int p = 0; p < 4; ++p) {
    const Mat3 left_v = slope[at(p)] * vv + bend[at(p)] * va.transpose();
    const Mat3 left_a = slope[at(p)] * va + bend[at(p)] * aa;
    for (int q = p; q < 4; ++q)
      element.stiffness.block<3, 3>(4 * p, 4 * q) += slope[at(q)] * left_v + bend[at(q)] * left_a;
    const Vec3 by_angle = slope[at(p)] * v_angle + bend[at(p)] * a_angle;
    for (int end = 0; end < 2; ++end) {
      const int angle = 4 * segment.turner[at(end)] + 3;
      element.stiffness.block<3, 1>(4 * p, angle) += share[at(end)] * by_angle;
    }
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      element.stiffness(4 * segment.turner[at(i)] + 3, 4 * segment.turner[at(j)] + 3) +=
          share[at(i)] * share[at(j)] * h(6, 6);
}

void System::add_stretch(const SplineState& state, int index, Want want, Element& element, Balance& balance) {
  const Segment& segment = model_.segments[at(index)];
  const double EA = segment.axial;
  for (int g = segment.stretch[0]; g < segment.stretch[1]; ++g) {
    const StretchPoint& point = model_.stretches[at(g)];
    const double rest_speed = element.length_factor * point.rest_speed;
    const Vec3 v = leg_sum(state.leg, segment.first, point.slope);
    const double speed = v.norm();
    const Vec3 t = v / speed;
    const double strain = speed / rest_speed - 1;
    axial_[at(g)] = EA * strain + segment.lay * element.torque;
    balance.elastic += 0.5 * point.weight * rest_speed * EA * strain * strain;
    double axial_stiffness = EA;
    const bool may = segment.law >= 0 && yield_ != Yield::Off && stretch_yields_[at(g)] != 0;
    if (segment.law >= 0 && !stretch_rests(model_, state, g, may ? strain : 0)) {
      const rod::JointYield yield = site_yield(stretch_site(model_, state, g, strain), state, may);
      axial_[at(g)] -= yield.relief[2];
      balance.elastic += point.weight * rest_speed * yield.energy;
      spent_ += point.weight * rest_speed * yield.spent;
      if (yield_ == Yield::On) axial_stiffness -= yield.softening(2, 2);
    }
    axial_gradient_[at(g)] = axial_stiffness / rest_speed * t;
    const Vec3 force = point.weight * axial_[at(g)] * t;
    const std::array<double, 4> slope = rod::on_points(point.slope);
    for (int p = 0; p < 4; ++p) {
      element.force.segment<3>(4 * p) += slope[at(p)] * force;
      force_sum_[at(segment.first + p)] += std::abs(slope[at(p)]) * force.norm();
    }
    if (!want_tangent_) continue;
    const double across = point.weight * (want == Want::TrueTangent ? axial_[at(g)] : state.tension[at(g)]) / speed;
    Mat3 h = (point.weight * axial_stiffness / rest_speed - across) * t * t.transpose();
    h.diagonal().array() += across;
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q) element.stiffness.block<3, 3>(4 * p, 4 * q) += slope[at(p)] * slope[at(q)] * h;
  }
}

void System::scatter(const Segment& segment, int index, const Element& element) {
  const auto rows = [&](int p) { return p == segment.turner[0] || p == segment.turner[1] ? 4 : 3; };
  for (int p = 0; p < 4; ++p)
    for (int i = 0; i < rows(p); ++i) gradient_[at(first_row(segment.first + p) + i)] += element.force[4 * p + i];
  if (!want_tangent_) return;
  int k = 0;
  for (int p = 0; p < 4; ++p) {
    tangent_.add_diagonal(slots_[at(index)].own[at(p)], element.stiffness.block(4 * p, 4 * p, rows(p), rows(p)));
    for (int q = p + 1; q < 4; ++q) {
      const discrete::Tangent::Pair& pair = slots_[at(index)].pair[at(k++)];
      const auto above = element.stiffness.block(4 * p, 4 * q, rows(p), rows(q));
      if (symmetric_)
        tangent_.add(pair, above);
      else
        tangent_.add_split(pair, above, element.stiffness.block(4 * q, 4 * p, rows(q), rows(p)));
    }
  }
}

}  // namespace filum::spline
