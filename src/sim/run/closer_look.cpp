#include "sim/run/closer_look.hpp"

#include "sim/drivers.hpp"

#include <algorithm>
#include <cmath>

namespace filum::sim {

CloserLook::CloserLook(const Model& model, Workspace& workspace, const State& like, const Targets& targets)
    : model_(model), workspace_(workspace), looked_(like.clone()), led_(targets) {}

int CloserLook::follow(const State& before, const Targets& from, const Targets& to, double dt, int parts,
                       const Progress& progress) {
  constexpr double kGrowth = 1e-4;  // less is no growth
  looked_->assign(before);
  double highest = model_.peak_pulls(*looked_);
  int first = 0;
  int peak = 0;
  for (int k = 1; k <= kHorizon * parts; ++k) {
    blend(from, to, static_cast<double>(k) / parts, led_);
    const StepReport report = model_.step(workspace_, *looked_, led_, dt / parts);
    if (stops(progress, 1, "a closer look at a blow")) return kHalted;
    if (!report.usable || report.made > kMostMade) return kFailed;
    const double now = model_.peak_pulls(*looked_);
    if (now > (1 + kGrowth) * highest) {
      highest = now;
      peak = k;
      if (first == 0) first = k;
    }
    // something rose within the step, so it is gone through to its end
    if (k >= parts && k >= peak + std::max(kCalm, (peak - first) / 2)) return peak - first;
  }
  return kStillGrows;
}

bool CloserLook::look(const State& before, const Targets& from, const Targets& to, double dt, int pieces, State& state,
                      const Progress& progress) {
  double coarser = 0;  // what was found with steps four times as long
  for (int parts = std::max(kFirst, pieces); parts <= kFinest; parts *= 4) {
    const int growth = follow(before, from, to, dt, parts, progress);
    if (growth == kHalted) return false;
    if (growth == kStillGrows) return true;
    const bool last = 4 * parts > kFinest;
    const double found = growth == kFailed ? 0 : model_.peak_pulls(*looked_);
    const bool agrees = std::abs(found - coarser) <= kAgreed * found;
    coarser = found;
    if (growth == kFailed || (!last && (growth < kResolved || !agrees))) continue;
    model_.take_peaks(state, *looked_);
    return true;
  }
  return true;
}

}  // namespace filum::sim
