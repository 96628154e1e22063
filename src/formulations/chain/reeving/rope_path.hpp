// The way of a massless rope: straight between the places it runs through, tangent to sheaves and round them.
//
// A sheave has a centre c, an axis a and a radius R; the rope goes round it in the sense of a, so that on the sheave,
// at c + R r, it runs along a × r. Seen along the axis, the tangent from a point at the distance d in the direction e
// of the centre touches at r = cos ψ e ± sin ψ (a × e), cos ψ = R/d; + where the rope arrives, − where it leaves.
//
// The tangent points are those at which the length of the whole is stationary, so the length changes only by what its
// straight parts are pulled at their ends: ∂L = Σ t·(δ end − δ start), with the ends fixed to their bodies. This is
// exact in the plane of the sheave; a rope that comes on askew is off by the square of its slope.
#pragma once

#include <filum/types.hpp>

#include <span>
#include <vector>

namespace filum::chain {

struct Pulley {
  Vec3 centre = Vec3::Zero();
  Vec3 axis = Vec3::Zero();  // unit; means nothing without a radius
  double radius = 0;         // 0: an eye
};

struct RopePath {
  // Per place: where the rope arrives and where it leaves, and the angle between.
  std::vector<Vec3> arrives;
  std::vector<Vec3> leaves;
  std::vector<double> angle;
  std::vector<double> part;  // lengths of the straight parts: one less than places
  double length = 0;         // of all
};

// Reuses what the path has allocated.
void find_path(std::span<const Pulley> places, RopePath& path);

// The axis of a sheave that a rope from `before` to `after` bends round with the centre on the inside; any
// perpendicular where it runs straight.
[[nodiscard]] Vec3 natural_axis(const Vec3& before, const Vec3& centre, const Vec3& after);

}  // namespace filum::chain
