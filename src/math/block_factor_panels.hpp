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
  ordered_.assign(pattern_.row_at().size(), 0.0);
}

template <class Kind>
void BlockFactor<Kind>::set_zero() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

template <class Kind>
template <int N, int Below, class T>
bool BlockFactor<Kind>::eliminate_and_take(int index, double* x) {
  Kind& kind = static_cast<Kind&>(*this);
  if (!kind.template factor_square<N>(index)) return false;
  kind.template eliminate<N, Below, T>(index);
  if (x != nullptr) forward<N, Below, T>(index, x);
  return true;
}

// Two panels in chains.
template <class Kind>
template <class T>
bool BlockFactor<Kind>::eliminate_twins(int index, int twin, double* x) {
  constexpr int kWidth = BlockPattern::kChainWidth, kBelow = BlockPattern::kChainBelow;
  Kind& kind = static_cast<Kind&>(*this);
  if (!kind.factor_squares(index, twin))
    return eliminate_and_take<kWidth, kBelow, T>(index, x) && eliminate_and_take<kWidth, kBelow, T>(twin, x);
  for (const int i : {index, twin}) {
    kind.template eliminate<kWidth, kBelow, T>(i);
    if (x != nullptr) forward<kWidth, kBelow, T>(i, x);
  }
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

// The nodes of rods are panels of width 4: they alone are worth the widest lanes, and most of them lie in a chain, which
// spares a quarter of the time.
template <class Kind>
template <class T>
bool BlockFactor<Kind>::eliminate_any(int index, double* x) {
  const BlockPattern::Panel& p = pattern_.panels()[index];
  return p.in_chain     ? eliminate_and_take<BlockPattern::kChainWidth, BlockPattern::kChainBelow, T>(index, x)
         : p.width == 4 ? eliminate_and_take<4, 0, T>(index, x)
                        : eliminate_other(index, x);
}

// Eliminates panel after panel and, if x is given, takes it along.
template <class Kind>
bool BlockFactor<Kind>::factor(double* x) {
  static_cast<Kind&>(*this).begin();
  bool finite = true;
  in_lanes([&]<class T>() {
    for (const BlockPattern::Stretch& stretch : pattern_.stretches())
      for (int k = 0; k < stretch.count && finite; ++k)
        finite = stretch.twin < 0 ? eliminate_any<T>(stretch.first + k, x)
                                  : eliminate_twins<T>(stretch.first + k, stretch.twin + k, x);
  });
  return finite;
}

template <class Kind>
bool BlockFactor<Kind>::factor() {
  return factor(nullptr);
}

template <class Kind>
double* BlockFactor<Kind>::in_order(double* x) const {
  if (ordered_.empty()) return x;
  for (std::size_t i = 0; i < ordered_.size(); ++i) ordered_[i] = x[pattern_.row_at()[i]];
  return ordered_.data();
}

template <class Kind>
void BlockFactor<Kind>::out_of_order(double* x) const {
  for (std::size_t i = 0; i < ordered_.size(); ++i) x[pattern_.row_at()[i]] = ordered_[i];
}

template <class Kind>
bool BlockFactor<Kind>::factor_and_solve(double* x) {
  double* const ordered = in_order(x);
  if (!factor(ordered)) return false;
  substitute_back(ordered);
  out_of_order(x);
  return true;
}

template <class Kind>
void BlockFactor<Kind>::solve(double* x) const {
  double* const ordered = in_order(x);
  in_lanes([&]<class T>() {
    for (int i = 0; i < static_cast<int>(pattern_.panels().size()); ++i) {
      if (pattern_.panels()[i].in_chain)
        forward<4, BlockPattern::kChainBelow, T>(i, ordered);
      else if (pattern_.panels()[i].width == 4)
        forward<4, 0, T>(i, ordered);
      else
        forward_other(i, ordered);
    }
  });
  substitute_back(ordered);
  out_of_order(x);
}

template <class Kind>
void BlockFactor<Kind>::substitute_back(double* x) const {
  const auto one = [&](int i) {
    const BlockPattern::Panel& p = pattern_.panels()[i];
    if (p.in_chain)
      backward<4, BlockPattern::kChainBelow>(i, x);
    else
      panel::with_width(p.width, [&]<int N>(panel::Width<N>) { backward<N, 0>(i, x); });
  };
  const auto stretches = pattern_.stretches();
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch)
    for (int k = stretch->count - 1; k >= 0; --k) {
      if (stretch->twin < 0) {
        one(stretch->first + k);
      } else {
        backward<4, BlockPattern::kChainBelow>(stretch->first + k, x);
        backward<4, BlockPattern::kChainBelow>(stretch->twin + k, x);
      }
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
  std::copy_n(x + p.first, n, z);
  if (pivoted_[index]) panel::permute(z, n, order_.data() + p.first);
  panel::solve_lower<N>(z, lower, ld, n);
  kind().template times_inverse<N>(index, z);
  std::copy_n(z, n, x + p.first);
  panel::over_runs<N, Below>(pattern_.runs(p), [&](const BlockPattern::Run& run) {
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
  std::copy_n(x + p.first, n, z);
  panel::over_runs<N, Below>(pattern_.runs(p), [&](const BlockPattern::Run& run) {
    panel::add_transposed_times<N>(sum, beyond + run.row, ld, run.count, n, x + run.x);
  });
  kind().template times_inverse<N>(index, sum);
  for (int q = 0; q < n; ++q) z[q] -= sum[q];
  panel::solve_upper<N>(z, square, ld, n);
  if (kind().exchanges_columns() && pivoted_[index]) panel::permute_back(z, n, order_.data() + p.first);
  std::copy_n(z, n, x + p.first);
}

}  // namespace filum::math
