#include "formulations/chain/mechanism/joint_residual.hpp"

#include "math/rotation.hpp"
#include "rod/joint.hpp"

#include <cmath>

namespace filum::chain {

namespace {

// Keeps the axis of a straight joint finite; its row vanishes there. [Servin2007, section V]
constexpr double kStraight = 1e-12;

Turn vector_turn(const Mat3& a, const Mat3& b, double twist_near) {
  const rod::JointStrain strain = rod::joint_strain(a, b, twist_near);
  Turn turn;
  turn.strain = strain.vector();
  turn.twist = strain.twist;
  for (int k = 0; k < 3; ++k) turn.by_rotation.row(k) = rod::joint_moment(strain, Vec3::Unit(k)).transpose();
  return turn;
}

// The angle from x to y in [0, π] and its derivative by a rotation of y: the unit axis x × y.
double angle_between(const Vec3& x, const Vec3& y, Vec3& axis) {
  const Vec3 cross = x.cross(y);
  const double sine = cross.norm();
  axis = cross / (kStraight + sine);
  return std::atan2(sine, x.dot(y));
}

Turn angle_turn(const Mat3& a, const Mat3& b, bool loose, double twist_near) {
  Turn turn;
  Vec3 axis;
  turn.strain[0] = angle_between(a.col(2), b.col(2), axis);
  turn.by_rotation.row(0) = axis.transpose();
  // (u, v, w) of the source are d3, d1, d2
  double twist = 0;
  if (loose) {
    twist = angle_between(a.col(0), b.col(0), axis);
    turn.strain[2] = turn.twist = twist;
    turn.by_rotation.row(2) = axis.transpose();
    return turn;
  }
  // the angle of v_a against w_b is a quarter turn at no twist; it grows with the twist, counted about the tangent
  const Vec3 tangent = a.col(2) + b.col(2);
  twist = math::signed_angle(a.col(0), b.col(1), tangent.normalized()) - math::kPi / 2;
  const double side = std::copysign(1.0, a.col(0).cross(b.col(1)).dot(tangent));
  angle_between(a.col(0), b.col(1), axis);
  // by its magnitude the true angle in space, by its sign and its whole turns that about the tangent
  const double space = side * std::atan2(a.col(0).cross(b.col(1)).norm(), a.col(0).dot(b.col(1))) - math::kPi / 2;
  turn.strain[2] = turn.twist = math::unwrap(space, math::unwrap(twist, twist_near));
  turn.by_rotation.row(2) = side * axis.transpose();
  return turn;
}

}  // namespace

Turn turn_rows(JointForm form, const Mat3& a, const Mat3& b, double twist_near) {
  if (form == JointForm::Vector) return vector_turn(a, b, twist_near);
  return angle_turn(a, b, form == JointForm::LooseAngle, twist_near);
}

Vec3 bow_of(const Vec3& turn, const Vec3& arm) {
  constexpr double kSmall = 1e-4;  // angle², below which series are exact
  const double square = turn.squaredNorm();
  const double angle = std::sqrt(square);
  const double once = square < kSmall ? -square / 6 * (1 - square / 20) : std::sin(angle) / angle - 1;
  const double twice = square < kSmall ? 0.5 - square / 24 * (1 - square / 30) : (1 - std::cos(angle)) / square;
  const Vec3 across = turn.cross(arm);
  return once * across + twice * turn.cross(across);
}

namespace {

// The gap along all axes becomes that along those which a part carries, d ↦ P d. As the part turns by δ, P d changes by
// δ × P d − P (δ × d).
void hold_carried_axes(const Link& link, const Mat3& turn_a, const Mat3& turn_b, const Vec3& gap, LinkRows& rows) {
  const bool by_a = !link.rod_is_a();
  const Mat3 axes = (by_a ? turn_a : turn_b) * link.axes;
  Vec3 held = Vec3::Zero();
  for (int k = 0; k < 3; ++k) held[k] = link.gap[static_cast<std::size_t>(k)] ? 1 : 0;
  const Mat3 onto = axes * held.asDiagonal() * axes.transpose();
  rows.value.head<3>() = onto * gap;
  rows.by_a.topRows<3>() = onto * Eigen::Matrix<double, 3, 6>(rows.by_a.topRows<3>());
  rows.by_b.topRows<3>() = onto * Eigen::Matrix<double, 3, 6>(rows.by_b.topRows<3>());
  (by_a ? rows.by_a : rows.by_b).topRightCorner<3, 3>() += onto * math::skew(gap) - math::skew(onto * gap);
}

}  // namespace

LinkRows link_rows(const Link& link, JointForm form, const PartState& a, const PartState& b, double twist_near) {
  LinkRows rows;
  rows.twist = twist_near;
  const Mat3 turn_a = a.orientation.toRotationMatrix();
  const Mat3 turn_b = b.orientation.toRotationMatrix();
  if (link.has_gap()) {
    const Vec3 arm_a = turn_a * link.arm_a;
    const Vec3 arm_b = turn_b * link.arm_b;
    const Vec3 gap = (b.position - a.position) + (arm_b - arm_a);
    const Mat3 skew_a = math::skew(arm_a);
    const Mat3 skew_b = math::skew(arm_b);
    for (int k = 0; k < 3; ++k) {
      if (!link.carried && !link.gap[static_cast<std::size_t>(k)]) continue;
      rows.value[k] = gap[k];
      rows.by_a(k, k) = -1;
      rows.by_b(k, k) = 1;
      rows.by_a.block<1, 3>(k, 3) = skew_a.row(k);
      rows.by_b.block<1, 3>(k, 3) = -skew_b.row(k);
    }
    if (link.carried) hold_carried_axes(link, turn_a, turn_b, gap, rows);
  }
  if (link.turn) {
    const Turn turn = turn_rows(form, turn_a * link.base_a, turn_b * link.base_b, twist_near);
    rows.value.tail<3>() = turn.strain - link.rest;
    rows.by_a.bottomRightCorner<3, 3>() = -turn.by_rotation;
    rows.by_b.bottomRightCorner<3, 3>() = turn.by_rotation;
    rows.twist = turn.twist;
    if (link.twist_only) {
      rows.value.segment<2>(3).setZero();
      rows.by_a.middleRows<2>(3).setZero();
      rows.by_b.middleRows<2>(3).setZero();
    }
    if (link.lay != 0) {
      const Vec3 tangent = turn_a * link.base_a.col(2);
      const double lengthened = link.lay * rows.value[5];
      rows.value.head<3>() += lengthened * tangent;
      rows.by_a.topRightCorner<3, 3>() +=
          link.lay * tangent * rows.by_a.row(5).tail<3>() - lengthened * math::skew(tangent);
      rows.by_b.topRightCorner<3, 3>() += link.lay * tangent * rows.by_b.row(5).tail<3>();
    }
  }
  return rows;
}

}  // namespace filum::chain
