// Sections, rods and their shapes.
#include "rod/section_plasticity.hpp"
#include "scene/check/scene_checks.hpp"
#include "scene/describe/tables.hpp"

#include <filum/curve.hpp>

#include <cmath>

namespace filum::scene {
namespace {

// Does the curve end where it begins, or is it one that is closed by a last edge?
bool can_close(const Curve& curve) {
  switch (curve.kind) {
    case CurveKind::Line:
      return false;
    case CurveKind::Points:
    case CurveKind::Spline:
      return curve.points.size() >= 3;
    case CurveKind::Control:
      return curve.knots.empty();
    case CurveKind::Arc:
    case CurveKind::Helix:
      break;
  }
  const CurvePath path(curve);
  const double gap = (path.at(path.length()).position - path.at(0).position).norm();
  return gap <= 1e-6 * path.length();
}

// How a curve is cut into segments that no rod can have; empty: it is not.
std::string bad_cut(const Curve& curve, bool closed, int segments) {
  constexpr double kNoLength = 1e-9;  // of a segment's own
  constexpr double kFolded = 1e-9;    // rad², of the angle that is missing to half a turn
  const CurvePath path(curve, closed);
  const auto node = [&](int k) { return path.at(path.length() * k / segments).position; };
  const std::string more = ": more segments or another shape are needed";
  Vec3 last = Vec3::Zero();
  Vec3 first = Vec3::Zero();
  for (int k = 0; k < segments + (closed ? 1 : 0); ++k) {
    const Vec3 edge = k < segments ? Vec3(node(k + 1) - node(k)) : first;
    if (!(edge.norm() > kNoLength * path.length() / segments))
      return "the ends of segment " + std::to_string(k + 1) + " coincide" + more;
    if (k > 0 && last.normalized().dot(edge.normalized()) < kFolded / 2 - 1)
      return "the shape folds back onto itself between segments " + std::to_string(k) + " and " +
             std::to_string(k % segments + 1) + more;
    if (k == 0) first = edge;
    last = edge;
  }
  return {};
}

// Share of the largest torque factor that leaves some stiffness.
constexpr double kLaidAtMost = 0.99;

}  // namespace

void Checks::sections() {
  const Where around{nullptr, "sections"};
  for (const SectionEntry& entry : scene.sections) {
    const Where where = around.in(entry.name);
    report.values(where, tables::section, &entry);
    const Where wires = where.in("bundle");
    for (std::size_t i = 0; i < entry.section.bundle.size(); ++i) bundle_wire(wires.in(i), entry.section.bundle[i]);
    // a wall that rounding could swallow is none
    const Section& section = entry.section;
    if (section.shape == SectionShape::Tube && !(section.inner_radius <= section.outer_radius * (1 - 1e-9)))
      report.fail(where.in("inner_radius"), "inner_radius must be less than outer_radius " +
                                                text(section.outer_radius) + ", found " + text(section.inner_radius));
    yielding(where, section);
  }
}

// Keys of yield and slip that say nothing without each other, or too much.
void Checks::yielding(const Where& where, const Section& section) {
  const bool yields = section.yield_moment || section.yield_torque || section.yield_force;
  if (section.slip_curvature && yields)
    return report.fail(where.in("slip_curvature"), "a section either slips or yields: not both");
  if (!section.slip_curvature && section.slipping != 0)
    return report.fail(where.in("slipping"), "slipping needs 'slip_curvature'");
  if (!yields && (section.hardening != 0 || section.isotropic != 0))
    return report.fail(where.in(section.hardening != 0 ? "hardening" : "isotropic"),
                       "needs 'yield_moment', 'yield_torque' or 'yield_force'");
  if (section.shape == SectionShape::Bundle && section.slip_curvature && section.bond == 0)
    report.fail(where.in("slip_curvature"),
                "the wires slip from the first on: give 'bond', how they stick before they slide");
}

void Checks::bundle_wire(const Where& where, const BundleWire& wire) {
  report.values(where, tables::bundle_wire, &wire);
  report.number(where.in("count"), wire.count, kWires);
  if (!wire.wire.empty() && !find_wire(wire.wire)) {
    std::string known;
    for (const std::string& name : common_wire_names()) known += (known.empty() ? "" : ", ") + name;
    return report.fail(where.in("wire"), "there is no common wire " + quoted(wire.wire) + "; there are " + known);
  }
  if (!wire.wire.empty()) return;
  if (!wire.diameter) report.fail(where, "missing key 'diameter', or 'wire' with the name of a common one");
  if (!wire.mass && !wire.conductor) report.fail(where, "missing key 'mass' or 'conductor', or 'wire'");
}

void Checks::curve(const Where& where, const Curve& curve, bool closed) {
  const Where key = where.in(word_for(kCurveKinds, curve.kind));
  // numbers first
  const bool round = curve.kind == CurveKind::Arc || curve.kind == CurveKind::Helix;
  for (std::size_t i = 0; i < curve.points.size() && !report.failed(); ++i) report.vector(key.in(i), curve.points[i]);
  if (round) {
    report.values(key, curve.kind == CurveKind::Arc ? tables::arc : tables::helix, &curve);
  } else if (curve.points.size() < 2 || (curve.kind == CurveKind::Line && curve.points.size() != 2)) {
    report.fail(key, "a curve through " + std::to_string(curve.points.size()) + " points");
  }
  if (curve.kind == CurveKind::Control && !report.failed()) control(key, curve);
  if (report.failed()) return;
  // then what they make
  const double length = curve_length(curve, closed);
  if (!(length >= kPositive.min)) report.fail(key, "a shape of length zero");
  if (!(length <= kPositive.max)) report.fail(key, "a shape of length " + text(length) + " m");
  if (closed && !report.failed() && !can_close(curve))
    report.fail(key, "a closed rod needs a shape that ends where it begins, or at least three points");
}

// Lists that go with control points.
void Checks::control(const Where& where, const Curve& curve) {
  const std::size_t points = curve.points.size();
  if (points < 4)
    return report.fail(where.in("points"), "four control points or more are needed, found " + std::to_string(points));
  const auto list = [&](const char* key, const std::vector<double>& values, std::size_t wanted) {
    if (!values.empty() && values.size() != wanted)
      report.fail(where.in(key), std::to_string(wanted) + " numbers are needed for " + std::to_string(points) +
                                     " points, found " + std::to_string(values.size()));
    for (std::size_t i = 0; i < values.size() && !report.failed(); ++i)
      if (!std::isfinite(values[i])) report.fail(where.in(key).in(i), "not a number");
  };
  list("points", curve.rolls, points);
  list("weights", curve.weights, points);
  list("knots", curve.knots, points + 4);
  if (report.failed()) return;
  if (!curve.weights.empty() && curve.basis != CurveBasis::Nurbs)
    return report.fail(where.in("weights"), "only the basis nurbs has weights");
  if (!curve.knots.empty() && curve.basis == CurveBasis::CatmullRom)
    return report.fail(where.in("knots"), "the basis catmull-rom has no knots");
  for (std::size_t i = 0; i < curve.weights.size(); ++i)
    if (!(curve.weights[i] > 0)) return report.fail(where.in("weights").in(i), "a weight must be greater than zero");
  // none more than four times: the curve would have nothing to say between
  for (std::size_t i = 0; i < curve.knots.size(); ++i) {
    if (i > 0 && curve.knots[i] < curve.knots[i - 1])
      return report.fail(where.in("knots").in(i), "knots must not fall");
    if (i >= 4 && !(curve.knots[i] > curve.knots[i - 4]))
      return report.fail(where.in("knots").in(i), "a knot that is there more than four times");
  }
  if (!curve.knots.empty() && !(curve.knots[3] < curve.knots[points]))
    report.fail(where.in("knots"), "a curve without length: its parameter goes from " + text(curve.knots[3]) + " to " +
                                       text(curve.knots[points]));
}

void Checks::rod_section(const Where& where, const Rod& rod, const std::string& section_name,
                         const std::string& material_name) {
  const Section* section = names.section(section_name);
  if (!section) return report.fail(where.in("section"), "there is no section " + quoted(section_name));
  // some sections need no material, but one that is named must exist
  const Material* material = names.material(material_name);
  if (!material && !material_name.empty())
    return report.fail(where.in("material"), "there is no material " + quoted(material_name));
  if (!material && needs_material(section->shape))
    return report.fail(where, "missing key 'material': rod " + quoted(rod.name) + " needs one for its section " +
                                  quoted(section_name));
  // what they give together
  const Stiffness made = stiffness(*section, material ? *material : Material{});
  if (!(made.mass_per_length >= 1e-30))
    report.fail(where.in("section"), "rod " + quoted(rod.name) + " has no mass: section " + quoted(section_name) +
                                         " and its material give " + text(made.mass_per_length) + " kg/m");
  const double softest = std::min({made.EA, made.EI[0], made.EI[1], made.GJ});
  const double stiffest = std::max({made.EA, made.EI[0], made.EI[1], made.GJ});
  if (!(softest > 1e-60 && stiffest < 1e40))
    report.fail(where.in("section"), "rod " + quoted(rod.name) + " has stiffnesses from " + text(softest) + " to " +
                                         text(stiffest) + ", which no computation can bear");
  if (rod.lay.torque_factor == 0) return;
  lay(where, rod, section_name, made);
  if (rod::section_plasticity(*section, material ? *material : Material{}))
    report.fail(where.in("section"), "rod " + quoted(rod.name) + " is laid, and its section " + quoted(section_name) +
                                         " yields or slips: not both");
}

// A pull may turn a rope, but not give energy away: C² < EA GJ, C = k d EA.
void Checks::lay(const Where& where, const Rod& rod, const std::string& section_name, const Stiffness& made) {
  const double diameter = made.outline.sum();
  if (!(diameter > 0))
    return report.fail(where.in("section"), "rod " + quoted(rod.name) +
                                                " is laid, which takes a diameter: give section " +
                                                quoted(section_name) + " a 'radius'");
  const double most = std::sqrt(made.GJ / made.EA) / diameter;
  if (!(std::abs(rod.lay.torque_factor) < kLaidAtMost * most))
    report.fail(where.in("lay"), "torque_factor must be less than " + text(kLaidAtMost * most) + " with section " +
                                     quoted(section_name) +
                                     ": beyond √(GJ/EA)/diameter a rope free to turn has no stiffness");
}

void Checks::stations(const Where& where, const Rod& rod) {
  const Where list = where.in("stations");
  double before = -1;
  for (std::size_t i = 0; i < rod.stations.size() && !report.failed(); ++i) {
    const Station& station = rod.stations[i];
    const Where item = list.in(i);
    const double s = place(item, "s", rod, station.s);
    if (!(s > before)) report.fail(item.in("s"), "stations must follow each other along the rod");
    before = s;
    rod_section(item, rod, station.section, station.material.empty() ? rod.material : station.material);
  }
}

void Checks::rod(const Where& where, const Rod& rod) {
  const bool rests_rolled = (rod.rest.kind == RestKind::AsShaped && !rod.shape.rolls.empty()) ||
                            (rod.rest.kind == RestKind::Curve && !rod.rest.curve.rolls.empty());
  if (rests_rolled && rod.limits.may_break())
    report.fail(where.in("limits"),
                "rod " + quoted(rod.name) + " may break, and rests with a roll, which its pieces would not know");
  if (rod.segments < 1 || rod.segments > kMostSegments)
    report.fail(where.in("segments"),
                "segments must be 1 to " + std::to_string(kMostSegments) + ", found " + std::to_string(rod.segments));
  report.values(where, tables::rod, &rod);
  curve(where.in("shape"), rod.shape, rod.closed);
  if (report.failed()) return;
  if (const std::string bad = bad_cut(rod.shape, rod.closed, rod.segments); !bad.empty())
    return report.fail(where.in("shape"), "rod " + quoted(rod.name) + ": " + bad);
  lengths[&rod] = rod_length(rod);

  // what it is made of, along its length
  rod_section(where, rod, rod.section, rod.material);
  stations(where, rod);

  // its rest shape
  const Where rest = where.in("rest");
  report.values(rest, tables::rest, &rod.rest);
  if (rod.rest.kind == RestKind::Curve) curve(rest, rod.rest.curve, false);

  // d1 must have a part square to the tangent
  if (rod.normal) {
    const Vec3 tangent = CurvePath(rod.shape, rod.closed).at(0).tangent;
    if (tangent.cross(rod.normal->normalized()).norm() < 1e-6)
      report.fail(where.in("normal"), "the normal is along the rod's tangent at its start");
  }
}

void Checks::rods() {
  const Where around{nullptr, "rods"};
  for (const Rod& each : scene.rods) {
    if (report.failed()) return;
    rod(around.in(each.name), each);
  }
}

}  // namespace filum::scene
