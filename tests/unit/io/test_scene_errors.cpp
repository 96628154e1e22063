// One clear message with its line for everything that may be wrong in a scene file.
#include "test_scene_samples.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace filum::test_scene_errors {

namespace {

Error error_of(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "s.yaml");
  if (scene) FAIL("accepted:\n" << text);
  CHECK(scene.error().file == "s.yaml");
  return scene.error();
}

// The small scene with one text replaced by another.
std::string changed(const std::string& old, const std::string& now) {
  std::string text = test::kSmallScene;
  REQUIRE(text.find(old) != std::string::npos);
  return text.replace(text.find(old), old.size(), now);
}

struct Case {
  const char* old;
  const char* now;
  int line;
  const char* message;
};

void check(const std::vector<Case>& cases) {
  for (const Case& each : cases) {
    CAPTURE(each.now);
    const Error error = error_of(changed(each.old, each.now));
    CHECK(error.line == each.line);
    CHECK(error.column > 0);
    CHECK_MESSAGE(error.message.find(each.message) != std::string::npos, error.message);
  }
}

// Lines added below the small scene; `line` counts from the first of them.
struct Extra {
  const char* lines;
  int line;
  const char* message;
};

void check(const std::vector<Extra>& extras) {
  for (const Extra& each : extras) {
    CAPTURE(each.lines);
    const Error error = error_of(test::kSmallScene + each.lines + "\n");
    CHECK(error.line == 10 + each.line);
    CHECK_MESSAGE(error.message.find(each.message) != std::string::npos, error.message);
  }
}

}  // namespace

TEST_CASE("texts that are no scene") {
  CHECK(error_of("").message == "the file is empty");
  CHECK(error_of("").line == 1);
  CHECK(error_of("# only a comment\n").message == "the file is empty");
  CHECK(error_of("[1, 2]").message.find("expected a scene that begins with 'filum: 1'") == 0);
  CHECK(error_of("title: x").message.find("missing 'filum: 1'") == 0);
  CHECK(error_of("title: x\nfilum: 2").text() == "s.yaml:2:8: expected version 'filum: 1', found '2'");
  CHECK(error_of("filum: 1\nchannel: {width: 1}").text() ==
        "s.yaml:2:1: this is a channel file, not a scene: it is read by 'filum channel'");
  CHECK(error_of("filum: 1\ntitle: \xff").text() == "s.yaml:2:8: not UTF-8 text: byte 0xff");
  CHECK(error_of("filum: 1\ntitle: \xed\xa0\x80").line == 2);
  CHECK(error_of(std::string("filum: 1\n\0", 10)).text() == "s.yaml:2:1: a NUL byte: this is not a text file");
  CHECK(error_of("filum: 1\ntitle: \x01").message == "a control character: U+0001");
}

TEST_CASE("a byte order mark takes no column and hides no key") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(parse_scene(mark + test::kSmallScene, "s.yaml").ok());
  CHECK(error_of(mark + "filum: 2").text() == "s.yaml:1:8: expected version 'filum: 1', found '2'");
  CHECK(error_of(mark + "filum: \x01").text() == "s.yaml:1:8: a control character: U+0001");
  CHECK(error_of(mark).message == "the file is empty");
}

TEST_CASE("YAML that scenes do not use is refused, not guessed") {
  CHECK(error_of("filum: 1\ntitle: &a x").text().find("s.yaml:2:8: a YAML anchor '&a'") == 0);
  CHECK(error_of("filum: 1\ntitle: *a").text().find("s.yaml:2:8: a YAML alias '*a'") == 0);
  CHECK(error_of("filum: 1\ntitle: !!str x").text().find("s.yaml:2:8: a YAML tag") == 0);
  CHECK(error_of("filum: 1\n---\nfilum: 1").text().find("s.yaml:2:1: a second YAML document") == 0);
  CHECK(error_of("filum: 1\n[a]: 1").text().find("s.yaml:2:1: a key must be a plain word") == 0);
  CHECK(error_of("filum: 1\ntitle: x\ntitle: y").text() == "s.yaml:3:1: duplicate key 'title'");
  CHECK(error_of("filum: 1\ntitle: [x").message.find("malformed YAML") == 0);
  CHECK(error_of("filum: 1\n\ttitle: x").line == 2);
  const Error deep = error_of("filum: 1\ntitle: " + std::string(100000, '['));
  CHECK(deep.line == 2);
  CHECK(deep.message == "nested deeper than 64 levels");
}

