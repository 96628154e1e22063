// Straight pieces and arcs, as tube benders want them: a table of bends and the same as lines and circles in STEP.
//
// The table has both ways to say a bent tube: the corners in space, and for each bend how far to feed, by how much to
// rotate the tube and by how much to bend it.
#include "geometry/bend_path.hpp"
#include "io/csv_text.hpp"
#include "io/export/centre_curve.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/step_data.hpp"

#include <fmt/format.h>

#include <numbers>

namespace filum::io {
namespace {

constexpr int kSamples = 400;  // of a rod's centre line

std::vector<geometry::CurvePoint> sampled(const RodPose& rod) {
  const geometry::BSpline curve = centre_curve(rod);
  std::vector<geometry::CurvePoint> points;
  if (curve.points.empty()) return points;
  const double first = curve.knots.front();
  const double last = curve.knots.back();
  for (int i = 0; i <= kSamples; ++i) {
    const geometry::BSplinePoint at = evaluate(curve, first + (last - first) * i / kSamples);
    points.push_back({at.position, at.derivative.normalized()});
  }
  return points;
}

void put_bend_row(std::string& out, const std::string& rod, const std::string& what, const Vec3& place,
                  const std::vector<double>& figures) {
  out += csv_text(rod) + "," + what;
  for (const double metres : place) put_number(out += ',', 1e3 * metres);
  for (const double figure : figures) put_number(out += ',', figure);
  out += '\n';
}

void put_path(std::string& out, const std::string& rod, const geometry::BendPath& path) {
  constexpr double kDegree = 180 / std::numbers::pi;
  put_bend_row(out, rod, "start", path.start, {0, 0, 0, 0, 0, 1e3 * path.off});
  for (const geometry::Bend& bend : path.bends)
    put_bend_row(out, rod, "bend", bend.corner,
                 {1e3 * bend.straight, kDegree * bend.rotation, kDegree * bend.angle, 1e3 * bend.radius,
                  1e3 * bend.arc(), 1e3 * path.off});
  put_bend_row(out, rod, "end", path.end, {1e3 * path.last_straight, 0, 0, 0, 0, 1e3 * path.off});
}

}  // namespace

std::vector<FileText> bend_files(const StoredResult& result, double tolerance) {
  const Pose& pose = result.outcome.states.back().pose;
  std::string table =
      "rod,row,x [mm],y [mm],z [mm],straight before [mm],rotation [deg],bend angle [deg],bend radius [mm],arc [mm],rod "
      "off at most [mm]\n";
  StepData data;
  std::vector<int> curves;
  for (std::size_t i = 0; i < pose.rods.size(); ++i) {
    const std::vector<geometry::CurvePoint> curve = sampled(pose.rods[i]);
    if (curve.empty()) continue;
    const geometry::BendPath path = geometry::fit_bends(curve, tolerance);
    const std::string name = line_name(result, pose.rods.size(), i);
    put_path(table, name, path);
    for (const geometry::PathPiece& piece : pieces_of(path))
      if ((piece.to - piece.from).norm() > 1e-9) curves.push_back(data.piece(piece, name));
  }
  return {
      {"bends.csv", std::move(table)},
      {"bends.step", step_file(std::move(data), curves, result.title.empty() ? "result" : result.title,
                               fmt::format("straight pieces and arcs, within {:g} mm of the rods", 1e3 * tolerance))}};
}

}  // namespace filum::io
