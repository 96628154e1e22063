// Loads let go and taken up while they move: holds on free bodies, switched by keyframes and by hand.
#include "unit/chain/chain_rig.hpp"
#include "unit/live_session.hpp"

#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>

#include <algorithm>
#include <cmath>

namespace filum::test_attaching {

using namespace filum::test;

namespace {

constexpr double kGravity = 9.81;

const Fix kNothing{{false, false, false}, {false, false, false}};
const Fix kPosition{{true, true, true}, {false, false, false}};

Section steel_rope() {
  return wire(1e11, 0.01, 7850, 0.1);
}

// A tonne on 10 m of rope at 30°, stretched as its weight does it.
Scene swinging(const std::string& formulation = "chain") {
  Scene scene = pendulum(steel_rope(), 10, 20, 1000, 0.5, 10 * 1000 * kGravity / steel_rope().EA);
  scene.simulation.formulation = formulation;
  scene.simulation.step = kFrame;
  scene.holds[1].name = "hook";
  return scene;
}

void run(Session& session, int steps) {
  for (int k = 0; k < steps; ++k) REQUIRE_MESSAGE(session.step(), session.report().why);
}

double fastest(const RodPose& rod) {
  double most = 0;
  for (const Vec3& velocity : rod.velocity) most = std::max(most, velocity.norm());
  return most;
}

}  // namespace

TEST_CASE("a swinging load let go flies on its parabola with the momentum it had; the rope stays calm") {
  Session session = begun(swinging());
  run(session, 80);
  const BodyPose before = session.pose().bodies[0];
  REQUIRE(before.velocity.norm() > 3);
  must(session.fix_hold("hook", kNothing));
  // letting go moves nothing
  const Pose let_go = session.pose();
  CHECK(let_go.bodies[0].position == before.position);
  CHECK(let_go.bodies[0].velocity == before.velocity);
  CHECK(let_go.holds[1].force.norm() == 0);
  for (int k = 1; k <= 60; ++k) {
    REQUIRE(session.step());
    // a step adds gravity, then moves: x = x₀ + k h v₀ + ½ k (k + 1) h² g, to rounding
    const BodyPose now = session.pose().bodies[0];
    const Vec3 parabola =
        before.position + k * kFrame * before.velocity - 0.5 * k * (k + 1) * kFrame * kFrame * kGravity * Vec3::UnitZ();
    CHECK((now.position - parabola).norm() < 1e-10);
    CHECK((now.spin - before.spin).norm() < 1e-12);
    // the free end springs back and swings on: no faster than it falls in its length and swung before
    CHECK(fastest(session.pose().rods[0]) < 2 * (before.velocity.norm() + std::sqrt(2 * kGravity * 10)));
  }
  // bare rope carries itself and no more: the turning adds up to twice its weight
  run(session, 120);
  const double weight = 10 * steel_rope().mass_per_length * kGravity;
  CHECK(session.pose().holds[0].force.norm() < 5 * weight);
}

TEST_CASE("a load taken up hangs where it was gripped, without a jump and without energy") {
  Session session = begun(swinging());
  must(session.fix_hold("hook", kNothing));
  run(session, 6);
  const Pose before = session.pose();
  const Vec3 apart = before.bodies[0].position - before.rods[0].position.back();
  REQUIRE(apart.norm() > 1e-3);
  must(session.fix_hold("hook", kPosition));
  const Pose tied = session.pose();
  CHECK(tied.bodies[0].position == before.bodies[0].position);
  CHECK(tied.rods[0].position == before.rods[0].position);
  CHECK(tied.energy.balance() == doctest::Approx(before.energy.balance()).epsilon(1e-12));
  // taken up, it swings: what the blow takes is gone, and nothing comes back
  const double start = before.energy.elastic + before.energy.gravity + before.energy.kinetic;
  double most = -1e300;
  double off = 0;
  for (int k = 0; k < 600; ++k) {
    REQUIRE(session.step());
    const Pose pose = session.pose();
    most = std::max(most, pose.energy.elastic + pose.energy.gravity + pose.energy.kinetic);
    const Vec3 now =
        pose.bodies[0].orientation.conjugate() * Vec3(pose.rods[0].position.back() - pose.bodies[0].position);
    off = std::max(off, (now + before.bodies[0].orientation.conjugate() * apart).norm());
  }
  // the stretch of half an element under three times the weight, and of the blow
  CHECK(off < 2e-3);
  // the energy that moves in the swing, m g L (1 − cos 0.5), ripples by a hundredth: symplectic Euler
  CHECK(most - start < 0.02 * 1000 * kGravity * 10 * (1 - std::cos(0.5)));
}

TEST_CASE("gripped with its orientation a load keeps it against the rope's end") {
  Session session = begun(swinging());
  run(session, 60);
  const Pose before = session.pose();
  must(session.fix_hold("hook", {{true, true, true}, {true, true, true}}));
  CHECK(session.pose().holds[1].moment.norm() == 0);
  const auto turned = [](const Pose& pose) {
    return Quat(pose.bodies[0].orientation.conjugate() * pose.rods[0].frame.back());
  };
  double most = 0;
  for (int k = 0; k < 60; ++k) {
    run(session, 1);
    const Pose now = session.pose();
    // half an element of 0.5 m gives way by M ℓ/EI; the moment is that of the step before
    const double gives = now.holds[1].moment.norm() * 0.25 / steel_rope().EI[0];
    CHECK(turned(before).angularDistance(turned(now)) == doctest::Approx(gives).epsilon(0.05).scale(0.05));
    most = std::max(most, gives);
  }
  CHECK(most > 0.01);
}

TEST_CASE("a grip may change hands: what is let go and gripped in one instant goes on") {
  Session session = begun(swinging());
  Session twin = begun(swinging());
  run(session, 60);
  run(twin, 60);
  must(session.fix_hold("hook", kNothing));
  must(session.fix_hold("hook", kPosition));
  run(session, 60);
  run(twin, 60);
  // the pull is asked for anew, and the rope's stretch at the grip is lost: 1e-4 of the length
  CHECK((session.pose().bodies[0].position - twin.pose().bodies[0].position).norm() < 2e-3);
}

TEST_CASE("keyframes let go and take up a load in a scene file, in every formulation") {
  const std::string text = R"(filum: 1
sections: {r: {shape: given, EA: 1e6, EI: [1, 1], GJ: 1, mass_per_length: 0.4, radius: 5 mm}}
rods: {rope: {section: r, segments: 8, shape: {line: [[0, 0, 0], [2, 0, -2]]}}}
bodies: {load: {box: [0.4, 0.4, 0.4], mass: 100, position: [2, 0, -2.2], motion: free}}
holds:
  - {name: top, rod: rope, at: start, fix: [position]}
  - {name: hook, rod: rope, at: end, fix: [position], body: load}
drivers: [{hold: hook, path: [{t: 0}, {t: 0.305, fix: []}, {t: 0.4, fix: [position]}]}]
simulation: {mode: dynamics, step: 5 ms, end: 0.7}
)";
  for (const char* formulation : {"chain", "kirchhoff", "cosserat"}) {
    CAPTURE(std::string(formulation));
    Result<Scene> scene = parse_scene(text, "test");
    REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
    scene->simulation.formulation = formulation;
    std::vector<Snapshot> states;
    RunOptions options;
    options.frame = [&](const Snapshot& each) {
      states.push_back(each);
      return true;
    };
    Result<Outcome> outcome = filum::run(*scene, options);
    REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
    // a chain also tells that the rope went slack
    std::erase_if(outcome->events, [](const Event& event) { return event.kind == EventKind::WentSlack; });
    REQUIRE(outcome->events.size() >= 2);
    CHECK(outcome->events[0].kind == EventKind::LetGo);
    CHECK(outcome->events[0].object == ObjectRef{ObjectKind::Hold, "hook"});
    CHECK(outcome->events[1].kind == EventKind::FixesPosition);
    Vec3 given = Vec3::Zero();
    double largest = 0;
    for (const Snapshot& each : states) {
      // free between the two
      const double held = each.pose.holds[1].force.norm();
      if (each.t > 0.306 && each.t < 0.399) CHECK(held == 0);
      largest = std::max(largest, each.t > 0.4 ? held : 0);
      const Vec3 apart = each.pose.bodies[0].orientation.conjugate() *
                         Vec3(each.pose.rods[0].position.back() - each.pose.bodies[0].position);
      if (std::abs(each.t - 0.4) < 1e-6) given = apart;
      if (each.t > 0.4) CHECK((apart - given).norm() < 5e-3);
    }
    CHECK(given.norm() > 0.1);
    CHECK(largest > 500);
  }
}

