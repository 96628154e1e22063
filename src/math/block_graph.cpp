#include "math/block_graph.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace filum::math {

BlockGraph::BlockGraph(const std::vector<int>& block_sizes) {
  for (int size : block_sizes) add_block(size);
}

int BlockGraph::add_block(int size) {
  FILUM_ASSERT(size >= 1 && size <= kMaxBlockSize);
  first_row_.push_back(first_row_.back() + size);
  return blocks() - 1;
}

void BlockGraph::connect(int a, int b) {
  FILUM_ASSERT(a >= 0 && a < blocks() && b >= 0 && b < blocks());
  if (a != b) edges_.emplace_back(a, b);
}

BlockGraph::Adjacency BlockGraph::adjacency() const {
  // count, then fill, both directions of every edge
  Adjacency result;
  std::vector<int> start(blocks() + 1, 0);
  for (auto [a, b] : edges_) ++start[a + 1], ++start[b + 1];
  for (int b = 0; b < blocks(); ++b) start[b + 1] += start[b];
  std::vector<int> next(start.begin(), start.end() - 1), raw(2 * edges_.size());
  for (auto [a, b] : edges_) raw[next[a]++] = b, raw[next[b]++] = a;

  // sort each list and drop what was connected twice
  result.start.assign(1, 0);
  result.start.reserve(blocks() + 1);
  result.index.reserve(raw.size());
  for (int b = 0; b < blocks(); ++b) {
    const auto first = raw.begin() + start[b], last = raw.begin() + start[b + 1];
    std::sort(first, last);
    result.index.insert(result.index.end(), first, std::unique(first, last));
    result.start.push_back(static_cast<int>(result.index.size()));
  }
  return result;
}

}  // namespace filum::math
