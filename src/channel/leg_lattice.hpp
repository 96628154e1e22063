// A channel cut into straight legs, with levels across each: the lattice of [Wang2016, section 3.3 and appendix C].
//
// The walls of a leg are parallel to the centreline at its middle, through the true walls there. Nodes lie on
// levels across a leg; where they lie along it follows from the path, without rounding. A link that would end
// beyond the leg ends on the same level of the neighbour instead. Against `full_lattice` there are no rulings, so
// fewer states, and no links of wrong length; but walls are those of the legs, and the search on it is exact in
// straight channels alone.
//
// Scaled as everywhere in this module. Local coordinates: x along a leg, from the start of its right wall; y from
// the right wall.
#pragma once

#include "channel/beam.hpp"

#include <vector>

namespace filum::channel {

struct StraightSection {
  double heading = 0;
  Vec2 along = Vec2::UnitX();  // unit vector of the heading
  Vec2 origin = Vec2::Zero();  // where its right wall starts
  double width = 0;            // 0 <= y <= width
  double start_left = 0;       // x where its left wall starts
  double end_right = 0;        // x where its right wall ends …
  double end_left = 0;         // … and its left wall
  int reach = 0;               // levels that a link can climb

  [[nodiscard]] Vec2 to_local(const Vec2& point) const {
    const Vec2 from = point - origin;
    return {along[0] * from[0] + along[1] * from[1], -along[1] * from[0] + along[0] * from[1]};
  }
  [[nodiscard]] Vec2 to_world(const Vec2& local) const {
    return origin + Vec2(along[0] * local[0] - along[1] * local[1], along[1] * local[0] + along[0] * local[1]);
  }
  // Where, at the height y, the leg starts and ends.
  [[nodiscard]] double start_at(double y) const { return start_left * y / width; }
  [[nodiscard]] double end_at(double y) const { return end_right + (end_left - end_right) * y / width; }
};

struct LegLattice {
  std::vector<StraightSection> legs;
  int levels = 0;
  double step = 0;   // of a link
  double start = 0;  // y of the clamped link in the first leg

  [[nodiscard]] double level(int m, int leg) const {
    return m * legs[static_cast<std::size_t>(leg)].width / (levels - 1);
  }
};

// `count` legs, >= 2, with their middles at even distances along the channel, the first at its start and the last
// at its end, which is prolonged by `reach` so that a tip may leave the channel.
LegLattice leg_lattice(const Passage& passage, const Beam& beam, int count, int levels, double reach);

}  // namespace filum::channel
