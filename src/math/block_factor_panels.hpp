// The bodies of block_factor.hpp.
#pragma once

#include <algorithm>

#include "math/block_factor.hpp"
#include "math/panel_kernels.hpp"

namespace filum::math {

template <class Kind>
void BlockFactor<Kind>::lay_out(const BlockGraph& graph, std::span<const int> order, int parts) {
  pattern_ = order.empty() ? BlockPattern(graph, minimum_degree_order(graph)) : BlockPattern(graph, order);
  values_.assign(parts * pattern_.values() + kBeyond, 0.0);
  scale_.assign(pattern_.rows(), 0.0);
  inverse_.assign(pattern_.rows(), 0.0);
  order_.assign(pattern_.rows(), 0);
  pivoted_.assign(pattern_.panels().size(), 0);
}

template <class Kind>
void BlockFactor<Kind>::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

template <class Kind>
template <int N, int Below, class T>
bool BlockFactor<Kind>::eliminate_and_take(int index, double* x) {
  if (!static_cast<Kind&>(*this).template eliminate<N, Below, T>(index)) return false;
  if (x != nullptr) forward<N, Below, T>(index, x);
  return true;
}

template <class Kind>
[[gnu::noinline]] bool BlockFactor<Kind>::eliminate_other(int index, double* x) {
  bool finite = true;
  panel::with_width(pattern_.panels()[index].width,
                    [&]<int N>(panel::Width<N>) { finite = eliminate_and_take<N, 0, Lanes<2>>(index, x); });
  return finite;
}

template <class Kind>
[[gnu::noinline]] void BlockFactor<Kind>::forward_other(int index, double* x) const {
  panel::with_width(pattern_.panels()[index].width, [&]<int N>(panel::Width<N>) { forward<N, 0, Lanes<2>>(index, x); });
}

// Eliminates panel after panel and, if x is given, takes it along. The nodes of rods are panels of width 4: they alone
// are worth the widest lanes, and most of them lie in a chain, which spares a quarter of the time.
template <class Kind>
bool BlockFactor<Kind>::factor(double* x) {
  static_cast<Kind&>(*this).begin();
  const int panels = static_cast<int>(pattern_.panels().size());
  bool finite = true;
  in_lanes([&]<class T>() {
    for (int i = 0; i < panels && finite; ++i) {
      const BlockPattern::Panel& p = pattern_.panels()[i];
      finite = p.in_chain     ? eliminate_and_take<4, BlockPattern::kChainBelow, T>(i, x)
               : p.width == 4 ? eliminate_and_take<4, 0, T>(i, x)
                              : eliminate_other(i, x);
    }
  });
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
  in_lanes([&]<class T>() {
    for (int i = 0; i < static_cast<int>(pattern_.panels().size()); ++i) {
      if (pattern_.panels()[i].in_chain)
        forward<4, BlockPattern::kChainBelow, T>(i, x);
      else if (pattern_.panels()[i].width == 4)
        forward<4, 0, T>(i, x);
      else
        forward_other(i, x);
    }
  });
  substitute_back(x);
}

template <class Kind>
void BlockFactor<Kind>::substitute_back(double* x) const {
  for (int i = static_cast<int>(pattern_.panels().size()) - 1; i >= 0; --i) {
    const auto& p = pattern_.panels()[i];
    if (p.in_chain)
      backward<4, BlockPattern::kChainBelow>(i, x);
    else
      panel::with_width(p.width, [&]<int N>(panel::Width<N>) { backward<N, 0>(i, x); });
  }
}

// The panel's part of z = D^-1 L^-1 x, kept in the places of x.
template <class Kind>
template <int N, int Below, class T>
void BlockFactor<Kind>::forward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width), ld = panel::Height<N, Below>::ld(p);
  const double* lower = values_.data() + p.values;
  double z[panel::Width<N>::kCapacity] = {};
  panel::gather<N, Below>(z, x, pattern_.square_runs(p), n);
  if (pivoted_[index]) panel::permute(z, n, order_.data() + p.first);
  panel::solve_lower<N>(z, lower, ld, n);
  kind().template times_inverse<N>(index, z);
  panel::scatter<N, Below>(z, x, pattern_.square_runs(p), n);
  panel::over_runs<N, Below>(pattern_.below_runs(p), [&](const BlockPattern::Run& run) {
    panel::subtract_times<N, T>(x + run.x, lower + run.row, ld, run.count, n, z);
  });
}

// The panel's part of x = U^-1 z, U = L^T where the matrix is symmetric.
template <class Kind>
template <int N, int Below>
void BlockFactor<Kind>::backward(int index, double* x) const {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  const int n = panel::Width<N>::of(p.width), ld = panel::Height<N, Below>::ld(p);
  const double* square = values_.data() + p.values;
  const double* beyond = square + kind().upper();
  double z[panel::Width<N>::kCapacity] = {}, sum[panel::Width<N>::kCapacity] = {};
  panel::gather<N, Below>(z, x, pattern_.square_runs(p), n);
  panel::over_runs<N, Below>(pattern_.below_runs(p), [&](const BlockPattern::Run& run) {
    panel::add_transposed_times<N>(sum, beyond + run.row, ld, run.count, n, x + run.x);
  });
  kind().template times_inverse<N>(index, sum);
  for (int q = 0; q < n; ++q) z[q] -= sum[q];
  panel::solve_upper<N>(z, square, ld, n);
  if (kind().exchanges_columns() && pivoted_[index]) panel::permute_back(z, n, order_.data() + p.first);
  panel::scatter<N, Below>(z, x, pattern_.square_runs(p), n);
}

}  // namespace filum::math
