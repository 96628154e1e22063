// A curved patch over a facet of a mesh that stands for something smooth.
//
// The facet's corners p have normals n, which all facets around a corner share. With barycentric weights w the patch is
//
//     S = Σ w p + D N,    N = Σ w n.
//
// Along an edge from i to j, e = p_j − p_i, D is the cubic D(t) that is nil at both ends and has there the slopes −n_i·e
// and −n_j·e, so that the edge's curve, the same for both facets, is square to the normals at its ends. Across the edge D
// is such that the patch is square to m = N − (N·T) T/(T·T), T the curve's tangent: the same for both facets, and so are
// their tangent planes. The three edges are blended with weights that are nil to first order on the other two
// [Nielson1979]: patches join with one tangent plane everywhere, and all of them are smooth within. Where the corners'
// normals are the facet's own, the patch is the facet.
#pragma once

#include <filum/types.hpp>

#include <array>

namespace filum::geometry {

struct SmoothPatch {
  std::array<Vec3, 3> corner;
  std::array<Vec3, 3> normal;  // unit
};

// By the weights of the second and the third corner.
struct PatchPoint {
  Vec3 x = Vec3::Zero();
  std::array<Vec3, 2> slope{Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 3> bend{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // twice by the second, mixed, twice by the third

  [[nodiscard]] Vec3 normal() const { return slope[0].cross(slope[1]).normalized(); }
};
[[nodiscard]] PatchPoint point_on(const SmoothPatch& patch, const Vec3& weights);

}  // namespace filum::geometry
