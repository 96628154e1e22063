// Holds that let go and take hold while a scene is in motion, by hand or by a keyframe's `fix`.
//
// What a hold takes hold of it takes where it is, unless the keyframe says where it is to be; axes that it held before
// stay where they were wanted.
#pragma once

#include "sim/drivers.hpp"
#include "sim/live/asked.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <vector>

namespace filum::sim {

// Whether axes are fixed now that were not before.
bool gains_any(const FixedAxes& before, const FixedAxes& now);

// What a hold of the scene is to fix at time t, by its keyframes.
Fix fix_at(const Scene& scene, int hold, double t);
// The scene with its holds as they are at the very beginning.
Scene as_it_begins(Scene scene);

// The time of the first keyframe after `now` that switches a hold; infinite: there is none.
double next_switch(const Scene& scene, double now);

// One hold that is to fix something else.
struct HoldSwitch {
  int hold = 0;
  Fix fix;
  // what a keyframe says of it, which is then not where it happens to be
  bool names_position = false;
  bool names_orientation = false;
};
// Those of the keyframes nearer to t than `same`.
std::vector<HoldSwitch> switches_at(const Scene& scene, double t, double same);

// The hold of `scene` does what it is switched to at time t: `last` is where things were wanted, `found` where they are.
void switch_hold(Scene& scene, const HoldSwitch& to, const Targets& last, const Targets& found, double t, Grip& grip,
                 AskedHold& asked);

// What a hold does from now on, as an event.
EventKind switched_to(const Hold& hold);

}  // namespace filum::sim
