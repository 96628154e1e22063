// A rod clamped between its ends is two cantilevers that do not know of each other.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"

#include <fmt/format.h>

namespace filum::validation {

namespace clamp_inside_case {
namespace {

// A rod of this length clamped at `at`, skew to every axis.
Scene inside_scene(double gamma, double length, double at, int segments) {
  Scene scene = straight_rod(heavy_section(gamma), Vec3(-at, 0, 0), Vec3(length - at, 0, 0), segments);
  scene.gravity = heavy_gravity();
  scene.holds = {clamp({0, at})};
  return turned(scene, skew_rotation());
}

// Segments of the mesh before the clamp and after it; a pose may show each of them by several points.
Vec2 segments_beside(const RodPose& rod, double at, int segments) {
  double before = 0;
  for (const double s : rod.s) before += s < at - 1e-9 ? 1 : 0;
  before *= segments / (static_cast<double>(rod.s.size()) - 1);
  return {before, segments - before};
}

// Errors of both tips, each against the cantilever of its own length, in shares of that length.
void add_sides(Sheet& sheet, const std::string& what, double gamma, double length, double at, double tolerance,
               const std::vector<int>& meshes) {
  const Quat rotation = skew_rotation();
  // the first part points the other way
  Vec3 front = integrate(heavy_reference(gamma, at)).tip;
  front[0] = -front[0];
  const Vec3 back = integrate(heavy_reference(gamma, length - at)).tip;
  std::vector<double> front_errors, back_errors, front_segments, back_segments;
  for (const int segments : meshes) {
    const Outcome outcome = sheet.solve(inside_scene(gamma, length, at, segments));
    const RodPose& rod = rod_pose(outcome);
    const Vec2 beside = segments_beside(rod, at, segments);
    front_errors.push_back((rod.position.front() - rotation * front).norm() / at);
    back_errors.push_back((rod.position.back() - rotation * back).norm() / (length - at));
    front_segments.push_back(beside[0]);
    back_segments.push_back(beside[1]);
  }
  const std::string reason = "as for a cantilever of this mesh size";
  sheet.absolute(what + ": tip error before it", front_errors[0], 0, tolerance, reason);
  sheet.absolute(what + ": tip error after it", back_errors[0], 0, tolerance, reason);
  sheet.at_least(what + ": observed order before it", observed_order(front_errors, front_segments), 1.9,
                 "the scheme is of second order, at a clamp too");
  sheet.at_least(what + ": observed order after it", observed_order(back_errors, back_segments), 1.9,
                 "the scheme is of second order, at a clamp too");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  // 50 segments on each side
  for (const double gamma : {1.0, 10.0, 100.0}) {
    add_sides(sheet, fmt::format("clamp in the middle, Γ = {}", gamma), gamma, 2, 1, heavy_tolerance(gamma),
              {100, 200, 400});
    setting.tell(gamma / 200);
  }
  // the sides get 30 and 50 segments of nearly, not exactly, the same length
  add_sides(sheet, "clamp at 0.37 L, Γ = 2.1 and 10.2", 10, 1.6, 0.592, heavy_tolerance(10), {80, 160, 320});
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace clamp_inside_case

Case clamp_inside() {
  return {.name = "clamp-inside",
          .shows = "Each side of a rod clamped between its ends, skew to every axis, is a cantilever of its own",
          .source = "Extensible elastica integrated to 1e-11 (validation/cantilever.hpp), each side its own",
          .equilibria = true,
          .run = clamp_inside_case::run};
}

}  // namespace filum::validation
