// Who watches a computation may stop it wherever it looks up: it returns soon, says so, and what was there before stays.
#include "sim/formulations.hpp"
#include "sim/live/engine.hpp"

#include <filum/modes.hpp>
#include <filum/run.hpp>
#include <filum/scene_file.hpp>
#include <filum/session.hpp>
#include <filum/solve.hpp>

#include <doctest/doctest.h>

#include <string>

namespace filum::test_stopping {

namespace {

const std::string kCable = R"(filum: 1
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, length: 0.5, segments: 20, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation]}
  - {name: b, rod: c, at: end, fix: [position, orientation]}
)";
// Rope that lies on a floor, drawn far too long: it comes near as a soft one and settles.
const std::string kRope = R"(filum: 1
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, length: 0.5, segments: 8, shape: {line: [[0, 0, 0.1], [0.4, 0, 0.1]]}}}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
holds: [{name: a, rod: c, at: start, fix: [position]}, {name: b, rod: c, at: end, fix: [position]}]
simulation: {formulation: chain}
)";

Scene scene_of(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "test");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  return *scene;
}

// Stops at the look with this number and from then on.
struct Watcher {
  int stop_at = 0;
  int looks = 0;
  int looks_after = 0;  // since it has asked to stop
  Progress progress() {
    return [this](double share, const char*) {
      CHECK(share >= 0);
      CHECK(share <= 1);
      if (++looks < stop_at) return true;
      ++looks_after;
      return false;
    };
  }
};

constexpr int kMostLooks = 100000;
// A few searches ask again on their way out; none goes on.
constexpr int kSoon = 8;

// Stops `work` at every look, or at every `stride`th; it must leave what `bits` tells of as it was. How often it looks.
template <class Work, class Bits>
int stop_everywhere(int stride, const Bits& bits, const Work& work) {
  const auto before = bits();
  for (int stop_at = 1; stop_at < kMostLooks; stop_at += stride) {
    Watcher watcher{stop_at};
    const bool done = work(watcher.progress());
    if (done) {
      CHECK(watcher.looks_after == 0);
      return watcher.looks;
    }
    CAPTURE(stop_at);
    REQUIRE(watcher.looks >= stop_at);
    REQUIRE(watcher.looks_after <= kSoon);
    REQUIRE(bits() == before);
  }
  return kMostLooks;
}

}  // namespace

TEST_CASE("a settling that is stopped has not been, in every formulation") {
  for (const std::string& text :
       {kCable + "simulation: {formulation: kirchhoff}\n", kCable + "simulation: {formulation: cosserat}\n",
        kCable + "simulation: {formulation: chain}\n", kRope}) {
    CAPTURE(text);
    Result<Session> session = Session::begin(scene_of(text));
    REQUIRE(session.ok());
    REQUIRE(session->move_hold("b", Vec3(0.3, 0.1, 0.1)).ok());
    const int looks = stop_everywhere(
        1, [&] { return session->save().values; },
        [&](const Progress& progress) {
          session->watch(progress);
          const SolveReport report = session->settle();
          CHECK(report.stopped != report.converged);
          return report.converged;
        });
    CHECK(looks > 2);
    CHECK(looks < kMostLooks);
  }
}

TEST_CASE("a search for lengths that is stopped leaves lengths, shape and scene as they were") {
  // as a whole; in parts, which are compiled anew on the way; at a pull
  for (const char* rest : {"routing: [{rod: c, mode: self-finding, pull: 2 N}]\n",
                           "  - {name: m, rod: c, at: middle, fix: [position], position: [0.2, 0.1, 0]}\n"
                           "routing: [{rod: c, mode: self-finding, pull: 2 N}]\n",
                           "routing: [{rod: c, mode: pulled, from: 0.1, to: 0.4, pull: 1 N}]\n"}) {
    CAPTURE(std::string(rest));
    Result<Session> session = Session::begin(scene_of(kCable + rest + "simulation: {formulation: cosserat}\n"));
    REQUIRE(session.ok());
    REQUIRE(session->settle().converged);
    REQUIRE(session->move_hold("b", Vec3(0.45, 0.1, 0)).ok());
    const Scene scene = session->scene();
    const std::vector<FoundLength> lengths = session->lengths();
    const int looks = stop_everywhere(
        3, [&] { return session->save().values; },
        [&](const Progress& progress) {
          session->watch(progress);
          const bool done = session->settle().converged;
          if (done) return true;
          CHECK(session->scene() == scene);
          REQUIRE(session->lengths().size() == lengths.size());
          for (std::size_t k = 0; k < lengths.size(); ++k) CHECK(session->lengths()[k].length == lengths[k].length);
          return false;
        });
    CHECK(looks > 2);
    CHECK(looks < kMostLooks);
  }
}

