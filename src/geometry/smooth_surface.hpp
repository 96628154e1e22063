// What a mesh of facets stands for: a surface that is smooth wherever facets meet at a small angle, sharp elsewhere.
//
// Facets that meet at less than 20°, and that an arc about the edge would stand off by less than a hundredth of the
// mesh, share the normals of their common corners, and each is a patch (smooth_patch.hpp) whose tangent plane turns into
// the next one's. A facet that is large beside its neighbours, a face beside a fillet, keeps its normal. The distance is
// that from the patches, with its true gradient, which has no jumps but at sharp edges, and its second derivative. The
// patches stand off their facets by less than 0.1 of an edge.
#pragma once

#include "geometry/smooth_patch.hpp"
#include "geometry/solid_distance.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace filum::geometry {

// Facets without area left out; `neighbours` across the edge from corner k to the next, −1: none.
struct FacetNet {
  std::span<const Vec3> corners;
  std::span<const std::array<int, 3>> triangles;
  std::span<const std::array<int, 3>> neighbours;
  std::span<const Vec3> normals;
};

class SmoothSurface {
 public:
  SmoothSurface() = default;
  // `size` of the mesh, m.
  SmoothSurface(const FacetNet& net, double size);

  // Whether the patch of a facet is not the facet itself, or that of one beside it.
  [[nodiscard]] bool empty() const { return patch_normals_.empty(); }
  [[nodiscard]] std::size_t bytes() const;

  // Of a point whose nearest place on the facets is on this one at these weights. Nothing: that place is on facets which
  // are their own patches, or no nearest place of the patches was found.
  struct Nearest {
    Distance distance;     // positive on the side of the normal
    bool at_edge = false;  // a sharp one, or the rim of an open mesh: the side is told by the facets
  };
  [[nodiscard]] std::optional<Nearest> distance(const FacetNet& net, const Vec3& x, int facet,
                                                const Vec3& weights) const;

 private:
  struct Place {
    int facet = 0;
    Vec3 weights = Vec3::Zero();
  };
  struct Foot {
    Place place;
    PatchPoint at;
    int along = -1;  // at a sharp edge: that from corner `along` to the next
    bool corner = false;
  };
  [[nodiscard]] SmoothPatch patch_of(const FacetNet& net, int facet) const;
  [[nodiscard]] bool curved_about(const FacetNet& net, const Place& place) const;
  [[nodiscard]] bool smooth(int facet, std::size_t edge) const {
    return (smooth_[static_cast<std::size_t>(facet)] >> edge) & 1;
  }
  void find_smooth_edges(const FacetNet& net, double size);
  bool cut_sharp_corners(const FacetNet& net);
  [[nodiscard]] Vec3 corner_normal(const FacetNet& net, int facet, std::size_t corner) const;
  [[nodiscard]] std::optional<Foot> walk(const FacetNet& net, const Vec3& x, Place place) const;
  [[nodiscard]] bool leave_corner(const FacetNet& net, const Vec3& x, std::size_t corner, Place& place) const;
  [[nodiscard]] Place across(const FacetNet& net, const Place& place, std::size_t edge) const;
  [[nodiscard]] static Nearest distance_at(const Vec3& x, const Foot& foot);

  std::vector<unsigned char> smooth_;  // per facet: its edges that are no sharp ones, bit by bit
  std::vector<int> patch_;             // per facet: its normals, or −1
  std::vector<std::array<Vec3, 3>> patch_normals_;
};

}  // namespace filum::geometry
