// Contact of chains: bodies and ropes on things, at the fixed step.
#include "unit/chain/chain_rig.hpp"
#include "unit/live_session.hpp"

#include "geometry/shape.hpp"

#include <filum/session.hpp>

#include <algorithm>

namespace filum::test_touching {

using namespace test;

namespace {

constexpr double kGravity = 9.81;

Scene empty_scene() {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.simulation.formulation = "chain";
  scene.simulation.step = kFrame;
  return scene;
}

Body cube(const std::string& name, double mass, double side, const Vec3& position) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.box = Vec3::Constant(side);
  body.position = position;
  body.motion = BodyMotion::Free;
  body.solid = true;
  return body;
}

Obstacle post(const Vec3& from, const Vec3& to, double radius, double friction) {
  Obstacle made;
  made.name = "post";
  made.shape = ObstacleShape::Cylinder;
  made.from = from;
  made.to = to;
  made.radius = radius;
  made.friction = friction;
  return made;
}

Obstacle block(const Vec3& size, const Vec3& position, double friction) {
  Obstacle made;
  made.name = "block";
  made.shape = ObstacleShape::Box;
  made.size = size;
  made.position = position;
  made.friction = friction;
  return made;
}

double ledger(const Pose& pose) {
  return pose.energy.balance();
}

// A rope of 10 mm that bends like a stranded one.
Section soft_rope(double bend = 0.01) {
  return wire(1e11, 0.01, 7850, bend);
}

// A straight rope that falls.
Scene loose_rope(const Vec3& from, const Vec3& to, int segments) {
  Scene scene = one_rod(soft_rope(), from, to, segments);
  scene.gravity = {0, 0, -kGravity};
  scene.simulation.step = kFrame;
  return scene;
}

// Level, of 2 m, 1 m up, on its way down.
Scene thrown_down(double speed, int segments) {
  Scene scene = loose_rope({-1, 0, 1}, {1, 0, 1}, segments);
  scene.rods[0].velocity = {0, 0, -speed};
  return scene;
}

}  // namespace

TEST_CASE("a box on a slope stays for a minute below the limit, and slides as Coulomb has it above") {
  constexpr double kSlope = 0.4;
  for (const bool plane : {true, false}) {
    CAPTURE(plane);
    for (const double height : {0.2, 0.4}) {
      CAPTURE(height);
      Scene scene = empty_scene();
      scene.obstacles = {floor_at(0, 0.43, kSlope)};
      const Quat turned(Eigen::AngleAxisd(kSlope, Vec3::UnitY()));
      const Vec3 up = turned * Vec3::UnitZ();
      if (!plane) {
        scene.obstacles = {block({40, 40, 1}, -0.5 * up, 0.43)};
        scene.obstacles[0].orientation = turned;
      }
      Body body = cube("box", 10, 0.4, 0.5 * height * up);
      body.box[2] = height;
      body.orientation = turned;
      scene.bodies = {body};
      ChainRig sticks(scene);
      REQUIRE(sticks.run(60));
      const Vec3 settled = sticks.pose().bodies[0].position;
      CHECK((settled - body.position).norm() < 1e-4);
      REQUIRE(sticks.run(3540));
      CHECK((sticks.pose().bodies[0].position - settled).norm() < 1e-9);

      scene.obstacles[0].friction = 0.3;
      ChainRig slides(scene);
      const double start = ledger(slides.pose());
      REQUIRE(slides.run(120));
      const double expected = 2 * kGravity * (std::sin(kSlope) - 0.3 * std::cos(kSlope));
      CHECK(slides.pose().bodies[0].velocity.norm() == doctest::Approx(expected).epsilon(1e-2));
      // the box neither lifts nor turns
      CHECK(std::abs(slides.pose().bodies[0].position.dot(up) - 0.5 * height) < 1e-4);
      const double moved = 0.5 * 10 * expected * expected;
      CHECK(std::abs(ledger(slides.pose()) - start) < 0.01 * moved);
    }
  }
}

