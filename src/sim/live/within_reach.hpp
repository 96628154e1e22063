// A body that goes as far as its cables let it.
#pragma once

#include "sim/live/engine.hpp"

#include <filum/session.hpp>

namespace filum::sim {

// Settles a body, which is not free, as far towards a pose as the rods that are held to anything let it.
ReachReport move_within_reach(Engine& engine, int body, const BodyPose& to, const Progress& progress = {});

}  // namespace filum::sim
