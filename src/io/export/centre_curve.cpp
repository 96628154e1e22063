#include "io/export/centre_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace filum::io {
namespace {

// The nodes that are numbers, each beyond the one before.
struct Nodes {
  std::vector<double> s;
  std::vector<Vec3> position;
  std::vector<Vec3> tangent;
};

Nodes nodes_of(const RodPose& rod) {
  Nodes nodes;
  for (std::size_t i = 0; i < rod.s.size(); ++i) {
    if (!rod.position[i].allFinite() || !rod.frame[i].coeffs().allFinite()) continue;
    if (!nodes.s.empty() && !(rod.s[i] > nodes.s.back())) continue;
    nodes.s.push_back(rod.s[i]);
    nodes.position.push_back(rod.position[i]);
    nodes.tangent.push_back(rod.frame[i] * Vec3::UnitZ());
  }
  return nodes;
}

// Cubic between nodes a and b, at the arc length s.
Vec3 hermite(const Nodes& nodes, std::size_t a, std::size_t b, double s) {
  const double h = nodes.s[b] - nodes.s[a];
  const double t = (s - nodes.s[a]) / h;
  const double u = 1 - t;
  return (1 + 2 * t) * u * u * nodes.position[a] + t * t * (3 - 2 * t) * nodes.position[b] +
         h * t * u * (u * nodes.tangent[a] - t * nodes.tangent[b]);
}

// Of that cubic, from one arc length to another, by Gauss's rule of five points.
double hermite_length(const Nodes& nodes, std::size_t a, std::size_t b, double from, double to) {
  constexpr std::array<std::pair<double, double>, 5> kGauss{{{0, 0.5688888888888889},
                                                             {0.5384693101056831, 0.4786286704993665},
                                                             {-0.5384693101056831, 0.4786286704993665},
                                                             {0.9061798459386640, 0.2369268850561891},
                                                             {-0.9061798459386640, 0.2369268850561891}}};
  const double h = nodes.s[b] - nodes.s[a];
  double sum = 0;
  for (const auto& [place, weight] : kGauss) {
    const double t = ((from + to) / 2 + place * (to - from) / 2 - nodes.s[a]) / h;
    const Vec3 slope = 6 * t * (1 - t) / h * (nodes.position[b] - nodes.position[a]) +
                       (1 - t) * (1 - 3 * t) * nodes.tangent[a] + t * (3 * t - 2) * nodes.tangent[b];
    sum += weight * slope.norm() * (to - from) / 2;
  }
  return sum;
}

bool reaches(const Nodes& nodes, std::size_t a, std::size_t b, double tolerance) {
  double fine = 0;
  double coarse = 0;
  for (std::size_t k = a; k < b; ++k) {
    if (k > a && (hermite(nodes, a, b, nodes.s[k]) - nodes.position[k]).norm() > tolerance) return false;
    fine += hermite_length(nodes, k, k + 1, nodes.s[k], nodes.s[k + 1]);
    coarse += hermite_length(nodes, a, b, nodes.s[k], nodes.s[k + 1]);
  }
  return std::abs(coarse - fine) <= kLengthTolerance * fine;
}

// From each corner as far as one cubic goes.
std::vector<std::size_t> corners_of(const Nodes& nodes, double tolerance) {
  std::vector<std::size_t> corners{0};
  while (corners.back() + 1 < nodes.s.size()) {
    std::size_t next = corners.back() + 1;
    while (next + 1 < nodes.s.size() && reaches(nodes, corners.back(), next + 1, tolerance)) ++next;
    corners.push_back(next);
  }
  return corners;
}

}  // namespace

geometry::BSpline centre_curve(const RodPose& rod, bool smooth, double tolerance) {
  const Nodes nodes = nodes_of(rod);
  geometry::BSpline curve;
  if (nodes.s.size() < 2) return curve;
  if (!smooth) {
    curve.degree = 1;
    curve.points = nodes.position;
    curve.knots = nodes.s;
    curve.knots.insert(curve.knots.begin(), nodes.s.front());
    curve.knots.push_back(nodes.s.back());
    return curve;
  }
  // two control points a piece; with double knots what joins two pieces lies between them and goes without saying
  curve.degree = 3;
  const std::vector<std::size_t> corners = corners_of(nodes, tolerance);
  curve.points.push_back(nodes.position.front());
  curve.knots.assign(4, nodes.s.front());
  for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
    const std::size_t a = corners[k];
    const std::size_t b = corners[k + 1];
    const double third = (nodes.s[b] - nodes.s[a]) / 3;
    curve.points.push_back(nodes.position[a] + third * nodes.tangent[a]);
    curve.points.push_back(nodes.position[b] - third * nodes.tangent[b]);
    curve.knots.insert(curve.knots.end(), 2, nodes.s[b]);
  }
  curve.points.push_back(nodes.position.back());
  curve.knots.insert(curve.knots.end(), 2, nodes.s.back());
  return curve;
}

}  // namespace filum::io
