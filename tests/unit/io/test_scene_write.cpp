// Written scenes read back equal, whatever they are called.
#include "test_scene_samples.hpp"

#include "io/yaml/yaml_scalar.hpp"
#include "io/yaml/yaml_tree.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

namespace filum::test_scene_write {

TEST_CASE("a scene with every key survives writing") {
  const Result<Scene> scene = parse_scene(test::kFullScene, "scene.yaml");
  REQUIRE(scene.ok());
  const std::string text = write_scene(*scene);
  const Result<Scene> again = parse_scene(text, "scene.yaml");
  if (!again) FAIL(again.error().text() << "\n" << text);
  CHECK(*again == *scene);
  // writing is settled after one round
  CHECK(write_scene(*again) == text);
}

TEST_CASE("every choice of stepping survives writing") {
  for (const char* text : {"rotary_inertia: true, integrator: implicit-euler", "integrator: bdf2, iterations: 2",
                           "integrator: {name: generalised-alpha, spectral_radius: 1/3}", "stepper: variational",
                           "start: {result: 'a: b'}", "stepper: projection"}) {
    const Result<Scene> scene = parse_scene(test::kSmallScene + "simulation: {" + text + "}\n", "scene.yaml");
    if (!scene) FAIL(scene.error().text());
    const Result<Scene> again = parse_scene(write_scene(*scene), "scene.yaml");
    if (!again) FAIL(again.error().text());
    CHECK_MESSAGE(*again == *scene, text);
    CHECK_MESSAGE(!(scene->simulation == Simulation{}), text);
  }
}

TEST_CASE("an empty scene survives writing") {
  const Result<Scene> scene = parse_scene(write_scene(Scene{}), "scene.yaml");
  REQUIRE(scene.ok());
  CHECK(*scene == Scene{});
}

TEST_CASE("any text survives as key and as value, within brackets and without") {
  const std::string nul("a\0b", 3);
  for (const std::string& text : {std::string("plain"),
                                  std::string("two words"),
                                  std::string(""),
                                  std::string(" "),
                                  std::string("a: b"),
                                  std::string("a #b"),
                                  std::string("#a"),
                                  std::string("- a"),
                                  std::string("\"quoted\""),
                                  std::string("it's"),
                                  std::string("back\\slash"),
                                  std::string("line\nbreak\r\n"),
                                  std::string("tab\t"),
                                  std::string("größe µ 長さ 🧵"),
                                  std::string("null"),
                                  std::string("~"),
                                  std::string("true"),
                                  std::string("1.5"),
                                  std::string("{a}"),
                                  std::string("[a, b]"),
                                  std::string("a,b"),
                                  std::string("&a"),
                                  std::string("*a"),
                                  std::string("!a"),
                                  std::string("%a"),
                                  std::string("@a"),
                                  std::string("`a"),
                                  std::string("? a"),
                                  std::string("a "),
                                  std::string("\x01\x1f\x7f"),
                                  std::string("\u0085\u2028\u2029\ufeff\uffff\u009f\u00a0"),
                                  std::string("..."),
                                  std::string("---"),
                                  nul}) {
    CAPTURE(text);
    const std::string scalar = io::yaml_scalar(text);
    const Result<io::Node> tree = io::parse_yaml(scalar + ": {x: " + scalar + ", " + scalar + ": [" + scalar + "]}\n");
    REQUIRE_MESSAGE(tree.ok(), scalar);
    CHECK(tree->key(0).text == text);
    CHECK(tree->value(0).value(0).text == text);
    CHECK(tree->value(0).key(1).text == text);
    CHECK(tree->value(0).value(1).children[0].text == text);
    CHECK(tree->key(0).is_null() == false);
  }
}

TEST_CASE("odd names survive writing") {
  Result<Scene> scene = parse_scene(test::kSmallScene, "scene.yaml");
  REQUIRE(scene.ok());
  scene->title = "a: \"b\" # c\n";
  scene->rods[0].name = scene->holds[0].rod = "a.b: {c}\n\u2028";
  scene->rods[0].section = scene->sections[0].name = "null";
  scene->holds[0].name = "42";
  scene->holds[0].at = {1.0 / 3, -1e-3};
  const Result<Scene> again = parse_scene(write_scene(*scene), "scene.yaml");
  if (!again) FAIL(again.error().text());
  CHECK(*again == *scene);
}

}  // namespace filum::test_scene_write
