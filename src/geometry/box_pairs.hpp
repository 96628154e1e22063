// Which boxes of a long row meet: neighbours in the row are neighbours in space, as the segments of rods are.
//
// Boxes are gathered by sixteen, and a tree is built of the groups. Built anew from whatever is given, without allocating
// once it has been as large.
#pragma once

#include "geometry/box_tree.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace filum::geometry {

class BoxPairs {
 public:
  void set(std::span<const Box> boxes) {
    boxes_.assign(boxes.begin(), boxes.end());
    groups_.clear();
    for (std::size_t first = 0; first < boxes_.size(); first += kGroup) {
      Box& group = groups_.emplace_back();
      for (std::size_t k = first; k < std::min(first + kGroup, boxes_.size()); ++k) group.add(boxes_[k]);
    }
    tree_.build(groups_);
  }

  // Calls visit(i, j) once for every pair that meets, i < j.
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      tree_.near(groups_[g], 0, [&](int other) {
        const std::size_t h = static_cast<std::size_t>(other);
        if (h >= g) groups(g, h, visit);
      });
  }

 private:
  static constexpr std::size_t kGroup = 16;

  static bool meet(const Box& a, const Box& b) {
    return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
  }
  template <class Visit>
  void groups(std::size_t g, std::size_t h, Visit& visit) const {
    const std::size_t end = std::min((h + 1) * kGroup, boxes_.size());
    for (std::size_t i = g * kGroup; i < std::min((g + 1) * kGroup, boxes_.size()); ++i) {
      if (!meet(boxes_[i], groups_[h])) continue;
      for (std::size_t j = std::max(h * kGroup, i + 1); j < end; ++j)
        if (meet(boxes_[i], boxes_[j])) visit(static_cast<int>(i), static_cast<int>(j));
    }
  }

  std::vector<Box> boxes_;
  std::vector<Box> groups_;
  BoxTree tree_;
};

}  // namespace filum::geometry
