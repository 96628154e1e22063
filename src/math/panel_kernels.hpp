// The inner loops of the block solver: small dense products on column-major panels, several rows at a time.
//
// Every loop runs down contiguous columns in lanes T (math/lanes.hpp), each row by itself; what is left of the rows is
// done in half as many lanes, down to one. Sums over rows are always in two lanes. So the bits do not depend on T. A template
// parameter N fixes the panel width at compile time for the common widths; N = 0 takes it at run time.
#pragma once

#include <cstddef>
#include <span>

#include "math/block_pattern.hpp"
#include "math/lanes.hpp"

namespace filum::math::panel {

// Calls f.operator()<U>(i) for rows i on, as many as U has lanes.
template <class T, class F>
inline void over_rows(int first, int rows, const F& f) {
  int i = first;
  for (; i + kLanesOf<T> <= rows; i += kLanesOf<T>) f.template operator()<T>(i);
  if constexpr (kLanesOf<T> > 4) {
    if (i + 4 <= rows) {
      f.template operator()<Lanes<4>>(i);
      i += 4;
    }
  }
  if constexpr (kLanesOf<T> > 2) {
    if (i + 2 <= rows) {
      f.template operator()<Lanes<2>>(i);
      i += 2;
    }
  }
  if (i < rows) f.template operator()<double>(i);
}

template <int N>
struct Width {
  static constexpr int kCapacity = N > 0 ? N : kMaxBlockSize;
  static constexpr int of(int n) { return N > 0 ? N : n; }
};
// The same of the rows below a square of N columns, and of the leading dimension of both. Below = 0: taken at run time;
// otherwise the panel lies in a chain (block_pattern.hpp), and so do its runs and pieces.
template <int N, int Below>
struct Height {
  static constexpr int kLeading = Below == 0 ? 0 : N + Below;
  static constexpr int below(const BlockPattern::Panel& p) { return Width<Below>::of(p.rows - Width<N>::of(p.width)); }
  static constexpr int ld(const BlockPattern::Panel& p) { return Width<kLeading>::of(p.ld); }
};

// Calls f(run) for each run of the rows below a square.
template <int N, int Below, class F>
inline void over_runs(std::span<const BlockPattern::Run> runs, const F& f) {
  if constexpr (Below > 0)
    f(BlockPattern::Run{N, runs[0].x, Below});
  else
    for (const auto& run : runs) f(run);
}

// Calls f(piece) for each piece of a panel.
template <int N, int Below, class F>
inline void over_pieces(std::span<const BlockPattern::Piece> pieces, const F& f) {
  if constexpr (Below > 0) {
#pragma GCC unroll 2
    for (int row = N; row < N + Below; row += N)
      f(BlockPattern::Piece{0, pieces[row / N - 1].target, N + Below, row, N + Below - row, row, N, N});
  } else {
    for (const auto& piece : pieces) f(piece);
  }
}

// Calls f(Width<N>) with the panel width known at compile time where that pays.
template <typename F>
inline void with_width(int n, F&& f) {
  switch (n) {
    case 1:
      return f(Width<1>());
    case 2:
      return f(Width<2>());
    case 3:
      return f(Width<3>());
    case 4:
      return f(Width<4>());
    case 6:
      return f(Width<6>());
    case 7:
      return f(Width<7>());
    case 8:
      return f(Width<8>());
    default:
      return f(Width<0>());
  }
}

// A unit triangular matrix T inside a square: T(p, q) for p < q is t[p * down + q * right].
struct Triangle {
  const double* t;
  std::ptrdiff_t down, right;
  double operator()(int p, int q) const { return t[p * down + q * right]; }
};

// Y := Y U^-1 in place (rows x n, leading dimension ld), U the unit triangle, and scaled := Y diag(d), same layout.
template <int N, class T>
inline void reduce(double* y, double* scaled, int ld, int rows, int n, Triangle triangle, const double* d) {
  n = Width<N>::of(n);
  constexpr int kCapacity = Width<N>::kCapacity;
  double coefficient[kCapacity * kCapacity];
#pragma GCC unroll 4
  for (int q = 1; q < n; ++q) {
#pragma GCC unroll 4
    for (int p = 0; p < q; ++p) coefficient[q * kCapacity + p] = triangle(p, q);
  }
  over_rows<T>(0, rows, [&]<class U>(int i) {
    U v[kCapacity];
#pragma GCC unroll 4
    for (int q = 0; q < n; ++q) {
      double* at = y + i + std::ptrdiff_t{q} * ld;
      U sum = LaneMemory<U>::load(at);
#pragma GCC unroll 4
      for (int p = 0; p < q; ++p) sum -= U(coefficient[q * kCapacity + p]) * v[p];
      v[q] = sum;
      LaneMemory<U>::store(at, sum);
      LaneMemory<U>::store(scaled + i + std::ptrdiff_t{q} * ld, sum * U(d[q]));
    }
  });
}

// C(rows x C) -= A(rows x n) B(C x n)^T; A and B share the leading dimension ld.
template <int N, int C, class T>
inline void subtract_columns(double* c, int ldc, const double* a, const double* b, int ld, int rows, int n) {
  n = Width<N>::of(n);
  // K times the lanes at once keep K C sums in registers
  const auto at = [&]<class U, int K>(int i) {
    constexpr int kRows = kLanesOf<U>;
    U sum[K][C];
#pragma GCC unroll 4
    for (int k = 0; k < K; ++k) {
#pragma GCC unroll 4
      for (int j = 0; j < C; ++j) sum[k][j] = LaneMemory<U>::load(c + i + k * kRows + std::ptrdiff_t{j} * ldc);
    }
#pragma GCC unroll 4
    for (int q = 0; q < n; ++q) {
      U left[K];
#pragma GCC unroll 4
      for (int k = 0; k < K; ++k) left[k] = LaneMemory<U>::load(a + i + k * kRows + std::ptrdiff_t{q} * ld);
#pragma GCC unroll 4
      for (int j = 0; j < C; ++j) {
        const U factor = b[j + std::ptrdiff_t{q} * ld];
#pragma GCC unroll 4
        for (int k = 0; k < K; ++k) sum[k][j] -= left[k] * factor;
      }
    }
#pragma GCC unroll 4
    for (int k = 0; k < K; ++k) {
#pragma GCC unroll 4
      for (int j = 0; j < C; ++j) LaneMemory<U>::store(c + i + k * kRows + std::ptrdiff_t{j} * ldc, sum[k][j]);
    }
  };
  int i = 0;
  for (; i + 2 * kLanesOf<T> <= rows; i += 2 * kLanesOf<T>) at.template operator()<T, 2>(i);
  over_rows<T>(i, rows, [&]<class U>(int row) { at.template operator()<U, 1>(row); });
}

// C(rows x columns) -= A(rows x n) B(columns x n)^T.
template <int N, class T>
inline void subtract_product(double* c, int ldc, const double* a, const double* b, int ld, int rows, int columns,
                             int n) {
  for (; columns >= 4; columns -= 4, b += 4, c += 4 * std::ptrdiff_t{ldc}) {
    subtract_columns<N, 4, T>(c, ldc, a, b, ld, rows, n);
  }
  if (columns == 3) subtract_columns<N, 3, T>(c, ldc, a, b, ld, rows, n);
  if (columns == 2) subtract_columns<N, 2, T>(c, ldc, a, b, ld, rows, n);
  if (columns == 1) subtract_columns<N, 1, T>(c, ldc, a, b, ld, rows, n);
}

// x(rows) -= Y(rows x n) z.
template <int N, class T>
inline void subtract_times(double* x, const double* y, int ld, int rows, int n, const double* z) {
  n = Width<N>::of(n);
  over_rows<T>(0, rows, [&]<class U>(int i) {
    U sum = LaneMemory<U>::load(x + i);
    for (int q = 0; q < n; ++q) sum -= LaneMemory<U>::load(y + i + std::ptrdiff_t{q} * ld) * U(z[q]);
    LaneMemory<U>::store(x + i, sum);
  });
}

// z(n) += Y(rows x n)^T x.
template <int N>
inline void add_transposed_times(double* z, const double* y, int ld, int rows, int n, const double* x) {
  n = Width<N>::of(n);
  using Pair = Lanes<2>;
  Pair sum[Width<N>::kCapacity];
  for (int q = 0; q < n; ++q) sum[q].v = Pair::Vector{z[q], 0};
  int i = 0;
  for (; i + 2 <= rows; i += 2) {
    const Pair factor = LaneMemory<Pair>::load(x + i);
    for (int q = 0; q < n; ++q) sum[q] += LaneMemory<Pair>::load(y + i + std::ptrdiff_t{q} * ld) * factor;
  }
  for (int q = 0; q < n; ++q) {
    z[q] = sum[q][0] + sum[q][1];
    if (i < rows) z[q] += y[i + std::ptrdiff_t{q} * ld] * x[i];
  }
}

// z := L^-1 z with the unit lower triangle of the square.
template <int N>
inline void solve_lower(double* z, const double* square, int ld, int n) {
  n = Width<N>::of(n);
  for (int p = 0; p < n; ++p) {
    for (int q = p + 1; q < n; ++q) z[q] -= square[q + std::ptrdiff_t{p} * ld] * z[p];
  }
}
// z := U^-1 z with the unit upper triangle of the square.
template <int N>
inline void solve_upper(double* z, const double* square, int ld, int n) {
  n = Width<N>::of(n);
  for (int q = n - 1; q > 0; --q) {
    for (int p = 0; p < q; ++p) z[p] -= square[p + std::ptrdiff_t{q} * ld] * z[q];
  }
}

// z[q] := the old z[order[q]], and back.
void permute(double* z, int n, const unsigned char* order);
void permute_back(double* z, int n, const unsigned char* order);

// Reorders the columns of the rows below the square as the pivots were: column q becomes the old column order[q].
void permute_columns(double* below, int ld, int rows, int n, const unsigned char* order);

}  // namespace filum::math::panel
