// What a mistyped key may have meant.
#pragma once

#include "scene/describe/field.hpp"

#include <string>
#include <string_view>

namespace filum::io {

// The known key nearest to it, or all of them if none is near: «; did you mean 'length'?»
std::string key_hint(const scene::Table& table, std::string_view key);

}  // namespace filum::io
