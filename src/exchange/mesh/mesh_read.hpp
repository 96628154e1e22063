// Triangle meshes from files: OBJ, STL, PLY, glTF by assimp, Open Inventor (ASCII) by hand.
#pragma once

#include <filum/result.hpp>
#include <filum/types.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum::exchange {

struct MeshFile {
  std::vector<Vec3> points;  // in the file's own unit
  std::vector<std::array<int, 3>> triangles;
  std::optional<double> unit;  // metres, where the format says it
};

// Refused: what cannot be read, holds no triangle, or a number that is none.
Result<MeshFile> read_mesh(const std::string& path);

// Of a file that does not say its unit, by the size of what is in it: a harness is not smaller than a hand and not
// larger than a lorry. Returns 1 (metres) or 0.001 (millimetres).
double guessed_unit(const MeshFile& mesh);

// Open Inventor 2, ASCII: coordinates with face sets and triangle strip sets, within separators.
Result<MeshFile> parse_inventor(std::string_view text, const std::string& file);

}  // namespace filum::exchange
