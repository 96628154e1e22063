#include "formulations/discrete/carried_grip.hpp"

#include "math/rotation.hpp"

namespace filum::discrete {

using math::skew;

CarriedGrip carried_grip(const CarriedPlace& now, const Vec3& arm, const Vec3& lambda) {
  CarriedGrip grip;
  grip.gap = now.axes.transpose() * now.apart - arm;
  grip.force = now.axes * lambda;
  grip.moment = grip.force.cross(now.apart);
  grip.gap_by_point = now.axes.transpose();
  grip.gap_by_turn = now.axes.transpose() * skew(now.apart);
  grip.force_by_turn = -skew(grip.force);
  grip.force_by_lambda = now.axes;
  grip.moment_by_point = skew(grip.force);
  // F·exp(−w)d to second order
  const Mat3 both = grip.force * now.apart.transpose();
  grip.moment_by_turn = 0.5 * (both + both.transpose()) - grip.force.dot(now.apart) * Mat3::Identity();
  grip.moment_by_lambda = -skew(now.apart) * now.axes;
  return grip;
}

CarriedGrip carried_grip(const CarriedPlace& start, const CarriedPlace& end, const Vec3& arm, const Vec3& lambda) {
  const Mat3 axes = 0.5 * (start.axes + end.axes);
  const Vec3 apart = 0.5 * (start.apart + end.apart);
  const Vec3 last = end.axes * lambda;
  CarriedGrip grip;
  grip.gap = end.axes.transpose() * end.apart - arm;
  grip.force = axes * lambda;
  grip.moment = grip.force.cross(apart);
  grip.gap_by_point = end.axes.transpose();
  grip.gap_by_turn = end.axes.transpose() * skew(end.apart);
  grip.force_by_turn = -0.5 * skew(last);
  grip.force_by_lambda = axes;
  grip.moment_by_point = 0.5 * skew(grip.force);
  grip.moment_by_turn = 0.5 * skew(apart) * skew(last);
  grip.moment_by_lambda = -skew(apart) * axes;
  return grip;
}

}  // namespace filum::discrete
