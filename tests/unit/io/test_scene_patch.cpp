// Changing one value leaves the rest of the text alone.
#include "test_scene_samples.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

namespace filum::test_scene_patch {

namespace {

std::string patched(const std::string& text, const char* path, const char* value) {
  const Result<std::string> result = patch_scene(text, "s.yaml", {{path, value}});
  if (!result) FAIL(result.error().text());
  return *result;
}

Error refused(const std::string& text, const char* path, const char* value) {
  const Result<std::string> result = patch_scene(text, "s.yaml", {{path, value}});
  if (result) FAIL("accepted:\n" << *result);
  return result.error();
}

// The text with one piece, which must stand in it once, replaced.
std::string replaced(std::string text, const std::string& old, const std::string& now) {
  REQUIRE(text.find(old) != std::string::npos);
  REQUIRE(text.find(old) == text.rfind(old));
  return text.replace(text.find(old), old.size(), now);
}

const std::string& full = test::kFullScene;

}  // namespace

TEST_CASE("a value is replaced in place, comments and layout stay") {
  CHECK(patched(full, "rods.hose.length", "45 cm") ==
        replaced(full, "length: 0.42        # metres", "length: 45 cm        # metres"));
  CHECK(patched(full, "holds.2.at", "0.31") == replaced(full, "at: 0.3,", "at: 0.31,"));
  CHECK(patched(full, "holds.p-clip.at", "40 %") == replaced(full, "at: 50 %", "at: 40 %"));
  CHECK(patched(full, "holds.frame end.fix", "[position]") ==
        replaced(full, "at: start, fix: [position, orientation]}", "at: start, fix: [position]}"));
  CHECK(patched(full, "materials.odd: name.density", " 1401 ") == replaced(full, "1400 kg/m^3", "1401"));
  CHECK(patched(full, "title", "'short'") == replaced(full, "\"Every key: once\"", "'short'"));
  CHECK(patched(full, "rods.hose.shape", "{line: [[0, 0, 0], [0.4, 0, 0]]}") ==
        replaced(full, "{line: [[0, 0, 0], [0.3, 0, 0]]}", "{line: [[0, 0, 0], [0.4, 0, 0]]}"));
  CHECK(patched(full, "rods.hose.shape.line.1.0", "0.4") ==
        replaced(full, "[0.3, 0, 0]]}\n    rest: straight", "[0.4, 0, 0]]}\n    rest: straight"));
}

TEST_CASE("a value written over several lines can be replaced") {
  const std::string now = patched(full, "rods.curl.shape", "{line: [[0, 0, 0], [1, 0, 0]]}");
  CHECK(now == replaced(full, "spline:\n        - [0, 0, 0]\n        - [0.1, 0.02, 0]\n        - [0.2, -0.02, 0.01]",
                        "{line: [[0, 0, 0], [1, 0, 0]]}"));
  const std::string literal = test::kSmallScene + "title: |\n  two\n  lines\n# the end\n";
  CHECK(patched(literal, "title", "one") == test::kSmallScene + "title: one\n# the end\n");
}

TEST_CASE("a missing key is added in the style of its mapping") {
  CHECK(patched(full, "rods.bow.segments", "20") ==
        replaced(full, "rest: {curvature: [2, 0.5 1/m], twist_rate: 90 deg/m}\n",
                 "rest: {curvature: [2, 0.5 1/m], twist_rate: 90 deg/m}\n    segments: 20\n"));
  CHECK(patched(full, "sections.wire.shape", "circle") == full);
  CHECK(patched(full, "bodies.frame.mass", "2 kg") == replaced(full, "{motion: fixed}", "{motion: fixed, mass: 2 kg}"));
  CHECK(patched(full, "holds.3.name", "odd") ==
        replaced(full, "orientation: true}}", "orientation: true}, name: odd}"));
  CHECK(patched(test::kSmallScene, "gravity", "[0, 0, 0]") ==
        test::kSmallScene.substr(0, test::kSmallScene.size() - 1) + "\ngravity: [0, 0, 0]\n");
  // mappings that are not there come in brackets
  CHECK(patched(test::kSmallScene, "simulation.step", "1 ms") == test::kSmallScene + "simulation: {step: 1 ms}\n");
  CHECK(patched(test::kSmallScene, "rods.a.limits.max_tension", "5 N") ==
        replaced(test::kSmallScene, "[1, 0, 0]]}\n", "[1, 0, 0]]}\n    limits: {max_tension: 5 N}\n"));
  CHECK(patched(test::kSmallScene + "bodies: {b: {}}\n", "bodies.b.mass", "1") ==
        test::kSmallScene + "bodies: {b: {mass: 1}}\n");
  // a key that was left without a value
  CHECK(patched(test::kSmallScene + "title:   # none\n", "title", "x") == test::kSmallScene + "title: x   # none\n");
  // no line break at the end, and the other kind of line break
  CHECK(patched("filum: 1", "title", "x") == "filum: 1\ntitle: x");
  CHECK(patched("filum: 1\r\n", "title", "x") == "filum: 1\r\ntitle: x\r\n");
}

TEST_CASE("texts before the value may be of any script") {
  const std::string text = "filum: 1\ntitle: größe µ 長さ 🧵 # é\ngravity: [0, 0, -9]\n";
  CHECK(patched(text, "gravity.2", "-1") == "filum: 1\ntitle: größe µ 長さ 🧵 # é\ngravity: [0, 0, -1]\n");
}

TEST_CASE("a byte order mark stays and counts for nothing") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(patched(mark + full, "rods.hose.length", "45 cm") == mark + patched(full, "rods.hose.length", "45 cm"));
  // a key on the first line, plain and in brackets; a key that is added; letters of several bytes before the value
  CHECK(patched(mark + "title: größe\nfilum: 1\n", "title", "x") == mark + "title: x\nfilum: 1\n");
  CHECK(patched(mark + "{title: größe, filum: 1}", "gravity", "[0, 0, 0]") ==
        mark + "{title: größe, filum: 1, gravity: [0, 0, 0]}");
  CHECK(refused(mark + "filum: 1\n", "gravty", "1").line == 2);
}

