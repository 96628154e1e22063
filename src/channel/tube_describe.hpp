// What is told of a beam at rest in a tube.
#pragma once

#include "channel/space_polish.hpp"

#include <filum/tube.hpp>

namespace filum::channel {

TubeShape describe(const TubeProblem& problem, const SpaceBeam& beam, const SpacePolished& polished);

}  // namespace filum::channel
