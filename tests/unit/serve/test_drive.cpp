// Winches, trolleys and time on the bench: what is driven while it plays.
#include "unit/serve/bench_rig.hpp"

namespace filum::test_drive {

using test::Bench;
using test::Json;

namespace {

void play(Bench& bench, double seconds) {
  for (int k = 0; k < static_cast<int>(60 * seconds); ++k) bench.editor().advance(1.0 / 60, 1.0);
}

double length(Bench& bench) {
  return bench.editor().pose().rods[0].s.back();
}

}  // namespace

TEST_CASE("a cable is reeled out to a length, at a bounded speed, and nothing is compiled anew") {
  Bench bench;
  bench.open();
  CHECK(bench.refused({{"cmd", "reel"}, {"rod", "hose"}, {"length", 0.5}}).find("time stands still") !=
        std::string::npos);
  bench.must({{"cmd", "play"}});
  const std::uint32_t revision = bench.editor().revision();
  bench.must({{"cmd", "reel"}, {"rod", "hose"}, {"length", 0.5}, {"speed", 0.1}});
  double before = length(bench);
  double fastest = 0;
  for (int k = 0; k < 120; ++k) {
    bench.editor().advance(1.0 / 60, 1.0);
    fastest = std::max(fastest, (length(bench) - before) * 60);
    before = length(bench);
    if (k == 30) CHECK(bench.state()["reels"][0]["speed"].get<double>() == doctest::Approx(0.1));
  }
  CHECK(length(bench) == doctest::Approx(0.5));
  CHECK(fastest == doctest::Approx(0.1));
  CHECK(bench.state()["reels"].empty());
  CHECK(bench.editor().revision() == revision);
  CHECK(bench.scene()["rods"][0]["length"] == 0.42);

  // kept, it is the scene's; undone, it is as before it was reeled
  bench.must({{"cmd", "keep"}});
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == doctest::Approx(0.5));
  bench.must({{"cmd", "undo"}});
  bench.must({{"cmd", "undo"}});
  CHECK(length(bench) == doctest::Approx(0.42));
}

TEST_CASE("a reel without an end goes on until it is stopped, or its page has gone") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "play"}});
  bench.must({{"cmd", "reel"}, {"rod", "hose"}, {"speed", -0.1}}, 1);
  play(bench, 0.5);
  const double shorter = length(bench);
  CHECK(shorter < 0.39);
  bench.must({{"cmd", "reel"}, {"rod", "hose"}, {"speed", 0}}, 1);
  play(bench, 0.5);
  const double stopped = length(bench);
  play(bench, 0.2);
  CHECK(length(bench) == stopped);
  bench.must({{"cmd", "reel"}, {"rod", "hose"}, {"speed", 0.1}}, 1);
  play(bench, 0.2);
  bench.editor().leave(1);
  play(bench, 0.3);
  CHECK(bench.editor().reels().empty());
  bench.refused({{"cmd", "reel"}, {"rod", "none"}, {"speed", 1}});
}

TEST_CASE("a point of a cable that was paid out is taken where it is seen") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "play"}});
  bench.must({{"cmd", "reel"}, {"rod", "hose"}, {"length", 0.63}, {"speed", 1}});
  play(bench, 1);
  bench.must({{"cmd", "pause"}});
  const RodPose& rod = bench.editor().pose().rods[0];
  const Vec3 middle = rod.position[8];
  const Json taken = bench.must({{"cmd", "grab"}, {"hand", "m"}, {"rod", "hose"}, {"s", 0.21}});
  CHECK((Vec3(taken["position"][0], taken["position"][1], taken["position"][2]) - middle).norm() < 1e-9);
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", taken["position"]}});
  bench.must({{"cmd", "drop"}, {"hand", "m"}, {"attach", true}});
  CHECK(bench.scene()["holds"][2]["s"].get<double>() == doctest::Approx(0.21));
  CHECK((bench.editor().pose().holds[2].position - middle).norm() < 1e-6);
}

