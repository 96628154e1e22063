// Triangle mesh of a rod's skin: its section swept along positions and frames.
//
// The section stands in the plane of d1 and d2 of each frame, and so do the normals, which is exact for a section that
// does not change along the curve. Triangles turn counter-clockwise seen from outside. An open tube is capped flat, and
// so it is on both sides of where its section becomes one of another kind; the caps, and the faces of a rectangle, have
// vertices of their own, so that they are shaded flat.
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

// What stands at a station.
struct TubeSection {
  Vec2 half = Vec2::Zero();  // extents along d1 and d2 to either side
  bool angular = false;      // a rectangle, else an ellipse
  double bore = 0;           // how wide it is inside, as a share of outside, 0 to 1

  // Sections of the same kind are joined by bands.
  [[nodiscard]] bool same_kind(const TubeSection& other) const {
    return angular == other.angular && (bore > 0) == (other.bore > 0);
  }
  bool operator==(const TubeSection&) const = default;
};

// What is swept: one entry per station.
struct Tube {
  std::span<const Vec3> position;
  std::span<const Quat> frame;  // takes (x, y, z) to (d1, d2, d3)
  std::span<const TubeSection> section;
  std::span<const double> scalar;   // carried to the vertices; may be empty
  bool closed = false;              // the last station is the first again
  std::span<const int> piece = {};  // which piece a station belongs to: they do not hang together; may be empty
};

inline constexpr int kSides = 16;  // of an ellipse, unless asked otherwise

// `sides`: of an ellipse, at least 3. Fewer than two stations (three distinct ones if closed) give an empty mesh.
// `station`, if given, is filled with the station of each vertex.
[[nodiscard]] TriangleMesh tube_mesh(const Tube& tube, int sides = kSides, std::vector<int>* station = nullptr);

// Signed volume enclosed by a closed mesh, positive when its triangles face outwards (divergence theorem).
[[nodiscard]] double enclosed_volume(const TriangleMesh& mesh);

}  // namespace filum::geometry
