// The workbench without its network: hands, edits, undo to the last bit.
#include "unit/serve/bench_rig.hpp"

#include "rod/pose_at.hpp"

#include <filum/scene_file.hpp>

#include <filesystem>
#include <fstream>

namespace filum::test_editor {

using test::Bench;
using test::Json;

TEST_CASE("an empty bench invites and hurts nobody") {
  Bench bench;
  CHECK(bench.scene()["empty"] == true);
  CHECK(bench.state()["undo"]["depth"] == 0);
  CHECK(bench.refused({{"cmd", "play"}}).find("no cable") != std::string::npos);
  CHECK(bench.refused({{"cmd", "undo"}}) == "there is nothing to undo");
  for (const char* cmd : {"reset", "settle", "step", "keep", "redo"}) bench.refused({{"cmd", cmd}});
  bench.must({{"cmd", "check"}});
  const auto frame = bench.editor().frame(0);
  CHECK(frame->rods.empty());
}

TEST_CASE("a dragged hold takes the cable along; drop writes it down; undo and redo are exact") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  const Json taken = bench.must({{"cmd", "grab"}, {"hand", "mouse"}, {"hold", "far"}});
  CHECK(taken["kind"] == "hold");
  CHECK(taken["position"] == Json({0.4, 0.0, 0.0}));
  CHECK(bench.hash() == before);
  for (int k = 1; k <= 10; ++k)
    bench.must({{"cmd", "move"}, {"hand", "mouse"}, {"position", {0.4 - 0.01 * k, 0.005 * k, 0.0}}});
  CHECK((bench.end() - Vec3(0.3, 0.05, 0)).norm() < 1e-12);
  CHECK(bench.state()["grabbed"].size() == 1);
  CHECK(bench.must({{"cmd", "drop"}, {"hand", "mouse"}})["name"] == "far");
  CHECK(bench.state()["document"]["dirty"] == true);
  CHECK(bench.scene()["holds"][1]["position"] == Json({0.4 - 0.01 * 10, 0.005 * 10, 0.0}));
  CHECK((bench.end() - Vec3(0.3, 0.05, 0)).norm() < 1e-12);

  // the whole gesture is one thing
  const std::uint64_t after = bench.hash();
  CHECK(bench.state()["undo"]["label"] == "move hold 'far'");
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
  CHECK(bench.state()["document"]["dirty"] == false);
  bench.must({{"cmd", "redo"}});
  CHECK(bench.hash() == after);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
  CHECK(bench.state()["undo"]["label"] == "open example 'hose'");
}

TEST_CASE("a hold is turned and twisted, and keeps that when it is saved and opened") {
  Bench bench;
  bench.open();
  const Json taken = bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.35, 0, 0}}, {"turns", 0.5}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"turns", 1.25}});
  // some of the turns go into the shape: the rest is twist
  const double turns = bench.editor().pose().rods[0].turns;
  CHECK(turns > 1);
  CHECK(turns < 1.25);
  bench.must({{"cmd", "drop"}, {"hand", "m"}});
  CHECK(bench.editor().pose().rods[0].turns == doctest::Approx(turns).epsilon(1e-6));
  const std::string text = bench.must({{"cmd", "text"}})["text"];
  CHECK(text.find("# the wheel") != std::string::npos);
  CHECK(text.find("turns: 1.25") != std::string::npos);
  Bench again;
  again.must({{"cmd", "open"}, {"text", text}, {"name", "again"}});
  CHECK(again.editor().scene() == bench.editor().scene());
  CHECK(again.editor().pose().rods[0].turns == doctest::Approx(turns).epsilon(1e-6));
}

TEST_CASE("any point of a cable can be taken, moved, attached or let go") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  CHECK(bench.must({{"cmd", "grab"}, {"hand", "m"}, {"rod", "hose"}, {"s", 0.21}})["kind"] == "point");
  CHECK(bench.hash() == before);
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.2, 0.04, -0.02}}});
  CHECK(bench.scene()["hands"].size() == 1);
  const RodPose& rod = bench.editor().pose().rods[0];
  CHECK((rod::position_at(rod, 0.21) - Vec3(0.2, 0.04, -0.02)).norm() < 1e-9);

  SUBCASE("let go, it springs back") {
    bench.must({{"cmd", "drop"}, {"hand", "m"}});
    CHECK(bench.scene()["hands"].empty());
    CHECK(bench.scene()["holds"].size() == 2);
    CHECK((rod::position_at(bench.editor().pose().rods[0], 0.21) - Vec3(0.2, 0.04, -0.02)).norm() > 0.01);
    CHECK(bench.state()["document"]["dirty"] == false);
  }
  SUBCASE("attached, it stays") {
    const Json left = bench.must({{"cmd", "drop"}, {"hand", "m"}, {"attach", true}});
    CHECK(bench.scene()["holds"].size() == 3);
    CHECK(bench.scene()["holds"][2]["name"] == left["name"]);
    CHECK((rod::position_at(bench.editor().pose().rods[0], 0.21) - Vec3(0.2, 0.04, -0.02)).norm() < 1e-9);
  }
  SUBCASE("a page that goes away drops what it held") {
    bench.editor().leave(1);
    CHECK(bench.editor().hands().empty());
    CHECK(bench.scene()["holds"].size() == 2);
  }
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
}

