// Files of points, which a curve of a scene may name.
#pragma once

#include <filum/result.hpp>
#include <filum/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// Points, one «x y z» or «x, y, z» a line in metres, # begins a comment. `name` stands for the file in messages.
Result<std::vector<Vec3>> parse_points(std::string_view text, const std::string& name);

}  // namespace filum::io
