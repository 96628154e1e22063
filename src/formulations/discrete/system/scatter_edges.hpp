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

// Edges in a row whose blocks lie alike go in one go, those before and after them one after the other in between: so sums
// are the same however many lanes there are.
template <class T>
void RodSystem::scatter_edges(const EdgeBlocks<T>& blocks, int first, int count) {
  for (int begin = 0, end = 0; begin < count; begin = end) {
    const char lie = blocks_lie_[at(first + begin)];
    while (end < count && blocks_lie_[at(first + end)] == lie) ++end;
    if (lie != 0 && end > begin + 1) {
      scatter_alike(blocks, first, begin, end);
    } else {
      for (int i = begin; i < end; ++i) scatter_edge_alone(lane_of(blocks, i), first + i);
    }
  }
}

// Lanes `begin` to `end` alone.
template <class T>
void RodSystem::scatter_alike(const EdgeBlocks<T>& blocks, int first, int begin, int end) {
  constexpr int kLanes = math::kLanesOf<T>;
  using Slot = math::Slot;
  const auto slots = [&](const auto& pick) {
    const Slot& nowhere = tangent_.nowhere(pick(at(first + begin)).transposed);
    std::array<const Slot*, kLanes> of;
    for (int i = 0; i < kLanes; ++i) of[at(i)] = i >= begin && i < end ? &pick(at(first + i)) : &nowhere;
    return of;
  };
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