TEST_CASE("a cube that slides stops where Coulomb has it") {
  for (const double speed : {0.3, 3.0}) {
    CAPTURE(speed);
    Scene scene = empty_scene();
    scene.bodies = {cube("box", 2000, 0.8, {0, 0, 0.4})};
    scene.bodies[0].velocity = Vec3(speed, 0, 0);
    scene.obstacles = {floor_at(0, 0.4)};
    ChainRig rig(scene);
    const double start = ledger(rig.pose());
    REQUIRE(rig.run(120));
    CHECK(rig.pose().bodies[0].velocity.norm() < 1e-6);
    CHECK(rig.pose().bodies[0].position[0] == doctest::Approx(speed * speed / (0.8 * kGravity)).epsilon(0.05));
    CHECK(std::abs(ledger(rig.pose()) - start) < 0.01 * 1000 * speed * speed);
  }
}

TEST_CASE("what touches is told with its forces, and a state that is kept goes on to the same bits") {
  Scene scene = loose_rope({-1, 0, 0.005}, {1, 0, 0.005}, 10);
  scene.obstacles = {floor_at(0, 0.5)};
  scene.bodies = {cube("box", 40, 0.4, {0, 1, 0.2}), cube("upper", 20, 0.3, {0, 1, 0.56})};
  scene.bodies[1].friction = 0.4;
  scene.bodies[0].velocity = {1, 0, 0};
  ChainRig rig(scene);
  REQUIRE(rig.run(10));
  const std::vector<double> kept = rig.state().pack();
  REQUIRE(rig.run(5));
  const std::unique_ptr<State> again = rig.model().unpack(kept, rig.targets);
  REQUIRE(again);
  for (int k = 0; k < 5; ++k) REQUIRE(rig.model().step(rig.workspace(), *again, rig.targets, kFrame).usable);
  CHECK(again->pack() == rig.state().pack());
  // what no model has is refused
  std::vector<double> spoilt = kept;
  spoilt[3] += 1;
  CHECK_FALSE(rig.model().unpack(spoilt, rig.targets));

  REQUIRE(rig.run(200));
  Vec3 on_rope = Vec3::Zero();
  Vec3 on_boxes = Vec3::Zero();
  Vec3 on_upper = Vec3::Zero();
  double chafed = 0;
  for (const ContactPose& contact : rig.pose().contacts) {
    CHECK(contact.normal_force() > 0);
    CHECK(std::abs(contact.gap) < 1e-4);
    if (contact.a.rod >= 0) on_rope += contact.force;
    if (contact.a.body >= 0 && contact.b.obstacle == 0) on_boxes += contact.force;
    if (contact.a.body >= 0 && contact.b.body >= 0) on_upper += (contact.a.body == 1 ? 1 : -1) * contact.force;
    if (contact.a.body == 0) chafed += contact.chafing;
  }
  CHECK((on_rope - Vec3(0, 0, 2 * soft_rope().mass_per_length * kGravity)).norm() < 1e-3);
  CHECK((on_boxes - Vec3(0, 0, 60 * kGravity)).norm() < 1e-2);
  CHECK((on_upper - Vec3(0, 0, 20 * kGravity)).norm() < 1e-2);
  CHECK(chafed > 1);
}

TEST_CASE("a plate that is driven pushes a crate along the floor, and does the work") {
  Scene scene = loose_rope({0, 50, 2}, {1, 50, 2}, 2);
  scene.obstacles = {floor_at(0, 0.3)};
  // the rod elsewhere stays
  scene.holds = {grip(0, true), grip(1, true)};
  scene.obstacles[0].normal = Vec3::UnitZ();
  scene.bodies = {cube("crate", 30, 0.4, {0, 0, 0.2}), cube("plate", 1, 0.3, {-0.4, 0, 0.2})};
  scene.bodies[1].motion = BodyMotion::Driven;
  ChainRig rig(scene);
  const double start = rig.pose().energy.balance();
  for (int k = 0; k < 120; ++k) {
    rig.targets.bodies[1].position[0] = -0.4 + 0.5 * kFrame * (k + 1);
    REQUIRE(rig.step());
  }
  const Pose pose = rig.pose();
  // 5 cm apart to begin with
  CHECK(pose.bodies[0].position[0] == doctest::Approx(1 - 0.05).epsilon(0.02));
  CHECK(pose.bodies[0].velocity[0] == doctest::Approx(0.5).epsilon(0.02));
  const double rubbed = 0.3 * 30 * kGravity * 0.95;
  CHECK(pose.energy.work == doctest::Approx(rubbed).epsilon(0.1));
  CHECK(std::abs(pose.energy.balance() - start) < 0.01 * rubbed);
}

