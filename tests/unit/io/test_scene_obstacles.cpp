// Obstacles in scene files: every shape read and written, meshes from files, each mistake with its line.
#include "geometry/mesh_surface.hpp"
#include "scene/obstacle_shape.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace filum::test_scene_obstacles {

namespace fs = std::filesystem;

namespace {

const std::string kHead = R"(filum: 1
sections:
  wire: {shape: given, EA: 1e5, EI: [0.1, 0.1], GJ: 0.1, mass_per_length: 0.1, radius: 3 mm}
rods:
  cable: {section: wire, shape: {line: [[0, 0, 1], [1, 0, 1]]}, limits: {min_clearance: 10 mm}}
holds:
  - {rod: cable, at: start, fix: [position, orientation]}
bodies:
  part: {box: [0.1, 0.1, 0.1], motion: fixed}
)";

// A folder of its own, gone afterwards.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("filum_obstacles_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

// A tetrahedron with corners at the origin and one along each axis, a millimetre for each unit.
const std::string kObj = "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nv 0 0 1000\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const std::string kStl =
    "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid t\n";

Error refused(const std::string& text, const std::string& name = "scene.yaml") {
  const Result<Scene> scene = parse_scene(text, name);
  REQUIRE_FALSE(scene.ok());
  return scene.error();
}

}  // namespace

TEST_CASE("every shape is read and written") {
  const std::string text = kHead + R"(contact: {obstacles: false}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.4}
  - {sphere: {centre: [0, 0, 1], radius: 5 cm}}
  - {box: {size: [0.1, 0.2, 0.3], position: [1, 0, 0]}, body: part}
  - {name: rail, capsule: {from: [0, 0, 0], to: [1, 0, 0], radius: 1 cm}}
  - {name: post, cylinder: {from: [0, 0, 0], to: [0, 0, 1], radius: 2 cm}}
)";
  const Result<Scene> scene = parse_scene(text, "scene.yaml");
  REQUIRE_MESSAGE(scene.ok(), scene.error().text());
  REQUIRE(scene->obstacles.size() == 5);
  CHECK(scene->obstacles[1].name == "obstacle 2");
  CHECK(scene->obstacles[1].shape == ObstacleShape::Sphere);
  CHECK(scene->obstacles[1].radius == doctest::Approx(0.05));
  CHECK(scene->obstacles[2].body == "part");
  CHECK(scene->obstacles[4].to == Vec3(0, 0, 1));
  CHECK(scene->rods[0].limits.min_clearance == doctest::Approx(0.01));
  const Result<Scene> again = parse_scene(write_scene(*scene), "scene.yaml");
  REQUIRE_MESSAGE(again.ok(), again.error().text());
  CHECK(*again == *scene);
  // edits keep the text around them
  Scene changed = *scene;
  changed.obstacles[4].radius = 0.03;
  CHECK(rewrite_scene(text, "scene.yaml", changed).find("radius: 0.03}") != std::string::npos);
}

TEST_CASE("mistakes in obstacles are told with their line") {
  const auto told = [](const std::string& line) { return refused(kHead + "obstacles:\n  - " + line + "\n").text(); };
  CHECK(told("{name: a}").find("expected one of plane, sphere, box, capsule, cylinder, mesh; found 0") !=
        std::string::npos);
  CHECK(
      told("{sphere: {centre: [0, 0, 0], radius: 1}, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}").find("found 2") !=
      std::string::npos);
  CHECK(told("{sphere: {centre: [0, 0, 0], radius: 0}}").find("radius must be greater than zero") != std::string::npos);
  CHECK(told("{cylinder: {from: [0, 0, 1], to: [0, 0, 1], radius: 1}}").find("has no length") != std::string::npos);
  CHECK(told("{box: {size: [1, 1, 1]}, scale: 2}").find("only a mesh has a scale") != std::string::npos);
  CHECK(told("{box: {size: [1, 1, 1]}, body: nobody}").find("there is no body 'nobody'") != std::string::npos);
  CHECK(told("{mesh: not there.obj}").find("not there.obj") != std::string::npos);
  CHECK(told("{mesh: part.dwg}").find("expected a mesh .obj, .stl, .ply, .gltf, .glb or .iv") != std::string::npos);
  CHECK(refused(kHead + "obstacles:\n  - {mesh: gone.stl}\n").line == 11);
}

TEST_CASE("meshes of obstacles: closed and solid from any file, refused if they are none") {
  const Folder folder;
  const std::string scene_path = (folder.path / "scene.yaml").string();
  folder.write("a.obj", kObj);
  folder.write("b.STL", kStl);
  const auto with = [&](const std::string& obstacle) {
    return parse_scene(kHead + "contact: {obstacles: false}\nobstacles:\n  - " + obstacle + "\n", scene_path);
  };
  for (const char* obstacle :
       {"{mesh: a.obj, scale: 0.001, position: [0, 0, 2]}", "{mesh: b.STL, position: [0, 0, 2]}"}) {
    const Result<Scene> scene = with(obstacle);
    REQUIRE_MESSAGE(scene.ok(), scene.error().text());
    REQUIRE(scene->obstacles[0].surface);
    CHECK(scene->obstacles[0].surface->closed());
    CHECK(scene->obstacles[0].surface->size() == 4);
    const geometry::Shape shape = scene::shape_of(scene->obstacles[0]);
    CHECK(geometry::distance_from(shape, Vec3(0.1, 0.2, 2.05)).value == doctest::Approx(-0.05));
    CHECK(geometry::distance_from(shape, Vec3(0.1, 0.2, 1.7)).value == doctest::Approx(0.3));
  }
  folder.write("empty.obj", "v 0 0 0\n");
  CHECK_FALSE(with("{mesh: empty.obj}").ok());
  folder.write("broken.ply", "ply\nformat ascii 1.0\nelement vertex 9999\n");
  CHECK_FALSE(with("{mesh: broken.ply}").ok());
  folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  CHECK(with("{mesh: flat.obj}").error().text().find("no triangle with an area") != std::string::npos);
}

}  // namespace filum::test_scene_obstacles