TEST_CASE("a step in time that is stopped has not been taken") {
  for (const char* formulation : {"kirchhoff", "cosserat", "chain"}) {
    CAPTURE(formulation);
    // turned so fast that a step is split
    Scene scene = scene_of(
        kCable + "simulation: {mode: dynamics, step: 0.01, end: 1, formulation: " + std::string(formulation) + "}\n");
    Result<Session> session = Session::begin(scene);
    REQUIRE(session.ok());
    REQUIRE(session->step().ok());
    REQUIRE(session->twist_hold("b", 2).ok());
    const int looks = stop_everywhere(
        1, [&] { return session->save().values; },
        [&](const Progress& progress) {
          session->watch(progress);
          const Status taken = session->step();
          if (!taken) CHECK(taken.error().message == kStopped);
          return taken.ok();
        });
    CHECK(looks >= 8);
  }
}

TEST_CASE("a body on its way is where it came when it was stopped") {
  Scene scene = scene_of(R"(filum: 1
sections: {w: {shape: given, EA: 1e5, EI: [0.02, 0.02], GJ: 0.015, mass_per_length: 0.1, radius: 3 mm}}
rods: {c: {section: w, length: 0.5, segments: 20, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}}
bodies: {k: {box: [0.1, 0.1, 0.1], mass: 1, position: [0.4, 0, 0], motion: driven}}
holds:
  - {name: a, rod: c, at: start, fix: [position, orientation]}
  - {name: b, rod: c, at: end, fix: [position, orientation], body: k}
simulation: {formulation: cosserat}
)");
  for (int stop_at = 1; stop_at < 400; stop_at += 13) {
    Result<Session> session = Session::begin(scene);
    REQUIRE(session.ok());
    Watcher watcher{stop_at};
    session->watch(watcher.progress());
    const Result<ReachReport> report = session->move_body_within_reach("k", Vec3(0.7, 0, 0), Quat::Identity());
    if (report) break;
    CHECK(report.error().message == kStopped);
    CHECK(watcher.looks_after <= kSoon);
    session->watch({});
    CHECK(session->settle().converged);
  }
}

TEST_CASE("solve, run and modes return what they have when they are stopped") {
  const Scene scene = scene_of(kCable + "drivers: [{hold: b, path: [{t: 0}, {t: 1, turns: 1}]}]\n" +
                               "simulation: {formulation: kirchhoff, step: 0.01, end: 0.1}\n");
  bool whole = false;
  for (int stop_at = 1; !whole && stop_at < 200; ++stop_at) {
    Watcher watcher{stop_at};
    SolveOptions options;
    options.path = 3;
    options.progress = watcher.progress();
    const Result<Outcome> outcome = solve(scene, options);
    REQUIRE(outcome.ok());
    whole = watcher.looks_after == 0;
    CHECK(watcher.looks_after <= kSoon);
    CHECK(outcome->states.size() >= 1);
    CHECK(outcome->states.size() <= 3);
  }
  CHECK(whole);

  // within a step, which leaves the state before it, and between steps
  whole = false;
  for (int stop_at = 1; !whole && stop_at < 200; ++stop_at) {
    Watcher running{stop_at};
    RunOptions options;
    options.progress = running.progress();
    const Result<Outcome> outcome = run(scene, options);
    REQUIRE(outcome.ok());
    whole = running.looks_after == 0;
    CHECK(running.looks_after <= kSoon);
    CHECK(outcome->run->completed == whole);
    if (whole) break;
    CHECK(outcome->run->why == kStopped);
    CHECK(outcome->run->end == doctest::Approx(0.01 * (stop_at / 2)));
    CHECK(outcome->states.back().t == doctest::Approx(outcome->run->end));
  }
  CHECK(whole);

  whole = false;
  for (int stop_at = 1; !whole && stop_at < 200; ++stop_at) {
    Watcher watcher{stop_at};
    ModesOptions wanted;
    wanted.progress = watcher.progress();
    const Result<ModesOutcome> outcome = modes(scene, wanted);
    REQUIRE(outcome.ok());
    whole = watcher.looks_after == 0;
    CHECK(outcome->modes.empty() == !whole);
    CHECK(watcher.looks_after <= kSoon);
  }
  CHECK(whole);
}

}  // namespace filum::test_stopping
