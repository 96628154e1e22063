// A tube whose centreline lies in a plane: the beam that stays in that plane, in a channel as wide as the tube.
#pragma once

#include <filum/tube.hpp>

#include <vector>

namespace filum::channel {

// The directions of the links of the lowest such shapes at rest; none if the centreline leaves the plane, the section is
// not round or nothing comes to rest. Whatever the beam does in space, it has no more energy than these.
std::vector<std::vector<Vec3>> planar_shapes(const TubeProblem& problem, const ChannelOptions& options);

}  // namespace filum::channel
