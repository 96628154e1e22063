// The centre line of a segment, from its curves, its nodes and its lengths.
//
// KBL and old VEC files do not say whether a curve is clamped; both exist. A segment is read as the one whose ends meet
// its nodes, and if both do, as the one whose length meets the drawn one. Where curve, nodes and length contradict each
// other, nodes and length win and a note says so.
#pragma once

#include "exchange/harness/harness.hpp"

#include <string>
#include <vector>

namespace filum::exchange {

enum class CurveReading { ByFile, Clamped, Unclamped };

struct CentreLine {
  std::vector<Vec3> points;  // from node to node, closer together where it bends
  double length = 0;         // of the rod to be: physical, else virtual, else the curve's, m
  double drawn = 0;          // along the curve, m
  Vec3 start_tangent = Vec3::UnitX();
  Vec3 end_tangent = Vec3::UnitX();
  bool undecided = false;  // the file did not say how its curves are to be read,
  bool clamped = false;    // and this is how they were
};

// `spacing` is how far its points are apart where it is straight; notes are added, one a contradiction.
CentreLine centre_line(const Harness& harness, const HarnessSegment& segment, CurveReading reading, double spacing,
                       std::vector<std::string>& notes);

}  // namespace filum::exchange
