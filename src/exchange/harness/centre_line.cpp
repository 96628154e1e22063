#include "exchange/harness/centre_line.hpp"

#include "geometry/bspline.hpp"
#include "io/yaml/yaml_scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace filum::exchange {
namespace {

constexpr double kEndTolerance = 1e-4;     // m
constexpr double kLengthTolerance = 1e-3;  // of the length

// The curves of a segment, read in one way.
struct Drawn {
  std::vector<geometry::BSpline> curves;
  double gap = 0;    // the farther of its ends from its node, m
  double joint = 0;  // the widest gap between two of its curves
  double length = 0;
  bool clamped = false;
};

Vec3 first_of(const geometry::BSpline& curve) {
  return evaluate(curve, curve.knots.front()).position;
}
Vec3 last_of(const geometry::BSpline& curve) {
  return evaluate(curve, curve.knots.back()).position;
}

Drawn draw(const HarnessSegment& segment, const Vec3& start, const Vec3& end, bool clamped) {
  Drawn drawn;
  drawn.clamped = clamped;
  for (const HarnessCurve& curve : segment.curves) {
    geometry::BSpline made{curve.degree, curve.points, curve.weights, curve.knots};
    const int count = static_cast<int>(curve.points.size());
    if (made.knots.empty())
      made.knots =
          clamped ? geometry::clamped_knots(count, curve.degree) : geometry::uniform_knots(count, curve.degree);
    drawn.length += arc_length(made);
    if (!drawn.curves.empty())
      drawn.joint = std::max(drawn.joint, (first_of(made) - last_of(drawn.curves.back())).norm());
    drawn.curves.push_back(std::move(made));
  }
  drawn.gap = std::max((first_of(drawn.curves.front()) - start).norm(), (last_of(drawn.curves.back()) - end).norm());
  return drawn;
}

// The way of reading whose ends are nearer to the nodes and to each other, or else whose length is nearer to what the
// file says.
Drawn choose(const HarnessSegment& segment, const Vec3& start, const Vec3& end, CurveReading reading) {
  if (reading != CurveReading::ByFile) return draw(segment, start, end, reading == CurveReading::Clamped);
  Drawn clamped = draw(segment, start, end, true);
  Drawn unclamped = draw(segment, start, end, false);
  const auto off = [](const Drawn& drawn) { return std::max(drawn.gap, drawn.joint); };
  if (std::abs(off(clamped) - off(unclamped)) > 1e-5) return off(clamped) < off(unclamped) ? clamped : unclamped;
  const auto said = segment.virtual_length ? segment.virtual_length : segment.physical_length;
  const double expected = said.value_or(clamped.length);
  return std::abs(clamped.length - expected) <= std::abs(unclamped.length - expected) ? clamped : unclamped;
}

// Joined in order, each with a point where it has gone a spacing or turned by a tenth: curves turn sharply behind
// connectors, where points evenly spaced would cut the bend.
std::vector<Vec3> sampled(const Drawn& drawn, double spacing) {
  constexpr int kSteps = 64;         // a span
  constexpr int kMostSteps = 4096;   // a curve
  constexpr double kTurn = 0.1;      // rad
  constexpr double kNearest = 0.05;  // spacings
  std::vector<Vec3> points{first_of(drawn.curves.front())};
  for (const geometry::BSpline& curve : drawn.curves) {
    const auto p = static_cast<std::size_t>(curve.degree);
    const int spans = static_cast<int>(curve.points.size() - p);
    const int steps = std::min(kSteps * spans, kMostSteps);
    const double from = curve.knots[p];
    const double to = curve.knots[curve.points.size()];
    Vec3 way = evaluate(curve, from).derivative;
    for (int k = 1; k < steps; ++k) {
      const geometry::BSplinePoint here = evaluate(curve, from + (to - from) * k / steps);
      const double gone = (here.position - points.back()).norm();
      const double turned = std::atan2(way.cross(here.derivative).norm(), way.dot(here.derivative));
      if (gone < kNearest * spacing || (gone < spacing && turned < kTurn)) continue;
      points.push_back(here.position);
      way = here.derivative;
    }
    // a piece that is left over would be shorter than the one before it
    const Vec3 end = last_of(curve);
    if (points.size() > 1 && (points.back() - end).norm() < kNearest * spacing) points.pop_back();
    points.push_back(end);
  }
  return points;
}

Vec3 direction(const Vec3& wanted, const Vec3& otherwise) {
  if (wanted.norm() > 1e-12) return wanted.normalized();
  return otherwise.norm() > 1e-12 ? Vec3(otherwise.normalized()) : Vec3(Vec3::UnitX());
}

// From node to node: what the ends are off by goes along the line in equal parts.
void move_ends(std::vector<Vec3>& points, const Vec3& start, const Vec3& end) {
  const Vec3 at_start = start - points.front();
  const Vec3 at_end = end - points.back();
  std::vector<double> gone{0};
  for (std::size_t i = 1; i < points.size(); ++i) gone.push_back(gone.back() + (points[i] - points[i - 1]).norm());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double share = gone.back() > 0 ? gone[i] / gone.back() : 0;
    points[i] += (1 - share) * at_start + share * at_end;
  }
  points.front() = start;
  points.back() = end;
}

