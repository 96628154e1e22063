#include "rod/bending_step.hpp"

#include "math/rotation.hpp"

namespace filum::rod {

namespace {

using Mat37 = Eigen::Matrix<double, 3, 7>;
using Mat27 = Eigen::Matrix<double, 2, 7>;
using Row7 = Eigen::Matrix<double, 1, 7>;

// ∂κ of the end by (v, a, α).
Mat27 curvature_gradient(const SplineStrain& strain, const Mat3& frame, const Vec3& carry) {
  Mat27 by;
  int row = 0;
  for (const Vec7& local : {strain.by1, strain.by2}) {
    by.block<1, 3>(row, 0) = (frame * local.head<3>() / strain.speed + local[6] * carry).transpose();
    by.block<1, 3>(row, 3) = (frame * local.segment<3>(3) / strain.speed).transpose();
    by(row++, 6) = local[6];
  }
  return by;
}

}  // namespace

BendingStep bending_step(const BendPlace& start, const BendPlace& end, double angle, double rest_speed,
                         const MeanMoment& moment, bool want_tangent) {
  const PlaceTurn place = place_turn(start.v, start.frame, end.v, end.frame, angle);
  const Vec2 c(moment.value[1] / rest_speed, -moment.value[0] / rest_speed);
  const double speed0 = start.v.norm(), speed1 = end.v.norm();
  const double inverse = 0.5 * (1 / speed0 + 1 / speed1);  // ρ̄
  const Vec3 end_side = c[0] * end.frame.col(0) + c[1] * end.frame.col(1);
  const Vec3 side = 0.5 * (c[0] * start.frame.col(0) + c[1] * start.frame.col(1) + end_side);  // ĉ
  const Vec3 mean_a = 0.5 * (start.a + end.a);
  const Vec3 mean_v = 0.5 * (start.v + end.v);
  const Vec2 along(start.a.dot(start.frame.col(0)) + end.a.dot(end.frame.col(0)),
                   start.a.dot(start.frame.col(1)) + end.a.dot(end.frame.col(1)));
  const double mean_work = 0.5 * c.dot(along);
  const double per_stretch = 2 / (speed0 * speed1 * (speed0 + speed1));

  BendingStep step;
  const Vec3 on_a = inverse * side;
  const Vec3 turning_moment = on_a.cross(mean_a);
  const Vec4 on_place = moment_on_place(place, turning_moment);
  step.force << on_place.head<3>() - mean_work * per_stretch * mean_v, on_a, on_place[3];
  if (!want_tangent) return step;

  // the moments' change, then that of each factor, by (v, a, α) at the end
  const Vec3& t = place.turn.end_tangent;
  const SplineStrain strain = spline_strain(end.v, end.a, end.frame, rest_speed);
  const Mat27 by_curvature = moment.slope * curvature_gradient(strain, end.frame, place.carry) / rest_speed;
  const Row7 c1 = by_curvature.row(1), c2 = -by_curvature.row(0);
  const Mat34 turned = place_rotation(place);
  Mat37 rotation = Mat37::Zero();
  rotation.leftCols<3>() = turned.leftCols<3>();
  rotation.col(6) = turned.col(3);

  const Vec3 mean_d1 = 0.5 * (start.frame.col(0) + end.frame.col(0));
  const Vec3 mean_d2 = 0.5 * (start.frame.col(1) + end.frame.col(1));
  Mat37 by_a = inverse * (mean_d1 * c1 + mean_d2 * c2 - 0.5 * math::skew(end_side) * rotation);
  by_a.leftCols<3>() -= side * (0.5 / (speed1 * speed1) * t).transpose();
  Mat37 by_moment = -math::skew(mean_a) * by_a;
  by_moment.middleCols<3>(3) += 0.5 * math::skew(on_a);

  Row7 by_work = 0.5 * (along[0] * c1 + along[1] * c2 + end_side.cross(end.a).transpose() * rotation);
  by_work.segment<3>(3) += 0.5 * end_side.transpose();

  const Mat43 map = place_map(place);
  const Mat4 curved = place_derivative(place, turning_moment);
  const Eigen::Matrix<double, 4, 7> by_place = map * by_moment;
  step.tangent.topRows<3>() = by_place.topRows<3>() - per_stretch * mean_v * by_work;
  step.tangent.middleRows<3>(3) = by_a;
  step.tangent.row(6) = by_place.row(3);
  step.tangent.topLeftCorner<3, 3>() += curved.topLeftCorner<3, 3>();
  step.tangent.topRightCorner<3, 1>() += curved.topRightCorner<3, 1>();
  step.tangent.bottomLeftCorner<1, 3>() += curved.bottomLeftCorner<1, 3>();
  step.tangent(6, 6) += curved(3, 3);
  const double shrink = per_stretch * (1 / speed1 + 1 / (speed0 + speed1));
  step.tangent.topLeftCorner<3, 3>() += mean_work * shrink * mean_v * t.transpose();
  step.tangent.topLeftCorner<3, 3>().diagonal().array() -= 0.5 * mean_work * per_stretch;
  return step;
}

}  // namespace filum::rod
