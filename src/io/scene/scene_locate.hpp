// Where in the text a thing stands, given its path in the scene.
#pragma once

#include "io/yaml/yaml_tree.hpp"

#include <string>
#include <vector>

namespace filum::io {

// Follows keys and list indices as far as the text goes: what is left at its default is told by the thing that holds
// it.
Mark locate(const Node& root, const std::vector<std::string>& path);

}  // namespace filum::io
