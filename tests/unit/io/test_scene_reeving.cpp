// Winches, sheaves, ropes and planes in scene files: read, written, rewritten, patched; each mistake with its line.
// What a formulation makes of them is not asked here.
#include "io/scene/scene_read.hpp"
#include "io/scene/scene_text.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <string>

namespace filum::test_scene_reeving {

namespace {

// In the order of nobody's list, so that what is found by name is not found by place.
const std::string kCrane = R"(filum: 1
sections:
  wire: {shape: circle, radius: 5 mm}
rods:
  line:
    material: steel
    section: wire
    length: 10
    shape: {points: [[-4, 0, 10], [0, 0, 10.2], [0.2, 0, 4]]}
    limits: {breaking_tension: 60 kN}
bodies:
  trolley: {position: [0, 0, 10], motion: driven}
  block: {mass: 100, position: [0, 0, 6], motion: free}
holds:
  - {name: hook, rod: line, at: end, fix: [position], body: block}
obstacles:
  - {name: floor, plane: {point: [0, 0, 1 mm], normal: [0, 0, 2]}, friction: 0.4} # concrete
reeving:
  # two falls
  - {rope: r1, stiffness: 10000 kN/m, length: 12, breaking_tension: 80 kN, through: [{body: trolley, point: [-50 cm, 0, 0]},
     {sheave: block, point: [0, 0, 0], radius: 15 cm, axis: [0, 1, 0], friction: 0.05}, {point: [0.5, 0, 10]}]}
  - {winch: hoist, rod: line, at: start, body: trolley, point: [-4, 0, 0], drum_radius: 0.2, speed: -5 mm/s,
     max_force: 50 kN, shortest: 2, longest: 40} # slow
  - {sheave: head, rod: line, at: 40 %, body: trolley, point: [0, 0, 0], axis: [0, 1, 0], radius: 0.2, friction: 0.1,
     inertia: 0.5}
  - {rope: r2, through: [{point: [0, 0, 10]}, {body: block, point: [0, 0, 0]}]}
drivers:
  - {winch: hoist, path: [{t: 0, speed: 0}, {t: 2, speed: 0.5 m/s}]}
  - {rope: r2, path: [{t: 0, length: 5}, {t: 4, length: 3}]}
simulation: {formulation: chain, mode: dynamics, end: 3, chain: {sweeps: 4, damping: 5 ms, detail: 1e-3}}
)";

Scene parsed(const std::string& text) {
  const Result<io::ReadScene> read = io::read_valid_scene(text, "s.yaml");
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text() + "\n" + text));
  return read->scene;
}

std::string changed(const std::string& old, const std::string& now) {
  std::string text = kCrane;
  REQUIRE_MESSAGE(text.find(old) != std::string::npos, old);
  return text.replace(text.find(old), old.size(), now);
}

void check_error(const std::string& old, const std::string& now, int line, const std::string& message) {
  CAPTURE(now);
  const Result<io::ReadScene> read = io::read_valid_scene(changed(old, now), "s.yaml");
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().line == line);
  CHECK_MESSAGE(read.error().message.find(message) != std::string::npos, read.error().message);
}

}  // namespace

