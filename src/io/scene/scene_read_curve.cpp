// Shapes and rest shapes.
#include "io/file_read.hpp"
#include "io/scene/point_file.hpp"
#include "io/scene/scene_read.hpp"
#include "scene/describe/tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

namespace filum::io {
namespace {

using std::numbers::pi;

std::vector<Vec3> read_point_list(const Node& node, std::size_t least) {
  if (!node.is_sequence() || node.size() < least)
    refuse(node, fmt::format("expected a list of at least {} points [[x, y, z], …], found {}", least, node.describe()));
  std::vector<Vec3> points;
  points.reserve(node.size());
  for (const Node& item : node.children) points.push_back(read_vec3(item, Dimension::Length));
  return points;
}

// The circle through three points, run from the first over the second to the third.
Curve arc_through(const Node& node) {
  const std::vector<Vec3> p = read_point_list(node, 3);
  if (p.size() != 3) refuse(node, fmt::format("an arc goes through three points, found {}", p.size()));
  const Vec3 a = p[1] - p[0];
  const Vec3 b = p[2] - p[0];
  const Vec3 n = a.cross(b);
  const double n2 = n.squaredNorm();
  // collinear: the sine of the angle between a and b is nothing but rounding
  if (!(n2 > 1e-18 * a.squaredNorm() * b.squaredNorm()))
    refuse(node, "the three points of the arc lie on a line, or two of them coincide");
  // the centre c from p0 solves c·a = |a|²/2, c·b = |b|²/2, c·n = 0: c = (|a|² b × n + |b|² n × a) / 2|n|²
  const Vec3 to_centre = (a.squaredNorm() * b.cross(n) + b.squaredNorm() * n.cross(a)) / (2 * n2);
  Curve curve;
  curve.kind = CurveKind::Arc;
  curve.centre = p[0] + to_centre;
  curve.axis = n.normalized();
  curve.start = p[0];
  // the angle from p0 to p2 about n, counter-clockwise: p1 lies between because n = a × b
  const Vec3 from = -to_centre;
  const Vec3 to = b - to_centre;
  curve.angle = std::atan2(from.cross(to).dot(curve.axis), from.dot(to));
  if (curve.angle <= 0) curve.angle += 2 * pi;
  return curve;
}

Curve read_arc(const Node& node, const std::string& owner) {
  if (node.is_sequence()) return arc_through(node);
  Curve curve;
  curve.kind = CurveKind::Arc;
  read_table(node, scene::tables::arc, &curve, "arc of " + owner, {});
  return curve;
}

Curve read_helix(const Node& node, const std::string& owner) {
  Curve curve;
  curve.kind = CurveKind::Helix;
  read_table(node, scene::tables::helix, &curve, "helix of " + owner, {});
  // how far it turns: by angle or by turns
  if (const Node* turns = node.find("turns")) curve.angle = 2 * pi * read_number(*turns, Dimension::Turns);
  return curve;
}

std::vector<double> read_numbers(const Node& node) {
  if (!node.is_sequence()) refuse(node, fmt::format("expected a list of numbers, found {}", node.describe()));
  std::vector<double> numbers;
  for (const Node& item : node.children) numbers.push_back(read_number(item, Dimension::Number));
  return numbers;
}

// Control points [x, y, z] or, as all of them, [x, y, z, roll].
void read_control_points(const Node& node, Curve& curve) {
  if (!node.is_sequence() || node.size() < 4)
    refuse(node,
           fmt::format("expected a list of at least 4 control points [[x, y, z, roll], …], found {}", node.describe()));
  const bool rolls = node.children[0].is_sequence() && node.children[0].size() == 4;
  for (const Node& item : node.children) {
    if (!item.is_sequence() || item.size() != (rolls ? 4U : 3U))
      refuse(item, fmt::format("expected [x, y, z{}] as in the first control point, found {}", rolls ? ", roll" : "",
                               item.describe()));
    Vec3& point = curve.points.emplace_back();
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = read_number(item.children[static_cast<std::size_t>(axis)], Dimension::Length);
    if (rolls) curve.rolls.push_back(read_number(item.children[3], Dimension::Angle));
  }
}

Curve read_control(const Node& node, const std::string& owner) {
  Curve curve;
  curve.kind = CurveKind::Control;
  read_table(node, scene::tables::control, &curve, "control of " + owner, {});
  read_control_points(*node.find("points"), curve);
  if (const Node* weights = node.find("weights")) curve.weights = read_numbers(*weights);
  if (const Node* knots = node.find("knots")) curve.knots = read_numbers(*knots);
  return curve;
}

Curve read_curve_file(const Node& node, const std::string& folder) {
  Curve curve;
  curve.kind = CurveKind::Points;
  curve.file = read_text(node);
  // a name with a NUL in it would open another file than it says
  if (curve.file.find('\0') != std::string::npos) refuse(node, "a file name with a NUL character");
  const std::string path = (std::filesystem::path(folder) / curve.file).string();
  const Result<std::string> text = read_text_file(path);
  if (!text) refuse(node, fmt::format("points from '{}': {}", path, text.error().message), text.error().code);
  Result<std::vector<Vec3>> points = parse_points(*text, path);
  if (!points) throw Refused{points.error()};
  if (points->size() < 2) refuse(node, fmt::format("'{}' holds fewer than two points", path));
  curve.points = std::move(*points);
  return curve;
}

// One of line, points, spline, arc, helix, control, file.
Curve read_curve_of(const Node& key, const Node& value, const std::string& folder, const std::string& owner) {
  if (key.text == "arc") return read_arc(value, owner);
  if (key.text == "helix") return read_helix(value, owner);
  if (key.text == "control") return read_control(value, owner);
  if (key.text == "file") return read_curve_file(value, folder);
  Curve curve;
  curve.kind = static_cast<CurveKind>(read_word(key, scene::kCurveKinds));
  curve.points = read_point_list(value, 2);
  if (curve.kind == CurveKind::Line && curve.points.size() != 2)
    refuse(value, fmt::format("a line goes through two points, found {}", curve.points.size()));
  return curve;
}

}  // namespace

Curve read_curve(const Node& node, const std::string& folder, const std::string& owner) {
  const Fields fields(node, scene::tables::curve, "shape of " + owner);
  if (node.size() != 1)
    refuse(node, fmt::format("{}: expected one of line, points, spline, arc, helix, control, file; found {} of them",
                             fields.label(), node.size()));
  return read_curve_of(node.key(0), node.value(0), folder, owner);
}

RestShape read_rest(const Node& node, const std::string& folder, const std::string& owner) {
  RestShape rest;
  if (node.is_scalar()) {
    if (node.text == "as-shaped") rest.kind = RestKind::AsShaped;
    if (node.text == "as-shaped" || node.text == "straight") return rest;
    refuse(node, fmt::format("expected straight, as-shaped or a rest shape, found {}", node.describe()));
  }
  const Fields fields(node, scene::tables::rest, "rest of " + owner);
  const Node* curvature = fields.find("curvature");
  const Node* twist_rate = fields.find("twist_rate");
  // a curve of its own
  if (!curvature && !twist_rate) {
    if (node.size() != 1)
      refuse(node, fmt::format("rest of {}: expected one curve, or curvature and twist_rate; found {} keys", owner,
                               node.size()));
    rest.kind = RestKind::Curve;
    rest.curve = read_curve_of(node.key(0), node.value(0), folder, owner);
    return rest;
  }
  // the same curvature and twist everywhere
  if (node.size() != std::size_t{curvature != nullptr} + std::size_t{twist_rate != nullptr})
    refuse(node, fmt::format("rest of {}: a curve and a curvature exclude each other", owner));
  rest.kind = RestKind::Uniform;
  if (curvature) rest.curvature = read_vec2(*curvature, Dimension::Curvature);
  if (twist_rate) rest.twist_rate = read_number(*twist_rate, Dimension::TwistRate);
  return rest;
}

}  // namespace filum::io
