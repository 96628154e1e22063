// Tubes of a mesh in the workbench: found, made flexible in whole or in part, undone; harness data opened; its tables.
#include "unit/exchange/harness_samples.hpp"
#include "unit/serve/bench_rig.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace filum::test_mesh_commands {

using test::Bench;
using test::Json;

namespace {

struct Soup {
  std::string text;
  int points = 0;

  void ring_tube(const Vec3& from, const Vec3& along, double radius, double length) {
    constexpr int kSides = 12;
    const Vec3 t = along.normalized();
    const Vec3 u = t.unitOrthogonal();
    const Vec3 v = t.cross(u);
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < kSides; ++k) {
        const double angle = 2 * std::numbers::pi * k / kSides;
        const Vec3 p = from + i * length * t + radius * (std::cos(angle) * u + std::sin(angle) * v);
        text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
      }
    const auto face = [&](int a, int b, int c) {
      text += "f " + std::to_string(points + a + 1) + " " + std::to_string(points + b + 1) + " " +
              std::to_string(points + c + 1) + "\n";
    };
    for (int k = 0; k < kSides; ++k) {
      const int next = (k + 1) % kSides;
      face(k, next, kSides + next);
      face(k, kSides + next, kSides + k);
    }
    points += 2 * kSides;
  }
};

// A trunk along x from 0 to 400 mm, and a branch that leaves it at 200 mm along y, 200 mm long.
std::string tee() {
  Soup soup;
  soup.ring_tube({0, 0, 0}, Vec3::UnitX(), 5, 400);
  soup.ring_tube({200, 2, 0}, Vec3::UnitY(), 4, 198);
  return soup.text;
}

double length_of(const Json& scene, const std::string& rod) {
  for (const Json& each : scene["rods"])
    if (each["name"] == rod) return each["length"].get<double>();
  return 0;
}

}  // namespace

TEST_CASE("tubes of a dropped mesh: ends and bifurcations where they are drawn, all of them made flexible, undone") {
  Bench bench;
  bench.open();
  REQUIRE(bench.bench.add_mesh("tee.obj", tee()).ok());
  bench.must({{"cmd", "place_scenery"}, {"name", "tee"}, {"scale", 0.001}, {"position", {1, 2, 3}}});
  const Json found = bench.must({{"cmd", "find_tubes"}, {"scenery", "tee"}});
  REQUIRE(found["nodes"].size() == 4);
  REQUIRE(found["branches"].size() == 3);
  int ends = 0;
  for (const Json& node : found["nodes"]) {
    if (node["degree"] == 1) ++ends;
    if (node["degree"] != 3) continue;
    const Vec3 at(node["position"][0], node["position"][1], node["position"][2]);
    CHECK((at - Vec3(1.2, 2, 3)).norm() < 1e-4);
  }
  CHECK(ends == 3);

  const std::uint64_t before = bench.hash();
  const Json made = bench.must({{"cmd", "make_flexible"}, {"scenery", "tee"}});
  REQUIRE(made["rods"].size() == 3);
  Json scene = bench.scene();
  CHECK(scene["rods"].size() == 4);
  CHECK(scene["scenery"].empty());
  CHECK(scene["junctions"].size() == 1);
  CHECK(scene["holds"].size() == 5);
  std::vector<double> lengths;
  for (const Json& rod : made["rods"]) lengths.push_back(length_of(scene, rod.get<std::string>()));
  for (const double length : lengths) CHECK(length == doctest::Approx(0.2).epsilon(1e-3));
  // what there was keeps its name and its formulation
  CHECK(scene["rods"][0]["name"] == "hose");
  CHECK(scene["simulation"]["formulation"] == "kirchhoff");
  bench.must({{"cmd", "undo"}});
  CHECK(bench.scene()["scenery"].size() == 1);
  CHECK(bench.scene()["rods"].size() == 1);
  CHECK(bench.hash() == before);
  bench.must({{"cmd", "redo"}});
  CHECK(bench.scene()["rods"].size() == 4);
  // a second one of the same names
  REQUIRE(bench.bench.add_mesh("tee.obj", tee()).ok());
  bench.must({{"cmd", "place_scenery"}, {"name", "tee"}, {"scale", 0.001}});
  CHECK(bench.must({{"cmd", "make_flexible"}, {"scenery", "tee"}})["rods"][0] == "branch 4");
  CHECK(bench.scene()["rods"].size() == 7);
}

