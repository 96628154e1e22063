#include "scene/edit/curve_edits.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace filum::edit {
namespace {

bool is_polyline(const Curve& curve) {
  return curve.kind == CurveKind::Line || curve.kind == CurveKind::Points;
}

bool is_round(const Curve& curve) {
  return curve.kind == CurveKind::Arc || curve.kind == CurveKind::Helix;
}

// Corners of a polyline within (from, to), with both ends.
std::vector<Vec3> corners(const Curve& curve, double from, double to) {
  const CurvePath path(curve);
  const double same = 1e-12 * path.length();
  std::vector<Vec3> points{path.at(from).position};
  double s = 0;
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    s += (curve.points[i] - curve.points[i - 1]).norm();
    if (s > from + same && s < to - same) points.push_back(curve.points[i]);
  }
  points.push_back(path.at(to).position);
  return points;
}

// Any other curve: evenly, and halving the distance towards both ends.
std::vector<Vec3> samples(const Curve& curve, double from, double to) {
  constexpr int kHalvings = 12;
  const CurvePath path(curve);
  const int count = std::max(200, static_cast<int>(curve.points.size()));
  const int steps = std::max(4, static_cast<int>(std::lround(count * (to - from) / path.length())));
  const double step = (to - from) / steps;
  std::vector<double> places{from};
  for (int k = kHalvings; k > 0; --k) places.push_back(from + std::ldexp(step, -k));
  for (int i = 1; i < steps; ++i) places.push_back(from + i * step);
  for (int k = 1; k <= kHalvings; ++k) places.push_back(to - std::ldexp(step, -k));
  places.push_back(to);
  std::vector<Vec3> points;
  for (const double s : places) points.push_back(path.at(s).position);
  return points;
}

}  // namespace

std::vector<Vec3> points_of(const Curve& curve, double from, double to) {
  return is_polyline(curve) ? corners(curve, from, to) : samples(curve, from, to);
}

Curve through(const Curve& model, std::vector<Vec3> points) {
  Curve curve;
  curve.kind = !is_polyline(model) ? CurveKind::Spline : points.size() == 2 ? CurveKind::Line : CurveKind::Points;
  curve.points = std::move(points);
  return curve;
}

Curve moved(const Curve& curve, const Mat3& turn, const Vec3& shift) {
  Curve out = curve;
  out.file.clear();
  for (Vec3& point : out.points) point = turn * point + shift;
  if (!is_round(curve)) return out;
  out.centre = turn * curve.centre + shift;
  out.axis = turn * curve.axis;
  out.start = turn * curve.start + shift;
  return out;
}

Curve part_of(const Curve& curve, double from, double to) {
  if (!is_round(curve)) return through(curve, points_of(curve, from, to));
  const CurvePath path(curve);
  Curve out = curve;
  out.start = path.at(from).position;
  out.angle = curve.angle * (to - from) / path.length();
  return out;
}

Curve prolonged_end(const Curve& curve, double by) {
  const CurvePath path(curve);
  Curve out = curve;
  out.file.clear();
  if (is_round(curve)) {
    out.angle = curve.angle * (1 + by / path.length());
    return out;
  }
  const Vec3 end = path.at(path.length()).position + by * path.at(path.length()).tangent;
  if (is_polyline(curve)) {
    out.points.back() = end;
    return out;
  }
  std::vector<Vec3> points = samples(curve, 0, path.length());
  points.push_back(end);
  return through(curve, std::move(points));
}

Curve prolonged_start(const Curve& curve, double by) {
  const CurvePath path(curve);
  Curve out = curve;
  out.file.clear();
  if (is_round(curve)) {
    // the same helix run backwards leads to the new start
    out.angle = -curve.angle * by / path.length();
    out.start = CurvePath(out).at(by).position;
    out.angle = curve.angle * (1 + by / path.length());
    return out;
  }
  const Vec3 start = path.at(0).position - by * path.at(0).tangent;
  if (is_polyline(curve)) {
    out.points.front() = start;
    return out;
  }
  std::vector<Vec3> points = samples(curve, 0, path.length());
  points.insert(points.begin(), start);
  return through(curve, std::move(points));
}

Curve scaled_between(const Curve& curve, double from, double to, double by) {
  const double length = curve_length(curve);
  const double scale = 1 + by / (to - from);
  const CurvePath path(curve);
  const Vec3 fixed = path.at(from).position;
  const Vec3 shift = (scale - 1) * (path.at(to).position - fixed);
  // three parts in a row; each begins with the last point of the one before
  std::vector<Vec3> points;
  const auto append = [&](double a, double b, double factor, const Vec3& offset) {
    if (b - a <= 1e-12 * length) return;
    const std::vector<Vec3> part = points_of(curve, a, b);
    for (std::size_t i = points.empty() ? 0 : 1; i < part.size(); ++i)
      points.push_back(fixed + factor * (part[i] - fixed) + offset);
  };
  append(0, from, 1, Vec3::Zero());
  append(from, to, scale, Vec3::Zero());
  append(to, length, 1, shift);
  return through(curve, std::move(points));
}

}  // namespace filum::edit
