#include "math/block_lu.hpp"

#include <algorithm>
#include <cmath>

#include "math/dense_pivot.hpp"
#include "math/panel_kernels.hpp"

namespace filum::math {

using panel::with_width;

void BlockLu::analyse(const BlockGraph& graph, std::span<const int> order) {
  pattern_ = order.empty() ? BlockPattern(graph, minimum_degree_order(graph)) : BlockPattern(graph, order);
  values_.assign(2 * pattern_.values(), 0.0);
  scaled_lower_.assign(pattern_.largest_panel(), 0.0);
  scaled_upper_.assign(pattern_.largest_panel(), 0.0);
  scale_.assign(pattern_.rows(), 0.0);
  inverse_.assign(pattern_.rows(), 0.0);
  order_.assign(pattern_.rows(), 0);
  pivoted_.assign(pattern_.panels().size(), 0);
  nil_ = 0;
}

Slot BlockLu::slot(int a, int b) const {
  if (pattern_.in_lower(a, b)) return pattern_.lower_slot(a, b);
  Slot slot = pattern_.lower_slot(b, a);
  slot.offset += pattern_.values();
  slot.transposed = true;
  return slot;
}

void BlockLu::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
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

template <int N>
bool BlockLu::eliminate(int index) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width), ld = p.ld, below = p.rows - n;
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
  panel::reduce<N>(lower + n, scaled_lower_.data() + n, ld, below, n, {lower, 1, ld}, inverse);
  panel::reduce<N>(upper + n, scaled_upper_.data() + n, ld, below, n, {lower, ld, 1}, inverse);

  // later panels -= A21 U^-1 D^-1 L^-1 A12; in the upper part only what lies beyond the target's square
  for (const auto& piece : pattern_.pieces(p)) {
    panel::subtract_product<N>(lower_values + piece.target, piece.ld, lower + piece.row,
                               scaled_upper_.data() + piece.column, ld, piece.rows, piece.columns, n);
    panel::subtract_product<N>(upper_values + piece.target + piece.inside, piece.ld, upper + piece.row + piece.inside,
                               scaled_lower_.data() + piece.column, ld, piece.rows - piece.inside, piece.columns, n);
  }
  return true;
}

// Eliminates panel after panel and, if x is given, takes it along.
bool BlockLu::factor(double* x) {
  nil_ = 0;
  const int panels = static_cast<int>(pattern_.panels().size());
  int noted = 0;
  bool finite = true;
  for (int i = 0; i < panels && finite; ++i) {
    // up to the last panel that this one will update
    const auto pieces = pattern_.pieces(pattern_.panels()[i]);
    const std::ptrdiff_t reach = pieces.empty() ? pattern_.panels()[i].values : pieces.back().target;
    for (; noted < panels && pattern_.panels()[noted].values <= reach; ++noted) note_scale(pattern_.panels()[noted]);
    with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) {
      finite = eliminate<N>(i);
      if (finite && x != nullptr) forward<N>(i, x);
    });
  }
  return finite;
}

bool BlockLu::factor() {
  return factor(nullptr);
}

bool BlockLu::factor_and_solve(double* x) {
  if (!factor(x)) return false;
  substitute_back(x);
  return true;
}

// The panel's part of z = D^-1 L^-1 x, kept in the places of x.
template <int N>
void BlockLu::forward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const double* lower = values_.data() + p.values;
  double z[panel::Width<N>::kCapacity] = {};
  panel::gather<N>(z, x, pattern_.square_runs(p), n);
  if (pivoted_[index]) panel::permute(z, n, order_.data() + p.first);
  panel::solve_lower<N>(z, lower, p.ld, n);
  for (int q = 0; q < n; ++q) z[q] *= inverse_[p.first + q];
  panel::scatter<N>(z, x, pattern_.square_runs(p), n);
  for (const auto& run : pattern_.below_runs(p)) {
    panel::subtract_times<N>(x + run.x, lower + run.row, p.ld, run.count, n, z);
  }
}

// The panel's part of x = U^-1 z.
template <int N>
void BlockLu::backward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const double* lower = values_.data() + p.values;
  const double* upper = lower + pattern_.values();
  double z[panel::Width<N>::kCapacity] = {}, sum[panel::Width<N>::kCapacity] = {};
  panel::gather<N>(z, x, pattern_.square_runs(p), n);
  for (const auto& run : pattern_.below_runs(p)) {
    panel::add_transposed_times<N>(sum, upper + run.row, p.ld, run.count, n, x + run.x);
  }
  for (int q = 0; q < n; ++q) z[q] -= inverse_[p.first + q] * sum[q];
  panel::solve_upper<N>(z, lower, p.ld, n);
  panel::scatter<N>(z, x, pattern_.square_runs(p), n);
}

void BlockLu::substitute_back(double* x) const {
  for (int i = static_cast<int>(pattern_.panels().size()) - 1; i >= 0; --i) {
    with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) { backward<N>(i, x); });
  }
}

void BlockLu::solve(double* x) const {
  for (int i = 0; i < static_cast<int>(pattern_.panels().size()); ++i) {
    with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) { forward<N>(i, x); });
  }
  substitute_back(x);
}

}  // namespace filum::math
