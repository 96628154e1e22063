// Winches, sheaves, ropes and planes as YAML text.
#pragma once

#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::io {

std::string plane_text(const Plane& plane);
// The items of the list `reeving`: winches, then sheaves, then ropes.
std::vector<std::string> reeving_texts(const Scene& scene);

}  // namespace filum::io
