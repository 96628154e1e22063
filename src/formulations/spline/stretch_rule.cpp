#include "formulations/spline/stretch_rule.hpp"

#include "base/index.hpp"
#include "math/tridiagonal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace filum::spline {

namespace {

const double kGauss2 = 0.5 - 0.5 / std::sqrt(3.0);
const double kGauss3 = 0.5 - 0.5 * std::sqrt(0.6);

// Where a segment begins; of a ring, which is gone round, also beyond its last one.
double start(const rod::SplineKnots& knots, int segment) {
  if (!knots.closed()) return knots.start(segment);
  const int segments = knots.segments();
  const int turns = (segment + segments) / segments - 1;
  return knots.start(segment - turns * segments) + turns * knots.length();
}

// One part between two breaks: `first` to `last` are its segments, in a ring beyond its end.
struct Part {
  int first = 0;
  int last = 0;
};

std::vector<Part> parts(const rod::SplineKnots& knots) {
  std::vector<Part> found;
  int begin = 0;
  while (!knots.is_break(begin)) ++begin;
  int first = begin;
  for (int k = begin; k < begin + knots.segments(); ++k) {
    const int next = k + 1;
    if (!knots.is_break(next > knots.segments() ? next - knots.segments() : next)) continue;
    found.push_back({first, k});
    first = next;
  }
  return found;
}

// The quadratic B-splines on the simple knots of a part, whose ends are threefold, that do not vanish in a segment: the
// first of them has the segment's place in the part as its number.
std::array<double, 3> quadratics(const rod::SplineKnots& knots, const Part& part, int segment, double u) {
  const auto knot = [&](int k) { return start(knots, std::clamp(k, part.first, part.last + 1)); };
  const double t1 = knot(segment), t2 = knot(segment + 1);
  const double t0 = knot(segment - 1), t3 = knot(segment + 2);
  const double left = (t2 - u) / (t2 - t1), right = (u - t1) / (t2 - t1);
  const double a = left / (t2 - t0), b = right / (t3 - t1);
  return {(t2 - u) * a, (u - t0) * a + (t3 - u) * b, (u - t1) * b};
}

double integral(const rod::SplineKnots& knots, const Part& part, int function) {
  const auto knot = [&](int k) { return start(knots, std::clamp(k, part.first, part.last + 1)); };
  const int k = part.first + function;
  return (knot(k + 1) - knot(k - 2)) / 3;
}

// Solves a system of bandwidth two either way, without pivoting: collocation at points in the order of the functions
// is totally positive. Rows hold columns i − 2 … i + 2.
void solve_banded(std::vector<std::array<double, 5>>& a, std::vector<double>& x) {
  const std::size_t n = x.size();
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n && i <= k + 2; ++i) {
      const double factor = a[i][2 + k - i] / a[k][2];
      for (std::size_t j = k + 1; j < n && j <= k + 2; ++j) a[i][2 + j - i] -= factor * a[k][2 + j - k];
      x[i] -= factor * x[k];
    }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n && j <= k + 2; ++j) x[k] -= a[k][2 + j - k] * x[j];
    x[k] /= a[k][2];
  }
}

// Two points in the segments at the ends of a part, the middle of every other one; without weights yet.
void place_points(const Part& part, std::vector<RulePoint>& rule) {
  for (int k = part.first; k <= part.last; ++k) {
    if (k == part.first || k == part.last) {
      rule.push_back({k, kGauss2, 0});
      rule.push_back({k, 1 - kGauss2, 0});
    } else {
      rule.push_back({k, 0.5, 0});
    }
  }
}

// A part of two segments or more.
void add_part(const rod::SplineKnots& knots, const Part& part, std::vector<RulePoint>& rule) {
  const std::size_t begin = rule.size();
  place_points(part, rule);
  // row: function, column: point
  const std::size_t points = rule.size() - begin;
  std::vector<std::array<double, 5>> matrix(points, std::array<double, 5>{});
  std::vector<double> weight(points);
  for (std::size_t i = 0; i < points; ++i) weight[i] = integral(knots, part, static_cast<int>(i));
  for (std::size_t g = 0; g < points; ++g) {
    const RulePoint& point = rule[begin + g];
    const double from = start(knots, point.segment);
    const double u = from + point.share * (start(knots, point.segment + 1) - from);
    const std::array<double, 3> value = quadratics(knots, part, point.segment, u);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t row = at(point.segment - part.first) + i;
      if (row < points) matrix[row][2 + g - row] = value[i];
    }
  }
  solve_banded(matrix, weight);
  for (std::size_t g = 0; g < points; ++g) rule[begin + g].weight = weight[g];
}

