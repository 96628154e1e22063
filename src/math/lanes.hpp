// Several numbers side by side, for kernels that do the same to neighbouring joints or edges at once.
//
// A kernel is a template on its number T: double, or Lanes<W>. Every operator acts lane by lane, no lane sees another and
// no multiply-add is fused, so that each lane has the bits that a double would have, whatever W is and whichever
// processor it runs on. `in_lanes` runs a piece of code with the widest lanes that the processor has: one source,
// compiled for each.
//
// Instead of branches: `select(mask, a, b)` takes what is wanted of both; what is rare and dear is done lane by lane
// by `repaired`, and only if any lane asks for it.
#pragma once

#include <Eigen/Core>

#include <cmath>

// Lanes are never passed between what is compiled for one processor and what for another.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace filum::math {

// The widest in use.
inline constexpr int kMostLanes = 8;

// GCC takes no vector size that depends on a template's parameter.
template <int W>
struct LaneVector;
template <>
struct LaneVector<2> {
  typedef double Number __attribute__((vector_size(16)));
  typedef long long Mask __attribute__((vector_size(16)));
};
template <>
struct LaneVector<4> {
  typedef double Number __attribute__((vector_size(32), aligned(16)));
  typedef long long Mask __attribute__((vector_size(32), aligned(16)));
};

template <>
struct LaneVector<8> {
  typedef double Number __attribute__((vector_size(64), aligned(16)));
  typedef long long Mask __attribute__((vector_size(64), aligned(16)));
};

template <int W>
struct LaneMask {
  typename LaneVector<W>::Mask v;
  friend LaneMask operator|(const LaneMask& a, const LaneMask& b) { return {a.v | b.v}; }
  friend LaneMask operator&(const LaneMask& a, const LaneMask& b) { return {a.v & b.v}; }
};

template <int W>
struct Lanes {
  using Vector = typename LaneVector<W>::Number;
  Vector v;