std::string mm(double metres) {
  return fmt::format("{:.4g} mm", 1e3 * metres);
}

}  // namespace

CentreLine centre_line(const Harness& harness, const HarnessSegment& segment, CurveReading reading, double spacing,
                       std::vector<std::string>& notes) {
  const Vec3& start = harness.nodes[static_cast<std::size_t>(segment.start)].position;
  const Vec3& end = harness.nodes[static_cast<std::size_t>(segment.end)].position;
  const std::string which = "segment " + io::shown(segment.id);
  CentreLine line;
  if (segment.curves.empty()) {
    line.points = {start, end};
    line.drawn = (end - start).norm();
    line.start_tangent = line.end_tangent = direction(end - start, Vec3::UnitX());
  } else {
    const Drawn drawn = choose(segment, start, end, reading);
    line.undecided = std::any_of(segment.curves.begin(), segment.curves.end(),
                                 [](const HarnessCurve& curve) { return curve.knots.empty() && curve.degree > 1; });
    line.clamped = drawn.clamped;
    line.drawn = drawn.length;
    line.points = sampled(drawn, spacing);
    if (drawn.gap > kEndTolerance)
      notes.push_back(fmt::format("{}: its curve ends {} from its node; the node wins", which, mm(drawn.gap)));
    if (drawn.joint > kEndTolerance)
      notes.push_back(
          fmt::format("{}: its {} curves are {} apart where one goes on the other; they are joined straight", which,
                      drawn.curves.size(), mm(drawn.joint)));
    const geometry::BSpline& first = drawn.curves.front();
    const geometry::BSpline& last = drawn.curves.back();
    line.start_tangent = direction(evaluate(first, first.knots.front()).derivative, line.points[1] - line.points[0]);
    line.end_tangent = direction(evaluate(last, last.knots.back()).derivative,
                                 line.points.back() - line.points[line.points.size() - 2]);
    move_ends(line.points, start, end);
  }
  const auto said = segment.virtual_length ? segment.virtual_length : segment.physical_length;
  if (segment.virtual_length && std::abs(line.drawn - *said) > kLengthTolerance * *said)
    notes.push_back(fmt::format("{}: its curve is {} long, the file says {}; the file's length wins", which,
                                mm(line.drawn), mm(*said)));
  line.length = segment.physical_length ? *segment.physical_length : said.value_or(line.drawn);
  if (segment.start_tangent) line.start_tangent = direction(*segment.start_tangent, line.start_tangent);
  if (segment.end_tangent) line.end_tangent = direction(*segment.end_tangent, line.end_tangent);
  return line;
}

}  // namespace filum::exchange
