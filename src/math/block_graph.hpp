// The graph of a block-sparse matrix: which small dense blocks may differ from zero, and a good order to eliminate them
// in.
//
// Blocks are numbered in the order they are added; vectors hold their rows in that order. The pattern is symmetric:
// connecting a and b allows both block (a, b) and block (b, a).
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace filum::math {

inline constexpr int kMaxBlockSize = 16;

class BlockGraph {
 public:
  explicit BlockGraph(const std::vector<int>& block_sizes = {});

  // Adds a block of 1 to kMaxBlockSize rows and returns its index.
  int add_block(int size);
  // Lets the blocks (a, b) and (b, a) differ from zero; repeating it, or a = b, changes nothing.
  void connect(int a, int b);

  int blocks() const { return static_cast<int>(first_row_.size()) - 1; }
  int rows() const { return first_row_.back(); }
  int first_row(int block) const { return first_row_[block]; }
  int size(int block) const { return first_row_[block + 1] - first_row_[block]; }

  // The neighbours of all blocks, each edge once in each direction, sorted: those of b stand in
  // index[start[b]] to index[start[b + 1]].
  struct Adjacency {
    std::vector<int> start, index;
    std::span<const int> of(int block) const { return {index.data() + start[block], index.data() + start[block + 1]}; }
  };
  Adjacency adjacency() const;

 private:
  std::vector<int> first_row_{0};
  std::vector<std::pair<int, int>> edges_;
};

// A fill-reducing elimination order: order[k] is the block eliminated k-th. Deterministic.
std::vector<int> minimum_degree_order(const BlockGraph& graph);

}  // namespace filum::math
