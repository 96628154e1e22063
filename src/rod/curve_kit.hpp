// Discrete curve kit: polylines, their curvature, and material frames along them.
//
// A rod's centre line is a polyline with nodes x_0 … x_n and edges e^j = x_{j+1} − x_j, unit tangents t^j. Joint j lies
// between edges j and j + 1. A closed polyline repeats its first node at the end and has one joint more, between its
// last edge and its first.
//
// Three descriptions of a framed curve, with conversions between them:
//   Cosserat      one frame per edge (d1, d2, d3 = t)
//   curve-angle   the first normal and the angle θ^j of each frame against the twist-free (Bishop) frame of its edge
//   curve-twist   the first normal, θ^0, and the twist τ_j = θ^{j+1} − θ^j of every joint
// Frames alone lose whole turns; angles and twists keep them.
//
// References: Bergou, Wardetzky, Robinson, Audoly & Grinspun, «Discrete Elastic Rods», 2008; Kirsch, «Discrete Elastic
// Rods», 2012, ch. 3 and 4.
#pragma once

#include <filum/curve.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace filum::rod {

// Unit tangents of the edges. An edge without length takes its predecessor's tangent (the first one: the next that has
// any, else x).
[[nodiscard]] std::vector<Vec3> edge_tangents(std::span<const Vec3> points);

// φ in [0, π] between unit tangents; accurate near 0 and near π.
[[nodiscard]] double turning_angle(const Vec3& before, const Vec3& after);

// Within this angle of a half turn a joint counts as folded back: its binormal has no direction and no bound.
inline constexpr double kFoldAngle = 1e-6;
[[nodiscard]] bool folds_back(const Vec3& before, const Vec3& after);

// κb = 2 t0×t1/(1 + t0·t1), of length 2 tan(φ/2); finite even when folded back, where it stops growing.
[[nodiscard]] Vec3 curvature_binormal(const Vec3& before, const Vec3& after);

// t∨ = ½(t0 + t1); κb × t∨ = t1 − t0.
[[nodiscard]] inline Vec3 vertex_tangent(const Vec3& before, const Vec3& after) {
  return 0.5 * (before + after);
}

// Everything about the joints of a polyline at once.
struct JointShape {
  std::vector<double> turning;      // φ
  std::vector<Vec3> binormal;       // κb
  std::vector<std::size_t> folded;  // joints that fold back, to be reported
};
[[nodiscard]] JointShape joint_shape(std::span<const Vec3> tangents, bool closed);

// The twist from one edge's frame to the next, the representative nearest to `near`: frame1 is frame0 carried without
// twist to the next tangent and then turned by this angle about it [Kirsch2012, Prop. 4.50].
[[nodiscard]] double joint_twist(const Quat& frame0, const Quat& frame1, double near = 0);

// Twist of every joint. `near` has one entry per joint, or is empty: every twist in (−π, π] then.
[[nodiscard]] std::vector<double> joint_twists(std::span<const Quat> frames, bool closed,
                                               std::span<const double> near = {});

// Sum over the joints, rad.
[[nodiscard]] double total_twist(std::span<const double> twists);

// Curve-angle → Cosserat: Bishop frames from `normal`, each turned by its angle about its tangent.
[[nodiscard]] std::vector<Quat> material_frames(std::span<const Vec3> tangents, const Vec3& normal,
                                                std::span<const double> angles);

// Cosserat → curve-angle, against the Bishop frames from `normal`. `near` has one entry per edge and says which turn is
// meant; when empty, the first angle is in (−π, π] and each other within π of its predecessor.
[[nodiscard]] std::vector<double> material_angles(std::span<const Vec3> tangents, const Vec3& normal,
                                                  std::span<const Quat> frames, std::span<const double> near = {});

// Curve-angle ↔ curve-twist, joints of an open curve.
[[nodiscard]] std::vector<double> twists_of_angles(std::span<const double> angles);
[[nodiscard]] std::vector<double> angles_of_twists(double first_angle, std::span<const double> twists);

}  // namespace filum::rod
