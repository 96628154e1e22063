// Curves by arc length: line and polyline by their edges, arc and helix in closed form, splines by rod/arc_spline.
//
// Helix: p = foot + R(axis, φ) radial + φ/2π·pitch·axis, φ from 0 to `angle`; its arc length is φ √(r² + (pitch/2π)²).
// An arc is a helix without pitch. A negative angle runs the same helix backwards, a negative pitch makes it
// left-handed.
//
// Control points of a closed curve go round: the first three stand at the end once more, on even knots.
#include <filum/curve.hpp>

#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/arc_spline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum {
namespace {

// Points nearer to their predecessor than this share of the whole extent count as repeated.
constexpr double kRepeated = 1e-13;

// The points as a way to go: repeated ones dropped and, for a closed curve, the first one again at the end.
std::vector<Vec3> way_through(const std::vector<Vec3>& points, bool closed) {
  double extent = 0;
  for (const Vec3& point : points) extent = std::max(extent, (point - points.front()).norm());
  std::vector<Vec3> way;
  for (const Vec3& point : points)
    if (way.empty() || (point - way.back()).norm() > kRepeated * extent) way.push_back(point);
  if (!closed || way.size() < 2) return way;

  // close exactly, whether the file repeated the first point or not
  if ((way.back() - way.front()).norm() > kRepeated * extent) way.push_back(way.front());
  way.back() = way.front();
  return way;
}

}  // namespace

CurvePath::CurvePath(const Curve& curve, bool closed) : kind_(curve.kind) {
  switch (curve.kind) {
    case CurveKind::Line:
      set_polyline(curve, false);
      break;
    case CurveKind::Points:
      set_polyline(curve, closed);
      break;
    case CurveKind::Spline:
      set_spline(curve, closed);
      break;
    case CurveKind::Arc:
    case CurveKind::Helix:
      set_helix(curve);
      break;
    case CurveKind::Control:
      set_control(curve, closed);
      break;
  }
}

void CurvePath::set_polyline(const Curve& curve, bool closed) {
  points_ = way_through(curve.points, closed);
  arc_.assign(points_.empty() ? 0 : 1, 0.0);
  for (std::size_t i = 1; i < points_.size(); ++i) arc_.push_back(arc_.back() + (points_[i] - points_[i - 1]).norm());
  length_ = arc_.empty() ? 0.0 : arc_.back();
}

void CurvePath::set_spline(const Curve& curve, bool closed) {
  std::vector<Vec3> way = way_through(curve.points, closed);
  if (way.size() < 2) {
    points_ = std::move(way);
    return;
  }
  // a ring needs three corners; with two, the way there and back is all there is
  const bool periodic = closed && way.size() >= 4;
  spline_ = std::make_shared<const rod::ArcSpline>(std::move(way), periodic);
  length_ = spline_->length();
}

void CurvePath::set_control(const Curve& curve, bool closed) {
  if (curve.points.size() < 4) return;
  const auto round = [&](auto list) {
    for (std::size_t i = 0; closed && !list.empty() && i < 3; ++i) list.push_back(list[i]);
    return list;
  };
  const std::vector<Vec3> control = round(curve.points);
  const int n = static_cast<int>(control.size());
  rod::CubicBasis basis = curve.basis == CurveBasis::CatmullRom ? rod::CubicBasis::catmull_rom(n)
                          : closed                              ? rod::CubicBasis::b_spline(n)
                          : curve.knots.empty()                 ? rod::CubicBasis::clamped(n)
                                                                : rod::CubicBasis::b_spline(curve.knots);
  if (curve.basis == CurveBasis::Nurbs && !curve.weights.empty()) basis = basis.weighted(round(curve.weights));
  rolls_ = round(curve.rolls);
  spline_ = std::make_shared<const rod::ArcSpline>(basis, control);
  length_ = spline_->length();
}

void CurvePath::set_helix(const Curve& curve) {
  // split the way from the centre to the start into parts along and square to the axis
  const double axis_norm = curve.axis.norm();
  if (axis_norm > 0) axis_ = curve.axis / axis_norm;
  const Vec3 arm = curve.start - curve.centre;
  foot_ = curve.centre + arm.dot(axis_) * axis_;
  radial_ = curve.start - foot_;

  // both rates per arc length; their squares times r² and 1 add up to one
  const double climb = curve.kind == CurveKind::Helix ? curve.pitch / (2 * math::kPi) : 0.0;
  const double per_radian = std::hypot(radial_.norm(), climb);
  length_ = std::abs(curve.angle) * per_radian;
  if (length_ > 0) {
    turn_rate_ = curve.angle / length_;
    climb_rate_ = turn_rate_ * climb;
  }
}

CurveSample CurvePath::at(double s) const {
  const double inside = std::clamp(s, 0.0, length_);
  if (kind_ == CurveKind::Arc || kind_ == CurveKind::Helix) return on_helix(inside);
  if (spline_) return spline_->at(inside);
  return on_polyline(inside);
}

double CurvePath::roll(double s) const {
  return rolls_.empty() ? 0 : spline_->blend(rolls_, std::clamp(s, 0.0, length_));
}

CurveSample CurvePath::on_polyline(double s) const {
  if (points_.empty()) return {};
  if (points_.size() == 1) return {points_.front(), Vec3::UnitX()};
  // the edge that holds s; the last one also holds the end
  const auto above = std::upper_bound(arc_.begin() + 1, arc_.end() - 1, s);
  const auto edge = static_cast<std::size_t>(above - arc_.begin()) - 1;
  const double share = (s - arc_[edge]) / (arc_[edge + 1] - arc_[edge]);
  const Vec3 chord = points_[edge + 1] - points_[edge];
  // weights of both ends, so that the vertices are met exactly
  return {(1 - share) * points_[edge] + share * points_[edge + 1], chord.normalized()};
}

CurveSample CurvePath::on_helix(double s) const {
  const double angle = turn_rate_ * s;
  const Vec3 sideways = axis_.cross(radial_);
  const Vec3 arm = std::cos(angle) * radial_ + std::sin(angle) * sideways;
  CurveSample sample;
  sample.position = foot_ + arm + climb_rate_ * s * axis_;
  const Vec3 velocity = turn_rate_ * axis_.cross(arm) + climb_rate_ * axis_;
  const double speed = velocity.norm();
  if (speed > 0) sample.tangent = velocity / speed;
  return sample;
}

double curve_length(const Curve& curve, bool closed) {
  return CurvePath(curve, closed).length();
}

std::vector<Vec3> resample(const Curve& curve, std::span<const double> fractions, bool closed) {
  const CurvePath path(curve, closed);
  std::vector<Vec3> points;
  points.reserve(fractions.size());
  for (const double fraction : fractions) points.push_back(path.at(fraction * path.length()).position);
  return points;
}

std::vector<Quat> bishop_frames(std::span<const Vec3> tangents, const Vec3& normal) {
  std::vector<Quat> frames;
  frames.reserve(tangents.size());
  Vec3 director = normal;
  Vec3 previous = Vec3::Zero();
  for (const Vec3& tangent : tangents) {
    // carry d1 on without twist, then remove what rounding left along the tangent
    const Vec3 unit = tangent.normalized();
    if (!frames.empty()) director = math::transport(director, previous, unit);
    const Mat3 frame = math::frame_from(unit, director);
    director = frame.col(0);
    previous = unit;
    frames.emplace_back(frame);
  }
  return frames;
}

}  // namespace filum
