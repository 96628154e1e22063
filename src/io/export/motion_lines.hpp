// All recorded instants of a result for formats that move: of a run its frames, of a path its states.
#pragma once

#include "geometry/tube_mesh.hpp"

#include <filum/result_file.hpp>

#include <string>
#include <vector>

namespace filum::io {

// A rod or rope over time. The number of its points stays.
struct MovingLine {
  std::string name;
  std::vector<geometry::TubeSection> section;  // at its points
  std::vector<int> piece;                      // which piece each belongs to
  std::vector<std::vector<Vec3>> positions;    // by instant
  std::vector<std::vector<Quat>> frames;       // likewise; each the short way from the one before
  bool closed = false;
};
struct Motion {
  std::vector<double> times;  // ascending, s
  std::vector<MovingLine> lines;
};

// Refused: a line whose number of points changes, or that is not finite.
Result<Motion> motion_of(const StoredResult& result);

}  // namespace filum::io
