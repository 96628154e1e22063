// Edited scenes are scenes: they are written and read back, and a rod that was cut and joined hangs as the whole did.
#include <filum/edit.hpp>
#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace filum::test_edited_scenes {

namespace {

constexpr const char* kHose = R"(
filum: 1
sections: {hose: {shape: given, EA: 1e5, EI: [0.05, 0.05], GJ: 0.04, mass_per_length: 0.3, radius: 5 mm}}
rods: {hose: {section: hose, segments: 80, shape: {spline: [[0, 0, 0], [0.3, 0.05, -0.2], [0.6, 0, -0.2], [0.8, 0.1, 0]]}}}
holds:
  - {name: left, rod: hose, at: start, fix: [position, orientation]}
  - {name: right, rod: hose, at: end, fix: [position, orientation]}
)";

Scene hose() {
  const auto scene = parse_scene(kHose, "hose");
  REQUIRE(scene.ok());
  return *scene;
}

Outcome solved(const Scene& scene) {
  const auto outcome = solve(scene);
  INFO((outcome ? std::string() : outcome.error().text()));
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  return *outcome;
}

}  // namespace

TEST_CASE("edited scenes are written and read back") {
  Scene scene = hose();
  REQUIRE(edit::prolong(scene, "hose", 0.1, edit::RodEnd::Start).ok());
  REQUIRE(edit::lengthen_between(scene, "hose", {0.3, 0}, {0.6, 0}, 0.05).ok());
  REQUIRE(edit::split(scene, "hose", {0.4, 0}, "tail").ok());
  REQUIRE(edit::set_length(scene, "tail", 0.9).ok());
  REQUIRE(edit::spread_holds(scene, "hose", 2, edit::Grip::Position, "clamp").ok());
  const auto back = parse_scene(write_scene(scene), "edited");
  INFO((back ? std::string() : back.error().text()));
  REQUIRE(back.ok());
  CHECK(*back == scene);
}

namespace {

// How far the nodes of a rod of so many segments move when it is cut in the middle and joined.
double moved_by_cut(int segments) {
  Scene whole = hose();
  whole.rods[0].segments = segments;
  Scene cut = whole;
  REQUIRE(edit::split(cut, "hose", {0.5, 0}, "tail").ok());
  const Pose a = solved(whole).states.back().pose;
  const Pose b = solved(cut).states.back().pose;
  for (std::size_t h = 0; h < 2; ++h)
    CHECK((a.holds[h].force - b.holds[h].force).norm() < 1e-3 * a.holds[h].force.norm());
  // halves of the same number of segments have the nodes of the whole
  REQUIRE(b.rods[0].s.size() + b.rods[1].s.size() == a.rods[0].s.size() + 1);
  const std::size_t middle = b.rods[0].s.size() - 1;
  double apart = 0;
  for (std::size_t i = 0; i < a.rods[0].s.size(); ++i) {
    const Vec3& there = i <= middle ? b.rods[0].position[i] : b.rods[1].position[i - middle];
    apart = std::max(apart, (there - a.rods[0].position[i]).norm());
  }
  return apart;
}

}  // namespace

TEST_CASE("a rod cut in two and joined hangs as the whole did") {
  // a junction is meshed as two ends: the difference is of second order, and of the size of the mesh's own error
  const double coarse = moved_by_cut(40);
  const double fine = moved_by_cut(80);
  CHECK(fine < 5e-5);
  CHECK(fine < coarse / 3.5);
}

TEST_CASE("a rod lengthened between its holds hangs deeper, held where it was") {
  const Scene before = hose();
  Scene after = before;
  REQUIRE(edit::lengthen_between(after, "hose", {0.2, 0}, {0.8, 0}, 0.3).ok());
  const Pose a = solved(before).states.back().pose;
  const Pose b = solved(after).states.back().pose;
  for (std::size_t h = 0; h < 2; ++h) CHECK((a.holds[h].position - b.holds[h].position).norm() < 1e-6);
  CHECK(b.rods[0].length == doctest::Approx(a.rods[0].length + 0.3).epsilon(1e-3));
  const auto lowest = [](const RodPose& rod) {
    double z = 0;
    for (const Vec3& point : rod.position) z = std::min(z, point.z());
    return z;
  };
  CHECK(lowest(b.rods[0]) < lowest(a.rods[0]) - 0.05);
}

}  // namespace filum::test_edited_scenes