  Lanes() = default;
  Lanes(double all) : v(Vector{} + all) {}  // NOLINT: a number is the same number in every lane
  static Lanes of(const Vector& vector) {
    Lanes lanes;
    lanes.v = vector;
    return lanes;
  }
  double operator[](int lane) const { return v[lane]; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) { return of(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return of(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return of(a.v * b.v); }
  friend Lanes operator/(const Lanes& a, const Lanes& b) { return of(a.v / b.v); }
  Lanes operator-() const { return of(-v); }
  Lanes& operator+=(const Lanes& b) { return v += b.v, *this; }
  Lanes& operator-=(const Lanes& b) { return v -= b.v, *this; }
  Lanes& operator*=(const Lanes& b) { return v *= b.v, *this; }
  Lanes& operator/=(const Lanes& b) { return v /= b.v, *this; }
  friend LaneMask<W> operator<(const Lanes& a, const Lanes& b) { return {a.v < b.v}; }
  friend LaneMask<W> operator>(const Lanes& a, const Lanes& b) { return {a.v > b.v}; }
  friend LaneMask<W> operator==(const Lanes& a, const Lanes& b) { return {a.v == b.v}; }
};

// How many numbers are in a T, and T's own place among others: `load` and `store` are of T's width.
template <class T>
inline constexpr int kLanesOf = 1;
template <int W>
inline constexpr int kLanesOf<Lanes<W>> = W;

template <class T>
struct LaneMemory {
  static T load(const double* from) { return *from; }
  static void store(double* to, const T& lanes) { *to = lanes; }
};
template <int W>
struct LaneMemory<Lanes<W>> {
  static Lanes<W> load(const double* from) {
    Lanes<W> lanes;
    __builtin_memcpy(&lanes.v, from, sizeof lanes.v);
    return lanes;
  }
  static void store(double* to, const Lanes<W>& lanes) { __builtin_memcpy(to, &lanes.v, sizeof lanes.v); }
};

// Square roots have no operator. Lanes wider than the plain processor's go by address: how they would be passed by value
// depends on what a function is compiled for.
namespace detail {
#if defined(__x86_64__)
inline void square_root(Lanes<2>& x) {
  x.v = __builtin_ia32_sqrtpd(x.v);
}
[[gnu::target("avx2")]] inline void square_root(Lanes<4>& x) {
  x.v = __builtin_ia32_sqrtpd256(x.v);
}
[[gnu::target("avx512f")]] inline void square_root(Lanes<8>& x) {
  constexpr int kAsTheProcessorRounds = 4;
#if defined(__clang__)
  x.v = __builtin_ia32_sqrtpd512(x.v, kAsTheProcessorRounds);
#else
  x.v = __builtin_ia32_sqrtpd512_mask(x.v, x.v, static_cast<unsigned char>(255), kAsTheProcessorRounds);
#endif
}
#else
template <int W>
void square_root(Lanes<W>& x) {
  for (int i = 0; i < W; ++i) x.v[i] = std::sqrt(x.v[i]);
}
#endif
}  // namespace detail

template <int W>
Lanes<W> sqrt(Lanes<W> x) {
  detail::square_root(x);
  return x;
}

inline double select(bool mask, double yes, double no) {
  return mask ? yes : no;
}
template <int W>
Lanes<W> select(const LaneMask<W>& mask, const Lanes<W>& yes, const Lanes<W>& no) {
  return Lanes<W>::of(mask.v ? yes.v : no.v);
}
// Component by component.
template <class Mask, class T, int R>
Eigen::Matrix<T, R, 1> select(const Mask& mask, const Eigen::Matrix<T, R, 1>& yes, const Eigen::Matrix<T, R, 1>& no) {
  Eigen::Matrix<T, R, 1> chosen;
  for (int i = 0; i < R; ++i) chosen[i] = select(mask, yes[i], no[i]);
  return chosen;
}

template <class T>
T larger(const T& a, const T& b) {
  return select(a > b, a, b);
}
template <class T>
T magnitude(const T& a) {
  return select(a < T(0), T(-a), a);
}

inline bool any(bool mask) {
  return mask;
}
template <int W>
bool any(const LaneMask<W>& mask) {
  long long sum = 0;
  for (int i = 0; i < W; ++i) sum |= mask.v[i];
  return sum != 0;
}

// f of numbers where the mask says so, `value` elsewhere.
template <class F, class... Args>
double repaired(bool mask, double value, const F& f, Args... args) {
  return mask ? f(args...) : value;
}
template <int W, class F, class... Args>
Lanes<W> repaired(const LaneMask<W>& mask, Lanes<W> value, const F& f, const Args&... args) {
  for (int i = 0; i < W; ++i)
    if (mask.v[i] != 0) value.v[i] = f(args[i]...);
  return value;
}

// Small matrices of T.
template <class T>
using Vec2Of = Eigen::Matrix<T, 2, 1, Eigen::DontAlign>;
template <class T>
using Vec3Of = Eigen::Matrix<T, 3, 1>;
template <class T>
using Vec4Of = Eigen::Matrix<T, 4, 1>;
template <class T>
using Mat3Of = Eigen::Matrix<T, 3, 3>;
template <class T>
using Mat34Of = Eigen::Matrix<T, 3, 4>;
template <class T>
using Mat43Of = Eigen::Matrix<T, 4, 3>;
template <class T>
using Mat4Of = Eigen::Matrix<T, 4, 4>;

// The matrix of the cross product with v.
template <class T>
Mat3Of<T> cross_matrix(const Vec3Of<T>& v) {
  Mat3Of<T> m;
  m << T(0), -v[2], v[1], v[2], T(0), -v[0], -v[1], v[0], T(0);
  return m;
}

// How many lanes are in use: 2, which every 64-bit processor has, 4 or 8.
int lanes_in_use();
// Tests compare: no more than so many from now on.
void use_lanes(int most);

namespace detail {
#if defined(__x86_64__)
template <class F>
[[gnu::target("avx512f,avx512dq,avx512vl"), gnu::flatten]] void in_eight(const F& f) {
  f.template operator()<Lanes<8>>();
}
template <class F>
[[gnu::target("avx2"), gnu::flatten]] void in_four(const F& f) {
  f.template operator()<Lanes<4>>();
}
#endif
template <class F>
[[gnu::flatten]] void in_two(const F& f) {
  f.template operator()<Lanes<2>>();
}
}  // namespace detail

// Calls f.operator()<T>() with T = Lanes<W> as wide as the processor has them. All that f calls is compiled into it.
template <class F>
void in_lanes(const F& f) {
#if defined(__x86_64__)
  if (lanes_in_use() == 8) return detail::in_eight(f);
  if (lanes_in_use() == 4) return detail::in_four(f);
#endif
  detail::in_two(f);
}

}  // namespace filum::math

namespace Eigen {

template <int W>
struct NumTraits<filum::math::Lanes<W>> : GenericNumTraits<filum::math::Lanes<W>> {
  using Real = filum::math::Lanes<W>;
  using NonInteger = filum::math::Lanes<W>;
  using Nested = filum::math::Lanes<W>;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
template <int W, class Op>
struct ScalarBinaryOpTraits<double, filum::math::Lanes<W>, Op> {
  using ReturnType = filum::math::Lanes<W>;
};
template <int W, class Op>
struct ScalarBinaryOpTraits<filum::math::Lanes<W>, double, Op> {
  using ReturnType = filum::math::Lanes<W>;
};

}  // namespace Eigen
