// The triangles of a mesh as a file has them.
#pragma once

#include <filum/types.hpp>

#include <array>
#include <optional>
#include <vector>

namespace filum::io {

struct MeshFile {
  std::vector<Vec3> points;  // in the file's own unit, z up
  std::vector<std::array<int, 3>> triangles;
  std::optional<double> unit;  // metres, where the format says it
};

}  // namespace filum::io