TEST_CASE("a ball rolls down a slope without slip, with five sevenths of the acceleration") {
  constexpr double kSlope = 0.2;
  Scene scene = empty_scene();
  scene.obstacles = {floor_at(0, 0.5, kSlope)};
  Body ball;
  ball.name = "ball";
  ball.shape = BodyShape::Sphere;
  ball.sphere = 0.1;
  ball.mass = 5;
  ball.motion = BodyMotion::Free;
  ball.solid = true;
  ball.position = 0.1 * Vec3(std::sin(kSlope), 0, std::cos(kSlope));
  scene.bodies = {ball};
  ChainRig rig(scene);
  REQUIRE(rig.run(120));
  const Pose pose = rig.pose();
  CHECK(pose.bodies[0].velocity.norm() == doctest::Approx(2 * 5.0 / 7 * kGravity * std::sin(kSlope)).epsilon(1e-2));
  CHECK(pose.bodies[0].spin.norm() * 0.1 == doctest::Approx(pose.bodies[0].velocity.norm()).epsilon(1e-3));
}

TEST_CASE("loads that are dropped come to rest on a block, a ball, a post, and make no energy") {
  for (const double height : {0.3, 3.0}) {
    CAPTURE(height);
    for (const int shape : {0, 1, 2}) {
      CAPTURE(shape);
      Scene scene = empty_scene();
      scene.obstacles = {block({2, 2, 0.5}, {0, 0, -0.25}, 0.5)};
      Body body = cube("load", 50, 0.3, {0.1, 0, height + 0.15});
      if (shape == 0) body.orientation = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 2, 0).normalized()));
      if (shape == 1) body.shape = BodyShape::Sphere, body.sphere = 0.15;
      if (shape == 2) {
        body.shape = BodyShape::Capsule;
        body.round = {0.1, 0.2};
        body.orientation = Quat(Eigen::AngleAxisd(1.2, Vec3::UnitY()));
      }
      scene.bodies = {body};
      ChainRig rig(scene);
      double top = ledger(rig.pose());
      const double start = top;
      for (int k = 0; k < 300; ++k) {
        REQUIRE(rig.step());
        top = std::max(top, ledger(rig.pose()));
      }
      const double moved = 50 * kGravity * height;
      // up to the ripple of falling
      CHECK(top - start < 0.01 * moved);
      CHECK(std::abs(ledger(rig.pose()) - start) < 0.01 * moved);
      const BodyPose& rest = rig.pose().bodies[0];
      CHECK(rest.velocity.norm() < 1e-3);
      CHECK(rest.position[2] > 0.09);
      CHECK(rest.position[2] < 0.16);
    }
  }
}

