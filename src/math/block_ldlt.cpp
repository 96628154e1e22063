#include "math/block_ldlt.hpp"

#include <algorithm>
#include <cmath>

namespace filum::math {

using panel::with_width;

void BlockLdlt::analyse(const BlockGraph& graph, std::span<const int> order) {
  pattern_ = order.empty() ? BlockPattern(graph, minimum_degree_order(graph)) : BlockPattern(graph, order);
  values_.assign(pattern_.values(), 0.0);
  scaled_.assign(pattern_.largest_panel(), 0.0);
  scale_.assign(pattern_.rows(), 0.0);
  inverse_.assign(pattern_.rows(), 0.0);
  inverse_off_.assign(pattern_.rows(), 0.0);
  order_.assign(pattern_.rows(), 0);
  pivoted_.assign(pattern_.panels().size(), 0);
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

void BlockLdlt::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

// Takes down the diagonal as it is before any update. True if some entry is zero, so that its scale must come from the
// updates.
bool BlockLdlt::note_scales() {
  bool zero = false;
  for (const auto& p : pattern_.panels()) {
    const double* square = values_.data() + p.values;
    for (int q = 0; q < p.width; ++q) {
      const double size = std::abs(square[q + std::ptrdiff_t{q} * p.ld]);
      scale_[p.first + q] = size;
      zero |= size == 0;
    }
  }
  return zero;
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

template <int N>
bool BlockLdlt::eliminate(int index, bool track) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width), ld = p.ld, below = p.rows - n;
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
  panel::reduce<N>(y + n, scaled + n, ld, below, n, {y, ld, 1}, inverse);
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
  if (track) track_scales(p);

  // later panels -= Y D^-1 Y^T
  for (const auto& piece : pattern_.pieces(p)) {
    panel::subtract_product<N>(values_.data() + piece.target, piece.ld, y + piece.row, scaled + piece.column, ld,
                               piece.rows, piece.columns, n);
  }
  return true;
}

// Eliminates panel after panel and, if x is given, takes it along.
bool BlockLdlt::factor(double* x) {
  inertia_ = {};
  const bool track = note_scales();
  const int panels = static_cast<int>(pattern_.panels().size());
  bool finite = true;
  for (int i = 0; i < panels && finite; ++i) {
    with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) {
      finite = eliminate<N>(i, track);
      if (finite && x != nullptr) forward<N>(i, x);
    });
  }
  return finite;
}

bool BlockLdlt::factor() {
  return factor(nullptr);
}

bool BlockLdlt::factor_and_solve(double* x) {
  if (!factor(x)) return false;
  substitute_back(x);
  return true;
}

// z := D^-1 z.
template <int N>
void BlockLdlt::times_inverse(int index, double* z) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  if (pivoted_[index]) return times_pivoted_inverse(p, z);
  for (int q = 0; q < panel::Width<N>::of(p.width); ++q) z[q] *= inverse_[p.first + q];
}

void BlockLdlt::times_pivoted_inverse(const BlockPattern::Panel& p, double* z) const {
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

// The panel's part of z = D^-1 L^-1 x, kept in the places of x.
template <int N>
void BlockLdlt::forward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const double* y = values_.data() + p.values;
  double z[panel::Width<N>::kCapacity] = {};
  panel::gather<N>(z, x, pattern_.square_runs(p), n);
  if (pivoted_[index]) panel::permute(z, n, order_.data() + p.first);
  panel::solve_lower<N>(z, y, p.ld, n);
  times_inverse<N>(index, z);
  panel::scatter<N>(z, x, pattern_.square_runs(p), n);
  for (const auto& run : pattern_.below_runs(p)) {
    panel::subtract_times<N>(x + run.x, y + run.row, p.ld, run.count, n, z);
  }
}

// The panel's part of x = L^-T z.
template <int N>
void BlockLdlt::backward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const double* y = values_.data() + p.values;
  double z[panel::Width<N>::kCapacity] = {}, sum[panel::Width<N>::kCapacity] = {};
  panel::gather<N>(z, x, pattern_.square_runs(p), n);
  for (const auto& run : pattern_.below_runs(p)) {
    panel::add_transposed_times<N>(sum, y + run.row, p.ld, run.count, n, x + run.x);
  }
  times_inverse<N>(index, sum);
  for (int q = 0; q < n; ++q) z[q] -= sum[q];
  panel::solve_upper<N>(z, y, p.ld, n);
  if (pivoted_[index]) panel::permute_back(z, n, order_.data() + p.first);
  panel::scatter<N>(z, x, pattern_.square_runs(p), n);
}

void BlockLdlt::substitute_back(double* x) const {
  for (int i = static_cast<int>(pattern_.panels().size()) - 1; i >= 0; --i) {
    with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) { backward<N>(i, x); });
  }
}

void BlockLdlt::solve(double* x) const {
  for (int i = 0; i < static_cast<int>(pattern_.panels().size()); ++i) {
    with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) { forward<N>(i, x); });
  }
  substitute_back(x);
}

}  // namespace filum::math
