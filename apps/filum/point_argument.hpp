// A point in space as an argument: «12.5,0,-3».
#pragma once

#include <filum/result.hpp>
#include <filum/types.hpp>

#include <string>

namespace filum::app {

Result<Vec3> point_of(const char* option, const std::string& text);

}  // namespace filum::app
