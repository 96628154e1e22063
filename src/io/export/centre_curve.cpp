#include "io/export/centre_curve.hpp"

#include <algorithm>
#include <cmath>

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

bool reaches(const Nodes& nodes, std::size_t a, std::size_t b, double tolerance) {
  for (std::size_t k = a + 1; k < b; ++k)
    if ((hermite(nodes, a, b, nodes.s[k]) - nodes.position[k]).norm() > tolerance) return false;
  return true;
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
