#include "sim/run/step_control.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

namespace {

constexpr double kSafety = 0.9;
constexpr double kMostGrowth = 2;
constexpr double kMostShrinking = 0.2;
// A step shorter than this share of the scene's is not tried.
constexpr double kShortestTrial = 1e-6;

}  // namespace

Tick StepControl::next(const Simulation& simulation, double t, double limit) const {
  const bool last = t + trial_ > limit - kSameInstant * simulation.step;
  return last ? Tick{limit, limit - t} : Tick{t + trial_, trial_};
}

bool StepControl::judge(const Simulation& simulation, const Tick& tick, double limit, double error) {
  const double wanted = kSafety * std::cbrt(*simulation.tolerance / std::max(error, 1e-300));
  const double length = std::clamp(wanted, kMostShrinking, kMostGrowth) * tick.dt;
  if (!(error <= *simulation.tolerance)) {
    trial_ = length;
    return false;
  }
  // a step cut short by the limit says little about longer ones
  trial_ = std::min(simulation.step, tick.t == limit ? std::max(trial_, length) : length);
  return true;
}

bool StepControl::is_hopeless(const Simulation& simulation) const {
  // written so that a length that is no number is hopeless too: it would be tried for ever
  return !(trial_ >= kShortestTrial * simulation.step);
}

}  // namespace filum::sim
