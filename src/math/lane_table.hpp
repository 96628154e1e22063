// Tables of kernels' structs, number by number: what neighbours have of one kind lies side by side, so that lanes
// (math/lanes.hpp) are loaded and stored in one go.
//
// S<T> is a struct, or a matrix, of T alone.
#pragma once

#include "math/lanes.hpp"

#include <array>

namespace filum::math {

// So many numbers are in an S.
template <template <class> class S>
inline constexpr int kNumbersOf = static_cast<int>(sizeof(S<double>) / sizeof(double));

template <template <class> class S, class T>
const T* numbers(const S<T>& s) {
  static_assert(sizeof(S<T>) == kNumbersOf<S> * sizeof(T));
  return reinterpret_cast<const T*>(&s);
}
template <template <class> class S, class T>
T* numbers(S<T>& s) {
  static_assert(sizeof(S<T>) == kNumbersOf<S> * sizeof(T));
  return reinterpret_cast<T*>(&s);
}

// Rows 0 to Rows − 1. What is stored in lanes may spoil rows beyond the last that was meant.
template <template <class> class S, int Rows>
class LaneTable {
 public:
  template <class T>
  [[nodiscard]] S<T> load(int row) const {
    S<T> s;
    for (int c = 0; c < kNumbersOf<S>; ++c) numbers<S, T>(s)[c] = LaneMemory<T>::load(numbers_ + c * kStride + row);
    return s;
  }
  template <class T>
  void store(int row, const S<T>& s) {
    for (int c = 0; c < kNumbersOf<S>; ++c) LaneMemory<T>::store(numbers_ + c * kStride + row, numbers<S, T>(s)[c]);
  }
  void clear(int row) {
    for (int c = 0; c < kNumbersOf<S>; ++c) numbers_[c * kStride + row] = 0;
  }
  void copy(int from, int to) {
    for (int c = 0; c < kNumbersOf<S>; ++c) numbers_[c * kStride + to] = numbers_[c * kStride + from];
  }

 private:
  static constexpr int kStride = Rows + kMostLanes;
  double numbers_[kNumbersOf<S> * kStride] = {};
};

// S of as many as T has lanes; pick(i) is that of lane i.
template <template <class> class S, class T, class Pick>
S<T> gathered(const Pick& pick) {
  S<T> s;
  if constexpr (kLanesOf<T> == 1) {
    s = pick(0);
  } else {
    const double* from[kLanesOf<T>];
    for (int i = 0; i < kLanesOf<T>; ++i) from[i] = numbers<S, double>(pick(i));
    for (int c = 0; c < kNumbersOf<S>; ++c) {
      if constexpr (kLanesOf<T> == 2) numbers<S, T>(s)[c].v = typename T::Vector{from[0][c], from[1][c]};
      if constexpr (kLanesOf<T> == 4)
        numbers<S, T>(s)[c].v = typename T::Vector{from[0][c], from[1][c], from[2][c], from[3][c]};
      if constexpr (kLanesOf<T> == 8)
        numbers<S, T>(s)[c].v = typename T::Vector{from[0][c], from[1][c], from[2][c], from[3][c],
                                                   from[4][c], from[5][c], from[6][c], from[7][c]};
    }
  }
  return s;
}

// The first `count` lanes, each to where pick(i) is.
template <template <class> class S, class T, class Pick>
void scatter(const S<T>& s, int count, const Pick& pick) {
  if constexpr (kLanesOf<T> == 1) {
    pick(0) = s;
  } else {
    for (int i = 0; i < kLanesOf<T>; ++i) {
      if (i >= count) break;
      double* to = numbers<S, double>(pick(i));
      for (int c = 0; c < kNumbersOf<S>; ++c) to[c] = numbers<S, T>(s)[c][i];
    }
  }
}

// to[i][0…3] += lane i of the four.
template <class T>
void add_transposed(const Vec4Of<T>& four, const std::array<double*, kLanesOf<T>>& to) {
  const auto add = [](double* at, const T& lanes) { LaneMemory<T>::store(at, LaneMemory<T>::load(at) + lanes); };
  if constexpr (kLanesOf<T> == 1) {
    for (int r = 0; r < 4; ++r) add(to[0] + r, four[r]);
  } else if constexpr (kLanesOf<T> == 2) {
    for (int r = 0; r < 4; r += 2) {
      const auto& a = four[r].v;
      const auto& b = four[r + 1].v;
      add(to[0] + r, T::of(__builtin_shufflevector(a, b, 0, 2)));
      add(to[1] + r, T::of(__builtin_shufflevector(a, b, 1, 3)));
    }
  } else if constexpr (kLanesOf<T> == 8) {
    // as two times four
    using Four = Lanes<4>;
    Vec4Of<Four> low, high;
    for (int r = 0; r < 4; ++r) {
      low[r] = Four::of(__builtin_shufflevector(four[r].v, four[r].v, 0, 1, 2, 3));
      high[r] = Four::of(__builtin_shufflevector(four[r].v, four[r].v, 4, 5, 6, 7));
    }
    add_transposed<Four>(low, {to[0], to[1], to[2], to[3]});
    add_transposed<Four>(high, {to[4], to[5], to[6], to[7]});
  } else {
    const auto low01 = __builtin_shufflevector(four[0].v, four[1].v, 0, 4, 2, 6);
    const auto high01 = __builtin_shufflevector(four[0].v, four[1].v, 1, 5, 3, 7);
    const auto low23 = __builtin_shufflevector(four[2].v, four[3].v, 0, 4, 2, 6);
    const auto high23 = __builtin_shufflevector(four[2].v, four[3].v, 1, 5, 3, 7);
    add(to[0], T::of(__builtin_shufflevector(low01, low23, 0, 1, 4, 5)));
    add(to[1], T::of(__builtin_shufflevector(high01, high23, 0, 1, 4, 5)));
    add(to[2], T::of(__builtin_shufflevector(low01, low23, 2, 3, 6, 7)));
    add(to[3], T::of(__builtin_shufflevector(high01, high23, 2, 3, 6, 7)));
  }
}

// One number of each.
template <class T>
using NumberOf = T;

}  // namespace filum::math
