// The distance of a wall from the centreline: a monotone cubic through the given points.
//
// Between two points the width never leaves the range of their values, so a throat is exactly as narrow as written, and
// the slope is continuous, so that Newton's method does not meet a kink. Slopes after [Fritsch1980] in the form of
// [Fritsch1984] (weighted harmonic mean). Constant before the first point and after the last.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::channel {

struct Width {
  double value = 0;
  double slope = 0;      // by arc length of the centreline
  double curvature = 0;  // second derivative
};

class WidthProfile {
 public:
  WidthProfile() = default;
  // Points [s, w] with rising s; everything is multiplied by `scale`.
  WidthProfile(const std::vector<Vec2>& points, double scale);

  [[nodiscard]] Width at(double s) const;
  [[nodiscard]] bool constant() const;
  [[nodiscard]] double largest() const;

 private:
  std::vector<Vec2> points_;
  std::vector<double> slopes_;
};

}  // namespace filum::channel
