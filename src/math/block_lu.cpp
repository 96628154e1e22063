#include "math/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/block_factor_panels.hpp"
#include "math/dense_pivot.hpp"

namespace filum::math {

void BlockLu::analyse(const BlockGraph& graph, std::span<const int> order) {
  lay_out(graph, order, 2);
  scaled_lower_.assign(pattern_.largest_panel(), 0.0);
  scaled_upper_.assign(pattern_.largest_panel(), 0.0);
  noted_.assign(pattern_.panels().size(), 0);
  nil_ = 0;
}

Slot BlockLu::slot(int a, int b) const {
  if (pattern_.in_lower(a, b)) return pattern_.lower_slot(a, b);
  Slot slot = pattern_.lower_slot(b, a);
  slot.offset += pattern_.values();
  slot.transposed = true;
  return slot;
}

// The largest number of each column of a square.
template <int N>
static void find_largest(const double* square, int ld, int n, double* largest) {
  n = panel::Width<N>::of(n);
#pragma GCC unroll 4
  for (int q = 0; q < n; ++q) {
    const double* column = square + std::ptrdiff_t{q} * ld;
    double most = 0;
#pragma GCC unroll 4
    for (int i = 0; i < n; ++i) most = std::max(most, std::abs(column[i]));
    largest[q] = most;
  }
}

// Takes them down before any update.
void BlockLu::note_scale(int index) {
  if (std::exchange(noted_[index], 1) != 0) return;
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const double* const square = values_.data() + p.values;
  double* const scale = scale_.data() + p.first;
  if (p.width == BlockPattern::kChainWidth)
    find_largest<BlockPattern::kChainWidth>(square, p.ld, p.width, scale);
  else
    find_largest<0>(square, p.ld, p.width, scale);
}

void BlockLu::begin() {
  nil_ = 0;
  std::fill(noted_.begin(), noted_.end(), 0);
}

// Of a panel and of those that it will update.
void BlockLu::note_scales(int index) {
  note_scale(index);
  for (const BlockPattern::Piece& piece : pattern_.pieces(pattern_.panels()[index])) note_scale(piece.panel);
}

// The square: without exchanges when that is safe; else its row exchanges are column exchanges of the transposed upper
// part.
template <int N>
bool BlockLu::factor_square(int index) {
  note_scales(index);
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  double* const square = values_.data() + p.values;
  double* const inverse = inverse_.data() + p.first;
  const double* const scale = scale_.data() + p.first;
  const bool steady = steady_lu<N, 1>({&square, &scale, &inverse, p.ld}, n);
  pivoted_[index] = !steady;
  if (steady) return true;
  unsigned char* const order = order_.data() + p.first;
  const int nil = pivoted_lu(square, p.ld, n, scale, inverse, order);
  if (nil < 0) return false;
  nil_ += nil;
  panel::permute_columns(square + pattern_.values() + n, p.ld, p.rows - n, n, order);
  return true;
}

bool BlockLu::factor_squares(int index, int twin) {
  note_scales(index);
  note_scales(twin);
  constexpr int kWidth = BlockPattern::kChainWidth;
  const BlockPattern::Panel* const p[] = {&pattern_.panels()[index], &pattern_.panels()[twin]};
  double* const square[] = {values_.data() + p[0]->values, values_.data() + p[1]->values};
  double* const inverse[] = {inverse_.data() + p[0]->first, inverse_.data() + p[1]->first};
  const double* const scale[] = {scale_.data() + p[0]->first, scale_.data() + p[1]->first};
  if (!steady_lu<kWidth, 2>({square, scale, inverse, kWidth + BlockPattern::kChainBelow}, kWidth)) return false;
  pivoted_[index] = pivoted_[twin] = 0;
  return true;
}

template <int N, int Below, class T>
void BlockLu::eliminate(int index) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const int ld = panel::Height<N, Below>::ld(p), below = panel::Height<N, Below>::below(p);
  double* const lower_values = values_.data();
  double* const upper_values = lower_values + pattern_.values();
  double* const lower = lower_values + p.values;
  double* const upper = upper_values + p.values;
  const double* const inverse = inverse_.data() + p.first;

  // lower := A21 U^-1, upper := (L^-1 A12)^T, and both times D^-1
  panel::reduce<N, T>(lower + n, scaled_lower_.data() + n, ld, below, n, {lower, 1, ld}, inverse);
  panel::reduce<N, T>(upper + n, scaled_upper_.data() + n, ld, below, n, {lower, ld, 1}, inverse);

  // later panels -= A21 U^-1 D^-1 L^-1 A12; in the upper part only what lies beyond the target's square
  panel::over_pieces<N, Below>(pattern_.pieces(p), [&](const BlockPattern::Piece& piece) {
    panel::subtract_product<N, T>(lower_values + piece.target, piece.ld, lower + piece.row,
                                  scaled_upper_.data() + piece.column, ld, piece.rows, piece.columns, n);
    panel::subtract_product<N, T>(upper_values + piece.target + piece.inside, piece.ld,
                                  upper + piece.row + piece.inside, scaled_lower_.data() + piece.column, ld,
                                  piece.rows - piece.inside, piece.columns, n);
  });
}

template <int N>
void BlockLu::times_inverse(int index, double* z) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  for (int q = 0; q < panel::Width<N>::of(p.width); ++q) z[q] *= inverse_[p.first + q];
}

template class BlockFactor<BlockLu>;

}  // namespace filum::math
