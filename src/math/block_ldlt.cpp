#include "math/block_ldlt.hpp"

#include <cmath>

#include "math/block_factor_panels.hpp"

namespace filum::math {

void BlockLdlt::analyse(const BlockGraph& graph, std::span<const int> order) {
  lay_out(graph, order, 1);
  scaled_.assign(pattern_.largest_panel(), 0.0);
  inverse_off_.assign(pattern_.rows(), 0.0);
  column_of_.assign(pattern_.rows(), 0);
  for (const auto& p : pattern_.panels()) {
    for (const auto& run : pattern_.square_runs(p)) {
      for (int i = 0; i < run.count; ++i) column_of_[run.x + i] = p.first + run.row + i;
    }
  }
  inertia_ = {};
}

Slot BlockLdlt::slot(int a, int b) const {
  if (pattern_.position(a) >= pattern_.position(b)) return pattern_.lower_slot(a, b);
  Slot slot = pattern_.lower_slot(b, a);
  slot.transposed = true;
  return slot;
}

// Takes down the diagonal as it is before any update. Where an entry is zero its scale must come from the updates.
void BlockLdlt::begin() {
  inertia_ = {};
  track_ = false;
  for (const auto& p : pattern_.panels()) {
    const double* square = values_.data() + p.values;
    for (int q = 0; q < p.width; ++q) {
      const double size = std::abs(square[q + std::ptrdiff_t{q} * p.ld]);
      scale_[p.first + q] = size;
      track_ |= size == 0;
    }
  }
}

// Adds the size of this panel's updates to the scales of later diagonal entries.
void BlockLdlt::track_scales(const BlockPattern::Panel& p) {
  const double* y = values_.data() + p.values;
  for (const auto& run : pattern_.below_runs(p)) {
    for (int i = 0; i < run.count; ++i) {
      double& scale = scale_[column_of_[run.x + i]];
      for (int q = 0; q < p.width; ++q) {
        const std::ptrdiff_t at = run.row + i + std::ptrdiff_t{q} * p.ld;
        scale += std::abs(y[at] * scaled_[at]);
      }
    }
  }
}

template <int N, int Below, class T>
bool BlockLdlt::eliminate(int index) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const int ld = panel::Height<N, Below>::ld(p), below = panel::Height<N, Below>::below(p);
  double* const y = values_.data() + p.values;
  double* const scaled = scaled_.data();
  double* const inverse = inverse_.data() + p.first;

  // the square: without exchanges when it is definite, pivoted otherwise
  const bool definite = definite_ldlt<N>(y, ld, n, scale_.data() + p.first, inverse, inertia_);
  pivoted_[index] = !definite;
  if (!definite) {
    unsigned char* order = order_.data() + p.first;
    if (!pivoted_ldlt(y, ld, n, scale_.data() + p.first, inverse, inverse_off_.data() + p.first, order, inertia_)) {
      return false;
    }
    panel::permute_columns(y + n, ld, below, n, order);
  }

  // the rows below: Y = A L^-T, scaled = Y D^-1
  panel::reduce<N, T>(y + n, scaled + n, ld, below, n, {y, ld, 1}, inverse);
  if (!definite) {
    for (int q = 0; q + 1 < n; ++q) {
      const double off = inverse_off_[p.first + q];
      if (off == 0) continue;
      for (int i = n; i < p.rows; ++i) {
        scaled[i + std::ptrdiff_t{q} * ld] += off * y[i + std::ptrdiff_t{q + 1} * ld];
        scaled[i + std::ptrdiff_t{q + 1} * ld] += off * y[i + std::ptrdiff_t{q} * ld];
      }
    }
  }
  if (track_) track_scales(p);

  // later panels -= Y D^-1 Y^T
  panel::over_pieces<N, Below>(pattern_.pieces(p), [&](const BlockPattern::Piece& piece) {
    panel::subtract_product<N, T>(values_.data() + piece.target, piece.ld, y + piece.row, scaled + piece.column, ld,
                                  piece.rows, piece.columns, n);
  });
  return true;
}

// z := D^-1 z.
template <int N>
void BlockLdlt::times_inverse(int index, double* z) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  if (pivoted_[index]) return times_pivoted_inverse(p, z);
  for (int q = 0; q < panel::Width<N>::of(p.width); ++q) z[q] *= inverse_[p.first + q];
}

// Rare, and on its own: inlined for a panel of one row GCC warns of the pair that it never has.
[[gnu::noinline]] void BlockLdlt::times_pivoted_inverse(const BlockPattern::Panel& p, double* z) const {
  const double* inverse = inverse_.data() + p.first;
  const double* off = inverse_off_.data() + p.first;
  for (int q = 0; q < p.width; ++q) {
    if (off[q] == 0) {
      z[q] *= inverse[q];
    } else {
      const double first = z[q], second = z[q + 1];
      z[q] = inverse[q] * first + off[q] * second;
      z[q + 1] = off[q] * first + inverse[q + 1] * second;
      ++q;
    }
  }
}

template class BlockFactor<BlockLdlt>;

}  // namespace filum::math
