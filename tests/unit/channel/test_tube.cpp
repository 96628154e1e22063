// The first search in a tube in space.
#include <filum/tube.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace filum;

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
