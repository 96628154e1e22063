// Meshes to look at: read, written, checked.
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

namespace filum::test_scene_scenery {

namespace {

Result<Scene> scene_with(const std::string& scenery) {
  return parse_scene("filum: 1\nbodies: {wheel: {position: [1, 0, 0]}}\nscenery: {" + scenery + "}\n", "scene.yaml");
}

}  // namespace

TEST_CASE("scenery is read with its units and written back as it was") {
  const auto scene = scene_with(
      "frame: {mesh: frame.obj, position: [10 mm, 0, 1], orientation: [0, 1, 0, 0], scale: 0.001}, "
      "rim: {mesh: parts/rim.stl, body: wheel}");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text()));
  REQUIRE(scene->scenery.size() == 2);
  CHECK(scene->scenery[0].position == Vec3(0.01, 0, 1));
  CHECK(scene->scenery[0].scale == 0.001);
  CHECK(scene->scenery[1].body == "wheel");
  const auto again = parse_scene(write_scene(*scene), "again.yaml");
  REQUIRE_MESSAGE(again.ok(), (again.ok() ? "" : again.error().text()));
  CHECK(*again == *scene);
}

TEST_CASE("scenery without a file, of no size or on no body is refused") {
  CHECK_FALSE(scene_with("frame: {scale: 2}").ok());
  CHECK_FALSE(scene_with("frame: {mesh: ''}").ok());
  CHECK_FALSE(scene_with("frame: {mesh: a.obj, scale: 0}").ok());
  CHECK_FALSE(scene_with("frame: {mesh: a.obj, body: none}").ok());
  CHECK_FALSE(scene_with("frame: {mesh: a.obj, colour: red}").ok());
}

}  // namespace filum::test_scene_scenery
