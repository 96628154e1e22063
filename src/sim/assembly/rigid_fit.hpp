// How a rigid part fits between solids that stand still: the clearance of a pose, and the best pose near another.
//
// The clearance is exact between polyhedra, balls and capsules (solid_edges.hpp). Where they overlap, no pose is better
// than another by distance: then the sum of how deep edges lie in the other says which way is out.
//
// A better pose is sought by ascent of a soft minimum of all gaps, −τ ln Σ exp(−g/τ), across the path and, if it may turn,
// about all axes; where that does not help, by trial: random steps of all lengths over two decades. Same input, same bits.
#pragma once

#include "sim/assembly/solid_edges.hpp"

#include <filum/types.hpp>

#include <cstdint>
#include <vector>

namespace filum::sim {

struct RigidPart {
  geometry::Shape shape;         // about its middle
  std::vector<SolidEdge> edges;  // likewise
  Vec3 middle = Vec3::Zero();    // as its owner sees it
  double reach = 0;              // of its farthest point from its middle, m
  double look = 0;               // clearances up to which are told, m: by default its reach
};
[[nodiscard]] RigidPart rigid_part(const geometry::Shape& shape);

struct PartPose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

struct Fit {
  double clearance = geometry::kFarAway;  // m; where they overlap, minus how deep at worst
  double overlap = 0;                     // Σ of depths, m; 0: they do not
  int solid = -1;                         // the nearest
  Vec3 place = Vec3::Zero();              // of the part, there
  [[nodiscard]] bool is_free() const { return overlap == 0; }
  [[nodiscard]] bool better_than(const Fit& other) const {
    if (is_free() != other.is_free()) return is_free();
    return is_free() ? clearance > other.clearance : overlap < other.overlap;
  }
};

// A place where a part is near something.
struct NearPlace {
  double gap = 0;
  Vec3 point = Vec3::Zero();
  Vec3 away = Vec3::Zero();  // the gap's gradient, if the part moves
};

class Surroundings {
 public:
  explicit Surroundings(std::vector<geometry::Shape> solids);

  // Clearances beyond `reach` may be said to be larger than they are. `places`: of every edge within it, if asked for.
  [[nodiscard]] Fit fit(const RigidPart& part, const PartPose& pose, double reach,
                        std::vector<NearPlace>* places = nullptr) const;
  // Of a point, from the nearest; beyond `reach` it may be infinite.
  [[nodiscard]] geometry::Distance nearest(const Vec3& point, double reach) const;
  // Of a segment.
  [[nodiscard]] double distance(const geometry::Segment& segment, double reach) const;

 private:
  struct Solid {
    geometry::Shape shape;
    geometry::Box bounds;
    std::vector<SolidEdge> edges;
    geometry::BoxTree tree;  // of the edges
  };
  static NearPlace meet(const geometry::Shape& shape, const SolidEdge& edge, double reach, double& overlap);
  std::vector<Solid> solids_;
};

// The freedom of a part on its way: in the plane across the path, and about all axes if it may turn.
struct Search {
  Vec3 along = Vec3::UnitZ();  // the path's direction
  bool turns = true;
  double step = 0.1;  // the longest, of the part's reach
  int tries = 200;
  double enough = geometry::kFarAway;  // a clearance that will do, m
};
// From `pose` to a better one; `seed` goes on from search to search.
Fit improve(const Surroundings& around, const RigidPart& part, const Search& search, std::uint64_t& seed,
            PartPose& pose);

}  // namespace filum::sim
