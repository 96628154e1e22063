// A tube whose centreline lies in a plane: the beam that stays in that plane, in a channel as wide as the tube.
#pragma once

#include <filum/tube.hpp>

#include <optional>

namespace filum::channel {

// The lowest such shape at rest; none if the centreline leaves the plane or nothing comes to rest. Whatever the beam does
// in space, it has no more energy than this.
std::optional<TubeOutcome> planar_shape(const TubeProblem& problem, const ChannelOptions& options);

}  // namespace filum::channel
