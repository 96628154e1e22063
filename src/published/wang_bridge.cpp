#include "published/wang_bridge.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <map>

namespace filum::published {
namespace {

// Sets of people as bits.
using Group = unsigned;

std::string name_of(Group group) {
  std::string name;
  for (char c = 'A'; group != 0; ++c, group >>= 1)
    if (group & 1) name += c;
  return name;
}

struct Arrival {
  double minutes = 0;
  std::vector<Group> before;  // all groups from which it is reached soonest
};

double slowest(const std::vector<double>& minutes, Group walkers) {
  double most = 0;
  for (std::size_t i = 0; i < minutes.size(); ++i)
    if (walkers >> i & 1) most = std::max(most, minutes[i]);
  return most;
}

void trace(const std::vector<std::map<Group, Arrival>>& stages, std::size_t stage, Group group,
           std::vector<std::string>& tail, std::vector<std::vector<std::string>>& paths) {
  tail.push_back(name_of(group));
  if (stage == 0)
    paths.emplace_back(tail.rbegin(), tail.rend());
  else
    for (const Group before : stages[stage].at(group).before) trace(stages, stage - 1, before, tail, paths);
  tail.pop_back();
}

}  // namespace

BridgeCrossing cross_bridge(const std::vector<double>& minutes) {
  BridgeCrossing result;
  const int people = static_cast<int>(minutes.size());
  const Group all = (1u << people) - 1;
  std::vector<std::map<Group, Arrival>> stages;
  std::map<Group, Arrival> now{{0u, {}}};
  // two go over, one comes back, until all are across
  for (int walk = 0; walk == 0 || !now.contains(all); ++walk) {
    const bool over = walk % 2 == 0;
    std::map<Group, Arrival> next;
    for (const auto& [group, arrival] : now) {
      for (Group walkers = 1; walkers <= all; ++walkers) {
        const bool right_side = over ? (walkers & group) == 0 : (walkers & ~group) == 0;
        const int count = __builtin_popcount(walkers);
        if (!right_side || count != (over ? std::min(2, people) : 1)) continue;
        ++result.evaluations;
        const double arrives = arrival.minutes + slowest(minutes, walkers);
        const auto [entry, is_new] = next.try_emplace(group ^ walkers, Arrival{arrives, {}});
        if (arrives < entry->second.minutes) entry->second = {arrives, {}};
        if (arrives == entry->second.minutes) entry->second.before.push_back(group);
      }
    }
    stages.push_back(next);
    now = std::move(next);
  }
  result.minutes = now.at(all).minutes;
  std::vector<std::string> tail;
  trace(stages, stages.size() - 1, all, tail, result.paths);
  return result;
}

}  // namespace filum::published
