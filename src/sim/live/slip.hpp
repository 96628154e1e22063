// Hands of bounded strength: what is held harder than that slips.
//
// A step is first taken with the rod held where the hand wants it. If that needs more force than the hand has, the step
// is taken again without the hold, under all of the hand's force in the direction in which it had to pull. In a linear
// system x = x_free + C F the point then comes to lie on the line from where it would have gone by itself to where it was
// wanted, at the share that the force is of the one needed: it never overshoots, however light or stiff the rod is.
#pragma once

#include "sim/live/asked.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <vector>

namespace filum::sim {

struct Slip {
  int hold = 0;
  Vec3 force = Vec3::Zero();  // that the hand exerts on the rod, N
};

// Holds that took more force than was asked of them.
std::vector<Slip> overpowered(const Asked& asked, const Pose& pose);
// For a step that could not be taken: all bounded holds, pulling from where they are to where they are wanted.
std::vector<Slip> at_full_strength(const Asked& asked, const Targets& held);

// The scene with these holds open, and forces in their place.
Scene slipping(Scene scene, const std::vector<Slip>& slips);

}  // namespace filum::sim
