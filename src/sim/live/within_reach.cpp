#include "sim/live/within_reach.hpp"

#include "base/index.hpp"
#include "sim/routing/reach.hpp"

#include <algorithm>

namespace filum::sim {

namespace {

constexpr int kSteps = 16;               // in which a movement is followed
constexpr double kShareAccuracy = 1e-4;  // of the share of it at which a body stops

}  // namespace

ReachReport move_within_reach(Engine& engine, int body, const BodyPose& to, const Progress& progress) {
  const BodyPose from = engine.living().held().bodies[at(body)];
  const auto ask_share = [&](double share) {
    engine.asked().ask(body, AskedBody{Vec3(from.position + share * (to.position - from.position)),
                                       from.orientation.slerp(share, to.orientation)});
  };
  ReachKeeper keeper;
  keeper.begin(engine.scene(), engine.pose(), true);
  const auto reached = [&](double share) {
    ask_share(share);
    return engine.settle(progress).converged && !keeper.worst(engine.scene(), engine.pose());
  };
  const auto stopped = [&] { return engine.solve().stopped; };

  // in steps, then between the last that was in reach and the first that was not
  ReachReport report;
  double low = 0;
  for (int k = 1; k <= kSteps && !report.stopped; ++k) {
    const double share = static_cast<double>(k) / kSteps;
    report.stopped = !reached(share);
    if (!report.stopped) low = share;
  }
  if (!report.stopped || stopped()) return report;
  for (double high = low + 1.0 / kSteps; high - low > kShareAccuracy && !stopped();) {
    const double middle = 0.5 * (low + high);
    (reached(middle) ? low : high) = middle;
  }
  const bool back = reached(low) || low == 0;
  report.fraction = low;
  if (stopped()) return report;

  // what is missing for the rest of the way
  LivingScene beyond = engine.living().copy();
  for (int k = 1; k <= kSteps; ++k) {
    const double share = std::max(low, static_cast<double>(k) / kSteps);
    ask_share(share);
    const SolveReport found = beyond.settle(engine.wanted(), progress);
    if (found.stopped) break;
    if (found.converged) keeper.note(beyond, share, progress);
  }
  ask_share(low);
  report.shortages = keeper.shortages();
  Event& event = engine.tell(EventKind::BodyStopped);
  event.object = {ObjectKind::Body, engine.scene().bodies[at(body)].name};
  if (!report.shortages.empty()) {
    const Shortage& first = report.shortages.front();
    event.rod = first.rod;
    event.from = first.from;
    event.to = first.to;
    event.value = first.missing;
  } else if (!back) {
    event.why = "there is no equilibrium beyond";
  }
  report.event = event;
  return report;
}

}  // namespace filum::sim
