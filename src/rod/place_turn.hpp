// A place of a curve over a step in time: moments on it do their exact work, as those on an edge (rod/edge_turn.hpp).
//
// v0, v1 are r′ at the two ends of the step in the part of the edge, and the unknowns are v1 and α itself, the turn of the
// place's frame about its tangent since the start of the step. A moment M is a force on v and a torque on α,
//
//     f·(v1 − v0) + τ α = M·θ,      τ = (M·v_m)/(l̄ k) · β/α,     β/α = 2 tan(α/2)/(α k),
//
// with θ Cayley's vector of the frame's rotation. `edge_turn` counts the turn of the end's frame against the frame itself,
// δθ; while v1 moves, what is carried from the start turns too: δθ = δα + carry·δv1.
#pragma once

#include "rod/edge_turn.hpp"

#include <filum/types.hpp>

#include <cmath>

namespace filum::rod {

struct PlaceTurn {
  EdgeTurn turn;
  double per_angle = 1;        // β/α
  double per_angle_slope = 0;  // its derivative by α
  Vec3 per_angle_by_v = Vec3::Zero();
  Vec3 carry = Vec3::Zero();
  double angle = 0;
};

// 2 tan(α/2)/α and its derivative.
struct TanShare {
  double value = 1;
  double slope = 0;
};
inline TanShare tan_share(double angle) {
  // the first terms left out are 1e-18 of those kept
  if (std::abs(angle) < 1e-4) return {1 + angle * angle / 12, angle / 6};
  const double half = std::tan(0.5 * angle);
  const double value = 2 * half / angle;
  return {value, (1 + half * half - value) / angle};
}

// The frame at the end is that at the start, carried to v1 and turned by the angle.
inline PlaceTurn place_turn(const Vec3& v0, const Mat3& frame0, const Vec3& v1, const Mat3& frame1, double angle) {
  PlaceTurn place;
  place.turn = edge_turn<double>(v0, v0.norm(), frame0, v1, v1.norm(), frame1);
  place.angle = angle;
  const EdgeTurn& turn = place.turn;
  const TanShare share = tan_share(angle);
  place.per_angle = share.value * turn.per_mean;
  place.per_angle_slope = share.slope * turn.per_mean;
  const Vec3 across = turn.mean - turn.mean.dot(turn.end_tangent) * turn.end_tangent;
  place.per_angle_by_v = -0.5 * place.per_angle / turn.mean_square * turn.per_end * across;
  place.carry = -turn.per_end / turn.mean_square * turn.mean.cross(turn.end_tangent);
  return place;
}

// (f, τ) of a moment on (v, α).
inline Vec4 moment_on_place(const PlaceTurn& place, const Vec3& moment) {
  Vec4 on = moment_on_edge<double>(place.turn, moment);
  on[3] *= place.per_angle;
  return on;
}

// How the rotation of the end's frame, and its turn δθ, follow v1 and α.
inline Mat34 place_rotation(const PlaceTurn& place) {
  Mat34 w = turning(place.turn.end_tangent, 1 / place.turn.per_end);
  w.leftCols<3>() += place.turn.end_tangent * place.carry.transpose();
  return w;
}

// ∂(f, τ)/∂(v1, α) of a moment that stays.
inline Mat4 place_derivative(const PlaceTurn& place, const Vec3& moment) {
  Mat4 by = moment_map_derivative<double>(place.turn, moment);
  const double torque = place.turn.per_length * place.turn.per_mean * moment.dot(place.turn.middle);
  by.topLeftCorner<4, 3>() += by.col(3) * place.carry.transpose();
  by.row(3) *= place.per_angle;
  by.bottomLeftCorner<1, 3>() += torque * place.per_angle_by_v.transpose();
  by(3, 3) += torque * place.per_angle_slope;
  return by;
}

// The matrix that multiplies the moment.
inline Mat43 place_map(const PlaceTurn& place) {
  Mat43 map = moment_map<double>(place.turn);
  map.row(3) *= place.per_angle;
  return map;
}

}  // namespace filum::rod
