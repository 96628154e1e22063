// Dynamics: what one segment costs in one step, by stepper and integrator, and what yield adds to it.
#pragma once

#include "bench/bench.hpp"

#include <filum/scene.hpp>

#include <string>

namespace filum::bench {

// Steps of 1/240 s of the heavy cantilever (Γ = 10) that falls from the horizontal, Newton converged; `iterations` > 0:
// bounded cost. Per segment and step.
Bench implicit_step(Integrator integrator, int segments, int iterations = 0);

// How even the processor time of a step of bounded cost is over ten minutes at 60 Hz: the 99.9th percentile over the
// median. The cantilever swings all the while, slack enough (Γ = 100) to snap.
Bench bounded_step_spread(int segments, int iterations);

// The same (200 segments, energy-momentum where there is a choice) of a rod that may yield: but does not, or does so over
// most of its length. Over the time of the elastic one.
enum class Yields { Never, Most };
Bench yielding_step(const std::string& formulation, Yields yields);

// The same with an explicit stepper, at a step within its stability limit, of a round rod or one that bends more easily
// about one axis. Per segment and step.
enum class Profile { Round, Flat };
Bench explicit_step(Stepper stepper, int segments, Profile profile = Profile::Round);

}  // namespace filum::bench
