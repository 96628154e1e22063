// The tangent matrix: assembled by pairs of blocks, factored as LDLᵀ, or as LU when the loads are not conservative.
#pragma once

#include "math/block_ldlt.hpp"
#include "math/block_lu.hpp"
#include "math/lane_table.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace filum::discrete {

class Tangent {
 public:
  // Where block (a, b) and, in the unsymmetric case, its mirror image live.
  struct Pair {
    math::Slot direct{};
    math::Slot mirror{};
  };

  void analyse(const math::BlockGraph& graph, std::span<const int> order, bool symmetric);
  [[nodiscard]] Pair pair(int a, int b) const;

  void set_zero() { symmetric_ ? ldlt_.set_zero() : lu_.set_zero(); }
  double* values() { return symmetric_ ? ldlt_.values() : lu_.values(); }

  // Adds m at (row, column) within block (a, b), a ≠ b, and mᵀ within (b, a).
  template <class M>
  void add(const Pair& pair, const M& m, int row = 0, int column = 0) {
    add_to(pair.direct, m, row, column);
    if (!symmetric_) add_to(pair.mirror, m.transpose(), column, row);
  }
  // Adds m within the diagonal block.
  template <class M>
  void add_diagonal(const Pair& pair, const M& m, int row = 0, int column = 0) {
    add_to(pair.direct, m, row, column);
  }
  template <class M>
  void add_diagonal(const math::Slot& slot, const M& m) {
    add_to(slot, m, 0, 0);
  }
  // Adds m within (a, b) and `back`, instead of mᵀ, within (b, a). Where the matrix is symmetric they are each other's
  // transposes.
  template <class M, class N>
  void add_split(const Pair& pair, const M& m, const N& back, int row = 0, int column = 0) {
    add_to(pair.direct, m, row, column);
    if (!symmetric_) add_to(pair.mirror, back, column, row);
  }
  template <class M, class N>
  void add_both(int a, int b, const M& m, const N& back) {
    add_split(pair(a, b), m, back);
  }
  // Adds m within (a, b) alone: only for what is not conservative.
  template <class M>
  void add_one_sided(const Pair& pair, const M& m, int row = 0, int column = 0) {
    add_to(pair.direct, m, row, column);
  }

  // Adds m of several things at once, lane by lane (math/lanes.hpp), each at its own slot; all slots lie the same way.
  // Of m only `rows` by `columns` are meant; the rest is nil, and may be added to what lies beside the block. What
  // belongs nowhere has the slot `nowhere`.
  template <class T>
  void add_lanes(const std::array<const math::Slot*, math::kLanesOf<T>>& slots, const math::Mat4Of<T>& m, int rows = 4,
                 int columns = 4) {
    std::array<double*, math::kLanesOf<T>> to;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = values() + slots[i]->offset;
    const bool across = slots[0]->transposed;
    for (int c = 0; c < (across ? rows : columns); ++c) {
      math::Vec4Of<T> column;
      if (across)
        column = m.row(c).transpose();
      else
        column = m.col(c);
      math::add_transposed(column, to);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] += slots[i]->stride;
    }
  }

  // First row of a block in vectors.
  [[nodiscard]] int rows_before(int block) const { return graph_.first_row(block); }

  // Names the rows that are held; `strike_out` empties their rows and columns but for the diagonal.
  void hold_rows(const std::vector<char>& held);
  void strike_out();
  // Adds `amount` to the diagonal of the rows that are marked and not held.
  void shift(const std::vector<char>& marked, double amount);
  // Adds to one element of the diagonal.
  void add_at(int row, double amount) { values()[diagonal_[static_cast<std::size_t>(row)]] += amount; }

  // A place that belongs to no block.
  [[nodiscard]] const math::Slot& nowhere(bool transposed) const { return nowhere_[transposed ? 1 : 0]; }

  [[nodiscard]] bool symmetric() const { return symmetric_; }
  bool factor() { return symmetric_ ? ldlt_.factor() : lu_.factor(); }
  // `factor` and `solve` in one go.
  bool factor_and_solve(double* x) { return symmetric_ ? ldlt_.factor_and_solve(x) : lu_.factor_and_solve(x); }
  void solve(double* x) const { symmetric_ ? ldlt_.solve(x) : lu_.solve(x); }
  [[nodiscard]] int negative_pivots() const { return symmetric_ ? ldlt_.inertia().negative : 0; }

 private:
  template <class M>
  void add_to(const math::Slot& slot, const M& m, int row, int column) {
    double* to = values() + slot.at(row, column);
    if (slot.transposed)
      add_columns(to, slot.stride, m.transpose());
    else
      add_columns(to, slot.stride, m);
  }
  template <class M>
  static void add_columns(double* to, std::ptrdiff_t stride, const M& m) {
    for (int c = 0; c < m.cols(); ++c)
      for (int r = 0; r < m.rows(); ++r) to[r + c * stride] += m(r, c);
  }

  bool symmetric_ = true;
  math::BlockGraph graph_;
  std::vector<std::ptrdiff_t> diagonal_;  // per row: where its diagonal element lies
  std::vector<char> held_;
  std::vector<std::ptrdiff_t> struck_;  // elements to empty
  std::vector<std::ptrdiff_t> struck_diagonal_;
  std::array<math::Slot, 2> nowhere_{};
  math::BlockLdlt ldlt_;
  math::BlockLu lu_;
};

}  // namespace filum::discrete
