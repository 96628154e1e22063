// Rods that break: where the law says, by its sign, at the step that passes it, alike in every formulation; mass, momentum
// and shape are kept; what has parted is saved, gone on from and undone.
#include "sim/rupture.hpp"

#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace filum::test_rupture {

namespace {

const std::vector<std::string> kAll{"kirchhoff", "cosserat", "spline", "chain"};
const std::vector<std::string> kCut{"kirchhoff", "cosserat", "spline"};  // by compiling them anew

Scene read(const std::string& text) {
  const auto scene = parse_scene(text, "rupture");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// A bar of 1 m along x, held at its start, its end led along x by `speed`.
Scene bar(const std::string& formulation, double speed, const std::string& limits) {
  return read(
      "filum: 1\ngravity: [0, 0, 0]\n"
      "sections: {bar: {shape: given, EA: 1e5, EI: [1e3, 1e3], GJ: 1e3, mass_per_length: 0.1, radius: 1 mm}}\n"
      "rods: {bar: {section: bar, segments: 10, shape: {line: [[0, 0, 0], [1, 0, 0]]}, limits: {" +
      limits +
      "}}}\n"
      "holds:\n"
      "  - {name: start, rod: bar, at: start, fix: [position, orientation]}\n"
      "  - {name: end, rod: bar, at: end, fix: [position, orientation]}\n"
      "drivers: [{hold: end, path: [{t: 0, position: [1, 0, 0]}, {t: 1, position: [" +
      std::to_string(1 + speed) +
      ", 0, 0]}]}]\n"
      "simulation: {formulation: " +
      formulation + ", mode: dynamics, step: 1/100, end: 0.8}\n");
}

std::vector<Event> breaks(const Outcome& outcome) {
  std::vector<Event> found;
  for (const Event& event : outcome.events)
    if (event.kind == EventKind::Broke) found.push_back(event);
  return found;
}

Outcome run_of(const Scene& scene) {
  auto outcome = run(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  CHECK_MESSAGE(outcome->run->completed, outcome->run->why);
  return std::move(*outcome);
}

// Entries of a rod's pose between which there is none of it.
int gaps(const RodPose& rod) {
  int count = 0;
  for (std::size_t i = 1; i < rod.s.size(); ++i) count += rod.s[i] == rod.s[i - 1];
  return count;
}

}  // namespace

TEST_CASE("rupture: a bar breaks at the step in which it is stretched or pressed beyond what it bears, and says how") {
  for (const std::string& formulation : kAll) {
    CAPTURE(formulation);
    if (formulation == "cosserat") continue;  // it does not stretch
    const Outcome pulled = run_of(bar(formulation, 0.05, "breaking_strain: {tension: 0.02}"));
    REQUIRE(breaks(pulled).size() == 1);
    CHECK(breaks(pulled)[0].t == doctest::Approx(0.41).epsilon(0.03));
    CHECK(breaks(pulled)[0].why == "in tension");
    // a chain may break where it is held
    if (formulation != "chain") CHECK(gaps(pulled.states.back().pose.rods[0]) == 1);
    // nothing pulls at its holds any more
    CHECK(pulled.states.back().pose.holds[0].force.norm() < 200);
    const Outcome pressed = run_of(bar(formulation, -0.05, "breaking_strain: {tension: 0.02, compression: 0.015}"));
    REQUIRE(breaks(pressed).size() == 1);
    CHECK(breaks(pressed)[0].t == doctest::Approx(0.31).epsilon(0.04));
    CHECK(breaks(pressed)[0].why == "in compression");
    // not at 0.99 of it, and not by the other sign
    CHECK(breaks(run_of(bar(formulation, 0.0495 / 0.8, "breaking_strain: {tension: 0.05}"))).empty());
    CHECK(breaks(run_of(bar(formulation, -0.05, "breaking_strain: {tension: 0.001}"))).empty());
    // by its tension alike
    const Outcome torn = run_of(bar(formulation, 0.05, "breaking_tension: 2 kN"));
    REQUIRE(breaks(torn).size() == 1);
    CHECK(breaks(torn)[0].t == doctest::Approx(0.41).epsilon(0.03));
  }
}

TEST_CASE("rupture: bending breaks a rod where it is bent most, on the side that bears less") {
  // a cantilever whose tip is led sideways: most bent at its clamp
  const auto scene = [](const std::string& formulation, const std::string& limits) {
    return read(
        "filum: 1\ngravity: [0, 0, 0]\n"
        "materials: {glass: {young: 70 GPa, poisson: 0.2, density: 2500}}\n"
        "sections: {rod: {shape: circle, radius: 2 mm}}\n"
        "rods: {rod: {material: glass, section: rod, segments: 20, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}, limits: "
        "{breaking_strain: {" +
        limits +
        "}}, damping: {rayleigh: [20, 0]}}}\n"
        "holds:\n"
        "  - {name: clamp, rod: rod, at: start, fix: [position, orientation]}\n"
        "  - {name: tip, rod: rod, at: end, fix: {position: [z]}}\n"
        "drivers: [{hold: tip, path: [{t: 0, position: [0.5, 0, 0]}, {t: 1, position: [0.5, 0, 0.2]}]}]\n"
        "simulation: {formulation: " +
        formulation + ", mode: dynamics, step: 1/200, end: 0.6}\n");
  };
  for (const std::string& formulation : kAll) {
    CAPTURE(formulation);
    const Outcome outcome = run_of(scene(formulation, "tension: 0.002, compression: 0.1"));
    REQUIRE(breaks(outcome).size() >= 1);
    const Event first = breaks(outcome)[0];
    CHECK(first.why == "in tension");
    CHECK(first.from.s < 0.06);
    // 3 w c/L²: the motion is slow
    CHECK(first.t == doctest::Approx(0.002 * 0.25 / (3 * 0.002) / 0.2).epsilon(0.1));
    const Outcome other = run_of(scene(formulation, "tension: 0.1, compression: 0.002"));
    REQUIRE(breaks(other).size() >= 1);
    CHECK(breaks(other)[0].why == "in compression");
    if (formulation != "chain") CHECK(gaps(outcome.states.back().pose.rods[0]) >= 1);
  }
}

TEST_CASE("rupture: a spinning rod that tears in the middle keeps mass, momentum and energy") {
  for (const std::string& formulation : kCut) {
    CAPTURE(formulation);
    const Scene scene = read(
        "filum: 1\ngravity: [0, 0, 0]\n"
        "materials: {steel: {young: 200 GPa, poisson: 0.3, density: 7800}}\n"
        "sections: {rod: {shape: circle, radius: 2 mm}}\n"
        "rods: {rod: {material: steel, section: rod, segments: 16, shape: {line: [[0, 0, 0], [1, 0, 0]]}, velocity: "
        "[0, "
        "0, 3], spin: [0, 0, 20], limits: {breaking_tension: 4 N}}}\n"
        "simulation: {formulation: " +
        formulation + ", mode: dynamics, step: 1/400, end: 0.2}\n");
    const Outcome outcome = run_of(scene);
    const std::vector<Event> broke = breaks(outcome);
    REQUIRE(broke.size() == 1);
    CHECK(std::abs(broke[0].from.s - 0.5) <= 0.0626);
    const Pose& first = outcome.states.front().pose;
    const Pose& last = outcome.states.back().pose;
    CHECK((last.momentum - first.momentum).norm() < 1e-10 * first.momentum.norm());
    CHECK((last.angular_momentum - first.angular_momentum).norm() < 1e-8 * first.angular_momentum.norm());
    CHECK(last.energy.balance() == doctest::Approx(first.energy.balance()).epsilon(1e-6));
    CHECK(last.energy.dissipated > -1e-9 * first.energy.kinetic);
    // both halves fly on, each with its own centre and the spin that it had
    const RodPose& rod = last.rods[0];
    REQUIRE(gaps(rod) == 1);
    std::size_t half = 1;
    while (rod.s[half] != rod.s[half - 1]) ++half;
    const double apart = (rod.position[half] - rod.position[half - 1]).norm();
    CHECK(apart > 1);
    CHECK((rod.position.front() - rod.position[half - 1]).norm() == doctest::Approx(rod.s[half]).epsilon(1e-3));
    CHECK((rod.position.back() - rod.position[half]).norm() == doctest::Approx(1 - rod.s[half]).epsilon(1e-3));
    CHECK(rod.position.front().z() == doctest::Approx(0.6).epsilon(1e-3));
  }
}

TEST_CASE("rupture: what is left of a bent cable moves on alike in splines and in discrete rods") {
  // bent in the middle until it breaks there, in a short piece that is too short to part again: what snaps back is bent
  // further than it was (up to 1.43 times [Audoly2005]) and would break to pieces
  const auto scene = [](const std::string& formulation, int segments) {
    const std::string rod =
        "material: cable, section: round, normal: [0, 0, 1], damping: {rayleigh: [12, 0]}, segments: ";
    const std::string side = rod + std::to_string(segments) + ", shape: {line: ";
    return read(
        "filum: 1\n"
        "materials: {cable: {young: 5 GPa, poisson: 0.33, density: 5000}}\n"
        "sections: {round: {shape: circle, radius: 5.4 mm}}\n"
        "rods:\n"
        "  a: {" +
        side +
        "[[0, 0, 0], [0.95, 0, 0]]}}\n"
        "  w: {" +
        rod +
        "4, shape: {line: [[0.95, 0, 0], [1.05, 0, 0]]}, limits: {breaking_strain: {tension: 0.0105}}}\n"
        "  b: {" +
        side +
        "[[1.05, 0, 0], [2, 0, 0]]}}\n"
        "junctions:\n"
        "  - {name: left, rods: [{rod: a, at: end}, {rod: w, at: start}]}\n"
        "  - {name: right, rods: [{rod: w, at: end}, {rod: b, at: start}]}\n"
        "holds:\n"
        "  - {name: plug, rod: a, at: start, fix: [position]}\n"
        "  - {name: hand, rod: b, at: end, fix: {position: [y, z]}}\n"
        "forces: [{rod: w, at: 0.05, force: [0, 0, -20 N]}]\n"
        "drivers: [{force: 0, path: [{t: 0, scale: 0}, {t: 0.6, scale: 1}, {t: 0.62, scale: 1}, {t: 0.72, scale: "
        "0}]}]\n"
        "simulation: {formulation: " +
        formulation + ", mode: dynamics, step: 1/500, end: 0.752}\n");
  };
  const Outcome spline = run_of(scene("spline", 8));
  const Outcome kirchhoff = run_of(scene("kirchhoff", 40));
  for (const Outcome* outcome : {&spline, &kirchhoff}) {
    REQUIRE(breaks(*outcome).size() == 1);
    CHECK(breaks(*outcome)[0].t == doctest::Approx(0.552).epsilon(1e-9));
    CHECK(outcome->run->max_energy_error < 1e-6 * outcome->run->energy_scale);
  }
  // 0.2 s later, after half a metre of fall
  const Pose& one = spline.states.back().pose;
  const Pose& other = kirchhoff.states.back().pose;
  for (const std::size_t r : {0, 2})
    for (const bool end : {false, true}) {
      CAPTURE(r);
      const auto place = [&](const Pose& pose) {
        return end ? pose.rods[r].position.back() : pose.rods[r].position.front();
      };
      CHECK((place(one) - place(other)).norm() < 5e-3);
    }
}

TEST_CASE("rupture: strain that has yielded counts in full") {
  // bent by a turning end to four times first yield: its moment never reaches two
  const auto scene = [](const std::string& formulation, double strain) {
    return read(
        "filum: 1\ngravity: [0, 0, 0]\n"
        "materials: {copper: {young: 120 GPa, poisson: 0.34, density: 8930, yield: 120 MPa, hardening: 20 GPa}}\n"
        "sections: {wire: {shape: circle, radius: 1 mm}}\n"
        "rods: {wire: {material: copper, section: wire, segments: 12, normal: [0, 0, 1], shape: {line: [[0, 0, 0], "
        "[0.3, "
        "0, 0]]}, damping: {rayleigh: [200, 0]}, limits: {breaking_strain: {tension: " +
        std::to_string(strain) +
        "}}}}\n"
        "holds:\n"
        "  - {name: clamp, rod: wire, at: start, fix: [position, orientation]}\n"
        "  - {name: hand, rod: wire, at: end, fix: {orientation: true}}\n"
        "drivers: [{hold: hand, path: [{t: 0, orientation: {tangent: [1, 0, 0], normal: [0, 0, 1]}}, {t: 1, "
        "orientation: "
        "{tangent: [0.3624, 0, 0.9320], normal: [-0.9320, 0, 0.3624]}}]}]\n"
        "simulation: {formulation: " +
        formulation + ", mode: dynamics, step: 1/200, integrator: implicit-euler, end: 1}\n");
  };
  for (const std::string& formulation : kCut) {
    CAPTURE(formulation);
    // 1.2 rad on 0.3 m: 4 1/m, a strain of 0.004 = 4 first yields
    const std::vector<Event> broke = breaks(run_of(scene(formulation, 0.003)));
    REQUIRE(broke.size() >= 1);
    CHECK(broke[0].t == doctest::Approx(0.75).epsilon(0.1));
    CHECK(broke[0].value == doctest::Approx(0.003).epsilon(0.05));
    CHECK(breaks(run_of(scene(formulation, 0.006))).empty());
  }
}

TEST_CASE("rupture: saved, gone on from and played on in a session; statics only tells of it") {
  for (const std::string formulation : {"kirchhoff", "spline"}) {
    CAPTURE(formulation);
    Scene scene = bar(formulation, 0.05, "breaking_strain: {tension: 0.02}");
    const Outcome whole = run_of(scene);
    scene.simulation.end = 0.6;
    SavedState saved;
    RunOptions first;
    first.save = &saved;
    REQUIRE(run(scene, first).ok());
    scene.simulation.end = 0.8;
    RunOptions then;
    then.resume = &saved;
    const auto rest = run(scene, then);
    REQUIRE(rest.ok());
    CHECK(breaks(*rest).empty());
    const RodPose& a = whole.states.back().pose.rods[0];
    const RodPose& b = rest->states.back().pose.rods[0];
    REQUIRE(a.position.size() == b.position.size());
    for (std::size_t i = 0; i < a.position.size(); ++i) CHECK(a.position[i] == b.position[i]);
    // an edit leaves it parted
    auto session = Session::begin(scene);
    REQUIRE(session.ok());
    for (int k = 0; k < 60; ++k) REQUIRE(session->step().ok());
    REQUIRE(gaps(session->pose().rods[0]) == 1);
    scene.rods[0].damping.mass = 1;
    REQUIRE(session->edit(scene).ok());
    CHECK(gaps(session->pose().rods[0]) == 1);
    REQUIRE(session->step().ok());
    // at rest it is a limit like others
    SolveOptions options;
    options.at = 0.8;
    const auto rested = solve(scene, options);
    REQUIRE(rested.ok());
    CHECK(breaks(*rested).empty());
    CHECK(std::any_of(rested->checks.begin(), rested->checks.end(), [](const Check& c) {
      return c.kind == CheckKind::TensileStrain && c.violated && std::abs(c.value - 0.04) < 1e-4;
    }));
  }
}

}  // namespace filum::test_rupture
