// Files that a scene is made of, read whole and with bounds.
#pragma once

#include <filum/result.hpp>
#include <filum/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// A regular file of bounded size; anything else is an error that says why.
Result<std::string> read_text_file(const std::string& path);

// The folder a file stands in, "." for a bare name.
std::string folder_of(const std::string& path);

// Points, one «x y z» or «x, y, z» a line in metres, # begins a comment. `name` stands for the file in messages.
Result<std::vector<Vec3>> parse_points(std::string_view text, const std::string& name);

}  // namespace filum::io
