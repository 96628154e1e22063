// Factorisation of one small symmetric or general square (up to kMaxBlockSize rows), the diagonal part of a panel.
//
// definite_ldlt is the fast path: no exchanges, for squares whose pivots all have one sign, which makes it stable. What
// it refuses goes to pivoted_ldlt: complete pivoting with 1x1 and 2x2 pivots (Bunch & Parlett, SIAM J. Numer. Anal. 8,
// 1971), choosing on the square scaled to unit rows, so that unknowns of different units do not mislead it. steady_lu
// and pivoted_lu are the same for unsymmetric squares; the latter exchanges rows (partial pivoting).
//
// A pivot no larger than kNilPivot times the largest number that entered it carries no information: it is
// replaced by that threshold with its sign kept, and counted.
//
// Layout: column-major with leading dimension ld. On return the strict lower triangle holds the unit L, the strict
// upper triangle the unit U (L^T when symmetric), and `inverse` the reciprocal pivots.
#pragma once

#include <cmath>
#include <limits>

#include "math/panel_kernels.hpp"

namespace filum::math {

inline constexpr double kNilPivot = 8 * std::numeric_limits<double>::epsilon();

// Signs of the pivots, which are the signs of the eigenvalues (Sylvester); `zero` counts pivots that had to be
// replaced.
struct Inertia {
  int positive = 0, negative = 0, zero = 0;
  bool operator==(const Inertia&) const = default;
};

// L D L^T without exchanges. Reads the lower triangle. False, and nothing changed, unless all pivots are finite, of one
// sign and above kNilPivot * scale. Unrolled, so that for the fixed widths the triangle lives in registers: a fifth of
// a chain's factor time.
template <int N>
inline bool definite_ldlt(double* square, int ld, int n, const double* scale, double* inverse, Inertia& inertia) {
  n = panel::Width<N>::of(n);
  constexpr int kCapacity = panel::Width<N>::kCapacity;
  // w: columns of the lower triangle; c: the column before it is divided by its pivot
  double w[kCapacity][kCapacity], c[kCapacity];
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
#pragma GCC unroll 8
    for (int i = q; i < n; ++i) w[q][i] = square[i + std::ptrdiff_t{q} * ld];
  }
  const double sign = square[0] < 0 ? -1.0 : 1.0;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
    const double pivot = w[q][q], size = sign * pivot;
    if (!(size > kNilPivot * scale[q] && size <= std::numeric_limits<double>::max())) return false;
    const double reciprocal = 1 / pivot;
    inverse[q] = reciprocal;
#pragma GCC unroll 8
    for (int i = q + 1; i < n; ++i) {
      c[i] = w[q][i];
      w[q][i] *= reciprocal;
    }
#pragma GCC unroll 8
    for (int j = q + 1; j < n; ++j) {
#pragma GCC unroll 8
      for (int i = j; i < n; ++i) w[j][i] -= w[q][i] * c[j];
    }
  }
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
#pragma GCC unroll 8
    for (int i = q + 1; i < n; ++i) square[i + std::ptrdiff_t{q} * ld] = square[q + std::ptrdiff_t{i} * ld] = w[q][i];
  }
  (sign > 0 ? inertia.positive : inertia.negative) += n;
  return true;
}

// L D U without exchanges. False, and nothing changed, unless all pivots are finite and above kNilPivot * scale and no
// update is much larger than the square itself; of a definite square none is: |a_iq a_qj / a_qq| <= sqrt(a_ii a_jj).
template <int N>
inline bool steady_lu(double* square, int ld, int n, const double* scale, double* inverse) {
  n = panel::Width<N>::of(n);
  constexpr int kCapacity = panel::Width<N>::kCapacity;
  double w[kCapacity][kCapacity];  // by columns
  double total = 0;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
      w[q][i] = square[i + std::ptrdiff_t{q} * ld];
      total += std::abs(w[q][i]);
    }
  }
  if (!(total <= std::numeric_limits<double>::max())) return false;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
    if (!(std::abs(w[q][q]) > kNilPivot * scale[q])) return false;
    const double reciprocal = 1 / w[q][q];
    inverse[q] = reciprocal;
    double down = 0, across = 0;
#pragma GCC unroll 8
    for (int i = q + 1; i < n; ++i) {
      down += std::abs(w[q][i]);
      across += std::abs(w[i][q]);
      w[q][i] *= reciprocal;
    }
    if (!(down * across * std::abs(reciprocal) <= n * total)) return false;
#pragma GCC unroll 8
    for (int j = q + 1; j < n; ++j) {
#pragma GCC unroll 8
      for (int i = q + 1; i < n; ++i) w[j][i] -= w[q][i] * w[j][q];
      w[j][q] *= reciprocal;
    }
  }
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) square[i + std::ptrdiff_t{q} * ld] = w[q][i];
  }
  return true;
}

// P A P^T = L D L^T with D of 1x1 and 2x2 blocks: `inverse` is the diagonal of D^-1, inverse_off[q] its entry
// (q, q + 1), and order[q] the row that came to place q. Reads the lower triangle. `scale`: per row, the largest number
// seen on its diagonal so far. False on a number that is not finite.
bool pivoted_ldlt(double* square, int ld, int n, const double* scale, double* inverse, double* inverse_off,
                  unsigned char* order, Inertia& inertia);

// P A = L D U, unit L and U, order[q] the row that came to place q. `scale`: per column, its largest number before any
// update. Returns the number of nil pivots, or -1 on a number that is not finite.
int pivoted_lu(double* square, int ld, int n, const double* scale, double* inverse, unsigned char* order);

}  // namespace filum::math
