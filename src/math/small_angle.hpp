// Sines and angles where they are nearly always small: series to round-off below a limit, the library beyond it.
#pragma once

#include <cmath>

namespace filum::math {

// atan2(sine, cosine) of a unit vector. The series is that of the arcsine; at 0.1 its first term left out is 1e-18.
inline double angle_of(double sine, double cosine) {
  if (cosine < 0 || sine > 0.1 || sine < -0.1) return std::atan2(sine, cosine);
  // even and odd terms side by side: two short chains of sums instead of a long one
  const double q = sine * sine;
  const double q2 = q * q;
  const double even = 1.0 / 6 + q2 * (5.0 / 112 + q2 * (63.0 / 2816 + q2 * (143.0 / 10240)));
  const double odd = 3.0 / 40 + q2 * (35.0 / 1152 + q2 * (231.0 / 13312));
  return sine + sine * q * (even + q * odd);
}

struct SinCos {
  double sine;
  double cosine;
};

// At 0.1 the first terms left out are 1e-18.
inline SinCos sin_cos(double angle) {
  if (angle > 0.1 || angle < -0.1) return {std::sin(angle), std::cos(angle)};
  const double q = angle * angle;
  const double q2 = q * q;
  const double s = (1.0 / 6 - q * (1.0 / 120)) + q2 * ((1.0 / 5040 - q * (1.0 / 362880)) + q2 * (1.0 / 39916800));
  const double c = (0.5 - q * (1.0 / 24)) + q2 * ((1.0 / 720 - q * (1.0 / 40320)) + q2 * (1.0 / 3628800));
  return {angle - angle * q * s, 1 - q * c};
}

}  // namespace filum::math
