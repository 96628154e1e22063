// A number with its first and second derivatives by two variables.
#pragma once

namespace filum::geometry {

struct Jet {
  double value = 0;
  double a = 0;  // by the first
  double b = 0;
  double aa = 0;
  double ab = 0;
  double bb = 0;
};

inline Jet operator+(const Jet& x, const Jet& y) {
  return {x.value + y.value, x.a + y.a, x.b + y.b, x.aa + y.aa, x.ab + y.ab, x.bb + y.bb};
}
inline Jet operator*(double s, const Jet& x) {
  return {s * x.value, s * x.a, s * x.b, s * x.aa, s * x.ab, s * x.bb};
}
inline Jet operator-(const Jet& x, const Jet& y) {
  return x + (-1) * y;
}
inline Jet operator+(double s, const Jet& x) {
  Jet sum = x;
  sum.value += s;
  return sum;
}
inline Jet operator-(double s, const Jet& x) {
  return s + (-1) * x;
}
inline Jet operator*(const Jet& x, const Jet& y) {
  return {x.value * y.value,
          x.a * y.value + x.value * y.a,
          x.b * y.value + x.value * y.b,
          x.aa * y.value + 2 * x.a * y.a + x.value * y.aa,
          x.ab * y.value + x.a * y.b + x.b * y.a + x.value * y.ab,
          x.bb * y.value + 2 * x.b * y.b + x.value * y.bb};
}
inline Jet operator/(const Jet& x, const Jet& y) {
  const double r = 1 / y.value;
  const double rr = r * r;
  const Jet inverse{r,
                    -y.a * rr,
                    -y.b * rr,
                    (2 * y.a * y.a * r - y.aa) * rr,
                    (2 * y.a * y.b * r - y.ab) * rr,
                    (2 * y.b * y.b * r - y.bb) * rr};
  return x * inverse;
}

}  // namespace filum::geometry
