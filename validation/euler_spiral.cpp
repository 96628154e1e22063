// A rod whose natural curvature grows along it lies in its natural shape if nothing acts.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <cmath>

namespace filum::validation {

namespace euler_spiral_case {
namespace {

constexpr int kPoints = 401;  // of the spline that describes the spiral

// (C(u), S(u)): ∫ cos(π v²/2), ∫ sin(π v²/2) from 0 to u, by Gauss's rule of three points on many intervals.
Vec3 fresnel(double u) {
  constexpr int kIntervals = 200;
  const double node = std::sqrt(0.6);
  Vec3 sum = Vec3::Zero();
  const double h = u / kIntervals;
  for (int i = 0; i < kIntervals; ++i)
    for (int k = -1; k <= 1; ++k) {
      const double v = h * (i + 0.5 + 0.5 * k * node);
      const double weight = (k == 0 ? 8.0 : 5.0) / 18.0 * h;
      const double angle = math::kPi * v * v / 2;
      sum += weight * Vec3(std::cos(angle), std::sin(angle), 0);
    }
  return sum;
}

// Drawn straight along x, clamped there, at rest in the spiral.
Scene spiral(int segments) {
  Scene scene = straight_rod(given_section(1e6, Vec2(1, 0.5), 0.8, 1), Vec3::Zero(), Vec3::UnitX(), segments);
  Rod& rod = scene.rods[0];
  rod.rest.kind = RestKind::Curve;
  rod.rest.curve.kind = CurveKind::Spline;
  for (int i = 0; i < kPoints; ++i) rod.rest.curve.points.push_back(fresnel(i / (kPoints - 1.0)));
  scene.holds = {clamp(kStart)};
  return scene;
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  const Vec3 reference(0.7798934, 0.4382591, 0);
  std::vector<double> errors;
  for (const int segments : {25, 50, 100}) {
    const Outcome outcome = sheet.solve(spiral(segments));
    errors.push_back((tip(outcome) - reference).norm());
    setting.tell(segments / 100.0);
    if (segments != 100) continue;
    // no load, no moment
    sheet.absolute("elastic energy, share of EI/L, N = 100", outcome.states.back().pose.energy.elastic, 0, 1e-12,
                   "nothing acts: what is left is round-off");
    sheet.relative("curvature half way, 1/m, N = 100", rod_pose(outcome).curvature[50].norm(), math::kPi / 2, 1e-4,
                   "second order");
  }
  // the nodes lie on the rest shape itself, however coarse the mesh: what is left is the table's last digit
  sheet.absolute("tip error, share of L, N = 25", errors[0], 0, 1e-7, "seven digits of the table");
  sheet.absolute("tip error, share of L, N = 50", errors[1], 0, 1e-7, "seven digits of the table");
  sheet.absolute("tip error, share of L, N = 100", errors[2], 0, 1e-7, "seven digits of the table");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace euler_spiral_case

Case euler_spiral() {
  return {.name = "euler-spiral",
          .shows = "A rod drawn straight but naturally curved by κ = πs/L² springs into Euler's spiral",
          .source = "Fresnel's integrals C(1), S(1); Abramowitz & Stegun 1964, table 7.7",
          .equilibria = true,
          .run = euler_spiral_case::run};
}

}  // namespace filum::validation