TEST_CASE("unknown keys name the nearest known one") {
  check(std::vector<Case>{
      {"material:", "materail:", 6, "unknown key 'materail' in rod 'a'; did you mean 'material'?"},
      {"radius", "raduis", 3, "unknown key 'raduis' in section 'wire' (circle); did you mean 'radius'?"},
      {"radius", "width", 3, "unknown key 'width' in section 'wire' (circle); known are shape, radius"},
      {"holds", "hodls", 9, "unknown key 'hodls' in scene; did you mean 'holds'?"},
      {"line", "lines", 8, "unknown key 'lines' in shape of rod 'a'; did you mean 'line'?"},
  });
}

TEST_CASE("values of the wrong kind, unit or size") {
  check(std::vector<Case>{
      {"1 mm", "40 N", 3, "expected a length such as 5.2 mm, found '40 N'"},
      {"1 mm", "1 furlong", 3, "unknown unit 'furlong': expected a length such as 5.2 mm, found '1 furlong'"},
      {"1 mm", "nan", 3, "expected a length such as 5.2 mm, found 'nan'"},
      {"1 mm", ".inf", 3, "expected a length"},
      {"1 mm", "1e999", 3, "expected a length"},
      {"1 mm", "1/0", 3, "expected a length"},
      {"1 mm", "0x10", 3, "unknown unit"},
      {"1 mm", "5 %", 3, "unknown unit '%'"},
      {"1 mm", "", 3, "expected a length such as 5.2 mm, found nothing"},
      {"1 mm", "[1]", 3, "expected a length such as 5.2 mm, found a list of 1"},
      {"1 mm", "-1 mm", 3, "radius must be greater than zero, found -0.001"},
      {"1 mm", "0", 3, "radius must be greater than zero, found 0"},
      {"1 mm", "1e-300", 3, "radius must be at least 1e-12, found 1e-300"},
      {"1 mm", "1e13", 3, "radius must be at most"},
      {"circle", "square", 3, "expected circle, tube, rectangle, ellipse, given or bundle, found 'square'"},
      {"circle, radius: 1 mm", "tube, outer_radius: 1, inner_radius: 1", 3, "inner_radius must be less than"},
      {"[1, 0, 0]]", "[1, 0]]", 8, "expected three numbers [x, y, z], found a list of 2"},
      {"[1, 0, 0]]", "[0, 0, 0]]", 8, "a shape of length zero"},
      {"line: [[0, 0, 0], [1, 0, 0]]", "arc: [[0, 0, 0], [1, 0, 0], [2, 0, 0]]", 8, "lie on a line"},
      {"line: [[0, 0, 0], [1, 0, 0]]", "arc: {centre: [0, 0, 0], axis: [0, 0, 0], start: [1, 0, 0], angle: 1}", 8,
       "axis must not be zero"},
      {"section: wire", "section: wire\n    segments: 0", 8, "segments must be 1 to 1000000, found 0"},
      {"section: wire", "section: wire\n    segments: 1.5", 8, "expected a whole number, found '1.5'"},
      {"section: wire", "section: wire\n    length: 0", 8, "length must be greater than zero"},
      {"section: wire", "section: wire\n    normal: [1, 0, 0]", 8, "the normal is along the rod's tangent"},
      {"section: wire", "section: wire\n    closed: true", 9, "a closed rod needs a shape"},
      {"section: wire", "section: wire\n    closed: maybe", 8, "expected true or false, found 'maybe'"},
      {"at: start", "at: 1.5", 10, "s = 1.5 m is outside rod 'a', which is 1 m long"},
      {"at: start", "at: 101 %", 10, "outside rod 'a'"},
      {"at: start", "at: 30 deg", 10, "expected a place along the rod"},
      {"fix: [position, orientation]", "fix: []", 10, "hold 'left' fixes nothing"},
      {"fix: [position, orientation]", "fix: [position, position]", 10, "position twice"},
      {"fix: [position, orientation]", "fix: [orientation, position, orientation]", 10, "orientation twice"},
      {"fix: [position, orientation]", "fix: {orientation: [x]}", 10, "about one axis only"},
      {"fix: [position, orientation]", "fix: {position: [x, q]}", 10, "expected an axis x, y or z, found 'q'"},
      {"fix: [position, orientation]", "fix: [orientation], slide: true", 10, "does not fix the position"},
      {"fix: [position, orientation]", "fix: [position], orientation: [1, 0, 0, 0]", 10, "does not fix it"},
      {"fix: [position, orientation]", "fix: [orientation], orientation: [0, 0, 0, 0]", 10, "length zero"},
      {"fix: [position, orientation]", "fix: [orientation], orientation: {tangent: [1, 0, 0], normal: [2, 0, 0]}", 10,
       "the normal is along the tangent"},
  });
}

