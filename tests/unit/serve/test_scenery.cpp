// Meshes that are looked at: part of the scene, undone, saved beside it.
#include "unit/serve/bench_rig.hpp"

#include <filum/scene_file.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace filum::test_scenery {

using test::Bench;
using test::Json;

namespace {

namespace fs = std::filesystem;

// A folder that is gone afterwards.
struct Folder {
  fs::path path = fs::temp_directory_path() / "filum-test-scenery";
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
};

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("a mesh that is dropped becomes scenery, which is moved, undone, renamed and removed") {
  Bench bench;
  bench.open();
  const std::uint64_t before = bench.hash();
  const auto added = bench.bench.add_mesh("../frame.OBJ", "v 0 0 0\n");
  REQUIRE(added.ok());
  CHECK(added->scenery == "frame");
  CHECK(added->mesh == "frame.OBJ");
  CHECK_FALSE(bench.bench.add_mesh("frame.exe", "x").ok());
  Json item = bench.scene()["scenery"][0];
  CHECK(item["mesh"] == "frame.OBJ");
  CHECK(item["bytes"] == 8);
  CHECK(item["address"].get<std::string>().starts_with("/api/meshes/"));
  bench.must({{"cmd", "place_scenery"}, {"name", "frame"}, {"position", {1, 2, 3}}, {"scale", 0.001}});
  CHECK(bench.scene()["scenery"][0]["position"] == Json({1.0, 2.0, 3.0}));
  bench.refused({{"cmd", "place_scenery"}, {"name", "frame"}, {"body", "none"}});
  bench.refused({{"cmd", "place_scenery"}, {"name", "frame"}, {"scale", 0}});
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["scenery"][0]["position"] == Json({0.0, 0.0, 0.0}));
  bench.must({{"cmd", "rename"}, {"kind", "scenery"}, {"name", "frame"}, {"to", "car"}});
  bench.must({{"cmd", "remove_scenery"}, {"name", "car"}});
  CHECK(bench.scene()["scenery"].empty());
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["scenery"][0]["address"] == item["address"]);
  // what is looked at moves nothing
  CHECK(bench.hash() == before);

  // another of the same name keeps apart
  REQUIRE(bench.bench.add_mesh("frame.OBJ", "v 1 1 1\n").ok());
  CHECK(bench.scene()["scenery"][1]["mesh"] == "frame 2.OBJ");
}

TEST_CASE("scenery goes with a body from where it is") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "add"},
              {"list", "bodies"},
              {"name", "wheel"},
              {"value", {{"box", {0.1, 0.1, 0.1}}, {"position", {1, 0, 0}}, {"motion", "driven"}}}});
  REQUIRE(bench.bench.add_mesh("rim.stl", "x").ok());
  bench.must({{"cmd", "place_scenery"}, {"name", "rim"}, {"position", {1, 0, 0.5}}});
  bench.must({{"cmd", "place_scenery"}, {"name", "rim"}, {"body", "wheel"}});
  CHECK(bench.scene()["scenery"][0]["position"] == Json({0.0, 0.0, 0.5}));
  bench.must({{"cmd", "remove_body"}, {"body", "wheel"}});
  CHECK(bench.scene()["scenery"][0]["body"] == "");
  CHECK(bench.scene()["scenery"][0]["position"] == Json({1.0, 0.0, 0.5}));
}

TEST_CASE("obstacles are renamed, follow the name of their body and go with it") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "add"},
              {"list", "bodies"},
              {"name", "wheel"},
              {"value", {{"box", {0.1, 0.1, 0.1}}, {"position", {1, 0, 0}}, {"motion", "driven"}}}});
  const auto add = [&](const char* name, const char* body) {
    Json value = {{"name", name}, {"sphere", {{"centre", {0, 0, -2}}, {"radius", 0.1}}}};
    if (*body != '\0') value["body"] = body;
    bench.must({{"cmd", "add"}, {"list", "obstacles"}, {"value", value}});
  };
  add("ball", "");
  add("hub", "wheel");
  bench.must({{"cmd", "rename"}, {"kind", "body"}, {"name", "wheel"}, {"to", "rim"}});
  CHECK(bench.scene()["obstacles"][1]["body"] == "rim");
  bench.must({{"cmd", "rename"}, {"kind", "obstacle"}, {"name", "ball"}, {"to", "stone"}});
  CHECK(bench.scene()["obstacles"][0]["path"] == "obstacles.stone");
  bench.refused({{"cmd", "rename"}, {"kind", "obstacle"}, {"name", "stone"}, {"to", "hub"}});
  bench.must({{"cmd", "remove_body"}, {"body", "rim"}});
  REQUIRE(bench.scene()["obstacles"].size() == 1);
  CHECK(bench.scene()["obstacles"][0]["name"] == "stone");
}