TEST_CASE("what would not be a scene is refused") {
  CHECK(refused(full, "rods.hose.length", "40 N").message == "expected a length such as 5.2 mm, found '40 N'");
  CHECK(refused(full, "rods.hose.length", "40 N").line > 0);
  CHECK(refused(full, "rods.hose.lenght", "0.4").message.find("did you mean 'length'?") != std::string::npos);
  CHECK(refused(full, "rods.hose.length", "0.01").message.find("outside rod 'hose'") != std::string::npos);
  CHECK(refused(full, "rods.none.length", "1").message.find("missing key") != std::string::npos);
  CHECK(refused(full, "holds.77.at", "1").message.find("there is no '77.at'") != std::string::npos);
  CHECK(refused(full, "", "1").message.find("is not a path") != std::string::npos);
  CHECK(refused(full, "rods.hose.", "1").message.find("is not a path") != std::string::npos);
  CHECK(refused(full, "rods..length", "1").message.find("is not a path") != std::string::npos);
  CHECK(refused(full, "rods.hose.length", "  ").message.find("no value") != std::string::npos);
}

TEST_CASE("a value cannot smuggle in anything else") {
  for (const char* value :
       {"0.4\n    twist: 1", "0.4 # more", "0.4, twist: 1", "&a 0.4", "[", "}", "0.4\n---\nfilum: 1"}) {
    CAPTURE(value);
    refused(full, "rods.hose.length", value);
    refused(full, "rods.ring.segments", value);
  }
}

TEST_CASE("values that belong together are judged together, in any order") {
  const std::string text = R"(filum: 1
sections: {wire: {shape: circle, radius: 1 mm}}
rods: {wire: {material: steel, section: wire, length: 0.5, shape: {line: [[0, 0, 0], [0.3, 0, 0]]}}}
holds: [{rod: wire, at: 0.4, fix: [position]}]
)";
  // a rod as short as that ends before its hold, unless the hold moves too
  const Patch shorter{"rods.wire.length", "0.2"};
  const Patch nearer{"holds.0.at", "0.1"};
  CHECK_FALSE(patch_scene(text, "s.yaml", {shorter}).ok());
  const Result<std::string> one = patch_scene(text, "s.yaml", {shorter, nearer});
  const Result<std::string> other = patch_scene(text, "s.yaml", {nearer, shorter});
  if (!one) FAIL(one.error().text());
  REQUIRE(other.ok());
  CHECK(*one == *other);
  // what is wrong with all of them together is told
  CHECK(patch_scene(text, "s.yaml", {shorter, {"holds.0.at", "0.3"}}).error().line == 4);
  // later ones see what earlier ones have added
  const Result<std::string> added =
      patch_scene(text, "s.yaml", {{"rods.wire.damping.air", "0.1"}, {"rods.wire.damping.bend", "0.2"}});
  REQUIRE(added.ok());
  CHECK(parse_scene(*added, "s.yaml")->rods[0].damping.bend == 0.2);
}

}  // namespace filum::test_scene_patch
