// The inner loops of the block solver: small dense products on column-major panels, two rows at a time.
//
// Every loop runs down contiguous columns in pairs (16-byte vectors, which every 64-bit processor has). A template
// parameter N fixes the panel width at compile time for the common widths; N = 0 takes it at run time. No sum is
// reordered by the compiler, so results do not depend on its flags.
#pragma once

#include <cstddef>
#include <span>

#include "math/block_pattern.hpp"

namespace filum::math::panel {

using Pair = double __attribute__((vector_size(16)));

inline Pair load(const double* p) {
  using Unaligned = double __attribute__((vector_size(16), aligned(8), may_alias));
  return *reinterpret_cast<const Unaligned*>(p);
}
inline void store(double* p, Pair v) {
  using Unaligned = double __attribute__((vector_size(16), aligned(8), may_alias));
  *reinterpret_cast<Unaligned*>(p) = v;
}
inline Pair both(double v) {
  return Pair{v, v};
}

template <int N>
struct Width {
  static constexpr int kCapacity = N > 0 ? N : kMaxBlockSize;
  static constexpr int of(int n) { return N > 0 ? N : n; }
};

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

// Y := Y T^-1 in place (rows x n, leading dimension ld) and scaled := Y diag(d), same layout.
template <int N>
inline void reduce(double* y, double* scaled, int ld, int rows, int n, Triangle triangle, const double* d) {
  n = Width<N>::of(n);
  constexpr int kCapacity = Width<N>::kCapacity;
  double coefficient[kCapacity * kCapacity];
  for (int q = 1; q < n; ++q) {
    for (int p = 0; p < q; ++p) coefficient[q * kCapacity + p] = triangle(p, q);
  }
  int i = 0;
  for (; i + 2 <= rows; i += 2) {
    Pair v[kCapacity];
    for (int q = 0; q < n; ++q) {
      double* at = y + i + std::ptrdiff_t{q} * ld;
      Pair sum = load(at);
      for (int p = 0; p < q; ++p) sum -= both(coefficient[q * kCapacity + p]) * v[p];
      v[q] = sum;
      store(at, sum);
      store(scaled + i + std::ptrdiff_t{q} * ld, sum * both(d[q]));
    }
  }
  if (i < rows) {
    double v[kCapacity];
    for (int q = 0; q < n; ++q) {
      double* at = y + i + std::ptrdiff_t{q} * ld;
      double sum = *at;
      for (int p = 0; p < q; ++p) sum -= coefficient[q * kCapacity + p] * v[p];
      v[q] = *at = sum;
      scaled[i + std::ptrdiff_t{q} * ld] = sum * d[q];
    }
  }
}

// C(rows x C) -= A(rows x n) B(C x n)^T; A and B share the leading dimension ld.
template <int N, int C>
inline void subtract_columns(double* c, int ldc, const double* a, const double* b, int ld, int rows, int n) {
  n = Width<N>::of(n);
  int i = 0;
  // four rows at a time keep 2 C sums in registers
  for (; i + 4 <= rows; i += 4) {
    Pair low[C], high[C];
    for (int j = 0; j < C; ++j) {
      low[j] = load(c + i + std::ptrdiff_t{j} * ldc);
      high[j] = load(c + i + 2 + std::ptrdiff_t{j} * ldc);
    }
    for (int q = 0; q < n; ++q) {
      const Pair a_low = load(a + i + std::ptrdiff_t{q} * ld), a_high = load(a + i + 2 + std::ptrdiff_t{q} * ld);
      for (int j = 0; j < C; ++j) {
        const Pair factor = both(b[j + std::ptrdiff_t{q} * ld]);
        low[j] -= a_low * factor;
        high[j] -= a_high * factor;
      }
    }
    for (int j = 0; j < C; ++j) {
      store(c + i + std::ptrdiff_t{j} * ldc, low[j]);
      store(c + i + 2 + std::ptrdiff_t{j} * ldc, high[j]);
    }
  }
  for (; i + 2 <= rows; i += 2) {
    Pair sum[C];
    for (int j = 0; j < C; ++j) sum[j] = load(c + i + std::ptrdiff_t{j} * ldc);
    for (int q = 0; q < n; ++q) {
      const Pair a_pair = load(a + i + std::ptrdiff_t{q} * ld);
      for (int j = 0; j < C; ++j) sum[j] -= a_pair * both(b[j + std::ptrdiff_t{q} * ld]);
    }
    for (int j = 0; j < C; ++j) store(c + i + std::ptrdiff_t{j} * ldc, sum[j]);
  }
  if (i < rows) {
    for (int j = 0; j < C; ++j) {
      double sum = c[i + std::ptrdiff_t{j} * ldc];
      for (int q = 0; q < n; ++q) sum -= a[i + std::ptrdiff_t{q} * ld] * b[j + std::ptrdiff_t{q} * ld];
      c[i + std::ptrdiff_t{j} * ldc] = sum;
    }
  }
}

// C(rows x columns) -= A(rows x n) B(columns x n)^T.
template <int N>
inline void subtract_product(double* c, int ldc, const double* a, const double* b, int ld, int rows, int columns,
                             int n) {
  for (; columns >= 4; columns -= 4, b += 4, c += 4 * std::ptrdiff_t{ldc}) {
    subtract_columns<N, 4>(c, ldc, a, b, ld, rows, n);
  }
  if (columns == 3) subtract_columns<N, 3>(c, ldc, a, b, ld, rows, n);
  if (columns == 2) subtract_columns<N, 2>(c, ldc, a, b, ld, rows, n);
  if (columns == 1) subtract_columns<N, 1>(c, ldc, a, b, ld, rows, n);
}

// x(rows) -= Y(rows x n) z.
template <int N>
inline void subtract_times(double* x, const double* y, int ld, int rows, int n, const double* z) {
  n = Width<N>::of(n);
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    Pair low = load(x + i), high = load(x + i + 2);
    for (int q = 0; q < n; ++q) {
      low -= load(y + i + std::ptrdiff_t{q} * ld) * both(z[q]);
      high -= load(y + i + 2 + std::ptrdiff_t{q} * ld) * both(z[q]);
    }
    store(x + i, low);
    store(x + i + 2, high);
  }
  for (; i < rows; ++i) {
    for (int q = 0; q < n; ++q) x[i] -= y[i + std::ptrdiff_t{q} * ld] * z[q];
  }
}

