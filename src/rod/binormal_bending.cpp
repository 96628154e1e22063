#include "rod/binormal_bending.hpp"

#include "math/small_angle.hpp"

#include <cmath>

namespace filum::rod {

BinormalStrain binormal_strain(const Mat3& frame0, const Mat3& frame1, double twist) {
  const Vec3 t0 = frame0.col(2);
  const Vec3 t1 = frame1.col(2);
  const double chi = fold(t0, t1);
  const double half_cos = std::sqrt(0.5 * chi);
  const Vec3 binormal = (2 / chi) * t0.cross(t1);
  const Vec3 mid = (0.5 / half_cos) * (t0 + t1);

  // the first frame turned by half of the twist; then half of the bend, which leaves components of κb as they are
  const auto [s, c] = math::sin_cos(0.5 * twist);
  const Vec3 u1 = c * frame0.col(0) + s * frame0.col(1);
  const Vec3 u2 = c * frame0.col(1) - s * frame0.col(0);
  const Vec3 sum = (t0 + mid) / (1 + half_cos);

  BinormalStrain strain;
  strain.value = {binormal.dot(u1), binormal.dot(u2), twist};
  auto gradient = [&](const Vec3& u, double component) {
    const Vec3 axis = u - u.dot(mid) * sum;
    return Vec3(axis / half_cos + component / (4 * (1 + half_cos)) * binormal);
  };
  strain.gradient.col(0) = gradient(u1, strain.value[0]);
  strain.gradient.col(1) = gradient(u2, strain.value[1]);
  strain.gradient.col(2) = mid / half_cos;
  return strain;
}

JointElasticity binormal_elasticity(const JointElasticity& by_angle) {
  JointElasticity elasticity = by_angle;
  const double angle = by_angle.rest.head<2>().norm();
  if (angle > 0) elasticity.rest.head<2>() *= 2 * std::tan(0.5 * angle) / angle;
  return elasticity;
}

}  // namespace filum::rod