TEST_CASE("a body is led at a bounded speed while it plays, and at once while it is laid") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "add"},
              {"list", "bodies"},
              {"name", "trolley"},
              {"value", {{"box", {0.1, 0.1, 0.1}}, {"position", {1, 0, 0}}, {"motion", "driven"}}}});
  const auto x = [&] { return bench.editor().pose().bodies[0].position.x(); };
  bench.must({{"cmd", "grab"}, {"hand", "lever"}, {"body", "trolley"}});
  bench.must({{"cmd", "move"}, {"hand", "lever"}, {"position", {1.1, 0, 0}}, {"speed", 0.2}});
  CHECK(x() == doctest::Approx(1.1));
  bench.must({{"cmd", "play"}});
  bench.must({{"cmd", "move"}, {"hand", "lever"}, {"position", {1.3, 0, 0}}, {"speed", 0.2}});
  play(bench, 0.5);
  CHECK(x() > 1.15);
  CHECK(x() < 1.2);
  play(bench, 1);
  CHECK(x() == doctest::Approx(1.3));
  bench.refused({{"cmd", "move"}, {"hand", "lever"}, {"position", {1, 0, 0}}, {"speed", -1}});
}

TEST_CASE("another formulation goes on from the same state, in time and at rest") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "play"}});
  bench.must({{"cmd", "release"}, {"hold", "far"}});
  play(bench, 0.2);
  const Vec3 end = bench.end();
  const double t = bench.editor().time();
  bench.must({{"cmd", "formulation"}, {"formulation", "cosserat"}});
  CHECK(bench.end() == end);
  CHECK(bench.editor().time() == t);
  CHECK(bench.editor().playing());
  play(bench, 0.1);
  CHECK(bench.end().z() < end.z());
  bench.must({{"cmd", "undo"}});
  CHECK(bench.end() == end);
  CHECK(bench.scene()["simulation"]["formulation"] == "kirchhoff");
}

TEST_CASE("many steps at once leave a row each") {
  Bench bench;
  bench.open();
  (void)bench.editor().frame(1);
  bench.must({{"cmd", "step"}, {"n", 5}});
  (void)bench.editor().frame(1);
  const Json reply = bench.must({{"cmd", "history"}});
  REQUIRE(reply["rows"].size() == 6);
  for (std::size_t k = 1; k < 6; ++k) {
    CHECK(reply["rows"][k][1].get<double>() == doctest::Approx(static_cast<double>(k) / 60));
    CHECK(reply["rows"][k][0].get<double>() > reply["rows"][k - 1][0].get<double>());
  }
}

TEST_CASE("turns of the ends are told with where they went") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "place_hold"}, {"hold", "far"}, {"turns", 0.5}});
  const Json turns = bench.state()["turns"][0];
  CHECK(turns["rod"] == "hose");
  CHECK(turns["turns"].get<double>() == doctest::Approx(0.5));
  CHECK(turns["twist"].get<double>() + turns["writhe"].get<double>() == doctest::Approx(0.5).epsilon(1e-6));
  CHECK(std::abs(turns["remainder"].get<double>()) < 1e-6);
}

TEST_CASE("holds spread between held ends; what is made is told by name") {
  Bench bench;
  bench.open();
  const Json spread = bench.must({{"cmd", "spread_holds"}, {"rod", "hose"}, {"count", 3}});
  CHECK(spread["holds"] == Json({"clip 1", "clip 2", "clip 3"}));
  CHECK(bench.scene()["holds"][2]["s"].get<double>() == doctest::Approx(0.105));
  bench.must({{"cmd", "undo"}});
  const Json split = bench.must({{"cmd", "split"}, {"rod", "hose"}, {"at", "50 %"}, {"second", "tail"}});
  CHECK(split["second"] == "tail");
  CHECK(bench.scene()["junctions"][0]["name"] == split["junction"]);
  const Json cable = bench.must({{"cmd", "new_cable"}, {"from", {0, 0.2, 0}}, {"to", {0.3, 0.2, 0}}});
  const Json joined = bench.must(
      {{"cmd", "join"}, {"rods", {{{"rod", "hose"}, {"at", "50 %"}}, {{"rod", cable["rod"]}, {"at", "50 %"}}}}});
  CHECK(bench.scene()["junctions"][1]["name"] == joined["junction"]);
}

}  // namespace filum::test_drive
