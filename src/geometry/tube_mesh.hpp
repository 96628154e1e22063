// Triangle mesh of a rod's skin: an elliptic section swept along positions and frames.
//
// The section stands in the plane of d1 and d2 of each frame, and so do the normals, which is exact for a section that
// does not change along the curve. Triangles turn counter-clockwise seen from outside. An open tube is capped flat; the
// caps have vertices of their own, so that they are shaded flat.
#pragma once

#include <filum/types.hpp>

#include <array>
#include <span>
#include <vector>

namespace filum::geometry {

struct TriangleMesh {
  std::vector<Vec3> position;
  std::vector<Vec3> normal;
  std::vector<double> scalar;  // one per vertex, or empty
  std::vector<std::array<int, 3>> triangle;
};

// What is swept: one entry per station.
struct Tube {
  std::span<const Vec3> position;
  std::span<const Quat> frame;     // takes (x, y, z) to (d1, d2, d3)
  std::span<const Vec2> outline;   // half-extents along d1 and d2
  std::span<const double> scalar;  // carried to the vertices; may be empty
  bool closed = false;             // the last station is the first again
};

// `sides` at least 3. Fewer than two stations (three distinct ones if closed) give an empty mesh.
[[nodiscard]] TriangleMesh tube_mesh(const Tube& tube, int sides = 16);

// Signed volume enclosed by a closed mesh, positive when its triangles face outwards (divergence theorem).
[[nodiscard]] double enclosed_volume(const TriangleMesh& mesh);

}  // namespace filum::geometry
