// A beam in a tube in space.
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
  problem.radius = {{0, 0.05}};
  problem.length = 1;
  problem.EI = 1;
  problem.loads = {{force, {}, {}}};
  problem.links = 12;
  return problem;
}

void check_at_rest(const TubeShape& shape) {
  CHECK(shape.converged);
  CHECK(shape.stable);
  CHECK(shape.breach < 1e-9);
  CHECK(shape.kkt < 1e-6);
  CHECK(shape.balance < 1e-5);
}

}  // namespace

TEST_CASE("a pulled beam lies straight, a pushed one buckles and stays in the tube") {
  const TubeOutcome pulled = search_tube(straight_tube(Vec3(20, 0, 0)));
  REQUIRE(pulled.found);
  CHECK(pulled.shapes[0].dimensionless == doctest::Approx(0).scale(1));
  const TubeOutcome pushed = search_tube(straight_tube(Vec3(-90, 0, 0)));
  REQUIRE(pushed.found);
  CHECK(pushed.shapes[0].dimensionless < -1);
  check_at_rest(pushed.shapes[0]);
  for (const Vec3& point : pushed.shapes[0].positions) CHECK(std::hypot(point[1], point[2]) < 0.05 + 1e-9);
}

TEST_CASE("a tube in a plane is never worse than its channel") {
  // straight, along any axis, and bent; the force aside starts the first mode, too weak for the rings to see
  for (const Vec3& along : {Vec3(1, 0, 0), Vec3(0, 0, 1)}) {
    TubeProblem problem = straight_tube(Vec3::Zero());
    const Vec3 across = along[0] > 0 ? Vec3(0, 1, 0) : Vec3(0.6, 0.8, 0);
    problem.centreline.points = {Vec3::Zero(), 1.3 * along};
    problem.radius = {{0, 0.08}};
    problem.links = 20;
    problem.loads = {{-60 * along + 0.2 * across, {}, {}}};
    const TubeOutcome found = search_tube(problem);
    REQUIRE(found.found);
    check_at_rest(found.shapes[0]);
    ChannelProblem planar;
    planar.channel.centreline.points = {Vec3::Zero(), Vec3(1.3, 0, 0)};
    planar.channel.left = planar.channel.right = {{0, 0.08}};
    planar.beam = {1, 1, {}};
    planar.loads = {{Vec2(-60, 0.2), {}}};
    planar.search.links = 20;
    CHECK(found.shapes[0].energy <= solve_channel(planar).shapes.at(0).energy + 1e-9);
    CHECK(found.shapes[0].energy < -2);
    for (const Vec3& point : found.shapes[0].positions) CHECK(point.cross(along).norm() < 0.08 + 1e-9);
  }
  TubeProblem bent = straight_tube(Vec3(-40, 0, -40));
  bent.centreline = {};
  bent.centreline.kind = CurveKind::Arc;
  bent.centreline.centre = Vec3(0, 0, 1);
  bent.centreline.axis = -Vec3::UnitY();
  bent.centreline.angle = std::numbers::pi / 2;
  bent.length = 1.5;
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
  check_at_rest(found.shapes[0]);
  CHECK(found.shapes[0].energy <= flat.shapes.at(0).energy + 1e-9 * std::abs(flat.shapes.at(0).energy));
}

TEST_CASE("a beam that is pushed back in a tube is never worse than in its channel, and needs its force") {
  for (const double push : {0.01, 0.05}) {
    CAPTURE(push);
    TubeProblem problem = straight_tube(Vec3::Zero());
    problem.loads.front().push = push;
    problem.links = 20;
    const TubeOutcome found = search_tube(problem);
    CAPTURE(found.why);
    REQUIRE(found.found);
    check_at_rest(found.shapes[0]);
    CHECK(found.shapes[0].tip_along == doctest::Approx(1 - push).epsilon(1e-9));
    ChannelProblem planar;
    planar.channel.centreline.points = problem.centreline.points;
    planar.channel.left = planar.channel.right = problem.radius;
    planar.beam = {1, 1, {}};
    planar.loads = {{Vec2::Zero(), push, {}, 0}};
    planar.search.links = 20;
    const ChannelOutcome flat = solve_channel(planar);
    REQUIRE(flat.converged);
    CHECK(found.shapes[0].energy <= flat.shapes[0].energy * (1 + 1e-9));
    // what is stored grows by what the push brings in
    TubeProblem more = problem;
    more.loads.push_back(problem.loads.front());
    more.loads.back().push = push + 1e-4;
    const TubeOutcome next = search_tube(more);
    REQUIRE(next.found);
    REQUIRE(next.path.size() == 2);
    const double mean = 0.5 * (next.path[0].state.push_force + next.path[1].state.push_force);
    CHECK(next.path[1].state.energy - next.path[0].state.energy == doctest::Approx(mean * 1e-4).epsilon(1e-3));
  }
}

