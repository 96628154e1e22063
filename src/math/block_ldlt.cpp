#include "math/block_ldlt.hpp"

#include <cmath>

#include "math/block_factor_panels.hpp"

namespace filum::math {

void BlockLdlt::analyse(const BlockGraph& graph, std::span<const int> order) {
  lay_out(graph, order, 1);
  scaled_.assign(pattern_.largest_panel(), 0.0);
  inverse_off_.assign(pattern_.rows(), 0.0);
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
  for (const auto& run : pattern_.runs(p)) {
    for (int i = 0; i < run.count; ++i) {
      double& scale = scale_[run.x + i];
      for (int q = 0; q < p.width; ++q) {
        const std::ptrdiff_t at = run.row + i + std::ptrdiff_t{q} * p.ld;
        scale += std::abs(y[at] * scaled_[at]);
      }
    }
  }
}

// The square: without exchanges when it is definite, pivoted otherwise.
template <int N>
bool BlockLdlt::factor_square(int index) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  double* const square = values_.data() + p.values;
  double* const inverse = inverse_.data() + p.first;
  const double* const scale = scale_.data() + p.first;
  const bool definite = definite_ldlt<N, 1>({&square, &scale, &inverse, p.ld}, n, inertia_);
  pivoted_[index] = !definite;
  if (definite) return true;
  unsigned char* const order = order_.data() + p.first;
  if (!pivoted_ldlt(square, p.ld, n, scale, inverse, inverse_off_.data() + p.first, order, inertia_)) return false;
  panel::permute_columns(square + n, p.ld, p.rows - n, n, order);
  return true;
}

bool BlockLdlt::factor_squares(int index, int twin) {
  constexpr int kWidth = BlockPattern::kChainWidth;
  const BlockPattern::Panel* const p[] = {&pattern_.panels()[index], &pattern_.panels()[twin]};
  double* const square[] = {values_.data() + p[0]->values, values_.data() + p[1]->values};
  double* const inverse[] = {inverse_.data() + p[0]->first, inverse_.data() + p[1]->first};
  const double* const scale[] = {scale_.data() + p[0]->first, scale_.data() + p[1]->first};
  if (!definite_ldlt<kWidth, 2>({square, scale, inverse, kWidth + BlockPattern::kChainBelow}, kWidth, inertia_))
    return false;
  pivoted_[index] = pivoted_[twin] = 0;
  return true;
}

template <int N, int Below, class T>
void BlockLdlt::eliminate(int index) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const int ld = panel::Height<N, Below>::ld(p), below = panel::Height<N, Below>::below(p);
  double* const y = values_.data() + p.values;
  double* const scaled = scaled_.data();

  // the rows below: Y = A L^-T, scaled = Y D^-1
  panel::reduce<N, T>(y + n, scaled + n, ld, below, n, {y, ld, 1}, inverse_.data() + p.first);
  if (pivoted_[index]) {
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
