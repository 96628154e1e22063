#include "math/block_lu.hpp"

#include <algorithm>
#include <cmath>

#include "math/block_factor_panels.hpp"
#include "math/dense_pivot.hpp"

namespace filum::math {

void BlockLu::analyse(const BlockGraph& graph, std::span<const int> order) {
  lay_out(graph, order, 2);
  scaled_lower_.assign(pattern_.largest_panel(), 0.0);
  scaled_upper_.assign(pattern_.largest_panel(), 0.0);
  nil_ = 0;
}

Slot BlockLu::slot(int a, int b) const {
  if (pattern_.in_lower(a, b)) return pattern_.lower_slot(a, b);
  Slot slot = pattern_.lower_slot(b, a);
  slot.offset += pattern_.values();
  slot.transposed = true;
  return slot;
}

// Takes down the largest number of each column of a square before any update.
void BlockLu::note_scale(const BlockPattern::Panel& p) {
  for (int q = 0; q < p.width; ++q) {
    const double* column = values_.data() + p.values + std::ptrdiff_t{q} * p.ld;
    double largest = 0;
    for (int i = 0; i < p.width; ++i) largest = std::max(largest, std::abs(column[i]));
    scale_[p.first + q] = largest;
  }
}

void BlockLu::begin() {
  nil_ = 0;
  noted_ = 0;
}

// Up to the last panel that this one will update.
void BlockLu::note_scales(const BlockPattern::Panel& p) {
  const auto pieces = pattern_.pieces(p);
  const std::ptrdiff_t reach = pieces.empty() ? p.values : pieces.back().target;
  const int panels = static_cast<int>(pattern_.panels().size());
  for (; noted_ < panels && pattern_.panels()[noted_].values <= reach; ++noted_) note_scale(pattern_.panels()[noted_]);
}

template <int N, int Below, class T>
bool BlockLu::eliminate(int index) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  note_scales(p);
  const int n = panel::Width<N>::of(p.width);
  const int ld = panel::Height<N, Below>::ld(p), below = panel::Height<N, Below>::below(p);
  double* const lower_values = values_.data();
  double* const upper_values = lower_values + pattern_.values();
  double* const lower = lower_values + p.values;
  double* const upper = upper_values + p.values;
  double* const inverse = inverse_.data() + p.first;

  // the square: without exchanges when that is safe; else its row exchanges are column exchanges of the transposed
  // upper part
  const bool steady = steady_lu<N>(lower, ld, n, scale_.data() + p.first, inverse);
  pivoted_[index] = !steady;
  if (!steady) {
    unsigned char* const order = order_.data() + p.first;
    const int nil = pivoted_lu(lower, ld, n, scale_.data() + p.first, inverse, order);
    if (nil < 0) return false;
    nil_ += nil;
    panel::permute_columns(upper + n, ld, below, n, order);
  }

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
  return true;
}

template <int N>
void BlockLu::times_inverse(int index, double* z) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  for (int q = 0; q < panel::Width<N>::of(p.width); ++q) z[q] *= inverse_[p.first + q];
}

template class BlockFactor<BlockLu>;

}  // namespace filum::math
