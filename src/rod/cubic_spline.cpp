#include "rod/cubic_spline.hpp"

#include "base/index.hpp"
#include "math/tridiagonal.hpp"

#include <algorithm>

namespace filum::rod {

SplineKnots::SplineKnots(std::span<const double> places, const std::vector<bool>& is_double)
    : places_(places.begin(), places.end()), break_(is_double) {
  break_.front() = break_.back() = true;
  knot_.assign(4, places_.front());
  for (std::size_t k = 1; k < places_.size(); ++k) {
    first_.push_back(static_cast<int>(knot_.size()) - 4);
    const std::size_t times = k + 1 == places_.size() ? 4 : break_[k] ? 2 : 1;
    knot_.insert(knot_.end(), times, places_[k]);
  }
}

SplineKnots SplineKnots::ring(std::span<const double> places, const std::vector<bool>& is_double) {
  SplineKnots ring;
  ring.places_.assign(places.begin(), places.end());
  ring.break_ = is_double;
  ring.break_.resize(places.size());
  ring.break_.back() = ring.break_.front();
  // one round, and the knot that each segment begins with
  std::vector<double> round;
  std::vector<int> begin;
  for (std::size_t k = 0; k + 1 < places.size(); ++k) {
    round.insert(round.end(), ring.break_[k] ? 2 : 1, places[k]);
    begin.push_back(static_cast<int>(round.size()) - 1);
  }
  const int period = ring.period_ = static_cast<int>(round.size());
  const int before = begin.front() - 3;  // the first knot that segment 0 needs
  for (int i = before; i <= begin.back() + 4; ++i) {
    const int turns = (i + period) / period - 1;  // i ≥ −period
    ring.knot_.push_back(round[filum::at(i - turns * period)] + turns * ring.length());
  }
  for (const int knot : begin) ring.first_.push_back(knot - 3 - before);
  return ring;
}

SplineBasis SplineKnots::at(int segment, double share) const {
  SplineBasis basis;
  basis.first = first_control(segment);
  const int m = basis.first + 3;  // the segment lies between knots m and m + 1
  const double u = knot(m) + share * (knot(m + 1) - knot(m));
  // degree 1, 2, 3 from the one before [DeBoor1978, ch. X]
  std::array<double, 4> n{1, 0, 0, 0};
  std::array<double, 3> linear{};
  std::array<double, 3> quadratic{};
  for (int degree = 1; degree <= 3; ++degree) {
    double saved = 0;
    for (int r = 0; r < degree; ++r) {
      const double right = knot(m + r + 1);
      const double left = knot(m + 1 - degree + r);
      const double part = n[filum::at(r)] / (right - left);
      n[filum::at(r)] = saved + (right - u) * part;
      saved = (u - left) * part;
    }
    n[filum::at(degree)] = saved;
    if (degree == 1) std::copy_n(n.begin(), 2, linear.begin());
    if (degree == 2) std::copy_n(n.begin(), 3, quadratic.begin());
  }
  basis.value = n;
  // r′ = Σ 3 N_{i,2} D/(t_{i+3} − t_i), and N′_{i,2} = 2 (N_{i,1}/(t_{i+2} − t_i) − N_{i+1,1}/(t_{i+3} − t_{i+1}))
  for (int i = 0; i < 3; ++i) {
    const int k = m - 2 + i;
    const double scale = 3 / (knot(k + 3) - knot(k));
    const double before = i > 0 ? linear[filum::at(i - 1)] / (knot(k + 2) - knot(k)) : 0;
    const double after = i < 2 ? linear[filum::at(i)] / (knot(k + 3) - knot(k + 1)) : 0;
    basis.slope[filum::at(i)] = scale * quadratic[filum::at(i)];
    basis.bend[filum::at(i)] = scale * 2 * (before - after);
  }
  return basis;
}

double SplineKnots::abscissa(int control) const {
  return (knot(control + 1) + knot(control + 2) + knot(control + 3)) / 3;
}

// Slopes at every place: those given at the breaks, elsewhere such that the second derivative does not jump.
std::vector<Vec3> SplineKnots::smooth_slopes(std::span<const Vec3> points, std::span<const Vec3> slopes) const {
  const std::size_t n = closed() ? places_.size() - 1 : places_.size();
  math::Tridiagonal system;
  system.resize(n, closed());
  std::vector<Vec3> found(slopes.begin(), slopes.end());
  for (std::size_t k = 0; k < n; ++k) {
    system.diagonal[k] = 1;
    if (break_[k]) continue;
    const std::size_t before = (k + n - 1) % n, after = (k + 1) % n;
    const double h0 = width(static_cast<int>(before));
    const double h1 = width(static_cast<int>(k));
    system.lower[k] = h1;
    system.diagonal[k] = 2 * (h0 + h1);
    system.upper[k] = h0;
    found[k] = 3 * (h1 / h0 * (points[k] - points[before]) + h0 / h1 * (points[after] - points[k]));
  }
  system.factor();
  std::vector<double> column(n);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t k = 0; k < n; ++k) column[k] = found[k][axis];
    system.solve(column);
    for (std::size_t k = 0; k < n; ++k) found[k][axis] = column[k];
  }
  return found;
}

std::vector<Vec3> SplineKnots::through(std::span<const Vec3> points, std::span<const Vec3> slopes) const {
  const std::vector<Vec3> slope = smooth_slopes(points, slopes);
  std::vector<Vec3> controls;
  int segment = 0;
  for (int i = 0; i < this->controls(); ++i) {
    if (i >= own_controls()) {
      controls.push_back(controls[filum::at(i - own_controls())]);
      continue;
    }
    // a segment whose curve it is part of, beginning at its middle knot if there is one
    while (segment + 1 < segments() && start(segment + 1) <= knot(i + 2)) ++segment;
    const auto k = filum::at(segment);
    const std::size_t next = (k + 1) % points.size();
    const double h = width(segment);
    // the control point is the blossom of that curve at its three inner knots: de Casteljau's scheme with one of them
    // at each stage
    std::array<Vec3, 4> bezier{points[k], points[k] + h / 3 * slope[k], points[next] - h / 3 * slope[next],
                               points[next]};
    for (int stage = 1; stage <= 3; ++stage) {
      const double share = (knot(i + stage) - start(segment)) / h;
      for (int j = 0; j + stage <= 3; ++j)
        bezier[filum::at(j)] = (1 - share) * bezier[filum::at(j)] + share * bezier[filum::at(j + 1)];
    }
    controls.push_back(bezier[0]);
  }
  return controls;
}

}  // namespace filum::rod
