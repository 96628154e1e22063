// A tree of boxes: which of many things may be near.
//
// Built once by halving along the longest side; when the things move it is refitted, which keeps the halves and
// adjusts the boxes: as good as a new one as long as neighbours stay neighbours, and correct in any case.
#pragma once

#include <filum/types.hpp>

#include <limits>
#include <span>
#include <vector>

namespace filum::geometry {

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vec3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  void add(const Box& box) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  [[nodiscard]] Box grown(double margin) const { return {low - Vec3::Constant(margin), high + Vec3::Constant(margin)}; }
  // Square of the distance between two boxes; zero if they meet.
  [[nodiscard]] double square_distance(const Box& other) const {
    return (low - other.high).cwiseMax(other.low - high).cwiseMax(0).squaredNorm();
  }
};

class BoxTree {
 public:
  void build(std::span<const Box> boxes);
  // The same things at other places.
  void refit(std::span<const Box> boxes);
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] std::size_t bytes() const;

  // Calls visit(thing) for every thing whose box is within `reach` of this one, nearer branches first. The visitor may
  // lower the reach as it goes: a search for the nearest.
  template <class Visit>
  void search(const Box& from, double& reach, Visit&& visit) const {
    if (nodes_.empty() || reach < 0) return;
    search_node(0, from, reach, visit);
  }
  template <class Visit>
  void near(const Box& from, double reach, Visit&& visit) const {
    search(from, reach, visit);
  }

 private:
  static constexpr int kLeaf = 4;
  struct Node {
    Box box;
    int first = 0;  // of the things of a leaf, in order_
    int count = 0;  // zero: it has two branches, the next node and `second`
    int second = 0;
  };

  int build_node(int first, int count, std::span<const Box> boxes);
  template <class Visit>
  void search_node(int index, const Box& from, double& reach, Visit& visit) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.box.square_distance(from) > reach * reach) return;
    if (node.count > 0) {
      for (int k = node.first; k < node.first + node.count; ++k) {
        const std::size_t thing = static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
        if (things_[thing].square_distance(from) <= reach * reach) visit(static_cast<int>(thing));
      }
      return;
    }
    const double first = nodes_[static_cast<std::size_t>(index + 1)].box.square_distance(from);
    const double second = nodes_[static_cast<std::size_t>(node.second)].box.square_distance(from);
    const bool swap = second < first;
    search_node(swap ? node.second : index + 1, from, reach, visit);
    search_node(swap ? index + 1 : node.second, from, reach, visit);
  }

  std::vector<Node> nodes_;  // each before its branches
  std::vector<int> order_;   // things, leaf by leaf
  std::vector<Box> things_;
};

}  // namespace filum::geometry
