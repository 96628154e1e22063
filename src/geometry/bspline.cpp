#include "geometry/bspline.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::geometry {
namespace {

using Vec4 = Eigen::Vector4d;

// The span u_k <= u < u_{k+1}; at the end of the curve the last that has a length.
int span_of(const BSpline& curve, double u) {
  const int last = static_cast<int>(curve.points.size()) - 1;
  const auto begin = curve.knots.begin() + curve.degree + 1;
  const auto end = curve.knots.begin() + last + 1;
  int k = static_cast<int>(std::upper_bound(begin, end, u) - curve.knots.begin()) - 1;
  while (k > curve.degree && !(curve.knots[at(k)] < curve.knots[at(k + 1)])) --k;
  return k;
}

Vec4 homogeneous(const BSpline& curve, int i) {
  const double weight = curve.weights.empty() ? 1 : curve.weights[at(i)];
  return {weight * curve.points[at(i)].x(), weight * curve.points[at(i)].y(), weight * curve.points[at(i)].z(), weight};
}

// Five points of Gauss and Legendre on [-1, 1], exact to degree nine.
constexpr std::array<double, 5> kNodes{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                       0.9061798459386640};
constexpr std::array<double, 5> kWeights{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                         0.2369268850561891};

double length_between(const BSpline& curve, double from, double to) {
  double sum = 0;
  for (std::size_t i = 0; i < kNodes.size(); ++i)
    sum += kWeights[i] * evaluate(curve, (from + to) / 2 + kNodes[i] * (to - from) / 2).derivative.norm();
  return sum * (to - from) / 2;
}

// Parameters and the lengths up to them, close enough for five points in between.
struct LengthTable {
  std::vector<double> u;
  std::vector<double> s;
};

LengthTable length_table(const BSpline& curve) {
  constexpr int kPieces = 8;
  LengthTable table;
  const std::size_t first = at(curve.degree);
  const std::size_t last = curve.points.size();
  table.u.push_back(curve.knots[first]);
  table.s.push_back(0);
  for (std::size_t k = first; k < last; ++k) {
    const double width = curve.knots[k + 1] - curve.knots[k];
    for (int i = 1; width > 0 && i <= kPieces; ++i) {
      const double to = i == kPieces ? curve.knots[k + 1] : curve.knots[k] + width * i / kPieces;
      table.s.push_back(table.s.back() + length_between(curve, table.u.back(), to));
      table.u.push_back(to);
    }
  }
  return table;
}

}  // namespace

std::vector<double> clamped_knots(int points, int degree) {
  std::vector<double> knots;
  const int spans = points - degree;
  for (int i = 0; i < points + degree + 1; ++i) knots.push_back(std::clamp(i - degree, 0, spans));
  return knots;
}

std::vector<double> uniform_knots(int points, int degree) {
  std::vector<double> knots;
  for (int i = 0; i < points + degree + 1; ++i) knots.push_back(i - degree);
  return knots;
}

BSplinePoint evaluate(const BSpline& curve, double u) {
  const int p = curve.degree;
  u = std::clamp(u, curve.knots[at(p)], curve.knots[curve.points.size()]);
  const int k = span_of(curve, u);
  std::vector<Vec4> d(at(p + 1));
  for (int j = 0; j <= p; ++j) d[at(j)] = homogeneous(curve, k - p + j);
  // corner by corner; the last two points but one also tell the derivative
  Vec4 slope = Vec4::Zero();
  for (int r = 1; r <= p; ++r) {
    if (r == p) slope = p / (curve.knots[at(k + 1)] - curve.knots[at(k)]) * (d[at(p)] - d[at(p - 1)]);
    for (int j = p; j >= r; --j) {
      const double left = curve.knots[at(k - p + j)];
      const double right = curve.knots[at(j + 1 + k - r)];
      const double share = right > left ? (u - left) / (right - left) : 0;
      d[at(j)] = (1 - share) * d[at(j - 1)] + share * d[at(j)];
    }
  }
  const Vec4& value = d[at(p)];
  const Vec3 position = value.head<3>() / value[3];
  return {position, (slope.head<3>() - slope[3] * position) / value[3]};
}

double arc_length(const BSpline& curve) {
  return length_table(curve).s.back();
}

std::vector<Vec3> evenly_spaced(const BSpline& curve, int count) {
  const LengthTable table = length_table(curve);
  std::vector<Vec3> points;
  std::size_t k = 0;
  for (int i = 0; i < count; ++i) {
    const double wanted = table.s.back() * i / (count - 1);
    while (k + 2 < table.s.size() && table.s[k + 1] < wanted) ++k;
    // within the piece by Newton's method from a straight guess
    const double piece = table.s[k + 1] - table.s[k];
    double u = table.u[k] + (piece > 0 ? (wanted - table.s[k]) / piece : 0) * (table.u[k + 1] - table.u[k]);
    for (int round = 0; round < 4; ++round) {
      const double speed = evaluate(curve, u).derivative.norm();
      if (!(speed > 0)) break;
      u -= (table.s[k] + length_between(curve, table.u[k], u) - wanted) / speed;
      u = std::clamp(u, table.u[k], table.u[k + 1]);
    }
    points.push_back(evaluate(curve, u).position);
  }
  return points;
}

}  // namespace filum::geometry
