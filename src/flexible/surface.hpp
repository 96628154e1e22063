// A triangle mesh made ready to be cut: welded, without triangles of no area, with its neighbours.
//
// Holes of up to five edges, as missing triangles leave them, are filled; the ends of open tubes have more.
// Nothing relies on which way round triangles are listed: files of harnesses are careless about it.
#pragma once

#include <filum/types.hpp>

#include <array>
#include <span>
#include <vector>

namespace filum::flexible {

struct Surface {
  std::vector<Vec3> point;
  std::vector<std::array<int, 3>> triangle;
  std::vector<std::array<int, 3>> neighbour;  // across the edge from corner k to k + 1; −1: a border, or more than two
  std::vector<Vec3> normal;                   // unit; either way round
  std::vector<int> source;                    // which triangle of the input it is; −1: none, it fills a hole
  int crowded = 0;                            // edges of more than two triangles
  bool doubled = false;                       // some of those are the same triangle twice

  [[nodiscard]] Vec3 centroid(int t) const {
    const auto& [a, b, c] = triangle[static_cast<std::size_t>(t)];
    return (point[static_cast<std::size_t>(a)] + point[static_cast<std::size_t>(b)] +
            point[static_cast<std::size_t>(c)]) /
           3;
  }
};

// Points closer than `tolerance`, a share of the box's diagonal, are one.
Surface make_surface(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
                     double tolerance = 1e-6);

}  // namespace filum::flexible
