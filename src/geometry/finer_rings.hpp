// Stations between those of a rod where its section turns, or the rod bends, too far from one to the next for flat faces
// between them.
//
// A face between two rings that are turned by φ is folded along its diagonal, whose middle is off by a φ/2, a being the
// larger half extent: of a thin ribbon by as much as it is high where φ is a few hundredths. In a bend by θ a chord of length l
// passes inside by l θ/8. Stations in between lie on the cubic through both positions with the directions d3 there, as fast
// at its ends as a circular arc; frames turn evenly.
#pragma once

#include "geometry/tube_mesh.hpp"

#include <vector>

namespace filum::geometry {

struct Stations {
  std::vector<Vec3> position;
  std::vector<Quat> frame;
  std::vector<TubeSection> section;
  std::vector<double> scalar;
  std::vector<int> piece;
};

// Of an open line; round sections, which look the same however they turn, get none.
[[nodiscard]] Stations finer_rings(const Stations& coarse);

}  // namespace filum::geometry
