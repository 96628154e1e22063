// Clips: pulled open by their load in the direction that is weak, at the instant it passes the strength, and catching.
#include "sim/clips.hpp"
#include "unit/live_session.hpp"

#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace filum::test_clips {

namespace {

Scene read(const std::string& text) {
  const auto scene = parse_scene(text, "clips");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// A bar along x, clamped at its start, in a clip at its middle, its end led along z (or y) by up to 0.1 m in a second.
std::string bar(const std::string& clip, const std::string& end = "[1, 0, 0.1]", const std::string& more = "") {
  return "filum: 1\ngravity: [0, 0, 0]\n"
         "sections: {bar: {shape: given, EA: 1e6, EI: [10, 10], GJ: 10, mass_per_length: 1, radius: 3 mm}}\n"
         "rods: {bar: {section: bar, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
         "holds:\n"
         "  - {name: clamp, rod: bar, at: start, fix: [position, orientation]}\n"
         "  - {name: clip, rod: bar, at: 0.5, fix: [position]" +
         clip +
         "}\n"
         "  - {name: end, rod: bar, at: end, fix: {position: [y, z]}}\n"
         "drivers: [{hold: end, path: [{t: 0, position: [1, 0, 0]}, {t: 1, position: " +
         end + "}]}]\n" + more;
}

const Event* find(const Outcome& outcome, EventKind kind) {
  const auto found = std::find_if(outcome.events.begin(), outcome.events.end(),
                                  [&](const Event& event) { return event.kind == kind; });
  return found == outcome.events.end() ? nullptr : &*found;
}

SolveOptions at_time(double t) {
  SolveOptions options;
  options.at = t;
  return options;
}

// What pulls at the clip at the end, N.
double pull_of(const Scene& scene, const Outcome& outcome) {
  return sim::clip_loads(scene, outcome.states.back().pose, 1).front().load;
}

// What pulls at the clip at a time if nothing lets go, N.
double load_at(double t) {
  const Scene scene = read(bar(", clip: {strength: {pull: 1000 kN}}"));
  const auto outcome = solve(scene, at_time(t));
  REQUIRE(outcome.ok());
  REQUIRE(outcome->solve.converged);
  return pull_of(scene, *outcome);
}

Outcome along_path(const std::string& clip, const std::string& end = "[1, 0, 0.1]",
                   const std::string& formulation = "kirchhoff") {
  SolveOptions options;
  options.path = 6;
  const auto outcome = solve(read(bar(clip, end, "simulation: {formulation: " + formulation + "}\n")), options);
  REQUIRE(outcome.ok());
  CHECK(outcome->solve.converged);
  return *outcome;
}

}  // namespace

TEST_CASE("clip: the load falls into its parts, outwards, sideways and along") {
  Scene scene = read(bar(", clip: {strength: {pull: 1 N, shear: 2 N, along: 4 N}}"));
  Pose pose = solve(scene)->states.back().pose;
  pose.holds[1].force = {-3, 5, -7};  // the hold on the rod; the rod on the clip: 3 along, 5 sideways, 7 up
  std::vector<sim::ClipLoad> loads = sim::clip_loads(scene, pose, 1);
  REQUIRE(loads.size() == 3);
  CHECK(loads[0].load == doctest::Approx(7));
  CHECK(loads[1].load == doctest::Approx(5));
  CHECK(loads[2].load == doctest::Approx(3));
  // pushed in, it bears
  pose.holds[1].force = {0, 0, 7};
  CHECK(sim::clip_loads(scene, pose, 1)[0].load == 0);
  // one that opens sideways
  scene.holds[1].axis = {0, 1, 0};
  pose.holds[1].force = {-3, -5, -7};
  loads = sim::clip_loads(scene, pose, 1);
  CHECK(loads[0].load == doctest::Approx(5));
  CHECK(loads[1].load == doctest::Approx(7));
}

TEST_CASE("clip on a path: it lets go where its load passes its strength, found to a thousandth of the path") {
  const double strength = load_at(0.634);
  const Outcome outcome = along_path(", clip: {strength: {pull: " + std::to_string(strength) + " N}}");
  const Event* popped = find(outcome, EventKind::Popped);
  REQUIRE(popped != nullptr);
  CHECK(popped->object == ObjectRef{ObjectKind::Hold, "clip"});
  CHECK(popped->t == doctest::Approx(0.634).epsilon(1e-3));
  CHECK(popped->value == doctest::Approx(strength).epsilon(2e-3));
  // closed before, open after
  CHECK_FALSE(outcome.states[3].pose.holds[1].popped);
  CHECK(outcome.states[4].pose.holds[1].popped);
  CHECK(outcome.states[5].pose.holds[1].force.norm() == 0);
  // the bar is then as if there were no clip
  const auto free = solve(read(bar(", clip: {strength: {pull: 0.001 N}}")), at_time(1));
  CHECK(free->states.back().pose.holds[1].force.norm() >
        strength);  // one equilibrium pulls nothing open: a check tells
  CHECK(std::any_of(free->checks.begin(), free->checks.end(),
                    [](const Check& check) { return check.kind == CheckKind::ClipPull && check.violated; }));
}

TEST_CASE("clip on a path: it holds below its strength, and a load across does not open it") {
  for (const std::string formulation : {"kirchhoff", "cosserat", "chain", "spline"}) {
    CAPTURE(formulation);
    const std::string up = "[1, 0, 0.1]";
    const auto pops = [&](const std::string& strength, const std::string& end) {
      return find(along_path(", clip: {strength: {" + strength + "}}", end, formulation), EventKind::Popped) != nullptr;
    };
    const std::string strong = ", clip: {strength: {pull: 1000 kN}}";
    const double most = pull_of(read(bar(strong)), along_path(strong, up, formulation));
    CHECK_FALSE(pops("pull: " + std::to_string(1.01 * most) + " N", up));
    CHECK(pops("pull: " + std::to_string(0.99 * most) + " N", up));
    // led sideways, and down: pressed into it
    CHECK_FALSE(pops("pull: 0.001 N", "[1, 0.1, 0]"));
    CHECK_FALSE(pops("pull: 0.001 N", "[1, 0, -0.1]"));
    CHECK(pops("shear: 1 N", "[1, 0.1, 0]"));
  }
}

TEST_CASE("clip in a run, in every formulation: it lets go at the step whose load passes its strength") {
  const double strength = load_at(0.5);
  for (const char* formulation : {"kirchhoff", "cosserat", "chain", "spline"}) {
    CAPTURE(formulation);
    const std::string more =
        std::string("simulation: {mode: dynamics, step: 1/240, end: 1, formulation: ") + formulation + "}\n";
    const auto ran = [&](const std::string& clip, const std::string& end = "[1, 0, 0.1]") {
      Scene scene = read(bar(", clip: {strength: {" + clip + "}}", end, more));
      // heavily damped: it follows its equilibria
      scene.rods[0].damping.mass = 60;
      const auto outcome = run(scene);
      REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
      REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
      return *outcome;
    };
    const Outcome torn = ran("pull: " + std::to_string(strength) + " N");
    const Event* popped = find(torn, EventKind::Popped);
    REQUIRE(popped != nullptr);
    CHECK(popped->value > strength);
    CHECK(popped->value < 1.1 * strength);
    CHECK(torn.states.back().pose.holds[1].popped);
    CHECK(torn.states.back().pose.holds[1].force.norm() == 0);
    // a load of 0.99 of its strength leaves it closed, and so does one across
    const double most = pull_of(read(bar(", clip: {strength: {pull: 1000 kN}}")), ran("pull: 1000 kN"));
    CHECK(find(ran("pull: " + std::to_string(most / 0.99) + " N"), EventKind::Popped) == nullptr);
    CHECK(find(ran("pull: 0.01 N", "[1, 0.1, 0]"), EventKind::Popped) == nullptr);
  }
}

TEST_CASE("clip: an open one catches the rod that comes near, holds it at its seat, and not again at once") {
  // a rope swings down into a clip
  Scene scene = read(R"(
filum: 1
sections: {rope: {shape: given, EA: 1e4, EI: [1e-3, 1e-3], GJ: 1e-3, mass_per_length: 0.1, radius: 3 mm}}
rods: {rope: {section: rope, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds:
  - {name: pin, rod: rope, at: start, fix: [position]}
  - {name: clip, rod: rope, at: end, fix: [], position: [0.3, 0, -0.5], axis: [-1, 0, 0], clip: {capture: {radius: 20 mm}}}
simulation: {mode: dynamics, step: 1/480, end: 1}
)");
  const auto outcome = run(scene);
  REQUIRE(outcome.ok());
  const Event* caught = find(*outcome, EventKind::Caught);
  REQUIRE(caught != nullptr);
  CHECK(caught->from.s > 0.5);
  const HoldPose& held = outcome->states.back().pose.holds[1];
  CHECK((held.position - Vec3(0.3, 0, -0.5)).norm() < 1e-9);
  CHECK(held.force.norm() > 0);
  CHECK_FALSE(held.popped);
  // so weak that it is torn open: it does not catch before the rope has gone away
  scene.holds[1].clip->strength.pull = 1e-6;
  scene.holds[1].clip->strength.shear = 1e-6;
  const auto torn = run(scene);
  REQUIRE(torn.ok());
  int events = 0;
  for (const Event& event : torn->events) events += event.kind == EventKind::Caught || event.kind == EventKind::Popped;
  CHECK(find(*torn, EventKind::Popped) != nullptr);
  CHECK(events < 10);
  // one that the rod crosses at another angle than it may does not catch
  scene.holds[1].clip->capture->passes = Vec3(0, 1, 0);
  const auto crossed = run(scene);
  CHECK(find(*crossed, EventKind::Caught) == nullptr);
}

// A bar that sags between two hands, above a clip that stands open: as one lays a cable into a clip by hand.
TEST_CASE("clip by hand, at rest: a cable that is laid into it snaps in, and out again when it is pulled") {
  for (const std::string formulation : {"kirchhoff", "cosserat", "spline"}) {
    CAPTURE(formulation);
    Scene scene =
        read("filum: 1\ngravity: [0, 0, 0]\nsimulation: {formulation: " + formulation +
             "}\n"
             "sections: {bar: {shape: given, EA: 1e5, EI: [0.5, 0.5], GJ: 0.5, mass_per_length: 0.1, radius: 3 mm}}\n"
             "rods: {bar: {section: bar, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
             "holds:\n"
             "  - {name: left, rod: bar, at: start, fix: [position]}\n"
             "  - {name: right, rod: bar, at: end, fix: {position: [y, z]}}\n"
             "  - {name: clip, rod: bar, at: 0.2, fix: [], position: [0.55, 0, -0.02], axis: [0, 0, 1],\n"
             "     clip: {strength: {pull: 2 N}, capture: {radius: 4 mm}}}\n");
    Session session = test::begun(scene);
    const auto lower_to = [&](double z) {
      test::must(session.move_hold("left", Vec3(0, 0, z)));
      test::must(session.move_hold("right", Vec3(1, 0, z)));
      REQUIRE(session.settle().converged);
      return session.take_events();
    };
    const auto count = [](const std::vector<Event>& events, EventKind kind) {
      return std::count_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; });
    };
    CHECK(count(lower_to(-0.010), EventKind::Caught) == 0);
    const std::vector<Event> caught = lower_to(-0.017);
    REQUIRE(count(caught, EventKind::Caught) == 1);
    const HoldPose held = session.pose().holds[2];
    CHECK((held.position - Vec3(0.55, 0, -0.02)).norm() < 1e-9);
    CHECK(held.s == doctest::Approx(0.55).epsilon(0.01));
    CHECK(held.force.norm() > 0);
    // lifted a little it holds, lifted further it lets go, and the bar lies straight between the hands again
    CHECK(count(lower_to(-0.012), EventKind::Popped) == 0);
    const std::vector<Event> popped = lower_to(0.05);
    REQUIRE(count(popped, EventKind::Popped) == 1);
    CHECK(count(popped, EventKind::Caught) == 0);
    CHECK(session.pose().rods[0].position[10].z() == doctest::Approx(0.05).epsilon(1e-6));
    // and catches it again
    CHECK(count(lower_to(-0.018), EventKind::Caught) == 1);
  }
}

TEST_CASE("clip: what it cannot do is refused with its place") {
  const auto error = [](const std::string& hold) {
    const auto scene = parse_scene(
        "filum: 1\nsections: {r: {shape: circle, radius: 3 mm}}\n"
        "materials: {m: {young: 1e9, poisson: 0.3, density: 1000}}\n"
        "rods: {r: {material: m, section: r, segments: 4, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
        "holds:\n  - " +
            hold + "\n",
        "clips");
    return scene.ok() ? std::string() : scene.error().text();
  };
  CHECK(error("{name: c, rod: r, at: 0.5, fix: [], clip: {capture: {radius: 5 mm}}}").find("has no position") !=
        std::string::npos);
  CHECK(error("{name: c, rod: r, at: 0.5, fix: [], clip: {strength: {pull: 5 N}}}").find("fixes nothing") !=
        std::string::npos);
  CHECK(error("{name: c, rod: r, at: 0.5, fix: [position], clip: {strength: {pull: -5 N}}}") != "");
  CHECK(error("{name: c, rod: r, at: 0.5, fix: [position], clip: {strenght: {pull: 5 N}}}").find("strenght") !=
        std::string::npos);
}

TEST_CASE("clip: where another hold has the rod there is no room for it, and the run goes on") {
  const auto outcome = run(read(R"(
filum: 1
sections: {rope: {shape: given, EA: 1e4, EI: [1e-2, 1e-2], GJ: 1e-2, mass_per_length: 0.1, radius: 3 mm}}
rods: {rope: {section: rope, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds:
  - {name: pin, rod: rope, at: start, fix: [position]}
  - {name: clip, rod: rope, at: 0.5, fix: [], position: [0, 0, 0], clip: {capture: {radius: 15 mm}}}
simulation: {mode: dynamics, step: 1/240, end: 0.1}
)"));
  REQUIRE(outcome.ok());
  CHECK(outcome->run->completed);
  CHECK(find(*outcome, EventKind::Caught) == nullptr);
  const Event* told = find(*outcome, EventKind::Told);
  REQUIRE(told != nullptr);
  CHECK(told->why.find("clip 'clip' cannot close") == 0);
  // and once only
  CHECK(std::count_if(outcome->events.begin(), outcome->events.end(),
                      [](const Event& event) { return event.kind == EventKind::Told; }) == 1);
}

namespace {

// A cable over an open clip at its middle, its end led down slowly, so that it is pushed into the clip's mouth.
std::string pushed(const std::string& force, const std::string& depth) {
  return "filum: 1\ngravity: [0, 0, 0]\n"
         "sections: {bar: {shape: given, EA: 1e5, EI: [0.5, 0.5], GJ: 0.5, mass_per_length: 0.2, radius: 3 mm}}\n"
         "rods: {bar: {section: bar, segments: 20, shape: {line: [[0, 0, 0], [1, 0, 0]]}, damping: {rayleigh: [30, "
         "0.01]}}}\n"
         "holds:\n"
         "  - {name: left, rod: bar, at: start, fix: [position, orientation]}\n"
         "  - {name: right, rod: bar, at: end, fix: {position: [y, z]}}\n"
         "  - {name: clip, rod: bar, at: 0.5, fix: [], position: [0.5, 0, -0.02], clip: {capture: {radius: 10 mm}" +
         force +
         "}}\n"
         "drivers: [{hold: right, path: [{t: 0, position: [1, 0, 0]}, {t: 8, position: [1, 0, -0.1]}, {t: 10, "
         "position: "
         "[1, 0, " +
         depth +
         "]}]}]\n"
         "simulation: {mode: dynamics, step: 1/240, end: 10}\n";
}

}  // namespace

TEST_CASE("a clip that asks for a push lets the rod rest in its mouth until the push is there") {
  // without: caught as soon as it is near
  const auto at_once = run(read(pushed("", "-0.1")));
  REQUIRE(at_once.ok());
  const Event* early = find(*at_once, EventKind::Caught);
  REQUIRE(early != nullptr);
  CHECK(early->value == 0);
  // with: later, by no less than was asked for
  const auto snapped = run(read(pushed(", insertion_force: 0.4 N", "-0.1")));
  REQUIRE(snapped.ok());
  const Event* late = find(*snapped, EventKind::Caught);
  REQUIRE(late != nullptr);
  CHECK(late->t > early->t + 0.2);
  CHECK(late->value >= 0.4);
  CHECK((snapped->states.back().pose.holds[2].position - Vec3(0.5, 0, -0.02)).norm() < 1e-3);
  // more than the hand gives, which then goes up again: it is free
  const auto missed = run(read(pushed(", insertion_force: 50 N", "0.1")));
  REQUIRE(missed.ok());
  CHECK(find(*missed, EventKind::Caught) == nullptr);
  const RodPose& rod = missed->states.back().pose.rods[0];
  CHECK(rod.position[rod.position.size() / 2].z() > 0.01);
}

}  // namespace filum::test_clips
