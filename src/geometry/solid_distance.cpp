#include "geometry/solid_distance.hpp"

#include <cmath>

namespace filum::geometry {
namespace {

// Any unit vector square to a unit vector.
Vec3 square_to(const Vec3& axis) {
  Eigen::Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  return axis.cross(Vec3::Unit(least)).normalized();
}

// From the nearest point of something that is `flat` along some directions (a projector): a corner along none, an edge
// along itself.
Distance from_feature(const Vec3& away, double radius, const Vec3& fallback, const Mat3& flat) {
  const double length = away.norm();
  const Vec3 normal = length > 0 ? Vec3(away / length) : fallback;
  Distance out{length - radius, normal, Mat3::Zero()};
  if (length > 0) out.hessian = (Mat3::Identity() - flat - normal * normal.transpose()) / length;
  return out;
}

}  // namespace

Distance from_plane(const Vec3& x, const Vec3& point, const Vec3& normal) {
  return {normal.dot(x - point), normal, Mat3::Zero()};
}

Distance from_sphere(const Vec3& x, const Vec3& centre, double radius) {
  return from_feature(x - centre, radius, Vec3::UnitZ(), Mat3::Zero());
}

Distance from_capsule(const Vec3& x, const Segment& axis, double radius) {
  const double share = closest_on(axis, x);
  const Vec3 along = (axis.to - axis.from).stableNormalized();
  const bool side = share > 0 && share < 1;
  const Mat3 flat = side ? Mat3(along * along.transpose()) : Mat3::Zero();
  return from_feature(x - axis.at(share), radius, square_to(along), flat);
}

Distance from_cylinder(const Vec3& x, const Segment& axis, double radius) {
  const Vec3 along = (axis.to - axis.from).stableNormalized();
  const Vec3 r = x - axis.at(0.5);
  const double height = r.dot(along);
  const Vec3 across = r - height * along;
  const double rho = across.norm();
  const Vec3 out = rho > 0 ? Vec3(across / rho) : square_to(along);
  const Vec3 up = height < 0 ? Vec3(-along) : along;
  const Vec3 round = up.cross(out);
  // how far beyond the side and beyond the flat end
  const double side = rho - radius;
  const double end = std::abs(height) - 0.5 * (axis.to - axis.from).norm();
  if (side > 0 && end > 0) {
    // the rim: a circle, curved about the axis, sharp across
    const double value = std::hypot(side, end);
    const Vec3 normal = (side * out + end * up) / value;
    const Vec3 tangent = (end * out - side * up) / value;
    return {value, normal, tangent * tangent.transpose() / value + (normal.dot(out) / rho) * round * round.transpose()};
  }
  if (end > side) return {end, up, Mat3::Zero()};
  return {side, out, rho > 0 ? Mat3(round * round.transpose() / rho) : Mat3::Zero()};
}

Distance from_box(const Vec3& x, const Vec3& size) {
  const Vec3 beyond = x.cwiseAbs() - 0.5 * size;
  const auto sign = [&](int axis) { return x[axis] < 0 ? -1.0 : 1.0; };
  Eigen::Index nearest = 0;
  if (beyond.maxCoeff(&nearest) <= 0) {
    // inside: the nearest face
    const int axis = static_cast<int>(nearest);
    return {beyond[axis], sign(axis) * Vec3::Unit(axis), Mat3::Zero()};
  }
  Vec3 away = Vec3::Zero();
  Mat3 flat = Mat3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (beyond[axis] > 0)
      away[axis] = sign(axis) * beyond[axis];
    else
      flat(axis, axis) = 1;
  }
  return from_feature(away, 0, Vec3::UnitZ(), flat);
}

}  // namespace filum::geometry