TEST_CASE("a saved scene has its meshes beside it, and finds them again") {
  const Folder folder;
  const std::string file = (folder.path / "scene.yaml").string();
  Bench bench;
  bench.open();
  REQUIRE(bench.bench.add_mesh("frame.obj", "v 0 0 0\n").ok());
  bench.must({{"cmd", "place_scenery"}, {"name", "frame"}, {"position", {0, 0, 1}}, {"scale", 0.001}});
  bench.must({{"cmd", "save"}, {"path", file}});
  CHECK(read(folder.path / "frame.obj") == "v 0 0 0\n");
  CHECK(read(file).find("mesh: frame.obj") != std::string::npos);
  CHECK(bench.state()["document"]["dirty"] == false);

  Bench other;
  other.must({{"cmd", "open"}, {"path", file}});
  Json item = other.scene()["scenery"][0];
  CHECK(item["scale"] == 0.001);
  CHECK(item["bytes"] == 8);
  const int id = std::stoi(item["address"].get<std::string>().substr(12));
  const auto opened = other.bench.meshes().open(id);
  REQUIRE(opened.ok());
  CHECK(*opened->bytes == "v 0 0 0\n");

  // without its file it is told, and the file that is dropped then is no new scenery
  fs::remove(folder.path / "frame.obj");
  CHECK(other.scene()["scenery"][0]["address"] == "");
  REQUIRE(other.bench.add_mesh("frame.obj", "v 2 2 2\n").ok());
  CHECK(other.scene()["scenery"].size() == 1);
  CHECK(other.scene()["scenery"][0]["bytes"] == 8);

  // a file of somebody else's is not overwritten unasked
  std::ofstream(folder.path / "frame.obj") << "other";
  CHECK(other.refused({{"cmd", "save"}}).find("another file") != std::string::npos);
  CHECK(read(folder.path / "frame.obj") == "other");
  other.must({{"cmd", "save"}, {"overwrite", true}});
  CHECK(read(folder.path / "frame.obj") == "v 2 2 2\n");
}

TEST_CASE("a cable that passes through a mesh is an alarm, until the mesh is moved, scaled or taken away") {
  Bench bench;
  bench.open();
  const auto alarmed = [&] {
    const Json state = bench.state();
    for (const Json& alarm : state["alarms"])
      if (alarm["name"] == "passes through") return alarm["violated"] == true;
    return false;
  };
  CHECK_FALSE(alarmed());
  // a wedge across the middle of the hose, in millimetres
  const Vec3 middle = bench.editor().pose().rods[0].position[8];
  const std::string wedge =
      "v 0 -50 -50\nv 5 -50 50\nv -5 -50 50\nv 0 50 -50\nv 5 50 50\nv -5 50 50\n"
      "f 1 2 3\nf 4 6 5\nf 1 4 5 2\nf 2 5 6 3\nf 3 6 4 1\n";
  REQUIRE(bench.bench.add_mesh("wedge.obj", wedge).ok());
  bench.must({{"cmd", "place_scenery"},
              {"name", "wedge"},
              {"scale", 0.001},
              {"position", {middle.x(), middle.y(), middle.z()}}});
  CHECK(alarmed());
  const auto checks = bench.must({{"cmd", "check"}})["checks"];
  CHECK(std::any_of(checks.begin(), checks.end(), [](const Json& check) { return check["violated"] == true; }));
  // a change of the text has the mesh still
  bench.must({{"cmd", "set"}, {"path", "title"}, {"value", "with a wedge"}});
  CHECK(alarmed());
  bench.must({{"cmd", "place_scenery"}, {"name", "wedge"}, {"position", {middle.x(), middle.y() + 1, middle.z()}}});
  CHECK_FALSE(alarmed());
  bench.must({{"cmd", "undo"}});
  CHECK(alarmed());
  bench.must({{"cmd", "place_scenery"}, {"name", "wedge"}, {"scale", 1e-6}});
  bench.must({{"cmd", "remove_scenery"}, {"name", "wedge"}});
  CHECK_FALSE(alarmed());
}

