// Direct solver for symmetric block-sparse systems, definite or not: A = L D L^T with inertia.
//
// Analyse once per graph, then assemble through slots, factor and solve as often as wanted without any allocation.
// Pivots are chosen inside a panel only, never across panels: a block that is singular on its own (multipliers with a
// zero diagonal) must either share a block with an unknown it acts on or be eliminated after one; a block's size limit
// is kMaxBlockSize.
#pragma once

#include <span>
#include <vector>

#include "math/block_factor.hpp"
#include "math/dense_pivot.hpp"

namespace filum::math {

class BlockLdlt : public BlockFactor<BlockLdlt> {
 public:
  // The only call that allocates. An empty order means minimum_degree_order.
  void analyse(const BlockGraph& graph, std::span<const int> order = {});

  // Block (a, b) and block (b, a) are the same numbers, one of them transposed. Of a diagonal block only the lower
  // triangle (row >= column) is read.
  Slot slot(int a, int b) const;

  // Of the last factor: the signs of all eigenvalues of A; `zero` counts nil pivots, which were replaced.
  Inertia inertia() const { return inertia_; }

 private:
  friend BlockFactor<BlockLdlt>;
  void begin();
  template <int N>
  bool factor_square(int panel);
  bool factor_squares(int panel, int twin);
  template <int N, int Below, class T>
  void eliminate(int panel);
  template <int N>
  void times_inverse(int panel, double* z) const;
  static constexpr std::ptrdiff_t upper() { return 0; }
  static constexpr bool exchanges_columns() { return true; }

  void track_scales(const BlockPattern::Panel& panel);
  void times_pivoted_inverse(const BlockPattern::Panel& panel, double* z) const;

  // scale_: largest number seen on each diagonal entry
  std::vector<double> scaled_;       // one panel times D^-1
  std::vector<double> inverse_off_;  // entry (q, q + 1) of D^-1; valid in pivoted panels
  bool track_ = false;               // some scale must come from the updates
  Inertia inertia_;
};

extern template class BlockFactor<BlockLdlt>;

}  // namespace filum::math