TEST_CASE("what is attached while it plays holds from then on, and the start stays as it was") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "set"}, {"path", "simulation.mode"}, {"value", "dynamics"}});
  bench.must({{"cmd", "reset"}});
  const RodPose start = bench.editor().pose().rods[0];
  bench.must({{"cmd", "play"}});
  bench.editor().advance(0.02, 10);
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"rod", "hose"}, {"s", 0.21}});
  const Vec3 middle = rod::position_at(bench.editor().pose().rods[0], 0.21);
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {middle.x(), middle.y() + 10, middle.z()}}});
  for (int k = 0; k < 50; ++k) bench.editor().advance(0.02, 10);
  // a hand is not stronger than all that weighs and bends, by more than a step's give
  CHECK(bench.editor().pose().holds.back().force.norm() < 100);
  bench.must({{"cmd", "drop"}, {"hand", "m"}, {"attach", true}});
  CHECK(bench.scene()["holds"].size() == 3);
  bench.editor().advance(0.02, 10);
  CHECK(bench.editor().pose().holds[2].force.norm() > 0);
  bench.must({{"cmd", "reset"}});
  const RodPose again = bench.editor().pose().rods[0];
  for (const double s : {0.1, 0.21, 0.3})
    CHECK((rod::position_at(again, s) - rod::position_at(start, s)).norm() < 1e-6);
}

TEST_CASE("near a hold the hold is taken; a thing is in one hand at a time; a touch changes nothing") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  CHECK(bench.must({{"cmd", "grab"}, {"hand", "a"}, {"rod", "hose"}, {"s", 0.41}})["name"] == "far");
  CHECK(bench.refused({{"cmd", "grab"}, {"hand", "b"}, {"hold", "far"}}, 2).find("another hand") != std::string::npos);
  CHECK(bench.refused({{"cmd", "grab"}, {"hand", "a"}, {"hold", "near"}}).find("holds something") != std::string::npos);
  bench.must({{"cmd", "drop"}, {"hand", "a"}});
  bench.refused({{"cmd", "move"}, {"hand", "a"}, {"position", {0, 0, 0}}});
  CHECK(bench.hash() == before);
  CHECK(bench.state()["undo"]["depth"] == 1);
}

TEST_CASE("a released hold lets the cable fall, in motion") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "play"}});
  bench.editor().advance(1.0 / 60, 1.0);
  bench.must({{"cmd", "release"}, {"hold", "far"}});
  const double height = bench.end().z();
  for (int k = 0; k < 30; ++k) bench.editor().advance(1.0 / 60, 1.0);
  CHECK(bench.editor().time() == doctest::Approx(31.0 / 60));
  CHECK(bench.end().z() < height - 0.05);
  // it let go at that time: the start is as it was
  CHECK(bench.scene()["holds"].size() == 2);
  bench.must({{"cmd", "reset"}});
  CHECK(bench.editor().time() == 0);
  CHECK(bench.state()["playing"] == false);
  CHECK(bench.end().z() == doctest::Approx(height));
  // once more it falls by itself
  bench.must({{"cmd", "play"}});
  for (int k = 0; k < 30; ++k) bench.editor().advance(1.0 / 60, 1.0);
  CHECK(bench.end().z() < height - 0.05);
  bench.must({{"cmd", "pause"}});
  bench.must({{"cmd", "release"}, {"hold", "far"}});
  CHECK(bench.scene()["holds"].size() == 1);
  CHECK(bench.scene()["drivers"].empty());
}

TEST_CASE("a driven hold that is let go while it plays keeps its drive") {
  Bench bench;
  bench.open();
  const Json keys = {{{"t", 0}, {"position", {0.4, 0, 0}}}, {{"t", 2}, {"position", {0.3, 0, 0}}}};
  bench.must({{"cmd", "add"}, {"list", "drivers"}, {"value", {{"hold", "far"}, {"path", keys}}}});
  bench.must({{"cmd", "play"}});
  for (int k = 0; k < 30; ++k) bench.editor().advance(1.0 / 60, 1.0);
  const double height = bench.end().z();
  bench.must({{"cmd", "release"}, {"hold", "far"}});
  for (int k = 0; k < 30; ++k) bench.editor().advance(1.0 / 60, 1.0);
  CHECK(bench.end().z() < height - 0.05);
  CHECK(bench.scene()["holds"].size() == 2);
  CHECK(bench.scene()["drivers"][0]["keys"].size() == 3);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.end().z() == doctest::Approx(height));
  CHECK(bench.scene()["drivers"][0]["keys"].size() == 2);
}