TEST_CASE("a path in a tube accounts for its energy, by force, push and turn; snaps are told") {
  TubeProblem problem = straight_tube(Vec3::Zero());
  problem.radius.clear();
  problem.section = {{-0.05, -0.04}, {0.05, -0.04}, {0.05, 0.04}, {-0.05, 0.04}};
  problem.GJ = 0.8;
  problem.k = 1;
  problem.loads.clear();
  const auto follow = [&](const auto& load) {
    problem.loads.clear();
    for (int i = 0; i <= 6; ++i) problem.loads.push_back(load(i / 6.0));
    REQUIRE_FALSE(check_tube(problem));
    const TubeOutcome found = search_tube(problem);
    CAPTURE(found.why);
    REQUIRE(found.found);
    REQUIRE(found.path.size() == 7);
    double work = 0, released = 0;
    for (const TubeStep& step : found.path) {
      CHECK(step.state.converged);
      CHECK(step.snapped == !step.snaps.empty());
      work += step.work;
      released += step.snap_release;
      for (const TubeSnap& snap : step.snaps) CHECK(snap.release > 0);
    }
    const double change = found.path.back().state.energy - found.path.front().state.energy;
    CHECK(std::abs(work - released - change) < 1e-3 * std::abs(work) + 1e-9);
    return found;
  };
  follow([](double t) { return TubeLoad{Vec3(-20 - 60 * t, 0.3, 0.1), {}, {}}; });
  const TubeOutcome pushed = follow([](double t) { return TubeLoad{Vec3::Zero(), 0.005 + 0.05 * t, {}}; });
  CHECK(pushed.path.back().state.push_force > 0);
  const TubeOutcome turned = follow([](double t) { return TubeLoad{Vec3(-30, 0.3, 0.1), {}, 5 * t}; });
  CHECK(turned.path.back().state.torque > 0.5);
}

TEST_CASE("what folds back in a tube is told") {
  const TubeOutcome found = search_tube(straight_tube(Vec3(-900, 0, 0)));
  CHECK_FALSE(found.found);
  CHECK(found.why.find("folds back") != std::string::npos);
}

TEST_CASE("in a bent tube with friction the force grows by e^{μβ}") {
  // pushed at its tip along the tube, a beam so soft that it lies along the outer wall; the clamp takes the first half link
  TubeProblem problem = straight_tube(Vec3(0, -1, 0));
  problem.centreline = {};
  problem.centreline.kind = CurveKind::Arc;
  problem.centreline.centre = Vec3(0, 1, 0);
  problem.centreline.angle = std::numbers::pi / 2;
  problem.radius = {{0, 1e-3}};
  problem.length = std::numbers::pi / 2;
  problem.EI = 2e-3;
  problem.links = 60;
  problem.k = 1;
  problem.rings = 1;
  const TubeOutcome smooth = search_tube(problem);
  REQUIRE(smooth.found);
  CHECK(smooth.shapes[0].insertion_force == doctest::Approx(1).epsilon(5e-3));
  problem.friction = 0.3;
  const TubeOutcome found = search_tube(problem);
  REQUIRE(found.found);
  check_at_rest(found.shapes[0]);
  CHECK(found.shapes[0].insertion_force == doctest::Approx(std::exp(0.3 * std::numbers::pi / 2)).epsilon(1e-2));
}

TEST_CASE("a square section holds the beam on its faces; a turned tip is twisted") {
  TubeProblem problem = straight_tube(Vec3(-150, 1, 0.5));
  problem.radius.clear();
  problem.section = {{-0.04, -0.04}, {0.04, -0.04}, {0.04, 0.04}, {-0.04, 0.04}};
  problem.up = Vec3::UnitY();
  problem.links = 24;
  problem.rings = 1;
  const TubeOutcome found = search_tube(problem);
  REQUIRE(found.found);
  check_at_rest(found.shapes[0]);
  CHECK(!found.shapes[0].contacts.empty());
  for (const Vec3& point : found.shapes[0].positions) {
    CHECK(std::abs(point[1]) < 0.04 + 1e-9);
    CHECK(std::abs(point[2]) < 0.04 + 1e-9);
  }
  problem.GJ = 0.8;
  problem.loads.front().turn = 2.0;
  const TubeOutcome turned = search_tube(problem);
  REQUIRE(turned.found);
  check_at_rest(turned.shapes[0]);
  CHECK(turned.shapes[0].torque == doctest::Approx(0.8 * turned.shapes[0].twist).epsilon(1e-9));
  CHECK(turned.shapes[0].twist > 0.5);
}

TEST_CASE("pruning is told, and what came to rest is at rest all the same") {
  TubeProblem problem = straight_tube(Vec3(-90, 0, 0));
  problem.rings = 2;
  problem.keep = 0;
  const TubeOutcome all = search_tube(problem);
  CHECK_FALSE(all.pruned);
  problem.keep = 200;
  const TubeOutcome some = search_tube(problem);
  CHECK(some.pruned);
  CHECK(some.visited < all.visited);
  REQUIRE(some.found);
  check_at_rest(some.shapes[0]);
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
  const TubeOutcome found = search_tube(problem);
  REQUIRE(found.found);
  check_at_rest(found.shapes[0]);
  CHECK(!found.rings.empty());
  problem.GJ = 0.7;
  problem.loads.front().turn = 1.5;
  const TubeOutcome turned = search_tube(problem);
  REQUIRE(turned.found);
  check_at_rest(turned.shapes[0]);
  problem.length = 50;
  CHECK(check_tube(problem)->path == "beam.length");
  problem.length = 0.9;
  problem.radius = {{0, -1}};
  CHECK(check_tube(problem)->path == "tube.radius");
}

}  // namespace filum::test_tube
