// Edges several side by side go into the matrix: a part of RodSystem that two of its sources share, who
// include rod_system.hpp.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/system/step_chunk.hpp"

#include <array>

namespace filum::discrete {

template <class T>
EdgeBlocks<double> lane_of(const EdgeBlocks<T>& blocks, int lane) {
  EdgeBlocks<double> one;
  for (int i = 0; i < math::kNumbersOf<EdgeBlocks>; ++i)
    math::numbers<EdgeBlocks, double>(one)[i] = math::numbers<EdgeBlocks, T>(blocks)[i][lane];
  return one;
}

template <class T>
void RodSystem::scatter_edges(const EdgeBlocks<T>& blocks, int first, int count) {
  constexpr int kLanes = math::kLanesOf<T>;
  bool alike = count == kLanes && blocks_lie_[at(first)] != 0;
  for (int i = 1; i < count; ++i) alike = alike && blocks_lie_[at(first + i)] == blocks_lie_[at(first)];
  if (!alike) {
    for (int i = 0; i < count; ++i) scatter_edge_alone(lane_of(blocks, i), first + i);
    return;
  }
  const auto slots = [&](const auto& pick) {
    std::array<const math::Slot*, kLanes> of;
    for (int i = 0; i < kLanes; ++i) of[at(i)] = &pick(at(first + i));
    return of;
  };
  using Slot = math::Slot;
  // a node's block has the edge that ends there first, as it has when they come one by one
  tangent_.add_lanes<T>(slots([&](std::size_t j) -> const Slot& { return edge_slots_[j].bb; }), blocks.bb, 3, 3);
  tangent_.add_lanes<T>(slots([&](std::size_t j) -> const Slot& { return edge_slots_[j].aa; }), blocks.aa);
  tangent_.add_lanes<T>(slots([&](std::size_t j) -> const Slot& { return edge_slots_[j].ab.direct; }), blocks.ab);
  // of the joint at its end
  const auto joint = [&](std::size_t j) -> const Tangent::Pair& { return joint_slot_[at(start_joint_[j + 1])]; };
  tangent_.add_lanes<T>(slots([&](std::size_t j) -> const Slot& { return joint(j).direct; }), blocks.ac, 4, 3);
  if (tangent_.symmetric()) return;
  tangent_.add_lanes<T>(slots([&](std::size_t j) -> const Slot& { return edge_slots_[j].ab.mirror; }), blocks.ba);
  tangent_.add_lanes<T>(slots([&](std::size_t j) -> const Slot& { return joint(j).mirror; }), blocks.ca, 3, 4);
}

}  // namespace filum::discrete
