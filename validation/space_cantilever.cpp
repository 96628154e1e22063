// A cantilever in space: everything that a plane case leaves at zero is at work.
#include "validation/cantilever.hpp"
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"

#include <algorithm>

namespace filum::validation {

namespace space_cantilever_case {
namespace {

// Naturally a quarter of a circle, slightly twisted, three unequal stiffnesses, weight and a tip force skew to all of
// it.
Cantilever space_rod() {
  Cantilever rod;
  rod.EA = 1e5;
  rod.EI = Vec2(1, 0.4);
  rod.GJ = 0.6;
  rod.rest = Vec3(0.3 * math::kPi, -0.4 * math::kPi, 0.8);
  rod.frame = skew_rotation().toRotationMatrix();
  rod.load = Vec3(0.5, -2, -6);
  rod.tip_force = Vec3(1.2, 0.9, -0.7);
  return rod;
}

Scene space_scene(const Cantilever& rod, int segments) {
  const Section section = given_section(rod.EA, rod.EI, rod.GJ, 1);
  Scene scene = straight_rod(section, Vec3::Zero(), rod.frame.col(2), segments);
  scene.rods[0].normal = rod.frame.col(0);
  scene.rods[0].rest.kind = RestKind::Uniform;
  scene.rods[0].rest.curvature = rod.rest.head<2>();
  scene.rods[0].rest.twist_rate = rod.rest[2];
  scene.gravity = rod.load;
  scene.forces.push_back({{"rod", kEnd}, "", rod.tip_force, false});
  scene.holds = {clamp(kStart)};
  return scene;
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  const Cantilever rod = space_rod();
  const CantileverSolution reference = integrate(rod);
  std::vector<double> errors, turns, moments;
  int iterations = 0;
  for (const int segments : {50, 100, 200, 400}) {
    const Outcome outcome = sheet.solve(space_scene(rod, segments));
    const Mat3 frame = rod_pose(outcome).frame.back().toRotationMatrix();
    errors.push_back((tip(outcome) - reference.tip).norm());
    turns.push_back(math::log_so3(frame * reference.frame.transpose()).norm());
    // what the clamp does to the rod is what balances the part beyond it
    const Vec3 moment = outcome.states.back().pose.holds[0].moment;
    moments.push_back((moment + reference.clamp_moment).norm() / reference.clamp_moment.norm());
    iterations = std::max(iterations, outcome.solve.iterations);
    setting.tell(segments / 400.0);
  }
  const std::vector<double> meshes{50, 100, 200, 400};
  sheet.absolute("tip error, share of L, N = 50", errors[0], 0, 2e-4, "the bound of the most bent heavy cantilever");
  sheet.at_least("observed order of the tip, N = 50…400", observed_order(errors, meshes), 1.9,
                 "the scheme is of second order");
  sheet.absolute("turn of the tip frame against the reference, rad, N = 50", turns[0], 0, 1e-3,
                 "second order with the fourth derivative of a bend of half a turn");
  sheet.at_least("observed order of the tip frame, N = 50…400", observed_order(turns, meshes), 1.9,
                 "the scheme is of second order");
  sheet.absolute("moment at the clamp, relative error, N = 50", moments[0], 0, 1e-3,
                 "load times the error of the shape");
  sheet.at_most("most Newton iterations, N = 50…400", iterations, 60,
                "from the straight rod, by Newton alone: its own limit");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace space_cantilever_case

Case space_cantilever() {
  return {.name = "space-cantilever",
          .shows = "A naturally curved and twisted rod of unequal stiffnesses under weight and a skew tip force",
          .source = "The space rod's differential equations integrated to 1e-11 (validation/cantilever.hpp)",
          .equilibria = true,
          .run = space_cantilever_case::run};
}

}  // namespace filum::validation
