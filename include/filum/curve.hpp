// Curves: the shape a rod has when the scene is loaded, or the one it rests in, and their evaluation by arc length.
#pragma once

#include <filum/types.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace filum {

// A place along a rod. Fractions are kept as written, because the rod's length may be driven.
struct ArcPosition {
  double fraction = 0;  // of the rod's length
  double offset = 0;    // m
  // start: {0, 0}; end: {1, 0}; middle: {0.5, 0}; `50 %`: {0.5, 0}; an arc length: {0, s}
  [[nodiscard]] double at(double length) const { return fraction * length + offset; }
  bool operator==(const ArcPosition&) const = default;
};

// Where a rod lies when the scene is loaded.
enum class CurveKind { Line, Points, Spline, Arc, Helix, Control };
// What control points are blended by: cubic B-splines, Catmull-Rom's interpolating cubics, B-splines with weights.
enum class CurveBasis { BSpline, CatmullRom, Nurbs };
struct Curve {
  CurveKind kind = CurveKind::Line;
  std::vector<Vec3> points;  // Line: 2; Points, Spline: >= 2; Control: >= 4; m
  std::string file;          // Points read from this file, or empty
  // Arc and Helix: the curve starts at `start` and turns about the axis through `centre`, counter-clockwise
  Vec3 centre = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();
  Vec3 start = Vec3::Zero();
  double angle = 0;  // rad turned in all (Arc, Helix)
  double pitch = 0;  // Helix: advance along the axis per full turn, m; < 0: left-handed
  // Control
  CurveBasis basis = CurveBasis::BSpline;
  std::vector<double> rolls;    // one a point, or none: turn of the cross-section from twist-free frames, rad
  std::vector<double> weights;  // Nurbs: one a point, > 0, or none
  std::vector<double> knots;    // points + 4, not falling, or none: even ones, fourfold at the ends
  bool operator==(const Curve&) const = default;
};

// The shape a rod would take if nothing acted on it.
enum class RestKind { Straight, AsShaped, Uniform, Curve };
struct RestShape {
  RestKind kind = RestKind::Straight;
  Vec2 curvature = Vec2::Zero();  // Uniform: about d1 and d2, 1/m
  double twist_rate = 0;          // Uniform: rad/m
  Curve curve;                    // Curve: its own curvature, twist-free
  bool operator==(const RestShape&) const = default;
};

struct CurveSample {
  Vec3 position = Vec3::Zero();  // m
  Vec3 tangent = Vec3::UnitX();  // unit length
};

namespace rod {
class ArcSpline;
}

// A curve made ready for evaluation by arc length. Line, arc, helix and polyline are exact; a spline is the
// interpolating C2 cubic over the chord length, its arc length exact to 1e-12, as is that of control points. Immutable
// and cheap to copy.
//
// `closed` concerns Points, Spline and Control: the way leads from the last point back to the first (which of the first
// two may be repeated at the end, or not), and splines are smooth there too. Consecutive equal points count once. A curve without length
// stays at its first point with the tangent x.
class CurvePath {
 public:
  explicit CurvePath(const Curve& curve, bool closed = false);

  [[nodiscard]] double length() const { return length_; }

  // s is taken into [0, length]. On a polyline the tangent is that of the edge, at a corner of the edge that follows.
  [[nodiscard]] CurveSample at(double s) const;

  // How far the cross-section is turned there from twist-free frames, rad; 0 but for control points that say it.
  [[nodiscard]] double roll(double s) const;

 private:
  void set_polyline(const Curve& curve, bool closed);
  void set_spline(const Curve& curve, bool closed);
  void set_control(const Curve& curve, bool closed);
  void set_helix(const Curve& curve);
  [[nodiscard]] CurveSample on_polyline(double s) const;
  [[nodiscard]] CurveSample on_helix(double s) const;

  CurveKind kind_ = CurveKind::Line;
  double length_ = 0;
  std::vector<Vec3> points_;                      // polyline: distinct neighbours
  std::vector<double> arc_;                       // polyline: arc length at each point
  std::shared_ptr<const rod::ArcSpline> spline_;  // spline, control points
  std::vector<double> rolls_;                     // per control point, or none
  Vec3 foot_ = Vec3::Zero();                      // helix: the point of the axis nearest to the start
  Vec3 axis_ = Vec3::UnitZ();                     // helix: unit
  Vec3 radial_ = Vec3::Zero();                    // helix: from foot_ to the start
  double turn_rate_ = 0;                          // helix: rad per arc length, signed
  double climb_rate_ = 0;                         // helix: along the axis per arc length, signed
};

[[nodiscard]] double curve_length(const Curve& curve, bool closed = false);

// The positions at these fractions of the curve's length.
[[nodiscard]] std::vector<Vec3> resample(const Curve& curve, std::span<const double> fractions, bool closed = false);

// Frames without twist along a sequence of tangents (of any length but zero), from the first d1, which is `normal` made
// square to the first tangent. Each takes (x, y, z) to (d1, d2, d3), d3 the tangent.
[[nodiscard]] std::vector<Quat> bishop_frames(std::span<const Vec3> tangents, const Vec3& normal);

}  // namespace filum
