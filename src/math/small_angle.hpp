// Sines and angles where they are nearly always small: series to round-off below a limit, the library beyond it. T is a
// double, or several side by side (math/lanes.hpp).
#pragma once

#include "math/lanes.hpp"

#include <cmath>

namespace filum::math {

// atan2(sine, cosine) of a unit vector. The series is that of the arcsine; at 0.1 its first term left out is 1e-18.
template <class T>
T angle_of(const T& sine, const T& cosine) {
  // even and odd terms side by side: two short chains of sums instead of a long one
  const T q = sine * sine;
  const T q2 = q * q;
  const T even = 1.0 / 6 + q2 * (5.0 / 112 + q2 * (63.0 / 2816 + q2 * (143.0 / 10240)));
  const T odd = 3.0 / 40 + q2 * (35.0 / 1152 + q2 * (231.0 / 13312));
  const T angle = sine + sine * q * (even + q * odd);
  const auto far = (cosine < T(0)) | (magnitude(sine) > T(0.1));
  if (!any(far)) return angle;
  return repaired(
      far, angle, [](double s, double c) { return std::atan2(s, c); }, sine, cosine);
}

template <class T>
struct SinCos {
  T sine;
  T cosine;
};

// At 0.1 the first terms left out are 1e-18.
template <class T>
SinCos<T> sin_cos(const T& angle) {
  const T q = angle * angle;
  const T q2 = q * q;
  const T s = (1.0 / 6 - q * (1.0 / 120)) + q2 * ((1.0 / 5040 - q * (1.0 / 362880)) + q2 * (1.0 / 39916800));
  const T c = (0.5 - q * (1.0 / 24)) + q2 * ((1.0 / 720 - q * (1.0 / 40320)) + q2 * (1.0 / 3628800));
  const SinCos<T> near{angle - angle * q * s, 1.0 - q * c};
  const auto far = magnitude(angle) > T(0.1);
  if (!any(far)) return near;
  return {repaired(
              far, near.sine, [](double a) { return std::sin(a); }, angle),
          repaired(
              far, near.cosine, [](double a) { return std::cos(a); }, angle)};
}

}  // namespace filum::math
