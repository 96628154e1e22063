// What the two direct solvers share: panel after panel is eliminated, and vectors are taken through them forwards and
// back. `Kind` is BlockLdlt or BlockLu; it has
//
//     void begin()                                      before a factor
//     template <int N> bool factor_square(int panel)    that of a panel of width N; false: a number that is not finite
//     bool factor_squares(int panel, int twin)          of two panels in chains at once; false: one by one, please
//     template <int N, int Below, class T> void eliminate(int panel)        what follows for the Below rows below the
//                                                       square (0: any number of them) and later panels, in lanes T
//     template <int N> void times_inverse(int panel, double* z) const        z := D^-1 z
//     std::ptrdiff_t upper() const                      where the numbers beyond the square of U^T begin
//     bool exchanges_columns() const                    pivoting is symmetric: the solution is put back in order
//
// Bodies are in block_factor_panels.hpp, which the two solvers alone include.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/block_pattern.hpp"

namespace filum::math {

template <class Kind>
class BlockFactor {
 public:
  double* values() { return values_.data(); }
  const double* values() const { return values_.data(); }
  void set_zero();
  // Four numbers from here on belong to no block: who adds four rows at once may add what is not meant there.
  std::ptrdiff_t beyond() const { return static_cast<std::ptrdiff_t>(values_.size()) - kBeyond; }

  // In place: the values are replaced by the factor. False if a number that is not finite was met; solve is then not
  // allowed.
  [[nodiscard]] bool factor();
  // x := A^-1 x, rows in the order of the blocks' indices.
  void solve(double* x) const;
  // Both, with half of the solution done while the panels are at hand; x is spoilt if the factor fails.
  [[nodiscard]] bool factor_and_solve(double* x);

  const BlockPattern& pattern() const { return pattern_; }

 protected:
  // `parts`: how many times the pattern's numbers there are. An empty order means minimum_degree_order.
  void lay_out(const BlockGraph& graph, std::span<const int> order, int parts);

  static constexpr int kBeyond = 4;

  BlockPattern pattern_;
  std::vector<double> values_;
  std::vector<double> scale_;         // what pivots are compared with; this and the next two by elimination order
  std::vector<double> inverse_;       // diagonal of D^-1
  std::vector<unsigned char> order_;  // pivot order within pivoted panels
  std::vector<char> pivoted_;         // of a panel

 private:
  mutable std::vector<double> ordered_;  // a vector in elimination order, while it is solved for

  const Kind& kind() const { return static_cast<const Kind&>(*this); }
  bool factor(double* x);
  template <class T>
  bool eliminate_any(int panel, double* x);
  template <class T>
  bool eliminate_twins(int panel, int twin, double* x);
  template <int N, int Below, class T>
  bool eliminate_and_take(int panel, double* x);
  bool eliminate_other(int panel, double* x);
  void forward_other(int panel, double* x) const;
  template <int N, int Below, class T>
  void forward(int panel, double* x) const;
  template <int N, int Below>
  void backward(int panel, double* x) const;
  void substitute_back(double* x) const;
  double* in_order(double* x) const;
  void out_of_order(double* x) const;
};

}  // namespace filum::math
