// The clock of a run: instants at whole multiples of the step, found from the time itself, so that nothing adds up.
#pragma once

namespace filum::sim {

// Instants nearer to each other than this share of a step are one.
inline constexpr double kSameInstant = 1e-6;

struct Tick {
  double t = 0;   // the instant
  double dt = 0;  // how long until then: the step itself, to the last bit, from one multiple to the next
};

// The first multiple of `step` after t, or `limit` if that comes before. A limit at a multiple is that multiple.
Tick next_tick(double t, double step, double limit);

// How many multiples of `every` lie in [0, t].
double multiples_until(double t, double every);

}  // namespace filum::sim
