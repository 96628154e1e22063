// A branched harness: the reactions balance the weight, and the junction stays as it was made.
#include "validation/cases.hpp"
#include "validation/scenes.hpp"

#include "math/rotation.hpp"
#include "scene/layout.hpp"

#include <algorithm>

namespace filum::validation {

namespace y_harness_case {
namespace {

// Two legs clamped to the wall meet a free branch; nothing is symmetric.
Scene harness() {
  Scene scene;
  const Vec3 node(0.3, 0.1, 0.2);
  add_rod(scene, "left", given_section(2e4, Vec2(0.02, 0.03), 0.02, 0.15), line(Vec3(0, 0, 0), node), 40);
  add_rod(scene, "right", given_section(1e4, Vec2(0.01, 0.01), 0.008, 0.10), line(Vec3(0.1, 0.5, 0.1), node), 40);
  add_rod(scene, "branch", given_section(8e3, Vec2(0.006, 0.004), 0.005, 0.08), line(node, Vec3(0.75, 0.15, 0.3)), 40);
  scene.holds = {clamp(kStart, "left"), clamp(kStart, "right")};
  scene.junctions.push_back({"y", {{"left", kEnd}, {"right", kEnd}, {"branch", kStart}}});
  return scene;
}

double rest_length(const Rod& rod) {
  return scene::RodLayout(rod).length();
}

// Moment of the whole weight about a point: the mass of each half segment at its node, as gravity is lumped.
Vec3 weight_moment(const Scene& scene, const Pose& pose, const Vec3& about) {
  Vec3 moment = Vec3::Zero();
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const RodPose& rod = pose.rods[r];
    const double mass = scene.sections[r].section.mass_per_length;
    for (std::size_t i = 0; i + 1 < rod.s.size(); ++i) {
      const Vec3 middle = 0.5 * (rod.position[i] + rod.position[i + 1]);
      moment += (middle - about).cross(mass * (rod.s[i + 1] - rod.s[i]) * scene.gravity);
    }
  }
  return moment;
}

// The turn of one rod's section at the junction relative to another's, against that of the shapes.
double misaligned(const Scene& scene, const Pose& pose, std::size_t one, std::size_t other) {
  auto drawn = [&](std::size_t r) {
    const scene::RodLayout layout(scene.rods[r]);
    return layout.at(r == 2 ? 0 : layout.length()).frame;
  };
  auto now = [&](std::size_t r) {
    return (r == 2 ? pose.rods[r].frame.front() : pose.rods[r].frame.back()).toRotationMatrix();
  };
  const Mat3 before = drawn(one).transpose() * drawn(other);
  const Mat3 after = now(one).transpose() * now(other);
  return math::log_so3(Mat3(before.transpose() * after)).norm();
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  const Scene scene = harness();
  const Outcome outcome = sheet.solve(scene);
  const Pose& pose = outcome.states.back().pose;

  Vec3 weight = Vec3::Zero();
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    weight += scene.sections[r].section.mass_per_length * rest_length(scene.rods[r]) * scene.gravity;
  Vec3 force = weight;
  for (const HoldPose& hold : pose.holds) force += hold.force;
  sheet.absolute("|Σ hold forces + weight| over the weight", force.norm() / weight.norm(), 0, 1e-9,
                 "equilibrium to the solver's residual");

  const Vec3 node = pose.rods[2].position.front();
  Vec3 moment = weight_moment(scene, pose, node);
  const double scale = moment.norm();
  for (const HoldPose& hold : pose.holds) moment += hold.moment + (hold.position - node).cross(hold.force);
  sheet.absolute("moment balance about the junction, over the weight's moment", moment.norm() / scale, 0, 1e-8,
                 "the same, summed with levers");

  sheet.absolute("gap at the junction, left to branch, m", (pose.rods[0].position.back() - node).norm(), 0, 1e-12,
                 "one node or a tie");
  sheet.absolute("gap at the junction, right to branch, m", (pose.rods[1].position.back() - node).norm(), 0, 1e-12,
                 "one node or a tie");
  sheet.absolute("change of orientation, left to right, rad", misaligned(scene, pose, 0, 1), 0, 1e-9, "a rigid joint");
  sheet.absolute("change of orientation, right to branch, rad", misaligned(scene, pose, 1, 2), 0, 1e-9,
                 "a rigid joint");
  sheet.at_least("stable", outcome.solve.stable.value_or(false), 1, "it hangs");
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace y_harness_case

Case y_harness() {
  return {.name = "y-harness",
          .shows = "Three rods in a rigid junction: reactions balance the weight, relative orientations are kept",
          .source = "Balance of forces and moments",
          .equilibria = true,
          .run = y_harness_case::run};
}

}  // namespace filum::validation
