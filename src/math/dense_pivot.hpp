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
#include <type_traits>

#include "math/panel_kernels.hpp"

namespace filum::math {

inline constexpr double kNilPivot = 8 * std::numeric_limits<double>::epsilon();

// Signs of the pivots, which are the signs of the eigenvalues (Sylvester); `zero` counts pivots that had to be
// replaced.
struct Inertia {
  int positive = 0, negative = 0, zero = 0;
  bool operator==(const Inertia&) const = default;
};

// One square, or two of the same width side by side in two lanes: their pivots wait for one another's divisions.
template <int K>
struct Squares {
  using Number = std::conditional_t<K == 1, double, Lanes<2>>;
  double* const* square;
  const double* const* scale;
  double* const* inverse;
  int ld;

  [[nodiscard]] Number load(int row, int column) const { return beside(square, row + std::ptrdiff_t{column} * ld); }
  void store(int row, int column, const Number& number) const {
    put(square, row + std::ptrdiff_t{column} * ld, number);
  }
  [[nodiscard]] Number least(int q) const { return beside(scale, q) * Number(kNilPivot); }
  void store_inverse(int q, const Number& number) const { put(inverse, q, number); }

 private:
  template <class Pointer>
  static Number beside(const Pointer* of, std::ptrdiff_t at) {
    if constexpr (K == 1)
      return of[0][at];
    else
      return Number::of(typename Number::Vector{of[0][at], of[1][at]});
  }
  static void put(double* const* to, std::ptrdiff_t at, const Number& number) {
    if constexpr (K == 1) {
      to[0][at] = number;
    } else {
      to[0][at] = number[0];
      to[1][at] = number[1];
    }
  }
};

inline double size_of(double a) {
  return std::abs(a);
}
inline Lanes<2> size_of(const Lanes<2>& a) {
  constexpr long long kAllButSign = std::numeric_limits<long long>::max();
  using Mask = LaneVector<2>::Mask;
  return Lanes<2>::of(reinterpret_cast<Lanes<2>::Vector>(reinterpret_cast<Mask>(a.v) & Mask{kAllButSign, kAllButSign}));
}
inline bool all(bool mask) {
  return mask;
}
inline bool all(const LaneMask<2>& mask) {
  return (mask.v[0] & mask.v[1]) != 0;
}

// L D L^T without exchanges. Reads the lower triangles. False, and nothing changed, unless all pivots of a square are
// finite, of one sign and above kNilPivot * scale. Unrolled, so that for the fixed widths the triangle lives in
// registers: a fifth of a chain's factor time.
template <int N, int K>
inline bool definite_ldlt(const Squares<K>& squares, int n, Inertia& inertia) {
  n = panel::Width<N>::of(n);
  constexpr int kCapacity = panel::Width<N>::kCapacity;
  using Number = typename Squares<K>::Number;
  // w: columns of the lower triangle; c: the column before it is divided by its pivot
  Number w[kCapacity][kCapacity], c[kCapacity], reciprocal[kCapacity];
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
#pragma GCC unroll 8
    for (int i = q; i < n; ++i) w[q][i] = squares.load(i, q);
  }
  const Number sign = select(w[0][0] < Number(0), Number(-1), Number(1));
  auto definite = Number(0) < Number(1);
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
    const Number pivot = w[q][q], size = sign * pivot;
    definite = definite & (size > squares.least(q)) & (size < Number(std::numeric_limits<double>::infinity()));
    reciprocal[q] = 1.0 / pivot;
#pragma GCC unroll 8
    for (int i = q + 1; i < n; ++i) {
      c[i] = w[q][i];
      w[q][i] *= reciprocal[q];
    }
#pragma GCC unroll 8
    for (int j = q + 1; j < n; ++j) {
#pragma GCC unroll 8
      for (int i = j; i < n; ++i) w[j][i] -= w[q][i] * c[j];
    }
  }
  if (!all(definite)) return false;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
    squares.store_inverse(q, reciprocal[q]);
#pragma GCC unroll 8
    for (int i = q + 1; i < n; ++i) {
      squares.store(i, q, w[q][i]);
      squares.store(q, i, w[q][i]);
    }
  }
  for (int k = 0; k < K; ++k) (squares.square[k][0] > 0 ? inertia.positive : inertia.negative) += n;
  return true;
}

// L D U without exchanges. False, and nothing changed, unless all pivots of a square are finite and above
// kNilPivot * scale and no update is much larger than the square itself; of a definite square none is:
// |a_iq a_qj / a_qq| <= sqrt(a_ii a_jj).
template <int N, int K>
inline bool steady_lu(const Squares<K>& squares, int n) {
  n = panel::Width<N>::of(n);
  constexpr int kCapacity = panel::Width<N>::kCapacity;
  using Number = typename Squares<K>::Number;
  Number w[kCapacity][kCapacity], reciprocal[kCapacity];  // by columns
  Number total = 0;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) {
      w[q][i] = squares.load(i, q);
      total += size_of(w[q][i]);
    }
  }
  auto steady = total < Number(std::numeric_limits<double>::infinity());
  const Number most = Number(n) * total;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
    steady = steady & (size_of(w[q][q]) > squares.least(q));
    reciprocal[q] = 1.0 / w[q][q];
    Number down = 0, across = 0;
#pragma GCC unroll 8
    for (int i = q + 1; i < n; ++i) {
      down += size_of(w[q][i]);
      across += size_of(w[i][q]);
      w[q][i] *= reciprocal[q];
    }
    const Number update = down * across * size_of(reciprocal[q]);
    steady = steady & ((update < most) | (update == most));
#pragma GCC unroll 8
    for (int j = q + 1; j < n; ++j) {
#pragma GCC unroll 8
      for (int i = q + 1; i < n; ++i) w[j][i] -= w[q][i] * w[j][q];
      w[j][q] *= reciprocal[q];
    }
  }
  if (!all(steady)) return false;
#pragma GCC unroll 8
  for (int q = 0; q < n; ++q) {
    squares.store_inverse(q, reciprocal[q]);
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i) squares.store(i, q, w[q][i]);
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