TEST_CASE("what is moved while it plays is back after reset, unless it is kept") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "play"}});
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.38, 0.02, 0}}});
  for (int k = 0; k < 6; ++k) bench.editor().advance(1.0 / 60, 1.0);
  bench.must({{"cmd", "drop"}, {"hand", "m"}});
  CHECK((bench.end() - Vec3(0.38, 0.02, 0)).norm() < 1e-12);
  CHECK(bench.state()["document"]["dirty"] == false);
  SUBCASE("reset") {
    bench.must({{"cmd", "reset"}});
    CHECK((bench.end() - Vec3(0.4, 0, 0)).norm() < 1e-12);
  }
  SUBCASE("keep") {
    bench.must({{"cmd", "keep"}});
    bench.must({{"cmd", "reset"}});
    CHECK((bench.end() - Vec3(0.38, 0.02, 0)).norm() < 1e-12);
  }
}

TEST_CASE("steps, speed and undo of motion") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "set"}, {"path", "gravity"}, {"value", {0, 3, -9.81}}});
  bench.must({{"cmd", "step"}, {"n", 5}});
  const std::uint64_t five = bench.hash();
  bench.must({{"cmd", "step"}, {"n", 3}});
  const std::uint64_t eight = bench.hash();
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == five);
  bench.must({{"cmd", "step"}, {"n", 3}});
  CHECK(bench.hash() == eight);
  bench.refused({{"cmd", "step"}, {"n", 0}});
  bench.refused({{"cmd", "speed"}, {"speed", 0}});
  bench.must({{"cmd", "speed"}, {"speed", 0.5}});
  bench.must({{"cmd", "play"}});
  const double t = bench.editor().time();
  for (int k = 0; k < 8; ++k) bench.editor().advance(1.0 / 60, 1.0);
  CHECK(bench.editor().time() - t == doctest::Approx(4.0 / 60));
}

TEST_CASE("bodies are moved with what is held to them") {
  Bench bench;
  std::string text = test::kHose;
  text.replace(text.find("fix: [position, orientation]} # the wheel"), 28,
               "fix: [position, orientation], body: knuckle");
  text += "bodies: {knuckle: {box: [0.02, 0.02, 0.02], position: [0.41, 0, 0]}}\n";
  bench.must({{"cmd", "open"}, {"text", text}});
  const std::uint64_t before = bench.hash();
  CHECK(bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}})["kind"] == "body");
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.36, 0.05, 0}}});
  CHECK((bench.end() - Vec3(0.35, 0.05, 0)).norm() < 1e-12);
  bench.must({{"cmd", "drop"}, {"hand", "m"}});
  CHECK((bench.end() - Vec3(0.35, 0.05, 0)).norm() < 1e-12);
  CHECK(bench.scene()["bodies"][0]["position"] == Json({0.36, 0.05, 0.0}));
  // opened again it is the same
  Bench again;
  again.must({{"cmd", "open"}, {"text", bench.must({{"cmd", "text"}})["text"]}});
  CHECK((again.end() - Vec3(0.35, 0.05, 0)).norm() < 1e-9);
  bench.must({{"cmd", "place_body"}, {"body", "knuckle"}, {"position", {0.38, 0, 0}}});
  CHECK((bench.end() - Vec3(0.37, 0, 0)).norm() < 1e-12);
  bench.must({{"cmd", "undo"}});
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
}

TEST_CASE("a body goes no farther than its cables let it, if that is asked for") {
  Bench bench;
  std::string text = test::kHose;
  text.replace(text.find("fix: [position, orientation]} # the wheel"), 28,
               "fix: [position, orientation], body: knuckle");
  text += "bodies: {knuckle: {box: [0.02, 0.02, 0.02], position: [0.41, 0, 0]}}\n";
  bench.must({{"cmd", "open"}, {"text", text}});
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"body", "knuckle"}, {"reach", true}});
  CHECK_FALSE(bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.4, 0.05, 0}}}).contains("stopped"));
  const Json far = bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.9, 0.05, 0}}});
  REQUIRE(far.contains("stopped"));
  CHECK(far["stopped"].get<std::string>().find("too short") != std::string::npos);
  // a hose of 0.42 m and its limit of 60 N: with EA = 462 N it gives way by 13 %
  CHECK(bench.end().norm() < 1.14 * 0.42);
  bench.must({{"cmd", "drop"}, {"hand", "m"}});
  CHECK(bench.state()["solve"]["converged"] == true);
  CHECK((bench.end() - Vec3(bench.editor().scene().bodies[0].position - Vec3(0.01, 0, 0))).norm() < 1e-9);
}

