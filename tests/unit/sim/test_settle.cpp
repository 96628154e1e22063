// Laying a cable by hand: a session that goes from equilibrium to equilibrium.
#include <filum/edit.hpp>
#include <filum/modes.hpp>
#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <string>

namespace filum::test_settle {

namespace {

Scene cable(const std::string& formulation) {
  const Result<Scene> scene = parse_scene(R"(filum: 1
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, length: 0.5, segments: 60, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation]}
  - {name: b, rod: c, at: end, fix: [position, orientation]}
simulation: {formulation: )" + formulation + "}\n",
                                          "test");
  REQUIRE(scene.ok());
  return *scene;
}

double largest_distance(const RodPose& a, const RodPose& b) {
  REQUIRE(a.position.size() == b.position.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i)
    largest = std::max(largest, (a.position[i] - b.position[i]).norm());
  return largest;
}

}  // namespace

TEST_CASE("a hold moved by hand leads to the equilibrium that a solve of the moved scene finds") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(formulation);
    Scene scene = cable(formulation);
    Result<Session> session = Session::begin(scene);
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    for (int k = 1; k <= 10; ++k) {
      REQUIRE(session->move_hold("b", Vec3(0.4 - 0.01 * k, 0.02 * k, 0)).ok());
      REQUIRE(session->settle().converged);
    }
    scene.holds[1].position = Vec3(0.3, 0.2, 0);
    const Result<Outcome> direct = solve(scene);
    REQUIRE(direct.ok());
    const Pose pose = session->pose();
    CHECK(largest_distance(pose.rods[0], direct->states.back().pose.rods[0]) < 1e-7);
    CHECK((pose.holds[1].position - Vec3(0.3, 0.2, 0)).norm() < 1e-12);
    CHECK(session->time() == 0);
  }
}

TEST_CASE("clips are set and taken away, lengths typed, between two settlings") {
  Result<Session> session = Session::begin(cable("cosserat"));
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  const double sag = session->pose().rods[0].position[30].z();
  CHECK(sag < -0.05);
  Scene scene = session->scene();
  Hold clip;
  clip.name = "clip";
  clip.rod = "c";
  clip.at = {0.5, 0};
  clip.fix.position = kAllAxes;
  clip.position = Vec3(0.2, 0, 0);
  REQUIRE(edit::add_hold(scene, clip).ok());
  REQUIRE(session->edit(scene).ok());
  REQUIRE(session->settle().converged);
  CHECK((session->pose().holds[2].position - Vec3(0.2, 0, 0)).norm() < 1e-12);
  REQUIRE(edit::remove_hold(scene, "clip").ok());
  REQUIRE(session->edit(scene).ok());
  REQUIRE(session->settle().converged);
  CHECK(session->pose().rods[0].position[30].z() == doctest::Approx(sag).epsilon(1e-6));
  REQUIRE(edit::set_length(scene, "c", 0.6).ok());
  REQUIRE(session->edit(scene).ok());
  REQUIRE(session->settle().converged);
  CHECK(session->pose().rods[0].length == doctest::Approx(0.6).epsilon(1e-4));
  CHECK(session->pose().rods[0].position[30].z() < sag);
}

TEST_CASE("a session tells when a cable becomes too short, and by how much") {
  Result<Session> session = Session::begin(cable("cosserat"));
  REQUIRE(session.ok());
  REQUIRE(session->settle().converged);
  CHECK(session->take_events().empty());
  REQUIRE(session->move_hold("b", Vec3(0.6, 0, 0)).ok());
  REQUIRE(session->settle().converged);
  const std::vector<Event> events = session->take_events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].kind == EventKind::TooShort);
  CHECK(events[0].object == ObjectRef{ObjectKind::Rod, "c"});
  CHECK(events[0].value == doctest::Approx(0.1).epsilon(1e-3));
}

TEST_CASE("natural modes of a formulation that has none are refused") {
  const Result<ModesOutcome> heard = modes(cable("cosserat"), {});
  REQUIRE_FALSE(heard.ok());
  CHECK(heard.error().message.find("natural modes in the formulation cosserat") != std::string::npos);
}

TEST_CASE("a length that is typed does no work on a cable that is laid") {
  for (const char* formulation : {"kirchhoff", "cosserat"}) {
    CAPTURE(formulation);
    Result<Session> session = Session::begin(cable(formulation));
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    // shorter by a fifth: stretched for as long as it is not laid anew
    Scene scene = session->scene();
    REQUIRE(edit::set_length(scene, "c", 0.42).ok());
    REQUIRE(session->edit(scene).ok());
    REQUIRE(session->settle().converged);
    CHECK(session->pose().energy.work == 0);
    // nor does it in the motion that begins there
    for (int k = 0; k < 10; ++k) REQUIRE(session->step(1e-3).ok());
    CHECK(std::abs(session->pose().energy.work) < 1e-9);
  }
}

}  // namespace filum::test_settle
