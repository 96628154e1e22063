// Triangle meshes from files: OBJ, STL, PLY, glTF by assimp, Open Inventor (ASCII) by hand.
#pragma once

#include "geometry/mesh_surface.hpp"

#include <filum/result.hpp>
#include <filum/types.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

struct MeshFile {
  std::vector<Vec3> points;  // in the file's own unit
  std::vector<std::array<int, 3>> triangles;
  std::optional<double> unit;  // metres, where the format says it
};

// Refused: what cannot be read, is cut short, holds no triangle, or a number that is none.
Result<MeshFile> read_mesh(const std::string& path);

// The surface that a file holds, its numbers times `scale`. Refused besides: one without any area.
Result<std::shared_ptr<const geometry::MeshSurface>> read_surface(const std::string& path, double scale);

// Open Inventor 2, ASCII: coordinates with face sets and triangle strip sets, within separators.
Result<MeshFile> parse_inventor(std::string_view text, const std::string& file);

}  // namespace filum::io