TEST_CASE("the way between two points of a mesh, and the rest of it as scenery that can be saved") {
  Bench bench;
  bench.must({{"cmd", "new"}});
  REQUIRE(bench.bench.add_mesh("tee.obj", tee()).ok());
  bench.must({{"cmd", "place_scenery"}, {"name", "tee"}, {"scale", 0.001}});
  CHECK(bench.refused({{"cmd", "make_flexible"}, {"scenery", "tee"}, {"from", {0.05, 0.005, 0}}}).find("go together") !=
        std::string::npos);
  CHECK(bench.refused({{"cmd", "make_flexible"}, {"scenery", "tee"}, {"from", {0.05, 0.005, 0}}, {"to", {9, 9, 9}}})
            .find("no tube at") != std::string::npos);
  CHECK(bench.scene()["scenery"].size() == 1);
  const Json made = bench.must(
      {{"cmd", "make_flexible"}, {"scenery", "tee"}, {"from", {0.05, 0.005, 0}}, {"to", {0.2, 0.12, 0.004}}});
  REQUIRE(made["rods"].size() == 2);
  const Json scene = bench.scene();
  CHECK(length_of(scene, made["rods"][0].get<std::string>()) == doctest::Approx(0.15).epsilon(2e-3));
  CHECK(length_of(scene, made["rods"][1].get<std::string>()) == doctest::Approx(0.12).epsilon(2e-3));
  CHECK(scene["simulation"]["formulation"] == "cosserat");
  REQUIRE(scene["scenery"].size() == 1);
  CHECK(scene["scenery"][0]["mesh"] == "tee-rest.obj");
  CHECK(scene["scenery"][0]["address"] != "");
}

TEST_CASE("what a body carries is held by it once it is flexible") {
  Bench bench;
  bench.open();
  bench.must({{"cmd", "add"},
              {"list", "bodies"},
              {"name", "unit"},
              {"value", {{"box", {0.1, 0.1, 0.1}}, {"position", {0, 0, 1}}, {"motion", "driven"}}}});
  REQUIRE(bench.bench.add_mesh("tee.obj", tee()).ok());
  bench.must({{"cmd", "place_scenery"}, {"name", "tee"}, {"scale", 0.001}, {"body", "unit"}});
  bench.must({{"cmd", "make_flexible"}, {"scenery", "tee"}, {"from", {0.05, 0.005, 0}}, {"to", {0.15, 0.005, 0}}});
  const Json scene = bench.scene();
  CHECK(scene["holds"][2]["body"] == "unit");
  REQUIRE(scene["scenery"].size() == 1);
  CHECK(scene["scenery"][0]["body"] == "unit");
  // the mesh is where it was: a metre below the unit
  CHECK(scene["scenery"][0]["position"][2] == doctest::Approx(-1));
}

TEST_CASE("a mesh without tubes, and one that is not there") {
  Bench bench;
  bench.open();
  REQUIRE(bench.bench.add_mesh("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").ok());
  CHECK(bench.must({{"cmd", "find_tubes"}, {"scenery", "flat"}})["branches"].empty());
  CHECK(bench.refused({{"cmd", "make_flexible"}, {"scenery", "flat"}}).find("no tube in this mesh") !=
        std::string::npos);
  CHECK(bench.refused({{"cmd", "find_tubes"}, {"scenery", "none"}}).find("no scenery 'none'") != std::string::npos);
  // what browsers do not read is read here, or refused as it is dropped
  const std::string inventor =
      "#Inventor V2.1 ascii\nSeparator { Coordinate3 { point [0 0 0, 1 0 0, 0 1 0] } FaceSet { numVertices [3] } }\n";
  REQUIRE(bench.bench.add_mesh("part.iv", inventor).ok());
  const std::string address = bench.scene()["scenery"][1]["address"];
  const auto drawn = bench.bench.meshes().drawn(std::stoi(address.substr(address.rfind('/') + 1)));
  REQUIRE(drawn.ok());
  CHECK(*drawn->bytes == "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  CHECK_FALSE(bench.bench.add_mesh("part.iv", inventor.substr(0, 60)).ok());
}

TEST_CASE("harness data are opened as a scene, or refused with file and line; its tables add up") {
  Bench bench;
  bench.open();
  const test::SampleHarness truth = test::random_harness(77, 12);
  CHECK_FALSE(bench.bench.open_harness("loom.kbl", "<KBL_container>\n<oops").ok());
  CHECK(bench.scene()["title"] == "Hose");
  REQUIRE(bench.bench.open_harness("loom.kbl", test::kbl_text(truth, test::Spelling::Unclamped)).ok());
  const Json scene = bench.scene();
  CHECK(scene["rods"].size() > 3);
  const Json tables = bench.must({{"cmd", "harness"}, {"extra", 0.1}, {"allowance", 0.02}, {"round", 0.005}});
  REQUIRE(tables["segments"].size() >= scene["rods"].size());
  double found = 0;
  for (const Json& row : tables["segments"]) {
    found += row["found"].get<double>();
    const double longer = 1.1 * row["found"].get<double>() + 0.02;
    CHECK(row["adapted"].get<double>() >= longer - 1e-9);
    CHECK(row["adapted"].get<double>() < longer + 0.005);
  }
  double lengths = 0;
  for (const Json& rod : scene["rods"]) lengths += rod["length"].get<double>();
  CHECK(found == doctest::Approx(lengths).epsilon(1e-9));
  CHECK(tables["clips"].size() == scene["holds"].size());
  CHECK(bench.refused({{"cmd", "harness"}, {"extra", "much"}}).find("'extra'") != std::string::npos);
}

}  // namespace filum::test_mesh_commands
