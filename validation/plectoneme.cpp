// A cord wound up about itself: pull and moment at its ends against the theory of an endless ply, and its link number.
#include "math/rotation.hpp"
#include "rod/writhe.hpp"
#include "validation/cases.hpp"
#include "validation/motion.hpp"

#include <filum/scene_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace filum::validation {

namespace plectoneme_case {
namespace {

constexpr double kRadius = 1.55e-3;  // m
constexpr double kYoung = 1.3e6;     // Pa
constexpr double kSpeed = 0.5;       // turns a second
constexpr double kFirst = 10;        // turns from which on the ply is long enough for the theory of an endless one
constexpr double kLast = 20;

const std::string kScene = R"(filum: 1
gravity: [0, 0, 0]
materials: {silicone: {young: 1.3 MPa, poisson: 0.5, density: 1200}}
sections: {cord: {shape: circle, radius: 1.55 mm}}
rods:
  cord: {material: silicone, section: cord, segments: 500, damping: {rayleigh: [2, 0]}, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}
holds:
  - {name: left, rod: cord, at: start, fix: [position, orientation]}
  - {name: right, rod: cord, at: end, fix: [position, orientation]}
forces: [{rod: cord, at: 48 %, force: [0, 1 mN, 0]}]
contact: {rods: true}
drivers:
  - {hold: right, path: [{t: 0, position: [0.5, 0, 0], turns: 0}, {t: 2, position: [0.35, 0, 0], turns: 1}, {t: 40, turns: 20}]}
  - {force: 0, path: [{t: 0, scale: 1}, {t: 1, scale: 0}]}
simulation: {mode: dynamics, integrator: implicit-euler, step: 1/240, end: 40}
)";

// The angle between strand and axis of the ply: half of that between strands where they touch, in the middle of the ply.
double ply_angle(const RodPose& rod) {
  const int last = static_cast<int>(rod.position.size()) - 1;
  const auto at = [&](int i) { return rod.position[static_cast<std::size_t>(i)]; };
  // of fourth order: across two edges a tangent would be flatter by 1 %, and the pull goes with the fourth power
  const auto tangent = [&](int i) -> Vec3 {
    return (8 * (at(i + 1) - at(i - 1)) - (at(i + 2) - at(i - 2))).normalized();
  };
  std::vector<double> angles;
  for (int i = 2; i < last / 2; ++i) {
    int nearest = -1;
    double distance = 2.1 * kRadius;
    for (int j = i + 20; j + 1 < last; ++j)
      if (const double d = (at(i) - at(j)).norm(); d < distance) {
        distance = d;
        nearest = j;
      }
    if (nearest > 0) angles.push_back(0.5 * std::acos(std::clamp(-tangent(i).dot(tangent(nearest)), -1.0, 1.0)));
  }
  double sum = 0;
  int count = 0;
  for (std::size_t k = angles.size() / 3; k < 2 * angles.size() / 3; ++k, ++count) sum += angles[k];
  return count > 0 ? sum / count : 0;
}

// Turns and writhe of the cord, with the straight ways on which it would leave both of its holds.
double link(const RodPose& rod) {
  constexpr double kFar = 1000;
  std::vector<Vec3> points = rod.position;
  points.insert(points.begin(), rod.position.front() - kFar * Vec3::UnitX());
  points.push_back(rod.position.back() + kFar * Vec3::UnitX());
  return rod.turns + rod::writhe(points, false, static_cast<int>(points.size()));
}

Result<std::vector<Row>> rows(const Setting& setting) {
  Sheet sheet(setting);
  const Result<Scene> scene = parse_scene(kScene, "plectoneme");
  if (!scene.ok()) {
    sheet.fail(scene.error().text());
    return std::move(sheet).result();
  }
  const double bending = kYoung * math::kPi / 4 * std::pow(kRadius, 4);
  struct Seen {
    double turns, pull, moment;
  };
  std::vector<Seen> seen;
  double lost = 0;
  Motion motion(sheet, *scene);
  motion.watch(40, 240, [&](double t, const Pose& pose) {
    setting.tell(t / 40);
    const double turns = kSpeed * t;
    lost = std::max(lost, std::abs(std::abs(link(pose.rods.front())) - turns));
    if (turns < kFirst) return;
    const double a = ply_angle(pose.rods.front());
    const double s3 = std::pow(std::sin(a), 3);
    const double pull = bending / (kRadius * kRadius) * s3 * (std::cos(a) * std::tan(2 * a) - 0.5 * std::sin(a));
    const double moment = 2 * bending / kRadius * std::cos(a) * s3 / std::cos(2 * a);
    seen.push_back({turns, std::abs(pose.holds[1].force.x()) / pull, std::abs(pose.holds[1].moment.x()) / moment});
  });
  if (!motion.fine()) return std::move(sheet).result();
  // the pull trembles with the winding: means over two turns each
  for (double from = kFirst; from < kLast; from += 2) {
    double pull = 0;
    double moment = 0;
    int count = 0;
    for (const Seen& one : seen)
      if (one.turns >= from && one.turns < from + 2) pull += one.pull, moment += one.moment, ++count;
    const std::string where = fmt::format("{} to {} turns", from, from + 2);
    sheet.relative("pull over that of the ply, " + where, pull / count, 1, 0.02,
                   "ends and end loop of a ply of finite length");
    sheet.relative("moment over that of the ply, " + where, moment / count, 1, 0.02, "likewise");
  }
  sheet.at_most("largest |link − turns|", lost, 1e-3, "a crossing let through would be 2");
  return std::move(sheet).result();
}

}  // namespace
}  // namespace plectoneme_case

Case plectoneme() {
  return {
      .name = "plectoneme",
      .shows = "A cord wound up about itself pulls and twists as the theory of plies says, and keeps its link",
      .source = "Clauvelin, Audoly & Neukirch 2009: F R²/EI = sin³α (cosα tan2α − ½ sinα), M R/EI = 2 cosα sin³α/cos2α",
      .takes_long = true,
      .run = plectoneme_case::rows};
}

}  // namespace filum::validation
