// The cantilever test turned by a rotation that is skew to every axis: no direction of space is special.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace filum::validation {

namespace heavy_cantilever_skew_case {
namespace {

void add_weight(Sheet& sheet, double gamma) {
  const Quat rotation = skew_rotation();
  const Vec3 reference = rotation * integrate(heavy_reference(gamma, 1)).tip;
  std::vector<double> errors;
  double apart = 0;
  for (const int segments : {50, 100, 200}) {
    const Outcome plain = sheet.solve(heavy_scene(gamma, segments));
    const Outcome skew = sheet.solve(turned(heavy_scene(gamma, segments), rotation));
    errors.push_back((tip(skew) - reference).norm());
    // the whole shape, not only its tip
    for (std::size_t i = 0; i < rod_pose(skew).position.size(); ++i)
      apart = std::max(apart, (rod_pose(skew).position[i] - rotation * rod_pose(plain).position[i]).norm());
  }
  sheet.absolute(fmt::format("tip error, share of L, Γ = {}, N = 50", gamma), errors[0], 0, heavy_tolerance(gamma),
                 "as in the plane of x and z");
  sheet.at_least(fmt::format("observed order, Γ = {}, N = 50…200", gamma), observed_order(errors, {50, 100, 200}), 1.9,
                 "the scheme is of second order");
  sheet.absolute(fmt::format("largest distance from the turned plain solution, Γ = {}", gamma), apart, 0, 1e-9,
                 "equilibria are found to a residual of 1e-10, of which a slender rod makes more");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  for (const double gamma : {1.0, 10.0, 100.0}) {
    add_weight(sheet, gamma);
    setting.tell(gamma / 100);
  }
  return std::move(sheet).result();
}

}  // namespace
}  // namespace heavy_cantilever_skew_case

Case heavy_cantilever_skew() {
  return {.name = "heavy-cantilever-skew",
          .shows = "Gravity, rod and clamp turned together, skew to every axis: the solution turns with them",
          .source = "Extensible elastica integrated to 1e-11 (validation/cantilever.hpp), turned",
          .equilibria = true,
          .run = heavy_cantilever_skew_case::run};
}

}  // namespace filum::validation
