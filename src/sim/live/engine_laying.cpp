// Laying by hand: rods that find their lengths, bodies that go as far as their cables.
#include "sim/live/engine.hpp"

#include "base/index.hpp"
#include "scene/check/fault_list.hpp"
#include "sim/routing/reach.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::sim {

namespace {

constexpr int kSteps = 16;          // in which a movement is followed
constexpr double kAccuracy = 1e-4;  // of the share of it at which a body stops

}  // namespace

void Engine::route(const std::vector<Routing>& routing) {
  scene_.routing = routing;
  router_.begin(scene_);
}

// To the equilibrium of what is asked for now, with the lengths that belong to it.
void Engine::find_lengths(const Progress& progress) {
  fill_next(t_);
  const std::vector<FoundLength> before = router_.lengths();
  int anew = 0;
  Laying laid = laying();
  laid.compiled = &anew;
  solve_ = router_.settle(laid, Targets(next_), progress);
  // a rod that has changed in a part of its length was compiled anew
  if (anew > 0) {
    compiled_ = resting_.rod_length;
    make_ready();
  }
  turns_.follow(last_);
  note_lengths(before);
  note_events();
}

// What has become of a length is told when it is something else than before.
void Engine::note_lengths(const std::vector<FoundLength>& before) {
  const std::vector<FoundLength>& now = router_.lengths();
  for (std::size_t k = 0; k < now.size(); ++k)
    if (k >= before.size() || before[k].rod != now[k].rod || before[k].verdict != now[k].verdict)
      events_.push_back({t_, told(now[k])});
}

ReachReport Engine::move_within_reach(int body, const BodyPose& to, const Progress& progress) {
  const BodyPose from = last_.bodies[at(body)];
  const auto ask_share = [&](double share) {
    ask_body(body, {Vec3(from.position + share * (to.position - from.position)),
                    from.orientation.slerp(share, to.orientation)});
  };
  ReachKeeper keeper;
  keeper.begin(scene_, pose(), true);
  const auto reached = [&](double share) {
    ask_share(share);
    return settle(progress).converged && !keeper.worst(scene_, pose());
  };

  // in steps, then between the last that was in reach and the first that was not
  ReachReport report;
  double low = 0;
  for (int k = 1; k <= kSteps && !report.stopped; ++k) {
    const double share = static_cast<double>(k) / kSteps;
    report.stopped = !reached(share);
    if (!report.stopped) low = share;
  }
  if (!report.stopped) return report;
  for (double high = low + 1.0 / kSteps; high - low > kAccuracy;) {
    const double middle = 0.5 * (low + high);
    (reached(middle) ? low : high) = middle;
  }
  const bool back = reached(low) || low == 0;
  report.fraction = low;

  // what is missing for the rest of the way
  LayingCopy beyond(laying());
  for (int k = 1; k <= kSteps; ++k) {
    const double share = std::max(low, static_cast<double>(k) / kSteps);
    ask_share(share);
    fill_next(t_);
    if (beyond.laying().settle(next_, progress).converged) keeper.note(beyond.laying(), share, progress);
  }
  ask_share(low);
  report.shortages = keeper.shortages();
  report.why = "body '" + scene_.bodies[at(body)].name + "' stopped";
  if (!report.shortages.empty()) {
    const Shortage& first = report.shortages.front();
    report.why += ": rod '" + first.rod + "' between " + first.from + " and " + first.to + " is too short by " +
                  scene::in_millimetres(first.missing);
  } else if (!back) {
    report.why += ": there is no equilibrium beyond";
  }
  events_.push_back({t_, report.why});
  return report;
}

}  // namespace filum::sim
