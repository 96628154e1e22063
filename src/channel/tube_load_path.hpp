// A beam in a tube from load to load: channel/path_follower.hpp says how.
#pragma once

#include "channel/space_polish.hpp"

#include <filum/tube.hpp>

#include <functional>
#include <vector>

namespace filum::channel {

// The beam of a problem under one of its loads, scaled.
SpaceBeam make_beam(const TubeProblem& problem, const SpacePassage& passage, const TubeLoad& load);

// One step a load, from the shape that it has at the first.
std::vector<TubeStep> follow_loads(const TubeProblem& problem, const SpacePassage& passage, const TubeWall& wall,
                                   const TubeShape& start, const std::function<void(double share)>& progress);

}  // namespace filum::channel