TEST_CASE("reeving: every key is read") {
  const Scene scene = parsed(kCrane);
  REQUIRE(scene.winches.size() == 1);
  const Winch& winch = scene.winches[0];
  CHECK(winch.name == "hoist");
  CHECK(winch.rod == "line");
  CHECK(winch.at == ArcPosition{0, 0});
  CHECK(winch.body == "trolley");
  CHECK(winch.point == Vec3(-4, 0, 0));
  CHECK(winch.drum_radius == 0.2);
  CHECK(winch.speed == -0.005);
  CHECK(winch.max_force == 5e4);
  CHECK(winch.shortest == 2.0);
  CHECK(winch.longest == 40.0);
  REQUIRE(scene.sheaves.size() == 1);
  const Sheave& sheave = scene.sheaves[0];
  CHECK(sheave.name == "head");
  CHECK(sheave.at == ArcPosition{0.4, 0});
  CHECK(sheave.body == "trolley");
  CHECK(sheave.axis == Vec3(0, 1, 0));
  CHECK(sheave.radius == 0.2);
  CHECK(sheave.friction == 0.1);
  CHECK(sheave.inertia == 0.5);
  REQUIRE(scene.ropes.size() == 2);
  const Rope& rope = scene.ropes[0];
  CHECK(rope.name == "r1");
  CHECK(rope.stiffness == 1e7);
  CHECK(rope.length == 12.0);
  CHECK(rope.breaking_tension == 8e4);
  REQUIRE(rope.through.size() == 3);
  CHECK(rope.through[0] == RopePoint{"trolley", Vec3(-0.5, 0, 0), 0, {}, 0});
  CHECK(rope.through[1] == RopePoint{"block", Vec3::Zero(), 0.15, Vec3(0, 1, 0), 0.05});
  CHECK(rope.through[2] == RopePoint{"", Vec3(0.5, 0, 10), 0, {}, 0});
  CHECK(scene.ropes[1].stiffness == 0);
  CHECK_FALSE(scene.ropes[1].length);
  REQUIRE(scene.obstacles.size() == 1);
  Obstacle floor;
  floor.name = "floor";
  floor.point = Vec3(0, 0, 0.001);
  floor.normal = Vec3(0, 0, 2);
  floor.friction = 0.4;
  CHECK(scene.obstacles[0] == floor);
  CHECK(scene.rods[0].limits.breaking_tension == 6e4);
  CHECK(scene.drivers[0].kind == DriverKind::Winch);
  CHECK(scene.drivers[0].path[1].speed == 0.5);
  CHECK(scene.drivers[1].kind == DriverKind::Rope);
  CHECK(scene.drivers[1].path[1].length == 3.0);
  CHECK(scene.simulation.chain == ChainOptions{4, 0.005, 1e-3});
}

TEST_CASE("reeving survives writing") {
  const Scene scene = parsed(kCrane);
  const std::string text = write_scene(scene);
  CHECK(parsed(text) == scene);
  CHECK(write_scene(parsed(text)) == text);
  // defaults, odd names
  Scene odd = scene;
  odd.winches[0] = Winch{};
  odd.winches[0].name = "a: #b";
  odd.winches[0].rod = "line";
  odd.drivers[0].target = "a: #b";
  odd.ropes[1].name = "0";
  odd.drivers[1].target = "0";
  odd.simulation.chain = {};
  CHECK(parsed(write_scene(odd)) == odd);
}

TEST_CASE("reeving is rewritten by name: comments and order stay") {
  Scene scene = parsed(kCrane);
  scene.winches[0].speed = 0.25;
  scene.ropes[0].through[1].radius = 0.2;
  scene.obstacles[0].friction = 0.5;
  std::string now = rewrite_scene(kCrane, "s.yaml", scene);
  CHECK(parsed(now) == scene);
  for (const char* kept :
       {"# two falls\n", "speed: 0.25,", "longest: 40} # slow\n", "radius: 0.2, axis: [0, 1, 0], friction: 0.05}",
        "friction: 0.5} # concrete\n", "stiffness: 10000 kN/m"})
    CHECK_MESSAGE(now.find(kept) != std::string::npos, kept << "\n" << now);
  // the winch goes with its driver, another rope comes
  scene.winches.clear();
  scene.drivers.erase(scene.drivers.begin());
  scene.ropes.push_back(scene.ropes[1]);
  scene.ropes[2].name = "r3";
  now = rewrite_scene(kCrane, "s.yaml", scene);
  CHECK(parsed(now) == scene);
  CHECK(now.find("# two falls\n") != std::string::npos);
  CHECK(now.find("hoist") == std::string::npos);
}

TEST_CASE("reeving is patched by name or by place") {
  const auto patched = [](const char* path, const char* value) {
    const Result<std::string> text = io::with_value(kCrane, "s.yaml", path, value);
    REQUIRE_MESSAGE(text.ok(), (text.ok() ? "" : text.error().text()));
    return parsed(*text);
  };
  CHECK(patched("reeving.hoist.speed", "0.4").winches[0].speed == 0.4);
  CHECK(patched("reeving.1.speed", "0.4").winches[0].speed == 0.4);
  CHECK(patched("reeving.r1.through.1.radius", "20 cm").ropes[0].through[1].radius == 0.2);
  CHECK(patched("reeving.r2.length", "5").ropes[1].length == 5.0);
  CHECK(patched("obstacles.floor.friction", "0.9").obstacles[0].friction == 0.9);
  CHECK(patched("simulation.chain.sweeps", "0").simulation.chain.sweeps == 0);
}

