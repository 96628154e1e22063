// Meshes from files, and the scenes that are made of the tubes in them.
#include "exchange/mesh/flexibilise.hpp"

#include <filum/curve.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <sys/stat.h>

namespace filum::test_mesh {

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

Result<FlexibleScene> made_flexible(const MeshFile& mesh, const FlexibiliseRequest& request, const std::string& stem) {
  return flexibilise(tubes_in(mesh), request, stem);
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
  const auto made = made_flexible(*mesh, {}, "loom");
  REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : made.error().text()));
  REQUIRE(made->notes.size() == 1);
  CHECK(made->notes[0].find("taken to be in millimetres") != std::string::npos);
  const auto scene = parse_scene(made->text, "loom.yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text() + made->text));
  REQUIRE(scene->rods.size() == 1);
  CHECK(scene->sections[0].section.radius == doctest::Approx(4e-3));
  CHECK(curve_length(scene->rods[0].shape) == doctest::Approx(0.1).epsilon(1e-5));
  REQUIRE(scene->bodies.size() == 1);
  CHECK((scene->bodies[0].box - Vec3(0.016, 0.016, 0.015)).norm() < 1e-6);
  REQUIRE(scene->holds.size() == 2);
  CHECK((scene->holds[0].body == "piece 1") != (scene->holds[1].body == "piece 1"));
  REQUIRE(made->pieces.size() == 1);
  CHECK(made->pieces[0].name == "loom-piece-1.obj");
  CHECK(made->text.find("# assumed: pvc") != std::string::npos);
}

