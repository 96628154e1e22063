// The cantilever test: a horizontal rod clamped at one end sags under its own weight.
#include "validation/cases.hpp"
#include "validation/heavy_rod.hpp"

#include <fmt/format.h>

namespace filum::validation {

namespace heavy_cantilever_case {
namespace {

// Tip at 50 segments, order over 50, 100, 200, iterations at 200.
void add_weight(Sheet& sheet, double gamma) {
  const Vec3 reference = integrate(heavy_reference(gamma, 1)).tip;
  std::vector<double> errors;
  Outcome outcome;
  for (const int segments : {50, 100, 200}) {
    outcome = sheet.solve(heavy_scene(gamma, segments));
    errors.push_back((tip(outcome) - reference).norm());
  }
  sheet.absolute(fmt::format("tip error, share of L, Γ = {}, N = 50", gamma), errors[0], 0, heavy_tolerance(gamma),
                 "second order: the figures of docs/theory/curvature-study.md with a margin");
  sheet.at_least(fmt::format("observed order, Γ = {}, N = 50…200", gamma), observed_order(errors, {50, 100, 200}), 1.9,
                 "the scheme is of second order");
  sheet.at_most(fmt::format("Newton iterations, Γ = {}, N = 200", gamma), outcome.solve.iterations,
                gamma > 50 ? 16 : 10, "from the straight rod");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  for (const double gamma : {1.0, 10.0, 100.0}) {
    add_weight(sheet, gamma);
    setting.tell(gamma / 200);
  }
  // the inextensible figures of the literature, which the stretch of a real rod misses by less than 1e-4
  const Vec3 light = tip(sheet.solve(heavy_scene(1, 200)));
  sheet.relative("drop over reach H/W, Γ = 1, N = 200", -light[2] / light[0], 0.1245618, 1e-5,
                 "inextensible; this rod stretches by some 1e-6");
  const Vec3 heavy = tip(sheet.solve(heavy_scene(10, 10000)));
  const Vec3 reference = integrate(heavy_reference(10, 1)).tip;
  sheet.absolute("tip error, share of L, Γ = 10, N = 10 000", (heavy - reference).norm(), 0, 1e-8,
                 "second order leaves 1e-9; the rest is round-off times a condition that grows as N⁴");
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace heavy_cantilever_case

Case heavy_cantilever() {
  return {.name = "heavy-cantilever",
          .shows = "A clamped horizontal rod sags under its own weight as far as the extensible elastica says",
          .source =
              "Extensible elastica integrated to 1e-11 (validation/cantilever.hpp); H/W: the master curve of the "
              "cantilever test of Romero et al. 2021",
          .equilibria = true,
          .run = heavy_cantilever_case::run};
}

}  // namespace filum::validation
