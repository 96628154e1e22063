// The first search in a tube in space.
#include <filum/tube.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

namespace filum::test_tube {

namespace {

TubeProblem straight_tube(const Vec3& force) {
  TubeProblem problem;
  problem.centreline.kind = CurveKind::Line;
  problem.centreline.points = {Vec3::Zero(), Vec3(1.2, 0, 0)};
  problem.radius = 0.05;
  problem.length = 1;
  problem.EI = 1;
  problem.force = force;
  problem.links = 12;
  return problem;
}

}  // namespace

TEST_CASE("a pulled beam lies straight, a pushed one buckles and stays in the tube") {
  const TubeOutcome pulled = search_tube(straight_tube(Vec3(20, 0, 0)));
  REQUIRE(pulled.found);
  CHECK(pulled.dimensionless == doctest::Approx(0).scale(1));
  const TubeOutcome pushed = search_tube(straight_tube(Vec3(-200, 0, 0)));
  REQUIRE(pushed.found);
  CHECK(pushed.dimensionless < -1);
  for (const Vec3& point : pushed.positions) CHECK(std::hypot(point[1], point[2]) < 0.05 + 1e-12);
}

TEST_CASE("a tube in a plane is never worse than its channel") {
  // straight, along any axis, and bent; the force aside starts the first mode, too weak for the rings to see
  for (const Vec3& along : {Vec3(1, 0, 0), Vec3(0, 0, 1)}) {
    TubeProblem problem = straight_tube(Vec3::Zero());
    const Vec3 across = along[0] > 0 ? Vec3(0, 1, 0) : Vec3(0.6, 0.8, 0);
    problem.centreline.points = {Vec3::Zero(), 1.3 * along};
    problem.radius = 0.08;
    problem.links = 20;
    problem.force = -60 * along + 0.2 * across;
    const TubeOutcome found = search_tube(problem);
    REQUIRE(found.found);
    CHECK(found.planar);
    ChannelProblem planar;
    planar.channel.centreline.points = {Vec3::Zero(), Vec3(1.3, 0, 0)};
    planar.channel.left = planar.channel.right = {{0, 0.08}};
    planar.beam = {1, 1, {}};
    planar.loads = {{Vec2(-60, 0.2), {}}};
    planar.search.links = 20;
    CHECK(found.energy == doctest::Approx(solve_channel(planar).shapes.at(0).energy).epsilon(1e-9));
    CHECK(found.energy < -2);
    for (const Vec3& point : found.positions) CHECK(point.cross(along).norm() < 0.08 + 1e-9);
  }
  TubeProblem bent = straight_tube(Vec3(-300, 0, -300));
  bent.centreline = {};
  bent.centreline.kind = CurveKind::Arc;
  bent.centreline.centre = Vec3(0, 0, 1);
  bent.centreline.axis = -Vec3::UnitY();
  bent.centreline.angle = std::numbers::pi / 2;
  bent.length = 1.5;
  bent.force = Vec3(-40, 0, -40);
  ChannelProblem planar;
  planar.channel.centreline.kind = CurveKind::Arc;
  planar.channel.centreline.centre = Vec3(0, 1, 0);
  planar.channel.centreline.angle = std::numbers::pi / 2;
  planar.channel.left = planar.channel.right = {{0, 0.05}};
  planar.beam = {1.5, 1, {}};
  planar.loads = {{Vec2(-40, -40), {}}};
  planar.search.links = bent.links;
  const ChannelOutcome flat = solve_channel(planar);
  REQUIRE(flat.converged);
  const TubeOutcome found = search_tube(bent);
  REQUIRE(found.found);
  CHECK(found.energy <= flat.shapes.at(0).energy * (1 + 1e-9));
}

TEST_CASE("pruning costs energy at most, and is told") {
  TubeProblem problem = straight_tube(Vec3(-200, 0, 0));
  problem.keep = 0;
  const TubeOutcome all = search_tube(problem);
  CHECK_FALSE(all.pruned);
  problem.keep = 200;
  const TubeOutcome some = search_tube(problem);
  CHECK(some.pruned);
  CHECK(some.dimensionless >= all.dimensionless - 1e-12);
  CHECK(some.visited < all.visited);
}

TEST_CASE("a helix of a tube, and faults") {
  TubeProblem problem = straight_tube(Vec3(0, 0, -50));
  problem.centreline = Curve{};
  problem.centreline.kind = CurveKind::Helix;
  problem.centreline.centre = Vec3(0, 0.3, 0);
  problem.centreline.start = Vec3::Zero();
  problem.centreline.angle = std::numbers::pi;
  problem.centreline.pitch = 0.5;
  problem.length = 0.9;
  REQUIRE_FALSE(check_tube(problem).has_value());
  CHECK(search_tube(problem).found);
  problem.length = 50;
  CHECK(check_tube(problem)->path == "beam.length");
  problem.length = 0.9;
  problem.radius = -1;
  CHECK(check_tube(problem)->path == "tube.radius");
}

}  // namespace filum::test_tube
