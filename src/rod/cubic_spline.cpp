#include "rod/cubic_spline.hpp"

#include "base/index.hpp"
#include "math/tridiagonal.hpp"
#include "rod/cubic_basis.hpp"

#include <algorithm>
#include <utility>

namespace filum::rod {

SplineKnots::SplineKnots(std::span<const double> places, std::vector<bool> is_double, Kind kind)
    : kind_(kind), places_(places.begin(), places.end()), break_(std::move(is_double)) {
  if (catmull_rom()) break_.assign(places_.size(), false);
  break_.front() = break_.back() = true;
  knot_.assign(4, places_.front());
  for (std::size_t k = 1; k < places_.size(); ++k) {
    first_.push_back(static_cast<int>(knot_.size()) - 4);
    const std::size_t times = k + 1 == places_.size() ? 4 : break_[k] ? 2 : 1;
    knot_.insert(knot_.end(), times, places_[k]);
  }
}

SplineKnots SplineKnots::ring(std::span<const double> places, std::vector<bool> is_double, Kind kind) {
  SplineKnots ring;
  ring.kind_ = kind;
  ring.places_.assign(places.begin(), places.end());
  ring.break_ = std::move(is_double);
  ring.break_.resize(places.size());
  if (ring.catmull_rom()) ring.break_.assign(places.size(), false);
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

// Of this segment or of one just beyond either end, where an open curve goes on as it ends.
double SplineKnots::width_beside(int segment) const {
  if (closed()) return width((segment + segments()) % segments());
  return width(std::clamp(segment, 0, segments() - 1));
}

// Hermite's cubic with the slopes (D0 + D1)/(h⁻ + h) and (D1 + D2)/(h + h⁺), on the three legs.
SplineBasis SplineKnots::catmull_rom_at(int segment, double share) const {
  SplineBasis basis;
  basis.first = first_control(segment);
  const double h = width(segment);
  const double t = share;
  const double before = h / (width_beside(segment - 1) + h);
  const double after = h / (h + width_beside(segment + 1));
  // weights of both slopes and of the way between, with two derivatives by t
  const auto legs = [&](double first, double way, double last) {
    return std::array<double, 3>{before * first, before * first + way + after * last, after * last};
  };
  basis.value = on_points(legs(t * (1 - t) * (1 - t), t * t * (3 - 2 * t), t * t * (t - 1)));
  basis.value[1] += 1;
  basis.slope = legs((1 - t) * (1 - 3 * t), 6 * t * (1 - t), t * (3 * t - 2));
  basis.bend = legs(6 * t - 4, 6 - 12 * t, 6 * t - 2);
  for (std::size_t i = 0; i < 3; ++i) basis.slope[i] /= h, basis.bend[i] /= h * h;
  return basis;
}

SplineBasis SplineKnots::at(int segment, double share) const {
  if (catmull_rom()) return catmull_rom_at(segment, share);
  SplineBasis basis = polynomial(segment, share);
  if (weight_.empty()) return basis;
  BasisAt rational;
  rational.first = basis.first;
  rational.derivative = {basis.value, on_points(basis.slope), on_points(basis.bend), {}};
  make_rational(rational, weight_);
  const auto legs = [](const std::array<double, 4>& points) {
    return std::array<double, 3>{-points[0], -points[0] - points[1], points[3]};
  };
  basis.value = rational.derivative[0];
  basis.slope = legs(rational.derivative[1]);
  basis.bend = legs(rational.derivative[2]);
  return basis;
}

void SplineKnots::weigh(const std::function<Weight(double s)>& weight_at) {
  std::vector<Vec3> w, dw, s, ds;
  for (const double place : places_) {
    const Weight weight = weight_at(place);
    w.emplace_back(weight.value, 0, 0);
    dw.emplace_back(weight.slope, 0, 0);
    s.emplace_back(place, 0, 0);
    ds.emplace_back(1, 0, 0);
  }
  std::vector<double> weights;
  for (const Vec3& weight : polynomial_through(w, dw)) weights.push_back(weight[0]);
  if (*std::min_element(weights.begin(), weights.end()) <= 0)
    for (int i = 0; i < controls(); ++i) weights[filum::at(i)] = weight_at(abscissa(i)).value;
  weight_ = std::move(weights);
  for (const Vec3& control : through(s, ds)) abscissa_.push_back(control[0]);
}

// Of the functions without weights.
SplineBasis SplineKnots::polynomial(int segment, double share) const {
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
  if (!abscissa_.empty()) return abscissa_[filum::at(control)];
  // of the place that it goes through, or one beyond
  if (catmull_rom() && control == 0) return places_.front() - width_beside(-1);
  if (catmull_rom() && control > segments() + 1) return places_.back() + width_beside(segments());
  if (catmull_rom()) return places_[filum::at(control - 1)];
  // the mean of the knots that make it
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
  if (catmull_rom()) return catmull_rom_through(points, slopes);
  if (weight_.empty()) return polynomial_through(points, slopes);
  // W r goes through W p with the slopes W′ p + W p′
  std::vector<Vec3> whole, whole_slopes;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool last = k + 1 == places_.size();
    const SplineBasis basis = polynomial(static_cast<int>(last ? k - 1 : k), last ? 1 : 0);
    const std::array<double, 4> slope = on_points(basis.slope);
    double w = 0, dw = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      w += basis.value[i] * weight_[filum::at(basis.first) + i];
      dw += slope[i] * weight_[filum::at(basis.first) + i];
    }
    whole.push_back(w * points[k]);
    whole_slopes.push_back(dw * points[k] + w * slopes[k]);
  }
  std::vector<Vec3> controls = polynomial_through(whole, whole_slopes);
  for (std::size_t i = 0; i < controls.size(); ++i) controls[i] /= weight_[i];
  return controls;
}

std::vector<Vec3> SplineKnots::catmull_rom_through(std::span<const Vec3> points, std::span<const Vec3> slopes) const {
  std::vector<Vec3> controls;
  const std::size_t n = points.size();
  for (int i = 0; i < this->controls(); ++i) {
    const int place = i - 1;
    if (closed())
      controls.push_back(points[filum::at((place + static_cast<int>(n)) % static_cast<int>(n))]);
    else if (place < 0)
      controls.push_back(points[1] - 2 * width(0) * slopes.front());
    else if (place >= static_cast<int>(n))
      controls.push_back(points[n - 2] + 2 * width(segments() - 1) * slopes[n - 1]);
    else
      controls.push_back(points[filum::at(place)]);
  }
  return controls;
}

std::vector<Vec3> SplineKnots::polynomial_through(std::span<const Vec3> points, std::span<const Vec3> slopes) const {
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
