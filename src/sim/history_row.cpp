#include "sim/history_row.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"
#include "sim/limits.hpp"

namespace filum::sim {

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
    const rod::PosePlace place = rod::pose_place(rod.s, probe.point.at.at(rod.s.back()));
    row.probe.push_back(rod::value_at(rod.position, place));
    if (!rod.velocity.empty()) row.probe_velocity.push_back(rod::value_at(rod.velocity, place));
  }
  for (const RodPose& rod : pose.rods) row.turns.push_back(rod.turns);
  for (const RopePose& rope : pose.ropes) row.rope_tension.push_back(largest_tension(rope));
  for (const WinchPose& winch : pose.winches) row.winch_force.push_back(winch.force);
  for (const SheavePose& sheave : pose.sheaves) {
    row.sheave_before.push_back(sheave.tension_before);
    row.sheave_after.push_back(sheave.tension_after);
  }
  return row;
}

}  // namespace filum::sim
