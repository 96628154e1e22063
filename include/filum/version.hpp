// Which Filum this is. CMakeLists.txt reads it from here.
#pragma once

namespace filum {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace filum