TEST_CASE("missing keys and references") {
  check(std::vector<Case>{
      {"    section: wire\n", "", 6, "missing key 'section' in rod 'a'"},
      {"    material: steel\n", "", 6, "missing key 'material'"},
      {"material: steel", "material: cheese", 6, "there is no material 'cheese'"},
      {"section: wire", "section: rope", 7, "there is no section 'rope'"},
      {"rod: a", "rod: b", 10, "there is no rod 'b'"},
      {"at: start", "at: start, body: b", 10, "there is no body 'b'"},
      {", fix: [position, orientation]", "", 10, "missing key 'fix' in hold 'left'"},
  });
}

TEST_CASE("what only the whole scene can tell") {
  check(std::vector<Extra>{
      {"  - {name: left, rod: a, at: end, fix: [position]}", 1, "double name: there is another hold 'left'"},
      {"  - {rod: a, at: 0, fix: [position]}", 1, "holds 'left' and 'hold 2' both fix the position of rod 'a'"},
      {"junctions: [{rods: [{rod: a, at: end}]}]", 1, "joins 1 rod; it takes two or more"},
      {"junctions: [{rods: [{rod: a, at: end}, {rod: a, at: 1}]}]", 1, "to itself"},
      {"forces: [{rod: a, at: end, force: [0, 0, 1e13]}]", 1, "force must be at most"},
      {"distributed:\n  - {rod: a, from: 0.5, to: 0.4, force_per_length: [0, 0, 1]}", 2, "must lie beyond from"},
      {"routing:\n  - {rod: b, mode: self-finding, pull: 1}", 2, "there is no rod 'b'"},
      {"routing:\n  - {rod: a, mode: found, pull: 1}", 2, "expected self-finding or pulled, found 'found'"},
      {"routing:\n  - {rod: a, mode: self-finding, pull: 1}", 2, "held or joined at fewer than two places"},
      {"routing:\n  - {rod: a, mode: self-finding, pull: 1, from: 0.2}", 2, "'from' and 'to' are for mode pulled"},
      {"routing:\n  - {rod: a, mode: pulled, from: 0.6, to: 0.5}", 2, "must lie beyond from"},
      {"routing:\n  - {rod: a, mode: pulled, pull: 0}", 2, "pull must be greater than zero"},
      {"routing:\n  - {rod: a, mode: pulled, to: 0.5}\n  - {rod: a, mode: pulled, from: 0.4}", 3,
       "finds its length already"},
      {"routing:\n  - {rod: a, mode: pulled}\ndrivers:\n  - {rod: a, path: [{t: 0, length: 1}]}", 2,
       "has a driven length"},
      {"drivers: [{hold: left, path: []}]", 1, "at least one keyframe"},
      {"drivers: [{hold: right, path: [{t: 0}]}]", 1, "there is no hold 'right'"},
      {"drivers: [{hold: left, rod: a, path: [{t: 0}]}]", 1,
       "expected one of body, hold, force, torque, rod, winch, rope, joint; found 2"},
      {"drivers: [{force: 0, path: [{t: 0, scale: 1}]}]", 1, "there is no force 0; the list has 0, counted from 0"},
      {"drivers: [{hold: left, path: [{t: 0}, {t: 0}]}]", 1, "times must increase"},
      {"drivers: [{hold: left, path: [{t: 0, scale: 1}]}]", 1, "this driver's target has no scale"},
      {"drivers:\n  - {hold: left, path: [{t: 0}]}\n  - {hold: left, path: [{t: 0}]}", 3, "a second driver"},
      {"bodies: {b: {}}\ndrivers: [{body: b, path: [{t: 0}]}]", 2, "has a driver but not 'motion: driven'"},
      {"simulation: {step: 0}", 1, "step must be greater than zero"},
      {"record: {probes: [{rod: x, at: end}]}", 1, "there is no rod 'x'"},
      {"materials:\n  steel: {young: 1 GPa, poisson: 0.6, density: 1}", 2,
       "poisson must be greater than -1 and at most"},
      {"materials:\n  steel: {young: 0, poisson: 0.3, density: 1}", 2, "young must be greater than zero"},
      {"materials:\n  steel: {young: 1, poisson: 0.3, density: 0}", -3, "rod 'a' has no mass"},
  });
}

