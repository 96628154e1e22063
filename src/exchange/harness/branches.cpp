#include "exchange/harness/branches.hpp"

#include <algorithm>

namespace filum::exchange {
namespace {

class BranchFinder {
 public:
  BranchFinder(const Harness& harness, const std::vector<std::vector<int>>& wires)
      : harness_(harness), wires_(wires), at_node_(harness.nodes.size()), used_(harness.segments.size(), false) {
    for (std::size_t i = 0; i < harness.segments.size(); ++i) {
      at_node_[index(harness.segments[i].start)].push_back(static_cast<int>(i));
      at_node_[index(harness.segments[i].end)].push_back(static_cast<int>(i));
    }
  }

  std::vector<Branch> find() {
    std::vector<Branch> all;
    for (std::size_t i = 0; i < harness_.segments.size(); ++i) {
      if (used_[i]) continue;
      // back to where it begins, then all the way
      int segment = static_cast<int>(i);
      bool reversed = false;
      std::vector<bool> seen(harness_.segments.size(), false);
      seen[i] = true;
      while (const auto before = next(segment, !reversed)) {
        if (seen[index(before->segment)]) break;
        seen[index(before->segment)] = true;
        segment = before->segment;
        reversed = !before->reversed;
      }
      all.push_back(walk(segment, reversed));
    }
    return all;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  [[nodiscard]] int end_of(int segment, bool reversed) const {
    return reversed ? harness_.segments[index(segment)].start : harness_.segments[index(segment)].end;
  }

  // What goes on behind a segment, if something does.
  [[nodiscard]] std::optional<BranchStep> next(int segment, bool reversed) const {
    const int node = end_of(segment, reversed);
    const std::vector<int>& here = at_node_[index(node)];
    if (here.size() != 2 || here[0] == here[1]) return std::nullopt;
    const int other = here[0] == segment ? here[1] : here[0];
    if (wires_[index(other)] != wires_[index(segment)] || !same_area(other, segment)) return std::nullopt;
    return BranchStep{other, harness_.segments[index(other)].end == node};
  }

  // Where no wires tell bundles apart.
  [[nodiscard]] bool same_area(int a, int b) const {
    return !wires_[index(a)].empty() || harness_.segments[index(a)].area == harness_.segments[index(b)].area;
  }

  Branch walk(int segment, bool reversed) {
    Branch branch;
    branch.start = end_of(segment, !reversed);
    std::optional<BranchStep> step = BranchStep{segment, reversed};
    while (step && !used_[index(step->segment)]) {
      used_[index(step->segment)] = true;
      branch.steps.push_back(*step);
      branch.end = end_of(step->segment, step->reversed);
      step = next(step->segment, step->reversed);
    }
    return branch;
  }

  const Harness& harness_;
  const std::vector<std::vector<int>>& wires_;
  std::vector<std::vector<int>> at_node_;
  std::vector<bool> used_;
};

}  // namespace

std::vector<std::vector<int>> wires_by_segment(const Harness& harness) {
  std::vector<std::vector<int>> wires(harness.segments.size());
  for (std::size_t w = 0; w < harness.wires.size(); ++w)
    // one that goes out and back along a segment lies in it twice; of the ways of one wire, a variant each, one counts
    for (const int segment : harness.wires[w].route) {
      std::vector<int>& list = wires[static_cast<std::size_t>(segment)];
      const auto same = [&](int other) {
        const int first = harness.wires[w].instead_of;
        return first >= 0 && other != static_cast<int>(w) &&
               (other == first || harness.wires[static_cast<std::size_t>(other)].instead_of == first);
      };
      if (std::none_of(list.begin(), list.end(), same)) list.push_back(static_cast<int>(w));
    }
  return wires;
}

std::vector<Branch> branches(const Harness& harness, const std::vector<std::vector<int>>& wires) {
  return BranchFinder(harness, wires).find();
}

}  // namespace filum::exchange
