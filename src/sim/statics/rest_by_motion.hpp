// An equilibrium that a damped motion comes to: the last resort.
//
// The scene is let go in the shape that it is drawn in and moves by implicit Euler steps that get ever longer, until
// inertia counts for nothing. Short steps follow the motion where Newton's method would leap; long ones damp everything,
// oscillations that following forces feed included: of a motion exp(λt) a step leaves 1/|1 − hλ|.
#pragma once

#include "sim/statics/equilibrium.hpp"

namespace filum::sim {

// For `model` of this scene, beginning with the rods' own masses. Not converged: nothing was found; the iterations count
// all the same.
Equilibrium relax(const Model& model, Workspace& workspace, const Scene& scene, const Targets& targets,
                  const Progress& progress);

// From `state`, held at `from`, where `model` has come to on its way to `to`: what moves is led there and comes to rest, with
// friction, as a hand would have it that is in no hurry. So a rod that snaps or slips comes to where it stays.
Equilibrium lead(const Model& model, Workspace& workspace, const Scene& scene, const State& state, const Targets& from,
                 const Targets& to, const Progress& progress);

// Where slack rods come to lie that were too short as `drawn`: they are paid out from there until they have the lengths
// of `targets`, so that nothing goes through anything on the way, in a light draught, so that nothing stays balanced on an
// edge, and without friction.
Equilibrium pay_out(const Model& model, Workspace& workspace, const Scene& scene, const Targets& drawn,
                    const Targets& targets, const Progress& progress);

}  // namespace filum::sim
