// Rotations of several things side by side (math/lanes.hpp).
#pragma once

#include "math/small_angle.hpp"

namespace filum::math {

// exp([w]×) v = v + (sin ω/ω) w × v + ½ (sin(ω/2)/(ω/2))² w × (w × v), ω = |w|, for each column v.
template <class T>
Mat3Of<T> turned(const Mat3Of<T>& columns, const Vec3Of<T>& w) {
  using std::sqrt;
  const T square = w.squaredNorm();
  const T angle = sqrt(square);
  // of an eighth, which is nearly always small, doubled three times
  auto [sine, cosine] = sin_cos(T(0.125 * angle));
  const auto twice = [](T& s, T& c) {
    const T next = 2.0 * s * c;
    c = 1.0 - 2.0 * s * s;
    s = next;
  };
  twice(sine, cosine);
  twice(sine, cosine);
  const T half = sine;
  twice(sine, cosine);
  // below it what the series leave out is round-off
  const auto tiny = square < T(1e-8);
  const T first = select(tiny, T(1.0 - square / 6.0), T(sine / angle));
  const T second = select(tiny, T(0.5 - square / 24.0), T(2.0 * half * half / square));
  Mat3Of<T> result;
  for (int i = 0; i < 3; ++i) {
    const Vec3Of<T> v = columns.col(i);
    const Vec3Of<T> across = w.cross(v);
    result.col(i) = v + first * across + second * w.cross(across);
  }
  return result;
}

}  // namespace filum::math
