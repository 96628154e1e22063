// Pictures of a natural mode: the rods at rest and at both ends of the swing, in the two planes that show most of it.
#pragma once

#include <filum/modes.hpp>
#include <filum/scene.hpp>

#include <string>
#include <vector>

namespace filum::io {

// Of a mode that only turns about the rods, the turn along them instead.
std::vector<std::string> mode_svgs(const Scene& scene, const Pose& pose, const NaturalMode& mode);

}  // namespace filum::io
