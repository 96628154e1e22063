// Proposed cables: straight on, round a wall, through a hole, no way, ends in parts; lengths, radii and clearances of the
// equilibrium that comes of it.
#include "sim/assembly/proposed_route.hpp"
#include "unit/rod_rig.hpp"

#include <filum/scene.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace filum::test_proposed_route {

namespace {

Scene cable(const std::string& obstacles, const std::string& more = "") {
  return test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 60, shape: {line: [[0, 0, 0], [0.6, 0, 0]]},
  limits: {min_bend_radius: 30 mm}}}
holds:
  - {name: first, rod: a, at: start, fix: [position, orientation], position: [0, 0, 0],
     orientation: {tangent: [1, 0, 0], normal: [0, 0, 1]}}
  - {name: last, rod: a, at: end, fix: [position, orientation], position: [0.6, 0, 0],
     orientation: {tangent: [1, 0, 0], normal: [0, 0, 1]}}
gravity: [0, 0, 0]
)" + more + (obstacles.empty() ? "" : "obstacles: [" + obstacles + "]\n"));
}

constexpr const char* kWall = "{name: wall, box: {size: [20 mm, 0.4, 0.3], position: [0.3, 0, 0]}}";

sim::ProposedRoute routed(const Scene& scene, const sim::RouteRequest& request) {
  const auto route = propose_route(scene, request);
  REQUIRE_MESSAGE(route.ok(), (route.ok() ? "" : route.error().text()));
  CHECK(route->outcome.solve.converged);
  return *route;
}

std::string refused(const Scene& scene, const sim::RouteRequest& request) {
  const auto route = propose_route(scene, request);
  return route.ok() ? std::string() : route.error().message;
}

sim::RouteRequest keeping(double clearance) {
  sim::RouteRequest request;
  request.clearance = clearance;
  return request;
}

}  // namespace

TEST_CASE("proposed route: with nothing in the way it is straight, and as long as the ends are apart") {
  const sim::ProposedRoute route = routed(cable(""), keeping(0.01));
  CHECK(route.length == doctest::Approx(0.6).epsilon(1e-3));
  CHECK(route.clips == 0);
  // and with some extra length it has that
  sim::RouteRequest extra = keeping(0.01);
  extra.extra = 0.05;
  CHECK(routed(cable(""), extra).length == doctest::Approx(0.63).epsilon(1e-3));
}

TEST_CASE("proposed route: round a wall, with the clearance and the bend radius that were asked for, in balance") {
  const Scene scene = cable(kWall);
  const sim::RouteRequest request = keeping(0.01);
  const sim::ProposedRoute route = routed(scene, request);
  CHECK(route.is_kept(request));
  CHECK(route.clearance >= 0.98 * 0.01);
  CHECK(route.bend_radius >= 0.03);
  // the shortest line that clears the edge of the wall, at 0.15 + 0.015, and not much more
  const double shortest = 2 * std::hypot(0.29, 0.165) + 0.02;
  CHECK(route.length > 0.99 * shortest);
  CHECK(route.length < 1.2 * shortest);
  // the scene that comes of it is one that can be read, and is the same
  const auto again = parse_scene(write_scene(route.scene), "routed");
  REQUIRE(again.ok());
  CHECK(again->rods[0].length == route.scene.rods[0].length);
}

TEST_CASE("proposed route: through a hole, since round about is longer") {
  // four plates about a hole of 60 by 60 mm, beside the straight line
  const sim::ProposedRoute route = routed(cable(R"(
  {name: left, box: {size: [20 mm, 1, 2], position: [0.3, 0.58, 0]}},
  {name: right, box: {size: [20 mm, 1, 2], position: [0.3, -0.48, 0]}},
  {name: top, box: {size: [20 mm, 0.06, 1], position: [0.3, 0.05, 0.58]}},
  {name: bottom, box: {size: [20 mm, 0.06, 1], position: [0.3, 0.05, -0.48]}})"),
                                          keeping(0.01));
  CHECK(route.length < 0.75);
  const RodPose& pose = route.outcome.states.back().pose.rods[0];
  for (const Vec3& x : pose.position)
    if (std::abs(x.x() - 0.3) < 0.01) {
      CHECK(std::abs(x.y() - 0.05) < 0.02);
      CHECK(std::abs(x.z() - 0.05) < 0.02);
    }
}

TEST_CASE("proposed route: where there is none it says so, and what an end lies in") {
  // in a cage
  const std::string cage = R"(
  {name: l, box: {size: [0.4, 10 mm, 0.4], position: [0.6, 0.2, 0]}}, {name: r, box: {size: [0.4, 10 mm, 0.4], position: [0.6, -0.2, 0]}},
  {name: t, box: {size: [0.4, 0.4, 10 mm], position: [0.6, 0, 0.2]}}, {name: b, box: {size: [0.4, 0.4, 10 mm], position: [0.6, 0, -0.2]}},
  {name: f, box: {size: [10 mm, 0.4, 0.4], position: [0.4, 0, 0]}}, {name: k, box: {size: [10 mm, 0.4, 0.4], position: [0.8, 0, 0]}})";
  CHECK(refused(cable(cage), keeping(0.01)).find("there is no way for rod 'a'") != std::string::npos);
  CHECK(refused(cable("{name: block, sphere: {centre: [0.6, 0, 0], radius: 50 mm}}"), keeping(0.01)) ==
        "the end of rod 'a' at hold 'last' lies in 'block'");
  CHECK(refused(cable("{name: lid, box: {size: [10 mm, 0.2, 0.2], position: [20 mm, 0, 0]}}"), keeping(0.01))
            .find("no room to leave its ends") != std::string::npos);
}

TEST_CASE("proposed route: a rod that is not held at its ends, or held between them, is refused") {
  Scene scene = cable(kWall);
  scene.holds.pop_back();
  CHECK(refused(scene, keeping(0)) == "rod 'a' needs a hold at its end that fixes the position");
  scene = cable(kWall);
  scene.holds.push_back(scene.holds[0]);
  scene.holds.back().name = "clip";
  scene.holds.back().at = {0.5, 0};
  CHECK(refused(scene, keeping(0)).find("hold 'clip' grips rod 'a' between its ends") != std::string::npos);
  sim::RouteRequest other;
  other.rod = "b";
  CHECK(refused(cable(kWall), other) == "there is no rod 'b'");
}

}  // namespace filum::test_proposed_route
