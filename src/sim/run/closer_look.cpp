#include "sim/run/closer_look.hpp"

#include "sim/drivers.hpp"

#include <algorithm>

namespace filum::sim {

CloserLook::CloserLook(const Model& model, Workspace& workspace, const State& like, const Targets& targets)
    : model_(model), workspace_(workspace), looked_(like.clone()), led_(targets) {}

int CloserLook::follow(const State& before, const Targets& from, const Targets& to, double dt, int parts) {
  constexpr double kGrowth = 1e-4;  // less is no growth
  looked_->assign(before);
  double highest = model_.peak_pulls(*looked_);
  int first = 0;
  int peak = 0;
  for (int k = 1; k <= kHorizon * parts; ++k) {
    blend(from, to, static_cast<double>(k) / parts, led_);
    if (!model_.step(workspace_, *looked_, led_, dt / parts).usable) return -1;
    const double now = model_.peak_pulls(*looked_);
    if (now > (1 + kGrowth) * highest) {
      highest = now;
      peak = k;
      if (first == 0) first = k;
    }
    // something rose within the step, so it is gone through to its end
    if (k >= parts && k >= peak + std::max(kCalm, (peak - first) / 2)) return peak - first;
  }
  return -1;
}

void CloserLook::look(const State& before, const Targets& from, const Targets& to, double dt, State& state) {
  for (int parts = kFirst; parts <= kFinest; parts *= 4) {
    const int growth = follow(before, from, to, dt, parts);
    if (growth < 0) return;
    if (growth < kResolved && parts < kFinest) continue;
    model_.take_peaks(state, *looked_);
    return;
  }
}

}  // namespace filum::sim
