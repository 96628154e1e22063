// Direct solver for symmetric block-sparse systems, definite or not: A = L D L^T with inertia.
//
// Analyse once per graph, then assemble through slots, factor and solve as often as wanted without any allocation.
// Pivots are chosen inside a panel only, never across panels: a block that is singular on its own (multipliers with a
// zero diagonal) must either share a block with an unknown it acts on or be eliminated after one; a block's size limit
// is kMaxBlockSize.
#pragma once

#include <span>
#include <vector>

#include "math/block_pattern.hpp"
#include "math/dense_pivot.hpp"

namespace filum::math {

class BlockLdlt {
 public:
  // The only call that allocates. An empty order means minimum_degree_order.
  void analyse(const BlockGraph& graph, std::span<const int> order = {});

  // Block (a, b) and block (b, a) are the same numbers, one of them transposed. Of a diagonal block only the lower
  // triangle (row >= column) is read.
  Slot slot(int a, int b) const;
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  void set_zero();

  // In place: the values are replaced by the factor. False if a number that is not finite was met; solve is then not
  // allowed.
  [[nodiscard]] bool factor();
  // x := A^-1 x, rows in the order of the blocks' indices.
  void solve(double* x) const;
  // Both, with half of the solution done while the panels are at hand; x is spoilt if the factor fails.
  [[nodiscard]] bool factor_and_solve(double* x);

  // Of the last factor: the signs of all eigenvalues of A; `zero` counts nil pivots, which were replaced.
  Inertia inertia() const { return inertia_; }
  const BlockPattern& pattern() const { return pattern_; }

 private:
  template <int N>
  bool eliminate(int panel, bool track);
  bool factor(double* x);
  template <int N>
  void forward(int panel, double* x) const;
  template <int N>
  void times_inverse(int panel, double* z) const;
  template <int N>
  void backward(int panel, double* x) const;
  void substitute_back(double* x) const;

  bool note_scales();
  void track_scales(const BlockPattern::Panel& panel);
  void times_pivoted_inverse(const BlockPattern::Panel& panel, double* z) const;

  BlockPattern pattern_;
  std::vector<double> values_;
  std::vector<double> scaled_;   // one panel times D^-1
  std::vector<double> scale_;    // largest number seen on each diagonal entry; this and the next by elimination order
  std::vector<double> inverse_;  // diagonal of D^-1
  std::vector<double> inverse_off_;   // entry (q, q + 1) of D^-1; valid in pivoted panels
  std::vector<unsigned char> order_;  // pivot order within pivoted panels
  std::vector<char> pivoted_;         // of a panel
  std::vector<int> column_of_;        // row of a vector -> its place in the elimination order
  Inertia inertia_;
};

}  // namespace filum::math
