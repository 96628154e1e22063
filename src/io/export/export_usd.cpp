// USD as text (.usda): centre lines as BasisCurves whose points and extents have time samples.
//
// Metres, Z up; a time code is a second. Widths are diameters. Reference: OpenUSD, UsdGeomBasisCurves.
#include "io/export/export_formats.hpp"
#include "io/export/motion_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace filum::io {
namespace {

// Letters, digits and underscores, not beginning with a digit, and unlike the others.
std::string prim_name(const std::string& name, std::set<std::string>& taken) {
  std::string made;
  for (const char c : name) made += std::isalnum(static_cast<unsigned char>(c)) && c > 0 ? c : '_';
  if (made.empty() || std::isdigit(static_cast<unsigned char>(made[0]))) made = "_" + made;
  std::string unique = made;
  for (int k = 2; !taken.insert(unique).second; ++k) unique = fmt::format("{}_{}", made, k);
  return unique;
}

std::string point_text(const Vec3& p) {
  // single precision, and nothing that is too small for it: readers stumble over that
  const auto single = [](double value) {
    const auto narrow = static_cast<float>(value);
    return std::fpclassify(narrow) == FP_SUBNORMAL ? 0.0F : narrow;
  };
  return fmt::format("({:.9g}, {:.9g}, {:.9g})", single(p.x()), single(p.y()), single(p.z()));
}

void put_curve(std::string& out, const MovingLine& line, const std::vector<double>& times, const std::string& name) {
  const std::size_t count = line.section.size() - (line.closed ? 1 : 0);
  double widest = 0;
  std::string widths;
  for (std::size_t i = 0; i < count; ++i) {
    const double width = 2 * line.section[i].half.maxCoeff();
    widest = std::max(widest, width);
    widths += fmt::format("{}{:.9g}", i > 0 ? ", " : "", width);
  }
  out += fmt::format("    def BasisCurves \"{}\"\n    {{\n        uniform token type = \"linear\"\n", name);
  out += fmt::format("        uniform token wrap = \"{}\"\n", line.closed ? "periodic" : "nonperiodic");
  out += fmt::format("        int[] curveVertexCounts = [{}]\n", count);
  out += fmt::format("        float[] widths = [{}] (\n            interpolation = \"vertex\"\n        )\n", widths);
  out += "        point3f[] points.timeSamples = {\n";
  for (std::size_t k = 0; k < times.size(); ++k) {
    out += fmt::format("            {}: [", times[k]);
    for (std::size_t i = 0; i < count; ++i) out += (i > 0 ? ", " : "") + point_text(line.positions[k][i]);
    out += "],\n";
  }
  out += "        }\n        float3[] extent.timeSamples = {\n";
  for (std::size_t k = 0; k < times.size(); ++k) {
    Vec3 low = line.positions[k][0];
    Vec3 high = low;
    for (std::size_t i = 0; i < count; ++i) {
      low = low.cwiseMin(line.positions[k][i]);
      high = high.cwiseMax(line.positions[k][i]);
    }
    out += fmt::format("            {}: [{}, {}],\n", times[k], point_text(low - Vec3::Constant(widest / 2)),
                       point_text(high + Vec3::Constant(widest / 2)));
  }
  out += "        }\n    }\n";
}

}  // namespace

Result<std::string> usd_text(const StoredResult& result) {
  const Result<Motion> motion = motion_of(result);
  if (!motion) return motion.error();
  const double start = motion->times.empty() ? 0 : motion->times.front();
  const double end = motion->times.empty() ? 0 : motion->times.back();
  std::string out = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"Filum\"\n    endTimeCode = {}\n    framesPerSecond = 24\n    metersPerUnit = "
      "1\n"
      "    startTimeCode = {}\n    timeCodesPerSecond = 1\n    upAxis = \"Z\"\n)\n\ndef Xform \"Filum\"\n{{\n",
      end, start);
  std::set<std::string> taken;
  for (const MovingLine& line : motion->lines) put_curve(out, line, motion->times, prim_name(line.name, taken));
  return out + "}\n";
}

}  // namespace filum::io