// z(n) += Y(rows x n)^T x.
template <int N>
inline void add_transposed_times(double* z, const double* y, int ld, int rows, int n, const double* x) {
  n = Width<N>::of(n);
  Pair sum[Width<N>::kCapacity];
  for (int q = 0; q < n; ++q) sum[q] = Pair{z[q], 0};
  int i = 0;
  for (; i + 2 <= rows; i += 2) {
    const Pair factor = load(x + i);
    for (int q = 0; q < n; ++q) sum[q] += load(y + i + std::ptrdiff_t{q} * ld) * factor;
  }
  for (int q = 0; q < n; ++q) {
    z[q] = sum[q][0] + sum[q][1];
    if (i < rows) z[q] += y[i + std::ptrdiff_t{q} * ld] * x[i];
  }
}

// z(n) := the rows of the panel's square in x, and back.
template <int N>
inline void gather(double* z, const double* x, std::span<const BlockPattern::Run> runs, int n) {
  n = Width<N>::of(n);
  if (runs.size() == 1) {
    for (int q = 0; q < n; ++q) z[q] = x[runs[0].x + q];
    return;
  }
  for (const auto& run : runs) {
    for (int i = 0; i < run.count; ++i) z[run.row + i] = x[run.x + i];
  }
}
template <int N>
inline void scatter(const double* z, double* x, std::span<const BlockPattern::Run> runs, int n) {
  n = Width<N>::of(n);
  if (runs.size() == 1) {
    for (int q = 0; q < n; ++q) x[runs[0].x + q] = z[q];
    return;
  }
  for (const auto& run : runs) {
    for (int i = 0; i < run.count; ++i) x[run.x + i] = z[run.row + i];
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