TEST_CASE("a rope slides off a post beyond the capstan's ratio and holds below it") {
  constexpr double kFriction = 0.2;
  const double ratio = std::exp(kFriction * std::numbers::pi);
  for (const double share : {0.97, 1.05}) {
    CAPTURE(share);
    Scene scene = empty_scene();
    scene.sections.push_back({"rope", soft_rope(0.001)});
    scene.materials.push_back({"steel", {}});
    Rod rod;
    rod.name = "rod";
    rod.section = "rope";
    constexpr double kRadius = 0.205;
    // over half a turn of the post
    for (int k = 0; k <= 4; ++k) rod.shape.points.push_back({-kRadius, 0, -1 + 0.25 * k});
    for (int k = 1; k < 32; ++k) {
      const double angle = std::numbers::pi * (1 - k / 32.0);
      rod.shape.points.push_back({kRadius * std::cos(angle), 0, kRadius * std::sin(angle)});
    }
    for (int k = 0; k <= 4; ++k) rod.shape.points.push_back({kRadius, 0, -0.25 * k});
    rod.segments = 120;
    scene.rods.push_back(rod);
    scene.obstacles = {post({0, -1, 0}, {0, 1, 0}, 0.2, kFriction)};
    const double light = 100;
    for (const bool right : {false, true}) {
      Body body = load(right ? light * ratio * share : light, Vec3(right ? kRadius : -kRadius, 0, -1));
      body.name = right ? "right" : "left";
      scene.bodies.push_back(body);
      scene.holds.push_back(grip(right ? 1 : 0, false, body.name));
    }
    ChainRig rig(scene);
    REQUIRE(rig.run(60));
    const double settled = rig.pose().bodies[1].position[2];
    REQUIRE(rig.run(120));
    const double moved = settled - rig.pose().bodies[1].position[2];
    if (share < 1) CHECK(std::abs(moved) < 1e-3);
    if (share > 1) CHECK(moved > 0.1);
  }
}

TEST_CASE("a rope hangs over a block's edge and stays outside") {
  Scene scene = loose_rope({-2, 0, 0.01}, {1, 0, 0.01}, 30);
  scene.obstacles = {block({2, 1, 1}, {-1, 0, -0.5}, 0.5)};
  scene.holds = {grip(0, false)};
  ChainRig rig(scene);
  const double start = ledger(rig.pose());
  for (int k = 0; k < 600; ++k) {
    REQUIRE(rig.step());
    const Pose pose = rig.pose();
    const auto& x = pose.rods[0].position;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
      CHECK(geometry::distance_from(geometry::Block{{2, 1, 1}, {-1, 0, -0.5}, Quat::Identity()},
                                    geometry::Segment{x[i], x[i + 1]})
                .value > 0.0045);
  }
  const Pose pose = rig.pose();
  CHECK(pose.rods[0].position.back()[2] < -0.85);
  CHECK(ledger(pose) - start < 1e-3);
}

TEST_CASE("nothing goes through a thin plate however fast it is") {
  for (const double speed : {20.0, 100.0, 400.0}) {
    CAPTURE(speed);
    Scene scene = thrown_down(speed, 10);
    Body body = cube("load", 5, 0.1, {0, 3, 1});
    body.velocity = {0, 0, -speed};
    body.spin = {3, 1, 2};
    scene.bodies = {body};
    scene.obstacles = {block({4, 20, 1e-3}, Vec3::Zero(), 0.3)};
    Session session = begun(scene);
    for (int k = 0; k < 60; ++k) {
      REQUIRE_MESSAGE(session.step(), session.report().why);
      for (const Vec3& x : session.pose().rods[0].position) CHECK(x[2] > 0);
      CHECK(session.pose().bodies[0].position[2] > 0.048);
    }
  }
}

TEST_CASE("a rope thrown across a bar hangs over it") {
  for (const double speed : {5.0, 60.0}) {
    CAPTURE(speed);
    // elements much longer than the bar is thick, which meets the middle of one
    Scene scene = thrown_down(speed, 11);
    scene.obstacles = {post({0, -1, 0}, {0, 1, 0}, 0.01, 1.0)};
    Session session = begun(scene);
    for (int k = 0; k < 12; ++k) {
      REQUIRE_MESSAGE(session.step(), session.report().why);
      const auto& x = session.pose().rods[0].position;
      const auto below = [](const Vec3& a, const Vec3& b) { return a[2] < b[2]; };
      CHECK(std::max_element(x.begin(), x.end(), below)->z() > -0.01);
    }
  }
}