TEST_CASE("a load let go on its way down lies on the floor, and the rope over its sheave goes on") {
  Scene scene = loads_over_wheel(steel_rope(), 100, 120, 0.02);
  scene.simulation.step = kFrame;
  for (Hold& hold : scene.holds) hold.name = hold.body;
  scene.obstacles = {floor_at(-7, 0.5)};
  Session session = begun(scene);
  run(session, 240);
  // the heavier one has come down
  const Pose down = session.pose();
  const double half = 0.5 * scene.bodies[1].box[2];
  REQUIRE(down.bodies[1].position[2] == doctest::Approx(-7 + half).epsilon(1e-3));
  must(session.fix_hold("right", kNothing));
  run(session, 30);
  const Pose later = session.pose();
  // it stays, and the other one draws the rope over the wheel
  CHECK((later.bodies[1].position - down.bodies[1].position).norm() < 1e-3);
  CHECK(later.bodies[0].position[2] < down.bodies[0].position[2] - 0.5);
  CHECK(fastest(later.rods[0]) < 20);
}

TEST_CASE("a load let go by a winch's rope is taken up again where it stands") {
  Scene scene = pendulum(steel_rope(), 10, 20, 1000, 0, 0.0125);
  scene.holds.erase(scene.holds.begin());
  scene.holds[0].name = "hook";
  scene.simulation.step = kFrame;
  scene.winches = {drum()};
  scene.obstacles = {floor_at(-11, 0.5)};
  Session session = begun(scene);
  // lowered onto the floor, and a little slack
  must(session.drive_winch("winch", 0.5));
  run(session, 120);
  must(session.drive_winch("winch", 0));
  must(session.fix_hold("hook", kNothing));
  run(session, 60);
  const Vec3 stands = session.pose().bodies[0].position;
  CHECK(stands[2] == doctest::Approx(-11 + 0.5 * scene.bodies[0].box[2]).epsilon(1e-3));
  must(session.fix_hold("hook", kPosition));
  must(session.drive_winch("winch", -0.5));
  run(session, 120);
  // the rope is as long as at first, and the load, which may have been gripped at any of its corners, hangs on it
  CHECK(session.pose().rods[0].position.back()[2] == doctest::Approx(-10).epsilon(0.01));
  CHECK(session.pose().bodies[0].position[2] - 0.5 * scene.bodies[0].box.norm() > -10.95);
  // it bounces on the rope: on the average of many bounces the winch bears its weight and the rope's
  double mean = 0;
  for (int k = 0; k < 120; ++k) {
    run(session, 1);
    mean += session.pose().winches[0].force / 120;
  }
  CHECK(mean == doctest::Approx(1006 * kGravity).epsilon(0.02));
}

TEST_CASE("of a hold on a free body only what it fixes can be driven") {
  Scene scene = swinging();
  Driver driver;
  driver.kind = DriverKind::Hold;
  driver.target = "hook";
  driver.path.resize(1);
  driver.path[0].position = Vec3::Zero();
  scene.drivers = {driver};
  const Result<Session> moved = Session::begin(scene);
  REQUIRE_FALSE(moved.ok());
  CHECK(moved.error().text().find("only 'fix' can be driven") != std::string::npos);
  scene.drivers[0].path[0].position.reset();
  scene.drivers[0].path[0].fix = Fix{{true, true, false}, {false, false, false}};
  CHECK_FALSE(Session::begin(scene).ok());
}

}  // namespace filum::test_attaching
