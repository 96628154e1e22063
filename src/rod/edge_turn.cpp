#include "rod/edge_turn.hpp"

#include "math/rotation.hpp"

#include <cmath>

namespace filum::rod {

EdgeTurn edge_turn(const Vec3& e0, double length0, const Mat3& frame0, const Vec3& e1, double length1,
                   const Mat3& frame1) {
  EdgeTurn turn;
  const auto t0 = frame0.col(2);
  const auto t1 = frame1.col(2);
  turn.middle = 0.5 * (e0 + e1);
  turn.mean = 0.5 * (t0 + t1);
  turn.change = t1 - t0;
  turn.end_tangent = t1;
  turn.per_end = 1 / length1;
  turn.per_length = 2 / (length0 + length1);
  turn.mean_square = turn.mean.squaredNorm();
  turn.per_mean = 1 / std::sqrt(turn.mean_square);

  // d1 of the start carried to the end without twist: v − (v·t1)/(1 + t0·t1) (t0 + t1), 1 + t0·t1 = 2 k²
  const Vec3 carried = frame0.col(0) - (frame0.col(0).dot(t1) / turn.mean_square) * turn.mean;
  const double cosine = carried.dot(frame1.col(0));
  const double sine = -carried.dot(frame1.col(1));
  turn.angle = math::angle_of(sine, cosine);
  turn.half_tan = std::tan(0.5 * turn.angle);
  turn.spin = 2 * turn.half_tan * turn.per_mean;
  turn.turn = (1 / turn.mean_square) * t0.cross(t1) + (turn.spin * turn.per_mean) * turn.mean;
  return turn;
}

Vec4 moment_on_edge(const EdgeTurn& turn, const Vec3& moment) {
  const double along = 0.25 * turn.spin * turn.per_length * turn.per_length * turn.per_mean * moment.dot(turn.change);
  Vec4 force;
  force.head<3>() = (turn.per_length / turn.mean_square) * moment.cross(turn.mean) - along * turn.middle;
  force[3] = turn.per_length * turn.per_mean * moment.dot(turn.middle);
  return force;
}

Mat43 moment_map(const EdgeTurn& turn) {
  const double along = 0.25 * turn.spin * turn.per_length * turn.per_length * turn.per_mean;
  Mat43 map;
  map.topRows<3>() = math::skew((-turn.per_length / turn.mean_square) * turn.mean);
  map.topRows<3>() -= (along * turn.middle) * turn.change.transpose();
  map.row(3) = (turn.per_length * turn.per_mean) * turn.middle.transpose();
  return map;
}

Mat4 moment_map_derivative(const EdgeTurn& turn, const Vec3& moment) {
  // δk/k = t̄·δt1/(2k²), δl̄/l̄ = t1·δe/(2l̄), with δt1 = (1 − t1 t1ᵀ) δe/l1
  const auto across = [&](const Vec3& v) {
    return Vec3(turn.per_end * (v - v.dot(turn.end_tangent) * turn.end_tangent));
  };
  const Vec3 by_mean = across((0.5 / turn.mean_square) * turn.mean);
  const Vec3 by_length = (0.5 * turn.per_length) * turn.end_tangent;
  const Vec4 force = moment_on_edge(turn, moment);
  Mat4 derivative = Mat4::Zero();
  auto by_edge = derivative.leftCols<3>();

  // (M × t̄)/(k² l̄)
  const double scale = turn.per_length / turn.mean_square;
  const Vec3 shear = scale * moment.cross(turn.mean);
  const Mat3 turned = (0.5 * scale * turn.per_end) * math::skew(moment);
  by_edge.topRows<3>() = turned - (turned * turn.end_tangent) * turn.end_tangent.transpose() -
                         shear * (2 * by_mean + by_length).transpose();

  // −β (M·Δt)/(4 l̄² k) e_m; δβ = (1 + tan²) δα/k − β δk/k, δα = t̄·w/k², w = t1 × δe/l1 + δθ t1
  const double part = 0.25 * turn.per_length * turn.per_length * turn.per_mean;
  const double flow = moment.dot(turn.change);
  const double by_angle = (1 + turn.half_tan * turn.half_tan) * turn.per_mean / turn.mean_square;
  const Vec3 spin_by_edge = (by_angle * turn.per_end) * turn.mean.cross(turn.end_tangent) - turn.spin * by_mean;
  const double spin_by_turn = by_angle * turn.mean.dot(turn.end_tangent);
  const Vec3 along_by_edge =
      part * (flow * spin_by_edge + turn.spin * across(moment) - turn.spin * flow * (2 * by_length + by_mean));
  by_edge.topRows<3>() -= turn.middle * along_by_edge.transpose();
  by_edge.topRows<3>().diagonal().array() -= 0.5 * part * turn.spin * flow;
  derivative.topRightCorner<3, 1>() = -(part * flow * spin_by_turn) * turn.middle;

  // M·e_m/(l̄ k)
  by_edge.row(3) =
      (0.5 * turn.per_length * turn.per_mean) * moment.transpose() - force[3] * (by_length + by_mean).transpose();
  return derivative;
}

}  // namespace filum::rod