// What the legs of the control polygon have of a point that has these shares of the control points.
std::array<double, 3> on_legs(const std::array<double, 4>& points) {
  return {-points[0], -points[0] - points[1], points[3]};
}

// The same with what each leg adds to r′ in the place of quadratic B-splines, of which its integral is known: splines with
// weights, and Catmull-Rom's. As many as there are points, too.
void add_part_by_legs(const rod::SplineKnots& knots, const Part& part, std::vector<RulePoint>& rule) {
  const std::size_t begin = rule.size();
  place_points(part, rule);
  const std::size_t points = rule.size() - begin;
  const int first = knots.first_control(part.first);
  std::vector<std::array<double, 5>> matrix(points, std::array<double, 5>{});
  std::vector<double> weight(points, 0);
  for (int k = part.first; k <= part.last; ++k) {
    const std::array<double, 3> from = on_legs(knots.at(k, 0).value);
    const std::array<double, 3> to = on_legs(knots.at(k, 1).value);
    for (std::size_t i = 0; i < 3; ++i) weight[at(knots.first_control(k) - first) + i] += to[i] - from[i];
  }
  for (std::size_t g = 0; g < points; ++g) {
    const rod::SplineBasis basis = knots.at(rule[begin + g].segment, rule[begin + g].share);
    const std::size_t row = at(basis.first - first);
    for (std::size_t i = 0; i < 3; ++i) matrix[row + i][2 + g - row - i] = basis.slope[i];
  }
  solve_banded(matrix, weight);
  for (std::size_t g = 0; g < points; ++g) rule[begin + g].weight = weight[g];
}

void add_segment(const rod::SplineKnots& knots, int segment, bool three, std::vector<RulePoint>& rule) {
  const double h = start(knots, segment + 1) - start(knots, segment);
  if (three) {
    rule.push_back({segment, kGauss3, 5.0 / 18 * h});
    rule.push_back({segment, 0.5, 8.0 / 18 * h});
    rule.push_back({segment, 1 - kGauss3, 5.0 / 18 * h});
  } else {
    rule.push_back({segment, kGauss2, 0.5 * h});
    rule.push_back({segment, 1 - kGauss2, 0.5 * h});
  }
}

// A ring without breaks: the middles of its segments, as many as r′ has unknowns.
std::vector<RulePoint> smooth_ring(const rod::SplineKnots& knots) {
  const int n = knots.segments();
  math::Tridiagonal matrix;
  matrix.resize(at(n), true);
  std::vector<double> weight(at(n), 0);
  // row: leg of the control polygon, column: point; the leg that has its middle in a segment is that segment's
  for (int k = 0; k < n; ++k) {
    const std::array<double, 3> value = knots.at(k, 0.5).slope;
    matrix.upper[at((k + n - 1) % n)] = value[0];
    matrix.diagonal[at(k)] = value[1];
    matrix.lower[at((k + 1) % n)] = value[2];
    for (const double share : {kGauss2, 1 - kGauss2}) {
      const std::array<double, 3> slope = knots.at(k, share).slope;
      for (int i = 0; i < 3; ++i) weight[at((k + n - 1 + i) % n)] += 0.5 * knots.width(k) * slope[at(i)];
    }
  }
  matrix.factor();
  matrix.solve(weight);
  std::vector<RulePoint> rule;
  for (int k = 0; k < n; ++k) rule.push_back({k, 0.5, weight[at(k)]});
  return rule;
}

bool has_break(const rod::SplineKnots& knots) {
  for (int k = 0; k < knots.segments(); ++k)
    if (knots.is_break(k)) return true;
  return false;
}

}  // namespace

std::vector<RulePoint> stretch_rule(const rod::SplineKnots& knots) {
  if (!has_break(knots)) return smooth_ring(knots);
  const std::vector<Part> found = parts(knots);
  // all parts of one segment: two points each are one fewer than the curve has unknowns
  bool lacking = !knots.closed() &&
                 std::all_of(found.begin(), found.end(), [](const Part& part) { return part.first == part.last; });
  std::vector<RulePoint> rule;
  for (const Part& part : found) {
    if (part.first < part.last && (knots.catmull_rom() || knots.weighted()))
      add_part_by_legs(knots, part, rule);
    else if (part.first < part.last)
      add_part(knots, part, rule);
    else
      add_segment(knots, part.first, std::exchange(lacking, false), rule);
  }
  for (RulePoint& point : rule) point.segment %= knots.segments();
  std::stable_sort(rule.begin(), rule.end(), [](const auto& a, const auto& b) { return a.segment < b.segment; });
  return rule;
}

}  // namespace filum::spline