TEST_CASE("pieces of a soup have each of their points once, and all of their triangles") {
  const MeshFile whole = tube_and_box();
  MeshFile soup;
  for (const std::array<int, 3>& triangle : whole.triangles) {
    const int first = static_cast<int>(soup.points.size());
    for (const int corner : triangle) soup.points.push_back(whole.points[static_cast<std::size_t>(corner)]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const auto made = made_flexible(soup, {}, "loom");
  REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : made.error().text()));
  REQUIRE(made->pieces.size() == 1);
  const auto lines = [&](const std::string& begin) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = made->pieces[0].text.find(begin, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  CHECK(lines("\nv ") == 8);
  CHECK(lines("\nf ") == 12);
}

TEST_CASE("many pieces that hold nothing are one body, unless each is asked for; what holds an end stays a body") {
  MeshFile mesh = tube_and_box();
  constexpr int kLoose = 1050;
  for (int n = 0; n < kLoose; ++n) {
    // small blocks, far from each other and from the tube
    const int first = static_cast<int>(mesh.points.size());
    for (int corner = 0; corner < 8; ++corner)
      mesh.points.emplace_back(200 + 5 * n + (corner & 1), corner >> 1 & 1, corner >> 2);
    for (const std::array<int, 3>& t : {std::array{0, 1, 3},
                                        {0, 3, 2},
                                        {4, 5, 7},
                                        {4, 7, 6},
                                        {0, 1, 5},
                                        {0, 5, 4},
                                        {2, 3, 7},
                                        {2, 7, 6},
                                        {0, 2, 6},
                                        {0, 6, 4},
                                        {1, 3, 7},
                                        {1, 7, 5}})
      mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  const auto together = made_flexible(mesh, {}, "loom");
  REQUIRE_MESSAGE(together.ok(), (together.ok() ? "" : together.error().text()));
  CHECK(together->others == kLoose + 1);
  // the connector is a body of its own, the rest is another one that is drawn with its mesh
  REQUIRE(together->scene.bodies.size() == 2);
  const Body& others = together->scene.bodies[1];
  REQUIRE(together->scene.scenery.size() == 2);
  CHECK(together->scene.scenery[1].body == others.name);
  CHECK(together->scene.scenery[1].mesh == together->pieces[1].name);
  CHECK(std::any_of(together->scene.holds.begin(), together->scene.holds.end(),
                    [&](const Hold& hold) { return hold.body == together->scene.bodies[0].name; }));
  CHECK(together->notes.back().find("1050 pieces") != std::string::npos);
  REQUIRE(together->pieces.size() == 2);
  // no triangle lost or doubled, in metres where it was
  const File file(".obj", together->pieces[1].text);
  const auto rest = read_mesh(file.path);
  REQUIRE(rest.ok());
  CHECK(rest->triangles.size() == 12 * kLoose);
  double area = 0;
  double reach = 0;
  for (const auto& [a, b, c] : rest->triangles) {
    const auto at = [&](int k) { return rest->points[static_cast<std::size_t>(k)]; };
    area += (at(b) - at(a)).cross(at(c) - at(a)).norm() / 2;
    reach = std::max(reach, at(a).x() + others.position.x());
  }
  CHECK(area == doctest::Approx(6e-6 * kLoose).epsilon(1e-4));
  CHECK(reach == doctest::Approx(0.201 + 0.005 * (kLoose - 1)));
  CHECK(parse_scene(together->text, "loom.yaml").ok());

  FlexibiliseRequest each;
  each.every_piece = true;
  const auto apart = made_flexible(mesh, each, "loom");
  REQUIRE(apart.ok());
  CHECK(apart->scene.bodies.size() == kLoose + 1);
  CHECK(apart->pieces.size() == kLoose + 1);
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
  CHECK_FALSE(parse_inventor("#Inventor V2.1 binary\n", "a.iv").ok());
  CHECK_FALSE(parse_inventor(good.substr(0, good.size() / 2), "a.iv").ok());
}

TEST_CASE("inventor: what moves coordinates moves them, within its separator; nodes are used again") {
  const auto placed = [](const std::string& nodes) {
    const auto mesh = parse_inventor("#Inventor V2.1 ascii\n" + nodes, "a.iv");
    REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : mesh.error().text()));
    return *mesh;
  };
  const std::string face = " Coordinate3 { point [ 1 0 0, 0 2 0, 0 0 3 ] } FaceSet { numVertices 3 } ";
  CHECK((placed("Separator { Translation { translation 1 2 3 }" + face + "}").points[0] - Vec3(2, 2, 3)).norm() <
        1e-12);
  // turned by a right angle about z, then moved, as a Transform does it
  const MeshFile turned =
      placed("Separator { Transform { translation 5 0 0 rotation 0 0 1 1.5707963267948966 }" + face + "}");
  CHECK((turned.points[0] - Vec3(5, 1, 0)).norm() < 1e-12);
  CHECK((turned.points[1] - Vec3(3, 0, 0)).norm() < 1e-12);
  // the same by a matrix of rows, and about a centre
  const MeshFile rows =
      placed("Separator { MatrixTransform { matrix 0 1 0 0  -1 0 0 0  0 0 1 0  5 0 0 1 }" + face + "}");
  for (std::size_t i = 0; i < 3; ++i) CHECK((rows.points[i] - turned.points[i]).norm() < 1e-12);
  const MeshFile about = placed("Separator { Transform { scaleFactor 2 2 2 center 1 0 0 }" + face + "}");
  CHECK((about.points[0] - Vec3(1, 0, 0)).norm() < 1e-12);
  CHECK((about.points[1] - Vec3(-1, 4, 0)).norm() < 1e-12);
  // one after the other: the later one nearer to the points
  const MeshFile both =
      placed("Separator { Translation { translation 1 0 0 } Scale { scaleFactor 2 2 2 }" + face + "}");
  CHECK((both.points[0] - Vec3(3, 0, 0)).norm() < 1e-12);
  CHECK((placed("Separator { RotationXYZ { axis Z angle 1.5707963267948966 }" + face + "}").points[0] - Vec3(0, 1, 0))
            .norm() < 1e-12);
  // beyond a separator nothing of it holds; a group passes it on
  const MeshFile beyond = placed("Separator { Separator { Translation { translation 9 9 9 } }" + face + "}");
  CHECK(beyond.points[0] == Vec3(1, 0, 0));
  const MeshFile group = placed("Separator { Group { Translation { translation 1 1 1 } }" + face + "}");
  CHECK(group.points[0] == Vec3(2, 1, 1));
  const MeshFile again =
      placed("DEF part Separator {" + face + "} Separator { Translation { translation 0 0 9 } USE part }");
  REQUIRE(again.triangles.size() == 2);
  CHECK(again.points[3] == Vec3(1, 0, 9));
  CHECK(*placed("Units { units MILLIMETERS } Separator {" + face + "}").unit == 1e-3);
  // strips that are counted, coordinates as a property of the vertices
  const MeshFile strip = placed(
      "TriangleStripSet { vertexProperty VertexProperty { vertex [ 0 0 0, 1 0 0, 0 1 0, 1 1 0 ] } numVertices [ 4 ] }");
  CHECK(strip.triangles.size() == 2);
  // refused by name, with the line
  const auto elsewhere = parse_inventor("#Inventor V2.1 ascii\nSeparator {\n File { name \"other.iv\" } }", "a.iv");
  REQUIRE_FALSE(elsewhere.ok());
  CHECK(elsewhere.error().line == 3);
  CHECK(elsewhere.error().message == "not supported: File");
  CHECK_FALSE(parse_inventor("#Inventor V2.1 ascii\nUSE nothing", "a.iv").ok());
  // nodes that use themselves twofold, again and again, end in a message
  std::string bomb = "#Inventor V2.1 ascii\nDEF a0 Separator {" + face + "}\n";
  for (int i = 1; i < 60; ++i)
    bomb += "DEF a" + std::to_string(i) + " Separator { USE a" + std::to_string(i - 1) + " USE a" +
            std::to_string(i - 1) + " }\n";
  CHECK(parse_inventor(bomb, "a.iv").error().message.find("100 000 times") != std::string::npos);
}