TEST_CASE("reeving: what is wrong is told with its line") {
  check_error("{rope: r2,", "{rope: r2, winch: w,", 26, "expected one of winch, sheave, rope with its name; found 2");
  check_error("{rope: r2, ", "{", 26, "expected one of winch, sheave, rope with its name; found 0");
  check_error("drum_radius: 0.2,", "drum: 0.2,", 22, "unknown key 'drum' in winch 'hoist'; known are winch, rod");
  check_error("drum_radius: 0.2,", "drum_radius: 0.2 N,", 22, "expected a length");
  check_error("max_force: 50 kN, ", "max_force: 0, ", 23, "max_force must be greater than zero");
  check_error("rod: line, at: start, body", "rod: line, at: 5, body", 22, "at the start or the end of its rod");
  check_error("rod: line, at: start, body", "rod: lime, at: start, body", 22, "there is no rod 'lime'");
  check_error("{sheave: head, rod: line, ", "{sheave: head, ", 24, "missing key 'rod' in sheave 'head'");
  check_error("axis: [0, 1, 0], radius: 0.2,", "axis: [0, 0, 0], radius: 0.2,", 24, "axis must not be zero");
  check_error("radius: 0.2, friction: 0.1,", "radius: -1, friction: 0.1,", 24, "radius must be greater than zero");
  check_error("{sheave: block,", "{sheave: block, body: trolley,", 21, "'body' or 'sheave', not both");
  check_error("radius: 15 cm, ", "", 21, "missing key 'radius' in point 1 of rope 'r1'");
  check_error("{sheave: block,", "{sheave: blocks,", 21, "there is no body 'blocks'");
  check_error("through: [{point: [0, 0, 10]}, {body: block, point: [0, 0, 0]}]", "through: [{point: [0, 0, 10]}]", 26,
              "runs through 1 point");
  check_error("rope: r2, through", "rope: hoist, through", 22, "double name");
  check_error("plane: {point: [0, 0, 1 mm], normal: [0, 0, 2]}", "plane: {point: [0, 0, 1 mm]}", 17,
              "missing key 'normal' in plane of obstacle 'floor'");
  check_error("plane: {point: [0, 0, 1 mm], normal: [0, 0, 2]}", "mesh: floor.obj", 17, "floor.obj");
  check_error("plane: {point: [0, 0, 1 mm], normal: [0, 0, 2]}, ", "", 17,
              "expected one of plane, sphere, box, capsule, cylinder, mesh; found 0");
  check_error("{winch: hoist, path", "{winch: hoists, path", 28, "there is no winch 'hoists'");
  check_error("{t: 2, speed: 0.5 m/s}", "{t: 2, length: 3}", 28, "this driver's target has no length");
}

TEST_CASE("options that their formulation refuses are told with their line") {
  const Result<Scene> scene = parse_scene(changed("sweeps: 4", "sweeps: -1"), "s.yaml");
  REQUIRE_FALSE(scene.ok());
  CHECK(scene.error().line == 30);
  CHECK(scene.error().message == "sweeps must be zero (one direct solve) or more, found -1");
}

TEST_CASE("reeving: another formulation refuses it by name, where it stands") {
  const Result<Scene> scene = parse_scene(changed("chain, mode: dynamics, end: 3, chain: {sweeps: 4, damping: "
                                                  "5 ms, detail: 1e-3}",
                                                  "kirchhoff"),
                                          "s.yaml");
  REQUIRE_FALSE(scene.ok());
  CHECK(scene.error().text() == "s.yaml:22:5: winch 'hoist' needs formulation chain");
  CHECK(scene.error().code == ErrorCode::NotSupported);
}

TEST_CASE("a run may go on with another winch speed, but not with another rope") {
  const Scene before = parsed(kCrane);
  Scene now = before;
  now.winches[0].speed = 1;
  now.winches[0].max_force.reset();
  now.drivers.clear();
  CHECK_FALSE(changed_since(before, now));
  now.ropes[0].stiffness = 2e7;
  CHECK(changed_since(before, now) == "reeving.r1.stiffness (10000000 then, 20000000 now)");
}

}  // namespace filum::test_scene_reeving