TEST_CASE("three boxes stand on each other, and a fourth falls on them") {
  Scene scene = empty_scene();
  scene.obstacles = {floor_at(0, 0.5)};
  for (int k = 0; k < 3; ++k) {
    scene.bodies.push_back(cube("box " + std::to_string(k), 20 * (1 + k), 0.4, {0, 0, 0.2 + 0.4 * k}));
    scene.bodies.back().friction = 0.5;
  }
  ChainRig rig(scene);
  REQUIRE(rig.run(300));
  for (int k = 0; k < 3; ++k) {
    CHECK(std::abs(rig.pose().bodies[k].position[2] - (0.2 + 0.4 * k)) < 1e-3);
    CHECK(rig.pose().bodies[k].velocity.norm() < 1e-6);
    CHECK(rig.pose().bodies[k].orientation.angularDistance(Quat::Identity()) < 1e-3);
  }
  scene.bodies.push_back(cube("late", 30, 0.4, {0.05, 0.03, 2.4}));
  scene.bodies.back().friction = 0.5;
  ChainRig hit(scene);
  const double start = ledger(hit.pose());
  double top = start;
  for (int k = 0; k < 300; ++k) {
    REQUIRE(hit.step());
    top = std::max(top, ledger(hit.pose()));
  }
  CHECK(top - start < 0.01 * 30 * kGravity);
  CHECK(hit.pose().bodies[3].position[2] == doctest::Approx(1.4).epsilon(1e-2));
  CHECK(hit.pose().bodies[3].velocity.norm() < 1e-3);
}

TEST_CASE("two loads that meet in flight keep momentum and angular momentum") {
  Scene scene = empty_scene();
  // a rod that has nothing to do with it
  scene = one_rod(soft_rope(), {0, 50, 2}, {1, 50, 2}, 2);
  scene.simulation.step = kFrame;
  scene.bodies = {cube("a", 3, 0.3, {-1, 0.05, 0}), cube("b", 7, 0.4, {1, -0.04, 0.1})};
  scene.bodies[0].velocity = {4, 0, 0};
  scene.bodies[1].velocity = {-2, 0, 0};
  for (Body& body : scene.bodies) body.friction = 0.4;
  const auto momentum = [&](const Pose& pose) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 2; ++k) sum += scene.bodies[k].mass * pose.bodies[k].velocity;
    return sum;
  };
  Session rig = begun(scene);
  const Vec3 before = momentum(rig.pose());
  const double start = ledger(rig.pose());
  for (int k = 0; k < 60; ++k) REQUIRE_MESSAGE(rig.step(), rig.report().why);
  CHECK((momentum(rig.pose()) - before).norm() < 1e-9 * before.norm() + 1e-9);
  CHECK(rig.pose().bodies[0].velocity[0] < 0.5);
  CHECK(ledger(rig.pose()) - start < 1e-9 * 40);
}

TEST_CASE("a bar falls across two ropes that are held at both ends, and hangs in them") {
  Scene scene = empty_scene();
  scene.sections.push_back({"rope", soft_rope()});
  for (const bool second : {false, true}) {
    Rod rod;
    rod.name = second ? "right" : "left";
    rod.section = "rope";
    rod.segments = 40;
    rod.length = 4.2;
    const double y = second ? 0.15 : -0.15;
    rod.shape.points = {{-2, y, 0}, {2, y, 0}};
    scene.rods.push_back(rod);
    for (const double end : {0.0, 1.0}) {
      Hold hold = grip(end, false);
      hold.name += rod.name;
      hold.rod = rod.name;
      scene.holds.push_back(hold);
    }
  }
  Body bar;
  bar.name = "bar";
  bar.shape = BodyShape::Capsule;
  bar.round = {0.03, 0.5};
  bar.orientation = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitX()));
  bar.mass = 30;
  bar.position = {0, 0, 0.3};
  bar.motion = BodyMotion::Free;
  bar.solid = true;
  bar.friction = 0.3;
  scene.bodies = {bar};
  Session rig = begun(scene);
  const double start = ledger(rig.pose());
  for (int k = 0; k < 400; ++k) REQUIRE_MESSAGE(rig.step(), rig.report().why);
  const Pose pose = rig.pose();
  // by the sag of 4.2 m on a span of 4
  CHECK(pose.bodies[0].position[2] < -0.55);
  CHECK(pose.bodies[0].position[2] > -0.7);
  CHECK(std::abs(ledger(pose) - start) < 0.01 * 30 * kGravity);
  double borne = 0;
  for (const HoldPose& hold : pose.holds) borne += hold.force[2];
  CHECK(borne == doctest::Approx((30 + 2 * 4.2 * soft_rope().mass_per_length) * kGravity).epsilon(0.05));
}

