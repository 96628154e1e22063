// The surface of a triangle mesh: distances of points and segments from it.
//
// Corners at one place are one corner, triangles without area are left out. A mesh whose every edge has two triangles
// that turn the same way round is closed: it has an inside, and distances are negative there; the sign is that of the
// angle-weighted normal of the nearest face, edge or corner [Baerentzen2005]. One that is inside out is turned. Any
// other mesh is a thin shell without an inside: both of its sides are outside.
#pragma once

#include "geometry/box_tree.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/smooth_surface.hpp"
#include "geometry/solid_distance.hpp"

#include <array>
#include <span>
#include <vector>

namespace filum::geometry {

class MeshSurface {
 public:
  MeshSurface() = default;
  MeshSurface(std::span<const Vec3> corners, std::span<const std::array<int, 3>> triangles);

  [[nodiscard]] bool empty() const { return triangles_.empty(); }
  [[nodiscard]] bool closed() const { return closed_; }
  [[nodiscard]] std::size_t size() const { return triangles_.size(); }
  [[nodiscard]] Triangle triangle(int index) const;
  [[nodiscard]] const Box& bounds() const { return bounds_; }
  // Of memory.
  [[nodiscard]] std::size_t bytes() const;

  // Of a point no further away than `reach`; beyond it the value is infinite.
  [[nodiscard]] Distance distance(const Vec3& x, double reach = std::numeric_limits<double>::infinity()) const;
  // Likewise from what the facets stand for (smooth_surface.hpp), which is no further from them than a tenth of an edge.
  [[nodiscard]] Distance smooth_distance(const Vec3& x, double reach = std::numeric_limits<double>::infinity()) const;

  // Of a segment, likewise; zero where it goes through, negative inside. `share` is where along it.
  struct Nearest {
    double value = std::numeric_limits<double>::infinity();
    double share = 0;
    Vec3 point = Vec3::Zero();  // of the surface
  };
  [[nodiscard]] Nearest distance(const Segment& segment, double reach = std::numeric_limits<double>::infinity()) const;

 private:
  void add_triangles(std::span<const Vec3> corners, std::span<const std::array<int, 3>> triangles);
  void find_edges();
  void make_normals();
  struct NearestFacet {
    int facet = -1;  // none within reach
    Vec3 weights = Vec3::Zero();
  };
  [[nodiscard]] NearestFacet nearest_facet(const Vec3& x, double reach) const;
  [[nodiscard]] Distance distance_to(const NearestFacet& nearest, const Vec3& x) const;
  [[nodiscard]] FacetNet net() const { return {corners_, triangles_, neighbours_, face_normals_}; }

  std::vector<Vec3> corners_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<std::array<int, 3>> neighbours_;  // across the edge from corner k to the next; −1: none
  std::vector<Vec3> face_normals_;
  std::vector<Vec3> corner_normals_;  // weighted by angle
  SmoothSurface smooth_;
  BoxTree tree_;
  Box bounds_;
  bool closed_ = false;
};

}  // namespace filum::geometry
