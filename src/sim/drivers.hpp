// Drivers: what holds, bodies, loads, lengths and winches are asked to do at a time.
//
// A value that a path's first keyframe does not name starts from what the scene says; between keyframes that name it,
// it is interpolated (positions, turns, factors, lengths and speeds linearly, orientations along the shortest arc);
// before the first and after the last it stays. A hold that took hold again during a run starts from where it then was,
// at that time: earlier keyframes no longer count.
#pragma once

#include "formulations/formulation.hpp"

#include <filum/scene.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace filum::sim {

// When a hold last took hold of what it had let go; −∞ if never. Where it then was is the scene's `position` and
// `orientation` of that hold from then on.
struct Grip {
  double position_since = -std::numeric_limits<double>::infinity();
  double orientation_since = -std::numeric_limits<double>::infinity();
  bool popped = false;  // a clip that was pulled open and has not caught its rod since
  bool near = false;    // and from which the rod has not gone away yet
  bool mouth = false;   // the rod is in the mouth of a clip, and not yet pushed in
  double caught_at = -std::numeric_limits<double>::infinity();  // when a clip caught its rod, s
  Vec3 caught_off = Vec3::Zero();                               // how far from its seat, m
};

// Asked of a body by hand, instead of its driver.
struct AskedBody {
  std::optional<Vec3> position;
  std::optional<Quat> orientation;
};

// Where the shapes and bodies put everything before any driver acts.
Targets resting_targets(const Scene& scene);

Targets targets_at(const Scene& scene, const Targets& resting, double t);

// The same into `targets`, which had the scene's sizes before: without allocating. `grips`: one per hold; `asked`: one
// per body. Either may be empty.
void fill_targets(const Scene& scene, const Targets& resting, const std::vector<Grip>& grips,
                  const std::vector<AskedBody>& asked, double t, Targets& targets);

// The time of the last keyframe, at least simulation.end.
double last_time(const Scene& scene);

// Between two sets of targets: `from` at share 0, `to` at 1. Does not allocate if `mixed` has their sizes.
void blend(const Targets& from, const Targets& to, double share, Targets& mixed);
Targets blend(const Targets& from, const Targets& to, double share);

}  // namespace filum::sim