TEST_CASE("a rope falls across another that is taut and hangs over it") {
  Scene scene = loose_rope({-1, 0, 0}, {1, 0, 0}, 20);
  scene.contact.rods = true;
  scene.contact.friction = 0.5;
  Rod rod = scene.rods[0];
  scene.holds = {grip(0, false), grip(1, false)};
  rod.name = "thrown";
  rod.damping.mass = 3;
  rod.segments = 21;
  rod.shape.points = {{0.02, -1, 0.3}, {0.02, 1, 0.3}};
  scene.rods.push_back(rod);
  Session rig = begun(scene);
  const double start = ledger(rig.pose());
  for (int k = 0; k < 240; ++k) {
    CAPTURE(k);
    REQUIRE_MESSAGE(rig.step(), rig.report().why);
  }
  const Pose pose = rig.pose();
  const auto& x = pose.rods[1].position;
  const auto below = [](const Vec3& a, const Vec3& b) { return a[2] < b[2]; };
  CHECK(std::max_element(x.begin(), x.end(), below)->z() > -0.05);
  CHECK(x.back()[2] < -0.6);
  CHECK(ledger(pose) - start < 0.01 * kGravity);
}

TEST_CASE("a rope let down onto the floor lies in wider loops the stiffer it is") {
  // what bends against its weight has the length (EI/w)^(1/3): twice as long for eight times the stiffness
  double reach[2] = {0, 0};
  for (const int k : {0, 1}) {
    CAPTURE(k);
    Scene scene = empty_scene();
    scene.contact.rods = true;
    scene.contact.friction = 0.3;
    Section rope = wire(1e8, 0.01, 1200, k == 0 ? 0.02 : 0.16);
    scene.sections.push_back({"rope", rope});
    Rod rod;
    rod.name = "rod";
    rod.section = "rope";
    rod.segments = 60;
    rod.damping.mass = 2;
    rod.shape.points = {{0, 0, 1.52}, {0.02, 0.01, 0.02}};
    scene.rods.push_back(rod);
    scene.obstacles = {floor_at(0, 0.5)};
    scene.holds = {grip(0, true)};
    Driver driver;
    driver.kind = DriverKind::Hold;
    driver.target = scene.holds[0].name;
    for (const bool end : {false, true}) {
      Keyframe frame;
      frame.t = end ? 4 : 0;
      frame.position = Vec3(0, 0, end ? 0.22 : 1.52);
      driver.path.push_back(frame);
    }
    scene.drivers = {driver};
    Session rig = begun(scene);
    const double start = ledger(rig.pose());
    double top = start;
    for (int step = 0; step < 300; ++step) {
      REQUIRE_MESSAGE(rig.step(), rig.report().why);
      top = std::max(top, ledger(rig.pose()));
    }
    const Pose pose = rig.pose();
    for (const Vec3& x : pose.rods[0].position) {
      CHECK(x[2] > 0.004);
      reach[k] = std::max(reach[k], x.head<2>().norm());
    }
    CHECK(top - start < 0.01 * 1.5 * rope.mass_per_length * kGravity * 1.3);
  }
  CHECK(reach[1] > 1.4 * reach[0]);
  CHECK(reach[1] < 3 * reach[0]);
}

}  // namespace filum::test_touching