TEST_CASE("glTF has y up: what is read has z up") {
  // one triangle, its corners in base64
  const std::string gltf = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,2,3]}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AACAPwAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAEBA"}]})";
  for (const auto& mesh : {parse_mesh(gltf, "a.gltf"), read_mesh(File(".gltf", gltf).path)}) {
    REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : mesh.error().text()));
    CHECK(mesh->unit == 1);
    REQUIRE(mesh->points.size() == 3);
    CHECK(mesh->points[1] == Vec3(0, 0, 2));
    CHECK(mesh->points[2] == Vec3(0, -3, 0));
  }
}

TEST_CASE("meshes that are none are refused") {
  CHECK_FALSE(read_mesh("/nowhere/at/all.obj").ok());
  const File empty(".obj", "# nothing\n");
  CHECK_FALSE(read_mesh(empty.path).ok());
  const File other(".txt", "x");
  CHECK(read_mesh(other.path).error().message.find("expected a mesh") != std::string::npos);
  // solids need a library: without it the package is named, with it this file has none
  const File solid(".step", "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n");
  const std::string why = read_mesh(solid.path).error().message;
  CHECK((why.find("libocct-data-exchange-dev") != std::string::npos || why.find("STEP file") != std::string::npos));
  const File cut(".stl", std::string(80, ' ') + std::string("\x10\0\0\0", 4) + "short");
  CHECK_FALSE(read_mesh(cut.path).ok());
}

TEST_CASE("files that a mesh names are read in its folder alone, and only if they are files") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("filum-test-gltf-" + std::to_string(std::rand()));
  fs::create_directories(folder / "in" / "deeper");
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::string bytes(reinterpret_cast<const char*>(corners), sizeof corners);
  for (const char* file : {"out.bin", "in/one.bin", "in/deeper/two.bin"})
    std::ofstream(folder / file, std::ios::binary) << bytes;
  REQUIRE(mkfifo((folder / "in/pipe.bin").c_str(), 0600) == 0);

  const auto with_buffer = [&](const std::string& uri) {
    std::ofstream(folder / "in/mesh.gltf") << R"({"asset": {"version": "2.0"}, "buffers": [{"byteLength": 36, "uri": ")"
                                           << uri << R"("}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
      "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
      "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}], "scenes": [{"nodes": [0]}],
      "scene": 0})";
    return read_mesh((folder / "in/mesh.gltf").string());
  };
  for (const std::string uri : {"one.bin", "deeper/two.bin"}) {
    const Result<MeshFile> mesh = with_buffer(uri);
    REQUIRE_MESSAGE(mesh.ok(), uri);
    CHECK(mesh->points.size() == 3);
    CHECK(mesh->triangles.size() == 1);
  }
  for (const std::string& uri : {std::string("../out.bin"), (folder / "out.bin").string(), std::string("pipe.bin"),
                                 std::string("/dev/zero"), std::string("none.bin")})
    CHECK_MESSAGE(!with_buffer(uri).ok(), uri);

  // a material that is none is no reason not to read the mesh, nor to wait for it
  std::ofstream(folder / "in/mesh.obj") << "mtllib pipe.bin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  CHECK(read_mesh((folder / "in/mesh.obj").string()).ok());
  fs::remove_all(folder);
}

