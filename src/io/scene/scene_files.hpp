// The files that a scene names: the points of a shape, the mesh of an obstacle, the result it starts from.
//
// Who reads a scene of his own reads them wherever they lie. Who reads one that came from outside judges them first, by
// the rule of io/outside_path.hpp, before a byte of them is read.
#pragma once

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// Whether all that the scene names may be read; none of the folders: anything. `name`: of the file, beside which they
// lie. A text that is no scene is left to its reader.
Status check_named_files(std::string_view text, const std::string& name,
                         const std::vector<std::filesystem::path>& folders);

// The scene with the points of its files as its own: it can be read wherever it lies.
Scene with_points_inside(Scene scene);

}  // namespace filum::io
