#include "channel/width_profile.hpp"

#include <algorithm>

namespace filum::channel {

WidthProfile::WidthProfile(const std::vector<Vec2>& points, double scale) : points_(points) {
  for (Vec2& point : points_) point *= scale;
  const std::size_t n = points_.size();
  slopes_.assign(n, 0.0);
  if (n < 2) return;
  std::vector<double> step(n - 1), rise(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    step[i] = points_[i + 1][0] - points_[i][0];
    rise[i] = (points_[i + 1][1] - points_[i][1]) / step[i];
  }
  slopes_.front() = rise.front();
  slopes_.back() = rise.back();
  // inside: none at an extremum, else the weighted harmonic mean [Fritsch1984]
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (rise[i - 1] * rise[i] <= 0) continue;
    const double before = 2 * step[i] + step[i - 1];
    const double after = step[i] + 2 * step[i - 1];
    slopes_[i] = (before + after) / (before / rise[i - 1] + after / rise[i]);
  }
}

Width WidthProfile::at(double s) const {
  if (points_.empty()) return {};
  if (s <= points_.front()[0] || points_.size() == 1) return {points_.front()[1], 0, 0};
  if (s >= points_.back()[0]) return {points_.back()[1], 0, 0};
  // the interval that holds s
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), s, [](double x, const Vec2& point) { return x < point[0]; });
  const auto i = static_cast<std::size_t>(after - points_.begin()) - 1;
  const double h = points_[i + 1][0] - points_[i][0];
  const double t = (s - points_[i][0]) / h;
  const double rise = (points_[i + 1][1] - points_[i][1]) / h;
  // Hermite's cubic: w = w0 + h t (d0 + t (c + t e))
  const double d0 = slopes_[i];
  const double c = 3 * rise - 2 * d0 - slopes_[i + 1];
  const double e = d0 + slopes_[i + 1] - 2 * rise;
  return {points_[i][1] + h * t * (d0 + t * (c + t * e)), d0 + t * (2 * c + 3 * t * e), (2 * c + 6 * t * e) / h};
}

bool WidthProfile::constant() const {
  return std::all_of(points_.begin(), points_.end(),
                     [this](const Vec2& point) { return point[1] == points_.front()[1]; });
}

double WidthProfile::largest() const {
  double most = 0;
  for (const Vec2& point : points_) most = std::max(most, point[1]);
  return most;
}

}  // namespace filum::channel