TEST_CASE("what can be undone holds no mesh, however often it was scaled") {
  Bench bench;
  bench.open();
  REQUIRE(bench.bench.add_mesh("flap.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").ok());
  std::vector<std::weak_ptr<const geometry::MeshSurface>> seen;
  for (const double scale : {1.0, 2.0, 3.0}) {
    bench.must({{"cmd", "place_scenery"}, {"name", "flap"}, {"scale", scale}});
    seen.emplace_back(bench.editor().scene().scenery[0].surface);
    CHECK(!seen.back().expired());
  }
  CHECK(seen[0].expired());
  CHECK(seen[1].expired());
  bench.must({{"cmd", "undo"}});
  CHECK(seen[2].expired());
  CHECK(bench.editor().scene().scenery[0].surface != nullptr);
}

TEST_CASE("a mesh that is made solid holds the cable off, at rest, in the hand and when it is undone") {
  Bench bench;
  bench.open();
  const auto low = [&] {
    double z = 1;
    for (const Vec3& x : bench.editor().pose().rods[0].position) z = std::min(z, x.z());
    return z;
  };
  const double hangs = low();
  const std::uint64_t before = bench.hash();
  // a block in millimetres whose upper face is above where the hose hangs
  const std::string block =
      "v -500 -500 -100\nv 500 -500 -100\nv 500 500 -100\nv -500 500 -100\nv -500 -500 0\nv 500 -500 0\nv 500 500 0\n"
      "v -500 500 0\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  REQUIRE(bench.bench.add_mesh("block.obj", block).ok());
  const Vec3 middle = bench.editor().pose().rods[0].position[8];
  const double top = hangs + 0.01;
  bench.must(
      {{"cmd", "place_scenery"}, {"name", "block"}, {"scale", 0.001}, {"position", {middle.x(), middle.y(), top}}});
  CHECK(low() == hangs);
  bench.must({{"cmd", "set"}, {"path", "scenery.block.solid"}, {"value", true}});
  const double radius = bench.editor().pose().rods[0].outline[0].maxCoeff();
  CHECK(low() == doctest::Approx(top + radius).epsilon(1e-6));
  CHECK_FALSE(bench.editor().pose().contacts.empty());
  const Json state = bench.state();
  for (const Json& alarm : state["alarms"]) CHECK(alarm["violated"] == false);
  CHECK(state["solve"]["converged"] == true);

  // moved, and brought back bit by bit
  const std::uint64_t laid = bench.hash();
  bench.must({{"cmd", "place_scenery"}, {"name", "block"}, {"position", {middle.x(), middle.y(), top + 0.005}}});
  CHECK(low() == doctest::Approx(top + 0.005 + radius).epsilon(1e-6));
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == laid);
  bench.must({{"cmd", "undo"}});
  CHECK(bench.hash() == before);
  CHECK(
      bench.refused({{"cmd", "set"}, {"path", "scenery.block.friction"}, {"value", 0.3}}).find("only if it is solid") !=
      std::string::npos);
}

TEST_CASE("a solid mesh that is missing holds nothing off until it is given; the command line refuses it") {
  const Folder folder;
  const fs::path file = folder.path / "scene.yaml";
  const std::string text =
      std::string(test::kHose) + "scenery:\n  flap: {mesh: flap.obj, position: [0, 0, -5], solid: true}\n";
  std::ofstream(file) << text;
  const Result<Scene> read = read_scene(file.string());
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message.find("'flap' is solid") != std::string::npos);
  CHECK(read.error().line == std::count(text.begin(), text.end(), '\n'));
  Bench bench;
  bench.must({{"cmd", "open"}, {"path", file.string()}});
  CHECK_FALSE(bench.editor().simulated()->scenery[0].solid);
  CHECK(bench.scene()["scenery"][0]["address"] == "");
  CHECK(bench.bench.events_message(0).find("it holds nothing off") != std::string::npos);
  REQUIRE(bench.bench.add_mesh("flap.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").ok());
  CHECK(bench.editor().simulated()->scenery[0].solid);
  bench.must({{"cmd", "save"}});
  CHECK(read_scene(file.string()).ok());
}

}  // namespace filum::test_scenery
