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

// The rows of a matrix of four columns in lanes: f(lane, first, numbers) for each lane, with all four numbers of its row
// or, where there are two lanes, with two at a time.
template <class T, class F>
void each_row(const Vec4Of<T>& four, const F& f) {
  if constexpr (kLanesOf<T> == 1) {
    for (int r = 0; r < 4; ++r) f(0, r, four[r]);
  } else if constexpr (kLanesOf<T> == 2) {
    for (int r = 0; r < 4; r += 2) {
      f(0, r, T::of(__builtin_shufflevector(four[r].v, four[r + 1].v, 0, 2)));
      f(1, r, T::of(__builtin_shufflevector(four[r].v, four[r + 1].v, 1, 3)));
    }
  } else if constexpr (kLanesOf<T> == 4) {
    const auto low01 = __builtin_shufflevector(four[0].v, four[1].v, 0, 4, 2, 6);
    const auto high01 = __builtin_shufflevector(four[0].v, four[1].v, 1, 5, 3, 7);
    const auto low23 = __builtin_shufflevector(four[2].v, four[3].v, 0, 4, 2, 6);
    const auto high23 = __builtin_shufflevector(four[2].v, four[3].v, 1, 5, 3, 7);
    f(0, 0, T::of(__builtin_shufflevector(low01, low23, 0, 1, 4, 5)));
    f(1, 0, T::of(__builtin_shufflevector(high01, high23, 0, 1, 4, 5)));
    f(2, 0, T::of(__builtin_shufflevector(low01, low23, 2, 3, 6, 7)));
    f(3, 0, T::of(__builtin_shufflevector(high01, high23, 2, 3, 6, 7)));
  } else {
    // rows i and i + 4 side by side
    const auto split = [&](int lane, const typename T::Vector& rows) {
      f(lane, 0, Lanes<4>::of(__builtin_shufflevector(rows, rows, 0, 1, 2, 3)));
      f(lane + 4, 0, Lanes<4>::of(__builtin_shufflevector(rows, rows, 4, 5, 6, 7)));
    };
    const auto low01 = __builtin_shufflevector(four[0].v, four[1].v, 0, 8, 2, 10, 4, 12, 6, 14);
    const auto high01 = __builtin_shufflevector(four[0].v, four[1].v, 1, 9, 3, 11, 5, 13, 7, 15);
    const auto low23 = __builtin_shufflevector(four[2].v, four[3].v, 0, 8, 2, 10, 4, 12, 6, 14);
    const auto high23 = __builtin_shufflevector(four[2].v, four[3].v, 1, 9, 3, 11, 5, 13, 7, 15);
    split(0, __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13));
    split(1, __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13));
    split(2, __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15));
    split(3, __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15));
  }
}

// Back: four numbers of each lane, which lie side by side at from[lane].
template <class T>
void load_rows(const std::array<const double*, kLanesOf<T>>& from, T* four) {
  if constexpr (kLanesOf<T> == 2) {
    for (int r = 0; r < 4; r += 2) {
      const auto a = LaneMemory<T>::load(from[0] + r).v;
      const auto b = LaneMemory<T>::load(from[1] + r).v;
      four[r].v = __builtin_shufflevector(a, b, 0, 2);
      four[r + 1].v = __builtin_shufflevector(a, b, 1, 3);
    }
  } else if constexpr (kLanesOf<T> == 4) {
    const auto row = [&](std::size_t lane) { return LaneMemory<T>::load(from[lane]).v; };
    const auto low01 = __builtin_shufflevector(row(0), row(1), 0, 4, 2, 6);
    const auto high01 = __builtin_shufflevector(row(0), row(1), 1, 5, 3, 7);
    const auto low23 = __builtin_shufflevector(row(2), row(3), 0, 4, 2, 6);
    const auto high23 = __builtin_shufflevector(row(2), row(3), 1, 5, 3, 7);
    four[0].v = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    four[1].v = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    four[2].v = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    four[3].v = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  } else {
    const auto rows = [&](std::size_t lane) {
      const auto low = LaneMemory<Lanes<4>>::load(from[lane]).v;
      const auto high = LaneMemory<Lanes<4>>::load(from[lane + 4]).v;
      return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const auto low01 = __builtin_shufflevector(rows(0), rows(1), 0, 8, 2, 10, 4, 12, 6, 14);
    const auto high01 = __builtin_shufflevector(rows(0), rows(1), 1, 9, 3, 11, 5, 13, 7, 15);
    const auto low23 = __builtin_shufflevector(rows(2), rows(3), 0, 8, 2, 10, 4, 12, 6, 14);
    const auto high23 = __builtin_shufflevector(rows(2), rows(3), 1, 9, 3, 11, 5, 13, 7, 15);
    four[0].v = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    four[1].v = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
    four[2].v = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    four[3].v = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
  }
}

// S of as many as T has lanes; pick(i) is that of lane i. Numbers go four at a time: three instructions each instead of
// eleven.
template <template <class> class S, class T, class Pick>
S<T> gathered(const Pick& pick) {
  S<T> s;
  if constexpr (kLanesOf<T> == 1) {
    s = pick(0);
  } else {
    std::array<const double*, kLanesOf<T>> from;
    for (int i = 0; i < kLanesOf<T>; ++i) from[static_cast<std::size_t>(i)] = numbers<S, double>(pick(i));
    T* const to = numbers<S, T>(s);
    constexpr int kFours = kNumbersOf<S> - kNumbersOf<S> % 4;
    for (int c = 0; c < kFours; c += 4) {
      load_rows<T>(from, to + c);
      for (const double*& next : from) next += 4;
    }
    for (int c = 0; c < kNumbersOf<S> - kFours; ++c) {
      if constexpr (kLanesOf<T> == 2) to[kFours + c].v = typename T::Vector{from[0][c], from[1][c]};
      if constexpr (kLanesOf<T> == 4)
        to[kFours + c].v = typename T::Vector{from[0][c], from[1][c], from[2][c], from[3][c]};
      if constexpr (kLanesOf<T> == 8)
        to[kFours + c].v = typename T::Vector{from[0][c], from[1][c], from[2][c], from[3][c],
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
    const int lanes = count < kLanesOf<T> ? count : kLanesOf<T>;
    double* to[kLanesOf<T>] = {};
    for (int i = 0; i < lanes; ++i) to[i] = numbers<S, double>(pick(i));
    const T* const from = numbers<S, T>(s);
    constexpr int kFours = kNumbersOf<S> - kNumbersOf<S> % 4;
    for (int c = 0; c < kFours; c += 4)
      each_row<T>(Vec4Of<T>(from[c], from[c + 1], from[c + 2], from[c + 3]),
                  [&]<class U>(int lane, int first, const U& row) {
                    if (lane < lanes) LaneMemory<U>::store(to[lane] + c + first, row);
                  });
    for (int i = 0; i < lanes; ++i)
      for (int c = kFours; c < kNumbersOf<S>; ++c) to[i][c] = from[c][i];
  }
}

// to[i][0…3] += lane i of the four.
template <class T>
void add_transposed(const Vec4Of<T>& four, const std::array<double*, kLanesOf<T>>& to) {
  each_row<T>(four, [&]<class U>(int lane, int first, const U& row) {
    double* const at = to[static_cast<std::size_t>(lane)] + first;
    LaneMemory<U>::store(at, LaneMemory<U>::load(at) + row);
  });
}

// One number of each.
template <class T>
using NumberOf = T;

}  // namespace filum::math
