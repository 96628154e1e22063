#include "geometry/box_tree.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <numeric>

namespace filum::geometry {

void BoxTree::build(std::span<const Box> boxes) {
  things_.assign(boxes.begin(), boxes.end());
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.clear();
  if (!boxes.empty()) build_node(0, static_cast<int>(boxes.size()), boxes);
}

int BoxTree::build_node(int first, int count, std::span<const Box> boxes) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Box box;
  Box centres;
  for (int k = first; k < first + count; ++k) {
    const Box& thing = boxes[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])];
    box.add(thing);
    centres.add(0.5 * (thing.low + thing.high));
  }
  nodes_[static_cast<std::size_t>(index)].box = box;
  if (count <= kLeaf) {
    nodes_[static_cast<std::size_t>(index)].first = first;
    nodes_[static_cast<std::size_t>(index)].count = count;
    return index;
  }
  // halves along the longest side; things at one place are halved by their number
  Eigen::Index axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int a, int b) {
    const auto centre = [&](int thing) {
      const Box& of = boxes[static_cast<std::size_t>(thing)];
      return of.low[axis] + of.high[axis];
    };
    return centre(a) != centre(b) ? centre(a) < centre(b) : a < b;
  });
  build_node(first, count / 2, boxes);
  const int second = build_node(first + count / 2, count - count / 2, boxes);
  nodes_[static_cast<std::size_t>(index)].second = second;
  return index;
}

std::size_t BoxTree::bytes() const {
  return sizeof(Node) * nodes_.capacity() + sizeof(int) * order_.capacity() + sizeof(Box) * things_.capacity();
}

void BoxTree::refit(std::span<const Box> boxes) {
  FILUM_ASSERT(boxes.size() == things_.size());
  std::copy(boxes.begin(), boxes.end(), things_.begin());
  // branches stand behind their node
  for (std::size_t index = nodes_.size(); index-- > 0;) {
    Node& node = nodes_[index];
    node.box = Box{};
    for (int k = node.first; k < node.first + node.count; ++k)
      node.box.add(things_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])]);
    if (node.count > 0) continue;
    node.box.add(nodes_[index + 1].box);
    node.box.add(nodes_[static_cast<std::size_t>(node.second)].box);
  }
}

}  // namespace filum::geometry
