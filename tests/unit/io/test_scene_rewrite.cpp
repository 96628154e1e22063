// Scenes written into the text they came from: what changed is changed, everything else stays to the byte.
#include <filum/edit.hpp>
#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace filum::test_scene_rewrite {

namespace {

const std::string kText = R"(# a hose between two fittings
filum: 1
title: Hose # for people

materials:
  epdm: {young: 7 MPa, poisson: 0.49, density: 1150} # measured

sections:
  hose: {shape: tube, outer_radius: 5.2 mm, inner_radius: 1.6 mm}

rods:
  hose:
    material: epdm
    section: hose
    length: 42 cm # cut to length
    segments: 20
    shape: {arc: [[0, 0, 0], [0.2, 0, 0.1], [0.4, 0, 0]]}

holds:
  # the frame
  - {rod: hose, at: start, fix: [position, orientation]} # welded
  - name: wheel end
    rod: hose
    at: end
    fix: [position, orientation]
    orientation: {tangent: [1, 0, 0], normal: [0, 0, 1]}
  # a clip
  - {rod: hose, at: 50 %, fix: [position]}

simulation: {formulation: kirchhoff, mode: statics}
)";

Scene parsed(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "scene.yaml");
  REQUIRE_MESSAGE(scene.ok(), (scene.ok() ? "" : scene.error().text() + "\n" + text));
  return *scene;
}

// The lines of one text that the other lacks.
std::vector<std::string> lost(const std::string& before, const std::string& after) {
  std::vector<std::string> missing;
  std::istringstream lines(before);
  for (std::string line; std::getline(lines, line);)
    if (("\n" + after).find("\n" + line + "\n") == std::string::npos) missing.push_back(line);
  return missing;
}

std::string rewritten(const std::string& text, const Scene& scene) {
  std::string now = rewrite_scene(text, "scene.yaml", scene);
  CHECK(parsed(now) == scene);
  return now;
}

}  // namespace

TEST_CASE("an unchanged scene leaves its text as it is") {
  CHECK(rewritten(kText, parsed(kText)) == kText);
}

TEST_CASE("a changed value changes its own line alone") {
  Scene scene = parsed(kText);
  scene.rods[0].length = 0.45;
  scene.materials[0].material.young = 8e6;
  const std::string now = rewritten(kText, scene);
  CHECK(now.find("    length: 0.45 # cut to length\n") != std::string::npos);
  CHECK(now.find("  epdm: {young: 8000000, poisson: 0.49, density: 1150} # measured\n") != std::string::npos);
  CHECK(lost(kText, now).size() == 2);
}

TEST_CASE("a value that stood in another form is replaced as a whole, its neighbours are not") {
  Scene scene = parsed(kText);
  scene.holds[1].orientation = Quat(0.5, 0.5, 0.5, 0.5);
  scene.holds[1].position = Vec3(0.3, 0, -0.1);
  scene.rods[0].shape.angle *= 0.9;
  const std::string now = rewritten(kText, scene);
  CHECK(now.find("    orientation: [0.5, 0.5, 0.5, 0.5]\n") != std::string::npos);
  CHECK(now.find("    position: [0.3, 0, -0.1]\n") != std::string::npos);
  CHECK(lost(kText, now).size() == 2);
}

TEST_CASE("a hold that goes takes its lines along, and those without a name keep theirs") {
  Scene scene = parsed(kText);
  REQUIRE(edit::remove_hold(scene, "wheel end").ok());
  const std::string now = rewritten(kText, scene);
  CHECK(now.find("# welded") != std::string::npos);
  CHECK(now.find("# a clip") != std::string::npos);
  CHECK(now.find("wheel end") == std::string::npos);
  CHECK(now.find("{rod: hose, at: 50 %, fix: [position], name: hold 3}") != std::string::npos);

  Scene none = parsed(kText);
  none.holds.clear();
  rewritten(kText, none);
}

TEST_CASE("holds, rods and loads that come are set behind the others") {
  Scene scene = parsed(kText);
  Hold hold = scene.holds[2];
  hold.name = "new: one";
  hold.at = {0.25, 0};
  scene.holds.push_back(hold);
  Rod rod = scene.rods[0];
  rod.name = "v1.2";
  scene.rods.push_back(rod);
  scene.forces.push_back({{"hose", {0.75, 0}}, {}, Vec3(0, 0, -1), false});
  const std::string now = rewritten(kText, scene);
  CHECK(lost(kText, now).empty());
  CHECK(now.find("\n  v1.2: {") != std::string::npos);
  // and away again
  CHECK(parsed(rewritten(now, parsed(kText))) == parsed(kText));
}

TEST_CASE("every example survives edits of all kinds, its comments too") {
  for (const auto& file : std::filesystem::directory_iterator(FILUM_SOURCE_DIR "/scenes")) {
    if (file.path().extension() != ".yaml") continue;
    CAPTURE(file.path().string());
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const Scene before = parsed(text.str());
    Scene scene = before;
    scene.gravity = Vec3(0, 0, -1.62);
    scene.rods.back().segments += 1;
    if (!scene.holds.empty()) REQUIRE(edit::remove_hold(scene, scene.holds.front().name).ok());
    scene.simulation.step *= 0.5;
    const std::string now = rewritten(text.str(), scene);
    // comments that stand above the scene stay
    CHECK(now.substr(0, now.find('\n')) == text.str().substr(0, text.str().find('\n')));
    rewritten(now, before);
  }
}

TEST_CASE("parts are added and taken away by path, and only where a scene is left") {
  const auto added = add_to_scene(kText, "scene.yaml", "holds", "{rod: hose, at: 10 cm, fix: [position]}");
  REQUIRE(added.ok());
  CHECK(parsed(*added).holds.size() == 4);
  const auto entry = add_to_scene(kText, "scene.yaml", "sections", "{shape: circle, radius: 1 mm}", "wire 1.5");
  REQUIRE(entry.ok());
  CHECK(parsed(*entry).sections[1].name == "wire 1.5");
  CHECK_FALSE(add_to_scene(kText, "scene.yaml", "sections", "{shape: circle, radius: 1 mm}", "hose").ok());
  CHECK_FALSE(add_to_scene(kText, "scene.yaml", "holds", "{rod: none, at: 0, fix: [position]}").ok());
  CHECK_FALSE(add_to_scene(kText, "scene.yaml", "title", "x").ok());
  const auto cut = remove_from_scene(kText, "scene.yaml", "rods.hose.length");
  REQUIRE(cut.ok());
  CHECK_FALSE(parsed(*cut).rods[0].length.has_value());
  CHECK(lost(kText, *cut).size() == 1);
  const auto first = remove_from_scene(kText, "scene.yaml", "holds.wheel end.name");
  REQUIRE(first.ok());
  CHECK(parsed(*first).holds[1].name == "hold 2");
  const auto inner = remove_from_scene(kText, "scene.yaml", "simulation.mode");
  REQUIRE(inner.ok());
  CHECK(inner->find("simulation: {formulation: kirchhoff}") != std::string::npos);
  CHECK_FALSE(remove_from_scene(kText, "scene.yaml", "rods.hose").ok());
  CHECK_FALSE(remove_from_scene(kText, "scene.yaml", "rods.none").ok());
  CHECK_FALSE(remove_from_scene(kText, "scene.yaml", "").ok());
}

}  // namespace filum::test_scene_rewrite