TEST_CASE("a hand that pulls makes the cable longer, and shorter again") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}, {"pull", true}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.6, 0, 0}}});
  const auto length = [&] { return bench.editor().pose().rods[0].s.back(); };
  CHECK(length() == doctest::Approx(0.62));
  CHECK(bench.state()["solve"]["converged"] == true);
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.3, 0, 0}}});
  CHECK(length() == doctest::Approx(0.32));
  // driven so far: the simulated scene is the one that was compiled at first
  CHECK(bench.editor().simulated()->rods[0].length == 0.42);
  CHECK(bench.scene()["rods"][0]["length"] == 0.42);
  // written once it lets go
  bench.must({{"cmd", "drop"}, {"hand", "m"}});
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == doctest::Approx(0.32));
  CHECK(bench.editor().simulated()->rods[0].length == bench.editor().scene().rods[0].length);
  CHECK(length() == doctest::Approx(0.32));
  CHECK(parse_scene(bench.editor().document().text(), "hose")->rods[0].length == bench.editor().scene().rods[0].length);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == 0.42);
  CHECK(length() == 0.42);
}

TEST_CASE("a point that pulls and is attached is a hold where it was dropped") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"rod", "hose"}, {"s", 0.21}, {"pull", true}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.2, 0.1, 0}}});
  const double length = bench.editor().pose().rods[0].s.back();
  CHECK(length > 0.43);
  bench.must({{"cmd", "drop"}, {"hand", "m"}, {"attach", true}});
  const Scene& scene = bench.editor().scene();
  REQUIRE(scene.holds.size() == 3);
  CHECK(scene.holds[2].at.at(length) == doctest::Approx(0.5 * length));
  CHECK((*scene.holds[2].position - Vec3(0.2, 0.1, 0)).norm() < 1e-9);
  CHECK(*scene.rods[0].length == doctest::Approx(length));
  bench.must({{"cmd", "undo"}});
  CHECK(bench.editor().scene().holds.size() == 2);
  CHECK(bench.editor().scene().rods[0].length == 0.42);
}

TEST_CASE("what cannot be driven is pulled all the same") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "set"}, {"path", "simulation.stepper"}, {"value", "variational"}});
  bench.must({{"cmd", "grab"}, {"hand", "m"}, {"hold", "far"}, {"pull", true}});
  bench.must({{"cmd", "move"}, {"hand", "m"}, {"position", {0.6, 0, 0}}});
  CHECK(bench.editor().pose().rods[0].s.back() == doctest::Approx(0.62));
  bench.must({{"cmd", "drop"}, {"hand", "m"}});
  CHECK(bench.scene()["rods"][0]["length"].get<double>() == doctest::Approx(0.62));
}

TEST_CASE("a scene saved and opened again is the same") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "filum-test-serve";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "hose.yaml").string();
  std::filesystem::remove(path);
  Bench bench;
  bench.open();
  CHECK(bench.refused({{"cmd", "save"}}).find("no file yet") != std::string::npos);
  CHECK(bench.refused({{"cmd", "save"}, {"path", (folder / "hose.txt").string()}}).find(".yaml") != std::string::npos);
  bench.must({{"cmd", "set_length"}, {"rod", "hose"}, {"length", 0.45}});
  CHECK(bench.state()["document"]["dirty"] == true);
  bench.must({{"cmd", "save"}, {"path", path}});
  CHECK(bench.state()["document"]["dirty"] == false);
  const Result<Scene> scene = read_scene(path);
  REQUIRE(scene.ok());
  CHECK(*scene == bench.editor().scene());
  // undo does not forget where it was saved
  bench.must({{"cmd", "undo"}});
  CHECK(bench.state()["document"]["dirty"] == true);
  CHECK(bench.state()["document"]["path"] == path);
  bench.must({{"cmd", "save"}});
  Bench other;
  other.must({{"cmd", "open"}, {"path", path}});
  CHECK(other.editor().scene() == bench.editor().scene());
  other.must({{"cmd", "open"}, {"example", "hose"}});
  CHECK(other.say({{"cmd", "save"}, {"path", path}})["exists"] == true);
  CHECK_FALSE(other.say({{"cmd", "save"}, {"path", "hose.txt"}}).contains("exists"));
  other.must({{"cmd", "save"}, {"path", path}, {"overwrite", true}});
  std::filesystem::remove_all(folder);
}

}  // namespace filum::test_editor
