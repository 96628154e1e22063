// Where along an edge a station between two nodes touches, at rest.
//
// In motion stations stand still on the rod. At rest a sharp edge of a solid may come to lie anywhere along the rod, and
// balls that stand still would be a row of notches for it to rest in. So there a station stands for a reach of its edge
// and touches at its foot, the place in that reach that is nearest to the solid: the rod is as smooth as a cylinder, and
// the gap is g = min d(x_a + s (x_b − x_a)) − a. With n and H the first two derivatives of d, e = x_b − x_a and weights
// w = (1 − s, s) the foot obeys n·e = 0, and eliminating s
//
//     ∂g/∂x_p = w_p n,    ∂²g/∂x_p ∂x_q = w_p w_q H − r_p r_qᵀ/(eᵀ H e),    r = w' n + w H e,    w' = (−1, 1).
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "geometry/shape.hpp"

#include <array>

namespace filum::discrete {

// Shares of an edge.
struct FootReach {
  double low = 0;
  double high = 1;
};
struct Foot {
  double share = 0;
  int beyond = 0;  // −1, 1: what is nearest lies past this end of the reach
};

// So far to either side, of the way to the stations beside it: an open one is to find its foot wherever it may be nearest;
// a closed one keeps its foot a little longer than the one beside it would have it, lest they take turns.
inline constexpr double kSearching = 1;
inline constexpr double kHolding = 0.75;
// The first and the last on an edge reach to its nodes.
[[nodiscard]] FootReach foot_reach(const ModelData& model, int station, double wide);

// On the segment as the solid sees it.
[[nodiscard]] Foot find_foot(const geometry::Shape& shape, const geometry::Segment& edge, const FootReach& reach);

// r and eᵀ H e of above, at a foot where the solid has this distance.
struct FootSlide {
  std::array<Vec3, 2> along{Vec3::Zero(), Vec3::Zero()};
  double bend = 0;
};
[[nodiscard]] FootSlide foot_slide(const geometry::Distance& there, const Vec3& e, double share);

// What of a gap that a station has may be missing at its foot, m.
[[nodiscard]] double foot_margin(const ModelData& model, int station);

}  // namespace filum::discrete
