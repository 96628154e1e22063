// Centre lines as VDA-FS and as DXF.
#include "io/export/centre_curve.hpp"
#include "io/export/export_formats.hpp"
#include "io/export/export_skin.hpp"
#include "io/export/vdafs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace filum::io {
namespace {

// The pieces of a B-spline between its knots as polynomials: cubic pieces from their ends, straight ones likewise.
VdaCurve polynomials(const geometry::BSpline& curve, const std::string& name) {
  VdaCurve out;
  out.name = name;
  for (std::size_t k = static_cast<std::size_t>(curve.degree); k < curve.points.size(); ++k) {
    const double from = curve.knots[k];
    const double to = curve.knots[k + 1];
    if (!(to > from)) continue;
    if (out.parameters.empty()) out.parameters.push_back(from);
    out.parameters.push_back(to);
    const geometry::BSplinePoint a = evaluate(curve, from);
    // the slope at the end of a piece, seen from within
    const double h = to - from;
    VdaPiece& piece = out.pieces.emplace_back();
    if (curve.degree == 1) {
      piece.coefficients = {a.position, evaluate(curve, to).position - a.position};
      continue;
    }
    const Vec3 b = evaluate(curve, to).position;
    const Vec3 slope = h * evaluate(curve, to).derivative;
    const Vec3 start = h * a.derivative;
    piece.coefficients = {a.position, start, 3 * (b - a.position) - 2 * start - slope,
                          2 * (a.position - b) + start + slope};
  }
  return out;
}

}  // namespace

std::string vdafs_text(const StoredResult& result, std::optional<double> wanted) {
  const double tolerance = wanted.value_or(kCurveTolerance);
  const Pose& pose = result.outcome.states.back().pose;
  const std::vector<RodPose> rods = rods_and_ropes(pose);
  std::vector<VdaCurve> curves;
  for (std::size_t i = 0; i < rods.size(); ++i) {
    const geometry::BSpline curve = centre_curve(rods[i], i < pose.rods.size(), tolerance);
    if (!curve.points.empty()) curves.push_back(polynomials(curve, line_name(result, pose.rods.size(), i)));
  }
  return vdafs_text(curves, result.title);
}

// Release 12, which everything reads: a POLYLINE with the flag of three dimensions, each rod on a layer of its own.
// Millimetres.
std::string dxf_text(const StoredResult& result) {
  const Pose& pose = result.outcome.states.back().pose;
  const std::vector<RodPose> rods = rods_and_ropes(pose);
  std::string out = "999\nFilum, centre lines in millimetres\n0\nSECTION\n2\nENTITIES\n";
  std::vector<std::string> taken;
  for (std::size_t i = 0; i < rods.size(); ++i) {
    // layers of that release have plain names
    std::string layer = line_name(result, pose.rods.size(), i);
    std::replace_if(
        layer.begin(), layer.end(), [](char c) { return !(std::isalnum(static_cast<unsigned char>(c)) && c > 0); },
        '_');
    layer = file_stem(layer, taken);
    out += fmt::format("0\nPOLYLINE\n8\n{0}\n66\n1\n10\n0\n20\n0\n30\n0\n70\n{1}\n", layer, rods[i].closed ? 9 : 8);
    const std::size_t count = rods[i].position.size() - (rods[i].closed ? 1 : 0);
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3& p = rods[i].position[k];
      if (p.allFinite())
        out += fmt::format("0\nVERTEX\n8\n{}\n10\n{}\n20\n{}\n30\n{}\n70\n32\n", layer, 1e3 * p.x(), 1e3 * p.y(),
                           1e3 * p.z());
    }
    out += fmt::format("0\nSEQEND\n8\n{}\n", layer);
  }
  return out + "0\nENDSEC\n0\nEOF\n";
}

}  // namespace filum::io
