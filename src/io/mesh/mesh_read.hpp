// Triangle meshes from files: OBJ, STL, PLY, glTF by assimp, Open Inventor (ASCII) by hand, solids of STEP by OCCT where
// it was found. The libraries read in a process of their own, and nothing that a file does to them is felt here.
#pragma once

#include "geometry/mesh_surface.hpp"
#include "io/mesh/mesh_file.hpp"

#include <filum/result.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// Refused: what cannot be read, is cut short, holds no triangle, or a number that is none; what is stopped (read_apart.hpp).
Result<MeshFile> read_mesh(const std::string& path);
// The same from bytes in memory; the ending of `file` tells their kind.
Result<MeshFile> parse_mesh(const std::string& bytes, const std::string& file);

// The surface that a file holds, its numbers times `scale`. Refused besides: one without any area.
Result<std::shared_ptr<const geometry::MeshSurface>> read_surface(const std::string& path, double scale);

// The same of a mesh that was read.
Result<std::shared_ptr<const geometry::MeshSurface>> surface_of(MeshFile mesh, double scale, const std::string& file);

// Open Inventor 2, ASCII: coordinates with face sets and triangle strip sets, moved as its transforms say.
Result<MeshFile> parse_inventor(std::string_view text, const std::string& file);

// The solids and surfaces of a STEP file as triangles, in metres, within 0.1 mm and 12° of their faces. Refused where
// the program was built without OCCT, with the package that it takes.
Result<MeshFile> parse_step(const std::string& bytes, const std::string& file);

// What is wrong with a PLY file that assimp would not say, or not survive; empty: nothing.
std::string fault_of_ply(const std::string& bytes);

// As a Wavefront file.
std::string obj_text(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles);

}  // namespace filum::io
