// Direct solver for unsymmetric block-sparse systems over a symmetric pattern: the LU twin of BlockLdlt.
//
// A = L D U with unit triangles, rows exchanged inside a panel only. The panels of L and of U^T share one layout:
// values() holds all panels of the lower part, then those of the transposed upper part, so the same kernels serve both.
#pragma once

#include <span>
#include <vector>

#include "math/block_pattern.hpp"

namespace filum::math {

class BlockLu {
 public:
  // The only call that allocates. An empty order means minimum_degree_order.
  void analyse(const BlockGraph& graph, std::span<const int> order = {});

  // Block (a, b); (a, b) and (b, a) are distinct numbers. Blocks above the diagonal are stored transposed.
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

  // Whether the last factor met a pivot that carried no information (and was replaced).
  bool singular() const { return nil_ > 0; }
  const BlockPattern& pattern() const { return pattern_; }

 private:
  template <int N>
  bool eliminate(int panel);
  bool factor(double* x);
  template <int N>
  void forward(int panel, double* x) const;
  template <int N>
  void backward(int panel, double* x) const;
  void substitute_back(double* x) const;
  void note_scale(const BlockPattern::Panel& panel);

  BlockPattern pattern_;
  std::vector<double> values_;
  std::vector<double> scaled_lower_,
      scaled_upper_;                  // one panel of each kind times D^-1
  std::vector<double> scale_;         // largest original number of each column of the squares
  std::vector<double> inverse_;       // D^-1
  std::vector<unsigned char> order_;  // row order within pivoted panels
  std::vector<char> pivoted_;         // of a panel
  int nil_ = 0;
};

}  // namespace filum::math