TEST_CASE("what the formulation cannot honour has its line") {
  check(std::vector<Case>{
      {"section: wire", "section: wire\n    segments: 20001", 8, "at most 20000"},
  });
  const Error error = error_of(changed("section: wire", "section: wire\n    segments: 20001"));
  CHECK(error.code == ErrorCode::NotSupported);
  CHECK(error.text().find("s.yaml:8:15: rod 'a' has 20001 segments") == 0);
}

TEST_CASE("what has not landed yet is refused by name") {
  check(std::vector<Extra>{
      {"simulation: {start: {result: r, t: 1}}", 1, "not yet supported: t (start of simulation)"},
      {"simulation: {formulation: magic}", 1, "expected a formulation (kirchhoff, cosserat"},
  });
  CHECK(error_of(test::kSmallScene + "simulation: {start: {result: r, t: 1}}").code == ErrorCode::NotSupported);
}

TEST_CASE("what moves, and how, is refused with what was expected") {
  check(std::vector<Extra>{
      {"simulation: {stepper: explicit}", 1, "expected implicit, projection or variational, found 'explicit'"},
      {"simulation: {integrator: euler}", 1,
       "expected energy-momentum, implicit-euler, bdf2, generalised-alpha or runge-kutta, found 'euler'"},
      {"simulation: {integrator: {spectral_radius: 0.5}}", 1, "missing key 'name' in integrator"},
      {"simulation: {integrator: {name: bdf2, spectral_radius: 0.5}}", 1,
       "only the integrator generalised-alpha has a spectral_radius"},
      {"simulation: {integrator: {name: generalised-alpha, spectral_radius: 1.5}}", 1,
       "spectral_radius must be at most 1, found 1.5"},
      {"simulation: {stepper: variational, integrator: bdf2}", 1, "an integrator is chosen for the stepper implicit"},
      {"simulation: {inextensibility: squared}", 1, "unknown key 'inextensibility'"},
      {"simulation: {start: rest}", 1, "expected relaxed, as-shaped or equilibrium, found 'rest'"},
      {"simulation: {start: {t: 1}}", 1, "not yet supported: t (start of simulation)"},
      {"simulation: {start: {}}", 1, "missing key 'result' in start of simulation"},
      {"simulation: {tolerance: 0}", 1, "tolerance must be greater than zero, found 0"},
      {"simulation: {iterations: -1}", 1, "iterations must be zero (to convergence) or more, found -1"},
      {"bodies: {b: {motion: free}}", 1,
       "the free body 'b' needs a mass greater than zero, or a density and a shape with a volume, found 0"},
      {"bodies: {b: {mesh: b.obj}}", 1, "mesh 'b.obj': no such file"},
      {"bodies: {b: {motion: loose}}", 1, "expected fixed, driven or free, found 'loose'"},
      {"bodies: {b: {inertia: [1, 1]}}", 1, "expected three numbers [x, y, z], found a list of 2"},
      {"bodies: {b: {inertia: [1, 1, 2.1]}}", 1, "no body has the inertia [1, 1, 2.1]"},
      {"bodies: {b: {velocity: [1, 0, 0]}}", 1, "body 'b' has a velocity but not 'motion: free'"},
      {"forces: [{force: [0, 0, 1]}]", 1, "missing key 'rod' or 'body' in force 0"},
      {"forces: [{body: b, rod: a, force: [0, 0, 1]}]", 1, "force 0 acts on a rod or on a body, not on both"},
      {"torques: [{body: b, at: end, torque: [0, 0, 1]}]", 1, "'at' is for rods"},
      {"forces: [{body: b, force: [0, 0, 1]}]", 1, "there is no body 'b'"},
      {"bodies: {b: {}}\nforces: [{body: b, force: [0, 0, 1]}]", 2,
       "a force acts on body 'b', which is not free: it would do nothing"},
      {"drivers: [{hold: left, path: [{t: 1, fix: position}]}]", 1, "expected [position], [orientation]"},
  });
  check(std::vector<Case>{
      {"section: wire", "section: wire\n    damping: {rayleigh: 0.1}", 8, "expected two numbers [alpha, beta]"},
      {"section: wire", "section: wire\n    damping: {bend: 1 N}", 8, "expected a damping such as 1e-6 N m2 s"},
      {"section: wire", "section: wire\n    damping: {air: -1}", 8, "air must be zero or more, found -1"},
      {"section: wire", "section: wire\n    spin: [1, 2 m/s, 3]", 8, "expected a spin such as 2 rad/s"},
      {"section: wire", "section: wire\n    extensible: no", 8, "expected true or false, found 'no'"},
  });
}

}  // namespace filum::test_scene_errors
