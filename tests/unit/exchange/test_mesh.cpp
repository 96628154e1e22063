// Meshes from files, and the scenes that are made of the tubes in them.
#include "exchange/mesh/tube_scene.hpp"
#include "io/mesh/mesh_read.hpp"

#include <filum/curve.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>

using namespace filum;
using namespace filum::exchange;
using namespace filum::io;

namespace {

// A straight tube of radius 4 along z, 100 long, and a box beside it.
MeshFile tube_and_box() {
  MeshFile mesh;
  constexpr int kSides = 12;
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2 * std::numbers::pi * k / kSides;
      mesh.points.emplace_back(4 * std::cos(angle), 4 * std::sin(angle), 100.0 * i);
    }
  for (int k = 0; k < kSides; ++k) {
    const int next = (k + 1) % kSides;
    mesh.triangles.push_back({k, next, kSides + next});
    mesh.triangles.push_back({k, kSides + next, kSides + k});
  }
  const int first = static_cast<int>(mesh.points.size());
  for (int i = 0; i < 8; ++i) mesh.points.emplace_back(i & 1 ? 8 : -8, i & 2 ? 8 : -8, i & 4 ? 112 : 97);
  for (const auto& [a, b, c, d] : std::array<std::array<int, 4>, 6>{
           {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}}}) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  }
  return mesh;
}

struct File {
  std::string path;
  File(const std::string& ending, const std::string& text)
      : path((std::filesystem::temp_directory_path() / ("filum-test-mesh-" + std::to_string(std::rand()) + ending))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~File() { std::filesystem::remove(path); }
};

std::string obj_text(const MeshFile& mesh) {
  std::string text;
  for (const Vec3& p : mesh.points)
    text += "v " + std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z()) + "\n";
  for (const auto& [a, b, c] : mesh.triangles)
    text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
  return text;
}

}  // namespace

TEST_CASE("an obj file becomes a scene: a rod, a connector that holds its end, assumptions marked") {
  const File file(".obj", obj_text(tube_and_box()));
  const auto mesh = read_mesh(file.path);
  REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : mesh.error().text()));
  CHECK(mesh->triangles.size() == 36);
  CHECK_FALSE(mesh->unit);
  CHECK(guessed_unit(*mesh) == 1e-3);
  const flexible::TubeTree tree = flexible::find_tubes(mesh->points, mesh->triangles);
  REQUIRE(tree.branches.size() == 1);
  FlexibleOptions options;
  options.unit = 1e-3;
  const FlexibleScene made = tube_scene(*mesh, tree, options, "loom");
  const auto scene = parse_scene(made.text, "loom.yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text() + made.text));
  REQUIRE(scene->rods.size() == 1);
  CHECK(scene->sections[0].section.radius == doctest::Approx(4e-3));
  CHECK(curve_length(scene->rods[0].shape) == doctest::Approx(0.1).epsilon(1e-5));
  REQUIRE(scene->bodies.size() == 1);
  CHECK((scene->bodies[0].box - Vec3(0.016, 0.016, 0.015)).norm() < 1e-6);
  REQUIRE(scene->holds.size() == 2);
  CHECK((scene->holds[0].body == "piece 1") != (scene->holds[1].body == "piece 1"));
  REQUIRE(made.pieces.size() == 1);
  CHECK(made.pieces[0].name == "loom-piece-1.obj");
  CHECK(made.text.find("# assumed: pvc") != std::string::npos);
}

TEST_CASE("inventor: face sets and strips within separators") {
  const std::string good = R"(#Inventor V2.1 ascii
# a comment
Separator {
  Material { diffuseColor [ 1 0 0 ] }
  Separator { Coordinate3 { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] } IndexedFaceSet { coordIndex [ 0, 1, 2, 3, -1 ] } }
  DEF part Separator {
    Coordinate3 { point [ 0 0 1, 1 0 1, 0 1 1, 1 1 1, 0 2 1 ] }
    IndexedTriangleStripSet { coordIndex [ 0, 1, 2, 3, 4, -1 ] }
  }
}
)";
  const auto mesh = parse_inventor(good, "a.iv");
  REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : mesh.error().text()));
  CHECK(mesh->points.size() == 9);
  CHECK(mesh->triangles.size() == 5);
  CHECK(mesh->triangles[2] == std::array{4, 5, 6});
  const auto moved = parse_inventor("#Inventor V2.1 ascii\nSeparator {\n Transform { translation 1 2 3 } }", "a.iv");
  REQUIRE_FALSE(moved.ok());
  CHECK(moved.error().line == 3);
  CHECK_FALSE(parse_inventor("#Inventor V2.1 binary\n", "a.iv").ok());
  CHECK_FALSE(parse_inventor(good.substr(0, good.size() / 2), "a.iv").ok());
}

TEST_CASE("meshes that are none are refused") {
  CHECK_FALSE(read_mesh("/nowhere/at/all.obj").ok());
  const File empty(".obj", "# nothing\n");
  CHECK_FALSE(read_mesh(empty.path).ok());
  const File other(".txt", "x");
  CHECK(read_mesh(other.path).error().message.find("expected a mesh") != std::string::npos);
  const File cut(".stl", std::string(80, ' ') + std::string("\x10\0\0\0", 4) + "short");
  CHECK_FALSE(read_mesh(cut.path).ok());
}
