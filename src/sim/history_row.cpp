#include "sim/history_row.hpp"

#include "base/index.hpp"
#include "sim/limits.hpp"

#include <algorithm>

namespace filum::sim {

namespace {

// A list along a rod at arc length s, between its entries linearly.
Vec3 along_rod(const std::vector<double>& s, const std::vector<Vec3>& values, double where) {
  const auto above = std::lower_bound(s.begin(), s.end(), where);
  const auto i = static_cast<std::size_t>(above - s.begin());
  if (i == 0) return values.front();
  if (i == s.size()) return values.back();
  const double share = (where - s[i - 1]) / (s[i] - s[i - 1]);
  return values[i - 1] + share * (values[i] - values[i - 1]);
}

}  // namespace

HistoryRow history_row(const Scene& scene, const Snapshot& snapshot) {
  const Pose& pose = snapshot.pose;
  HistoryRow row;
  row.t = snapshot.t;
  row.energy = pose.energy;
  for (const HoldPose& hold : pose.holds) {
    row.hold_force.push_back(hold.force);
    row.hold_moment.push_back(hold.moment);
  }
  for (const Probe& probe : scene.record.probes) {
    const RodPose& rod = pose.rods[at(index_of(scene.rods, probe.point.rod))];
    const double s = probe.point.at.at(rod.s.back());
    row.probe.push_back(along_rod(rod.s, rod.position, s));
    if (!rod.velocity.empty()) row.probe_velocity.push_back(along_rod(rod.s, rod.velocity, s));
  }
  for (const RodPose& rod : pose.rods) row.turns.push_back(rod.turns);
  for (const RopePose& rope : pose.ropes) row.rope_tension.push_back(largest_tension(rope));
  for (const WinchPose& winch : pose.winches) row.winch_force.push_back(winch.force);
  return row;
}

}  // namespace filum::sim
