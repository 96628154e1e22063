#include "flexible/in_line.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <utility>

namespace filum::flexible {
namespace {

// What begins at the node goes on from what ends there.
void append(TreeBranch& first, const TreeBranch& second) {
  first.centre.insert(first.centre.end(), second.centre.begin() + 1, second.centre.end());
  first.radius.insert(first.radius.end(), second.radius.begin() + 1, second.radius.end());
  first.triangles.insert(first.triangles.end(), second.triangles.begin(), second.triangles.end());
  first.end = second.end;
  first.centre_bound = std::max(first.centre_bound, second.centre_bound);
  first.radius_bound = std::max(first.radius_bound, second.radius_bound);
}

}  // namespace

void drop_lone_nodes(TubeTree& tree) {
  std::vector<int> number(tree.nodes.size(), -1);
  std::vector<TreeNode> kept;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    if (tree.nodes[n].degree > 0) {
      number[n] = static_cast<int>(kept.size());
      kept.push_back(tree.nodes[n]);
    }
  tree.nodes = std::move(kept);
  for (TreeBranch& branch : tree.branches) {
    branch.start = number[at(branch.start)];
    branch.end = number[at(branch.end)];
  }
}

void join_in_line(TubeTree& tree) {
  std::vector<std::vector<std::size_t>> ending(tree.nodes.size());  // branches at each node
  for (std::size_t b = 0; b < tree.branches.size(); ++b)
    for (const int node : {tree.branches[b].start, tree.branches[b].end}) ending[at(node)].push_back(b);
  std::vector<bool> gone(tree.branches.size(), false);
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (tree.nodes[n].degree != 2 || ending[n].size() != 2 || ending[n][0] == ending[n][1]) continue;
    const auto [one, other] = std::minmax(ending[n][0], ending[n][1]);
    TreeBranch& first = tree.branches[one];
    TreeBranch& second = tree.branches[other];
    if (first.end != static_cast<int>(n)) turn_round(first);
    if (second.start != static_cast<int>(n)) turn_round(second);
    append(first, second);
    std::replace(ending[at(second.end)].begin(), ending[at(second.end)].end(), other, one);
    ending[n].clear();
    tree.nodes[n].degree = 0;
    gone[other] = true;
  }
  std::vector<TreeBranch> kept;
  for (std::size_t b = 0; b < gone.size(); ++b)
    if (!gone[b]) kept.push_back(std::move(tree.branches[b]));
  tree.branches = std::move(kept);
  drop_lone_nodes(tree);
}

}  // namespace filum::flexible