TEST_CASE("between two points only: the rest stays a mesh beside the scene") {
  FlexibiliseRequest request;
  request.unit = 1e-3;
  request.between = std::pair(Vec3(4, 0, 20), Vec3(4, 0, 70));
  const auto made = made_flexible(tube_and_box(), request, "loom");
  REQUIRE_MESSAGE(made.ok(), (made.ok() ? "" : made.error().text()));
  const auto scene = parse_scene(made->text, "loom.yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text() + made->text));
  REQUIRE(scene->rods.size() == 1);
  CHECK(curve_length(scene->rods[0].shape) == doctest::Approx(0.05).epsilon(1e-6));
  CHECK(scene->holds.size() == 2);
  CHECK(scene->bodies.empty());
  REQUIRE(scene->scenery.size() == 1);
  CHECK(scene->scenery[0].mesh == "loom-rest.obj");
  REQUIRE(made->pieces.size() == 1);
  const File rest(".obj", made->pieces[0].text);
  const auto left = read_mesh(rest.path);
  REQUIRE(left.ok());
  const auto area = [](const MeshFile& mesh) {
    double sum = 0;
    const auto point = [&](int i) { return mesh.points[static_cast<std::size_t>(i)]; };
    for (const auto& [a, b, c] : mesh.triangles) sum += (point(b) - point(a)).cross(point(c) - point(a)).norm() / 2;
    return sum;
  };
  const double side = 12 * 2 * 4 * std::sin(std::numbers::pi / 12);
  CHECK(1e6 * area(*left) == doctest::Approx(area(tube_and_box()) - 50 * side).epsilon(1e-5));
  // refused: beside any tube, too near
  request.between = std::pair(Vec3(4, 0, 20), Vec3(90, 0, 70));
  CHECK(made_flexible(tube_and_box(), request, "loom").error().message.find("no tube at (90, 0, 70)") == 9);
  request.between = std::pair(Vec3(4, 0, 20), Vec3(4, 0, 21));
  CHECK(made_flexible(tube_and_box(), request, "loom").error().message.find("nearer than one radius") !=
        std::string::npos);
}

TEST_CASE("two points that are not connected are told so") {
  MeshFile mesh = tube_and_box();
  const MeshFile again = mesh;
  const int first = static_cast<int>(mesh.points.size());
  for (const Vec3& p : again.points) mesh.points.push_back(p + Vec3(50, 0, 0));
  for (const auto& [a, b, c] : again.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
  FlexibiliseRequest request;
  request.between = std::pair(Vec3(4, 0, 20), Vec3(54, 0, 70));
  const auto made = made_flexible(mesh, request, "loom");
  REQUIRE_FALSE(made.ok());
  CHECK(made.error().message.find("not connected") != std::string::npos);
}

namespace {

// A tube of 12 sides about a circle.
MeshFile torus(double large, double small) {
  MeshFile mesh;
  constexpr int kRings = 40;
  constexpr int kSides = 12;
  for (int i = 0; i < kRings; ++i)
    for (int k = 0; k < kSides; ++k) {
      const double along = 2 * std::numbers::pi * i / kRings;
      const double round = 2 * std::numbers::pi * k / kSides;
      const double out = large + small * std::cos(round);
      mesh.points.emplace_back(out * std::cos(along), out * std::sin(along), small * std::sin(round));
    }
  for (int i = 0; i < kRings; ++i)
    for (int k = 0; k < kSides; ++k) {
      const int a = i * kSides + k;
      const int b = i * kSides + (k + 1) % kSides;
      const int c = (i + 1) % kRings * kSides + (k + 1) % kSides;
      const int d = (i + 1) % kRings * kSides + k;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

void append(MeshFile& mesh, const MeshFile& other, const Vec3& by) {
  const int first = static_cast<int>(mesh.points.size());
  for (const Vec3& p : other.points) mesh.points.push_back(p + by);
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + first, b + first, c + first});
}

bool told(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("bad meshes: one clear message each, and part of one only if asked for") {
  // a block
  MeshFile block = tube_and_box();
  block.triangles.erase(block.triangles.begin(), block.triangles.begin() + 24);
  CHECK(made_flexible(block, {}, "x").error().message.find("there is no tube in this mesh") == 0);
  // a torus, alone and beside a tube
  CHECK(made_flexible(torus(50, 4), {}, "x").error().message.find("closed in itself") != std::string::npos);
  MeshFile beside = tube_and_box();
  append(beside, torus(50, 4), {200, 0, 0});
  FlexibiliseRequest request;
  CHECK(made_flexible(beside, request, "x").error().message.find("--partial") != std::string::npos);
  request.partial = true;
  const auto part = made_flexible(beside, request, "x");
  REQUIRE(part.ok());
  CHECK(part->scene.rods.size() == 1);
  CHECK(part->pieces.size() == 2);
  CHECK(told(part->notes, "closed in itself"));
  // edges of more than two triangles: a fin on the tube
  MeshFile fin = tube_and_box();
  fin.points.emplace_back(30, 0, 50);
  fin.triangles.push_back({0, 12, static_cast<int>(fin.points.size()) - 1});
  const auto finned = made_flexible(fin, {}, "x");
  REQUIRE_FALSE(finned.ok());
  CHECK(finned.error().message.find("more than two triangles") != std::string::npos);
  // every triangle twice, the other way round: told, and gone on with
  MeshFile twice = tube_and_box();
  for (const auto& [a, b, c] : tube_and_box().triangles) twice.triangles.push_back({c, b, a});
  const auto once = made_flexible(twice, {}, "x");
  REQUIRE(once.ok());
  CHECK(once->scene.rods.size() == 1);
  CHECK(told(once->notes, "36 triangles stand in it twice"));
  CHECK(once->pieces[0].text == made_flexible(tube_and_box(), {}, "x")->pieces[0].text);
  // tubes through each other
  MeshFile crossed = tube_and_box();
  MeshFile across = tube_and_box();
  for (Vec3& p : across.points) p = Vec3(p.z() - 50, p.y() + 2, p.x() + 50);
  append(crossed, across, Vec3::Zero());
  const auto through = made_flexible(crossed, {}, "x");
  REQUIRE(through.ok());
  CHECK(told(through->notes, "runs through branch"));
  // a unit that cannot be: a glTF file, which is in metres, written in millimetres
  MeshFile wrong = tube_and_box();
  wrong.unit = 1;
  CHECK(made_flexible(wrong, {}, "x").error().message.find("8 m thick") != std::string::npos);
  request.unit = 1e-3;
  CHECK(made_flexible(wrong, request, "x").ok());
}

TEST_CASE("the unit is guessed by how thick the tubes are, and told with what another one would make of it") {
  // as thick as 8 mm in each
  struct Kind {
    double scale;
    const char* told;
    double unit;
  };
  for (const Kind& each :
       {Kind{1, "in millimetres (--unit says otherwise; in inches they would be 203 mm thick)", 1e-3},
        Kind{1e-3, "in metres (", 1}, Kind{1 / 25.4, "in inches (", 0.0254}}) {
    CAPTURE(each.scale);
    MeshFile mesh = tube_and_box();
    for (Vec3& p : mesh.points) p *= each.scale;
    const auto made = made_flexible(mesh, {}, "x");
    REQUIRE(made.ok());
    CHECK(told(made->notes, each.told));
    CHECK(made->scene.sections[0].section.radius == doctest::Approx(0.004));
    // said by the user it is not guessed
    FlexibiliseRequest request;
    request.unit = each.unit;
    const auto forced = made_flexible(mesh, request, "x");
    REQUIRE(forced.ok());
    CHECK_FALSE(told(forced->notes, "unit"));
  }
}

TEST_CASE("tubes are found at any scale; one that no unit explains is refused by what its tubes would be") {
  for (const double scale : {1e-9, 1e9, 1e30}) {
    CAPTURE(scale);
    MeshFile mesh = tube_and_box();
    for (Vec3& p : mesh.points) p *= scale;
    CHECK(made_flexible(mesh, {}, "x").error().message.find("thick; --unit says otherwise") != std::string::npos);
  }
}

TEST_CASE("a mark of UTF-8 before a mesh is no part of it; what is no mesh at all is told as such") {
  const File marked(".obj", "\xEF\xBB\xBF" + obj_text(tube_and_box()));
  const auto read = read_mesh(marked.path);
  REQUIRE(read.ok());
  CHECK(read->triangles.size() == tube_and_box().triangles.size());
  const File points(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  CHECK(read_mesh(points.path).error().message == "there is no triangle in this mesh");
  const File other(".glb", "glTF and nothing of it");
  CHECK(read_mesh(other.path).error().message.find("is no .glb") != std::string::npos);
}

TEST_CASE("files that end early or hold no numbers are told as such") {
  std::string stl(80, ' ');
  stl += std::string("\x10\0\0\0", 4) + std::string(50 * 3 + 20, '\0');
  const File cut(".stl", stl);
  CHECK(read_mesh(cut.path).error().message.find("16 triangles are announced, 3 are there") != std::string::npos);
  const File text(".stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n");
  CHECK(read_mesh(text.path).error().message.find("ends before its mesh does") != std::string::npos);
  // two faces announced, one there; and cut among its vertices
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\n"
      "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2\n";
  const File faces(".ply", ply);
  CHECK(read_mesh(faces.path).error().message.find("6 lines are announced, 5 are there") != std::string::npos);
  const File hollow(".ply", ply + "0\n");
  CHECK(read_mesh(hollow.path).error().message.find("no corners") != std::string::npos);
  const File corners(".ply", ply.substr(0, ply.find("0 1 0")));
  CHECK_FALSE(read_mesh(corners.path).ok());
  const File nan(".obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
  CHECK(read_mesh(nan.path).error().message.find("no number") != std::string::npos);
}

}  // namespace filum::test_mesh
