#include "io/result/result_names.hpp"

#include "scene/obstacle_shape.hpp"

#include <filum/scene.hpp>

#include <algorithm>

namespace filum::io {
namespace {

template <class Things>
std::vector<std::string> take(const Things& things, size_t count, const char* kind) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(thing.name);
  count = std::max(count, names.size());
  while (names.size() < count) names.push_back(name_or({}, names.size(), kind));
  return names;
}

}  // namespace

std::string name_or(const std::vector<std::string>& names, size_t index, const char* kind) {
  return index < names.size() ? names[index] : std::string(kind) + " " + std::to_string(index + 1);
}

ResultNames names_of(const Scene& scene, const Outcome& outcome) {
  // the widest state and row decide how many names are needed
  size_t rods = 0, bodies = 0, holds = 0, probes = 0, ropes = 0, winches = 0, sheaves = 0;
  for (const Snapshot& state : outcome.states) {
    rods = std::max(rods, state.pose.rods.size());
    bodies = std::max(bodies, state.pose.bodies.size());
    holds = std::max(holds, state.pose.holds.size());
    ropes = std::max(ropes, state.pose.ropes.size());
    winches = std::max(winches, state.pose.winches.size());
    sheaves = std::max(sheaves, state.pose.sheaves.size());
  }
  for (const HistoryRow& row : outcome.history) {
    holds = std::max({holds, row.hold_force.size(), row.hold_moment.size()});
    probes = std::max(probes, row.probe.size());
    ropes = std::max(ropes, row.rope_tension.size());
    winches = std::max(winches, row.winch_force.size());
    sheaves = std::max(sheaves, row.sheave_before.size());
  }
  return {take(scene.rods, rods, "rod"),          take(scene.bodies, bodies, "body"),
          take(scene.holds, holds, "hold"),       take(scene.record.probes, probes, "probe"),
          take(scene.ropes, ropes, "rope"),       take(scene.winches, winches, "winch"),
          take(scene.sheaves, sheaves, "sheave"), take(scene::obstacles_of(scene), 0, "obstacle")};
}

}  // namespace filum::io
