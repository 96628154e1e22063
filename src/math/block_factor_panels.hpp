// The bodies of block_factor.hpp.
#pragma once

#include <algorithm>

#include "math/block_factor.hpp"
#include "math/panel_kernels.hpp"

namespace filum::math {

template <class Kind>
void BlockFactor<Kind>::lay_out(const BlockGraph& graph, std::span<const int> order, int parts) {
  pattern_ = order.empty() ? BlockPattern(graph, minimum_degree_order(graph)) : BlockPattern(graph, order);
  values_.assign(parts * pattern_.values(), 0.0);
  scale_.assign(pattern_.rows(), 0.0);
  inverse_.assign(pattern_.rows(), 0.0);
  order_.assign(pattern_.rows(), 0);
  pivoted_.assign(pattern_.panels().size(), 0);
}

template <class Kind>
void BlockFactor<Kind>::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

// Eliminates panel after panel and, if x is given, takes it along.
template <class Kind>
bool BlockFactor<Kind>::factor(double* x) {
  Kind& own = static_cast<Kind&>(*this);
  own.begin();
  const int panels = static_cast<int>(pattern_.panels().size());
  bool finite = true;
  for (int i = 0; i < panels && finite; ++i) {
    panel::with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) {
      finite = own.template eliminate<N>(i);
      if (finite && x != nullptr) forward<N>(i, x);
    });
  }
  return finite;
}

template <class Kind>
bool BlockFactor<Kind>::factor() {
  return factor(nullptr);
}

template <class Kind>
bool BlockFactor<Kind>::factor_and_solve(double* x) {
  if (!factor(x)) return false;
  substitute_back(x);
  return true;
}

template <class Kind>
void BlockFactor<Kind>::solve(double* x) const {
  for (int i = 0; i < static_cast<int>(pattern_.panels().size()); ++i) {
    panel::with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) { forward<N>(i, x); });
  }
  substitute_back(x);
}

template <class Kind>
void BlockFactor<Kind>::substitute_back(double* x) const {
  for (int i = static_cast<int>(pattern_.panels().size()) - 1; i >= 0; --i) {
    panel::with_width(pattern_.panels()[i].width, [&]<int N>(panel::Width<N>) { backward<N>(i, x); });
  }
}

// The panel's part of z = D^-1 L^-1 x, kept in the places of x.
template <class Kind>
template <int N>
void BlockFactor<Kind>::forward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const double* lower = values_.data() + p.values;
  double z[panel::Width<N>::kCapacity] = {};
  panel::gather<N>(z, x, pattern_.square_runs(p), n);
  if (pivoted_[index]) panel::permute(z, n, order_.data() + p.first);
  panel::solve_lower<N>(z, lower, p.ld, n);
  kind().template times_inverse<N>(index, z);
  panel::scatter<N>(z, x, pattern_.square_runs(p), n);
  for (const auto& run : pattern_.below_runs(p)) {
    panel::subtract_times<N>(x + run.x, lower + run.row, p.ld, run.count, n, z);
  }
}

// The panel's part of x = U^-1 z, U = L^T where the matrix is symmetric.
template <class Kind>
template <int N>
void BlockFactor<Kind>::backward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width);
  const double* square = values_.data() + p.values;
  const double* beyond = square + kind().upper();
  double z[panel::Width<N>::kCapacity] = {}, sum[panel::Width<N>::kCapacity] = {};
  panel::gather<N>(z, x, pattern_.square_runs(p), n);
  for (const auto& run : pattern_.below_runs(p)) {
    panel::add_transposed_times<N>(sum, beyond + run.row, p.ld, run.count, n, x + run.x);
  }
  kind().template times_inverse<N>(index, sum);
  for (int q = 0; q < n; ++q) z[q] -= sum[q];
  panel::solve_upper<N>(z, square, p.ld, n);
  if (kind().exchanges_columns() && pivoted_[index]) panel::permute_back(z, n, order_.data() + p.first);
  panel::scatter<N>(z, x, pattern_.square_runs(p), n);
}

}  // namespace filum::math
