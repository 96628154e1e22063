// What the reader makes of a scene that is right.
#include "test_scene_samples.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>

namespace filum::test_scene_read {

using std::numbers::pi;

namespace {

Scene read(const std::string& text) {
  const Result<Scene> scene = parse_scene(text, "scene.yaml");
  if (!scene) FAIL(scene.error().text());
  return *scene;
}

// The small scene with other lines in place of its rod's shape.
Scene with_shape(const std::string& shape) {
  std::string text = test::kSmallScene;
  const std::string old = "{line: [[0, 0, 0], [1, 0, 0]]}";
  return read(text.replace(text.find(old), old.size(), shape));
}

}  // namespace

TEST_CASE("every part of a scene arrives where it belongs") {
  const Scene scene = read(test::kFullScene);
  CHECK(scene.title == "Every key: once");
  CHECK(scene.gravity == Vec3(0, 0, -9.81));
  CHECK(scene.materials.size() == 2);
  CHECK(scene.materials[0].material == Material{7e6, 0.49, 1150});
  CHECK(scene.materials[1].name == "odd: name");
  CHECK(scene.materials[1].material.poisson == 1.0 / 3);
  CHECK(scene.sections.size() == 6);
  CHECK(scene.sections[0].section.outer_radius == 0.0052);
  CHECK(scene.sections[4].section.EA == 1e5);
  CHECK(scene.sections[4].section.EI == Vec2(0.8, 0.8));
  CHECK(scene.sections[4].section.mass_per_length == 0.05);
  CHECK(scene.rods.size() == 6);
  CHECK(scene.bodies.size() == 3);
  CHECK(scene.bodies[0].motion == BodyMotion::Driven);
  CHECK(scene.holds.size() == 7);
  CHECK(scene.junctions.size() == 2);
  CHECK(scene.forces.size() == 3);
  CHECK(scene.forces[1].follow);
  CHECK(scene.forces[1].force == Vec3(1e-3, 0, 0));
  CHECK(scene.torques[1].torque == Vec3(0, 0, 1.2));
  REQUIRE(scene.routing.size() == 2);
  CHECK(scene.routing[0] == Routing{"bow", RoutingMode::SelfFinding, 2.0, {}, {1, 0}, 3.0});
  CHECK(scene.routing[1].mode == RoutingMode::Pulled);
  CHECK(*scene.routing[1].pull == doctest::Approx(0.5));
  CHECK(scene.distributed.size() == 2);
  CHECK(scene.distributed[1].from == ArcPosition{0, 0});
  CHECK(scene.distributed[1].to == ArcPosition{1, 0});
  CHECK(scene.simulation.mode == Mode::Dynamics);
  CHECK(scene.simulation.step == 1.0 / 60);
  CHECK(scene.simulation.end == 3);
  CHECK(scene.record.every == 0.02);
  CHECK(scene.record.probes[1].name == "probe 2");
}

TEST_CASE("what moves, and how") {
  const Scene scene = read(test::kFullScene);
  const Rod& hose = scene.rods[0];
  CHECK_FALSE(hose.extensible);
  CHECK(hose.velocity == Vec3(0, 0.005, 0));
  CHECK(hose.spin.z() == doctest::Approx(pi / 6));
  CHECK(hose.damping == Damping{0.1, 0.002, 1e-6, 2e-6, 1e-3, 0.02});
  CHECK(scene.rods[1].extensible);
  CHECK(scene.rods[1].damping == Damping{});
  // one number is the inertia about every axis
  CHECK(*scene.bodies[0].inertia == Vec3(2, 2, 2));
  const Body& bob = scene.bodies[2];
  CHECK(bob.motion == BodyMotion::Free);
  CHECK(*bob.inertia == Vec3(1e-5, 2e-5, 3e-5));
  CHECK(bob.velocity == Vec3(0, 0, -1));
  CHECK(bob.spin.z() == doctest::Approx(2 * pi));
  CHECK_FALSE(scene.bodies[1].inertia);
  // loads on a body
  CHECK(scene.forces[2].body == "bob");
  CHECK(scene.forces[2].follow);
  CHECK(scene.torques[0].body == "bob");
  CHECK(scene.torques[0].torque == Vec3(0, 0, 1e-3));
  CHECK(scene.torques[1].body.empty());
  // letting go and taking hold again
  const std::vector<Keyframe>& path = scene.drivers[1].path;
  CHECK_FALSE(path[1].fix);
  CHECK(*path[2].fix == Fix{});
  CHECK(*path[3].fix == Fix{{false, false, false}, {true, true, true}});
  CHECK(*path[4].fix == Fix{{false, true, true}, {true, true, true}});
  const Simulation& simulation = scene.simulation;
  CHECK(simulation.integrator == Integrator::ImplicitEuler);
  CHECK(simulation.rotary_inertia);
  CHECK(*simulation.tolerance == 1e-4);
  CHECK(simulation.iterations == 3);
  CHECK(simulation.start == StartKind::Equilibrium);
}

TEST_CASE("steppers, integrators and starts by name") {
  const auto simulation = [](const std::string& text) {
    return read(test::kSmallScene + "simulation: {" + text + "}\n").simulation;
  };
  CHECK(simulation("stepper: variational").stepper == Stepper::Variational);
  CHECK(simulation("integrator: implicit-euler").integrator == Integrator::ImplicitEuler);
  const Simulation alpha = simulation("integrator: {name: generalised-alpha, spectral_radius: 0.9}");
  CHECK(alpha.integrator == Integrator::GeneralisedAlpha);
  CHECK(alpha.spectral_radius == 0.9);
  CHECK(simulation("integrator: bdf2").integrator == Integrator::Bdf2);
  CHECK(simulation("integrator: {name: generalised-alpha}").spectral_radius == 0.5);
  const Simulation from_result = simulation("start: {result: earlier.result}");
  CHECK(from_result.start == StartKind::Result);
  CHECK(from_result.start_result == "earlier.result");
}

TEST_CASE("a result to start from stands beside the scene file") {
  Scene scene = read(test::kSmallScene + "simulation: {start: {result: ../r}}\n");
  CHECK(start_folder(scene, "scenes/a.yaml") == "scenes/../r");
  CHECK(start_folder(scene, "a.yaml") == "../r");
  scene.simulation.start_result = "/tmp/r";
  CHECK(start_folder(scene, "scenes/a.yaml") == "/tmp/r");
}

TEST_CASE("rods") {
  const Scene scene = read(test::kFullScene);
  const Rod& hose = scene.rods[0];
  CHECK(hose.name == "hose");
  CHECK(*hose.length == 0.42);
  CHECK(hose.segments == 60);
  CHECK(hose.shape.kind == CurveKind::Line);
  CHECK(hose.shape.points[1] == Vec3(0.3, 0, 0));
  CHECK(*hose.normal == Vec3(0, 0, 1));
  CHECK(hose.limits.min_bend_radius->at_rest.value == 0.025);
  CHECK(*hose.limits.max_hold_force == 100);
  CHECK(*hose.limits.max_transverse_force == 50);
  CHECK(hose.stations[1].s == ArcPosition{0.75, 0});
  CHECK(hose.stations[1].material == "steel");
  const Rod& ring = scene.rods[1];
  CHECK(ring.closed);
  CHECK(ring.twist == 5 * pi);
  CHECK(ring.shape.kind == CurveKind::Arc);
  CHECK(ring.shape.angle == 2 * pi);
  CHECK(ring.rest.kind == RestKind::AsShaped);
  CHECK(scene.rods[2].rest.kind == RestKind::Uniform);
  CHECK(scene.rods[2].rest.curvature == Vec2(2, 0.5));
  CHECK(scene.rods[2].rest.twist_rate == doctest::Approx(pi / 2));
  CHECK(scene.rods[3].name == "coil \"a\"");
  CHECK(scene.rods[3].shape.angle == doctest::Approx(3.7 * 2 * pi));
  CHECK(scene.rods[3].rest.curve.angle == 20);
  CHECK(scene.rods[4].shape.kind == CurveKind::Spline);
  CHECK(scene.rods[4].shape.points.size() == 3);
  CHECK(scene.rods[5].shape.points[1].x() == 0.0254);
}

TEST_CASE("holds, junctions and drivers") {
  const Scene scene = read(test::kFullScene);
  CHECK(scene.holds[0].at == ArcPosition{0, 0});
  CHECK(scene.holds[1].at == ArcPosition{1, 0});
  CHECK(scene.holds[1].body == "knuckle");
  CHECK(scene.holds[2].at == ArcPosition{0, 0.3});
  CHECK(*scene.holds[2].position == Vec3(0.2, 0, -0.1));
  CHECK(scene.holds[3].name == "hold 4");
  CHECK(scene.holds[3].fix.position == std::array{false, true, true});
  CHECK(scene.holds[3].fix.orientation == std::array{true, true, true});
  CHECK(scene.holds[4].slide);
  CHECK(scene.holds[4].at == ArcPosition{0.5, 0});
  CHECK(scene.holds[5].fix.orientation == std::array{true, true, false});
  CHECK(scene.junctions[0].rods[2].at == ArcPosition{1, -0.01});
  CHECK(scene.junctions[1].name == "junction 2");
  CHECK(scene.drivers[1].kind == DriverKind::Hold);
  CHECK(*scene.drivers[1].path[1].turns == 10);
  CHECK_FALSE(scene.drivers[1].path[0].position);
  CHECK(scene.drivers[3].kind == DriverKind::Torque);
  CHECK(scene.drivers[4].path[1].t == 60);
}

TEST_CASE("an orientation by tangent and normal takes z to the tangent and x towards the normal") {
  const Scene scene = read(test::kFullScene);
  const Quat& q = *scene.holds[2].orientation;
  const Vec3 tangent = Vec3(1, 0.2, 0).normalized();
  // a few roundings of unit vectors
  CHECK((q * Vec3::UnitZ() - tangent).norm() < 1e-15);
  CHECK((q * Vec3::UnitX() - Vec3::UnitZ()).norm() < 1e-15);
  // a quaternion is made unit
  CHECK(scene.bodies[0].orientation.w() == doctest::Approx(2 / std::sqrt(5.0)));
}

TEST_CASE("an arc through three points") {
  // a half circle of radius 1 about the origin in the plane y = 0
  const Curve half = with_shape("{arc: [[1, 0, 0], [0, 0, 1], [-1, 0, 0]]}").rods[0].shape;
  CHECK(half.kind == CurveKind::Arc);
  CHECK(half.centre.norm() < 1e-15);
  CHECK((half.axis - Vec3(0, -1, 0)).norm() < 1e-15);
  CHECK(half.angle == doctest::Approx(pi));
  // three quarters: the long way round
  const Curve long_way = with_shape("{arc: [[1, 0, 0], [-1, 0, 0], [0, -1, 0]]}").rods[0].shape;
  CHECK(long_way.angle == doctest::Approx(1.5 * pi));
  CHECK((long_way.axis - Vec3::UnitZ()).norm() < 1e-15);
}

TEST_CASE("control points of three or four numbers, with weights and knots, are read and written") {
  const auto rod = [&](const std::string& control) {
    const Scene scene = with_shape("{control: " + control + "}");
    CHECK(read(write_scene(scene)).rods == scene.rods);
    return scene.rods[0].shape;
  };
  const Curve plain = rod("{points: [[0, 0, 0], [1 cm, 0, 0], [2 cm, 1 cm, 0], [3 cm, 0, 0]]}");
  CHECK(plain.kind == CurveKind::Control);
  CHECK(plain.basis == CurveBasis::BSpline);
  CHECK(plain.points[2] == Vec3(0.02, 0.01, 0));
  CHECK(plain.rolls.empty());
  const Curve full = rod(
      "{basis: nurbs, points: [[0, 0, 0, 0], [1, 0, 0, 90 deg], [2, 1, 0, 0.5], [3, 0, 0, -1], [4, 0, 0, 0]], weights: "
      "[1, 2, 0.5, 1, 1], knots: [0, 0, 0, 0, 0.3, 1, 1, 1, 1]}");
  CHECK(full.basis == CurveBasis::Nurbs);
  CHECK(full.rolls[1] == doctest::Approx(pi / 2));
  CHECK(full.weights == std::vector<double>{1, 2, 0.5, 1, 1});
  CHECK(full.knots.size() == 9);
  CHECK(rod("{basis: catmull-rom, points: [[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 0, 0]]}").basis ==
        CurveBasis::CatmullRom);

  const auto refused = [&](const std::string& control, const std::string& why) {
    CAPTURE(control);
    std::string text = test::kSmallScene;
    const std::string old = "{line: [[0, 0, 0], [1, 0, 0]]}";
    const Result<Scene> scene =
        parse_scene(text.replace(text.find(old), old.size(), "{control: " + control + "}"), "s");
    REQUIRE_FALSE(scene.ok());
    CHECK_MESSAGE(scene.error().text().find(why) != std::string::npos, scene.error().text());
  };
  const std::string four = "points: [[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 0, 0]]";
  refused("{points: [[0, 0, 0], [1, 0, 0], [2, 1, 0]]}", "at least 4");
  refused("{points: [[0, 0, 0], [1, 0, 0, 1], [2, 1, 0], [3, 0, 0]]}", "as in the first");
  refused("{" + four + ", weights: [1, 1, 1, 1]}", "only the basis nurbs");
  refused("{basis: nurbs, " + four + ", weights: [1, 1, 1]}", "4 numbers");
  refused("{basis: nurbs, " + four + ", weights: [1, 1, 0, 1]}", "greater than zero");
  refused("{basis: catmull-rom, " + four + ", knots: [0, 0, 0, 0, 1, 1, 1, 1]}", "no knots");
  refused("{" + four + ", knots: [0, 0, 0, 0, 1, 1, 0.5, 1]}", "must not fall");
  refused("{" + four + ", knots: [0, 0, 0, 0, 0, 1, 1, 1]}", "more than four times");
  refused("{" + four + ", base: nurbs}", "base");
}

TEST_CASE("points from a file beside the scene") {
  const auto folder = std::filesystem::temp_directory_path() / "filum test points";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "way.txt") << "# x y z\n0 0 0\n0.1, 0, 0  # comma\n\n  0.2\t0.1 1e-3\r\n";
  std::ofstream(folder / "marked.txt") << "\xEF\xBB\xBF"
                                       << "0 0 0\n0.1 0 0\n";
  std::ofstream(folder / "bad.txt") << "0 0 0\n0.1 zero 0\n";
  const auto scene_with = [&](const std::string& file) {
    std::string text = test::kSmallScene;
    const std::string old = "{line: [[0, 0, 0], [1, 0, 0]]}";
    text.replace(text.find(old), old.size(), "{file: " + file + "}");
    std::ofstream(folder / "scene.yaml") << text;
    return read_scene((folder / "scene.yaml").string());
  };
  const Result<Scene> scene = scene_with("way.txt");
  REQUIRE(scene.ok());
  CHECK(scene->rods[0].shape.kind == CurveKind::Points);
  CHECK(scene->rods[0].shape.file == "way.txt");
  CHECK(scene->rods[0].shape.points == std::vector<Vec3>{{0, 0, 0}, {0.1, 0, 0}, {0.2, 0.1, 1e-3}});
  // what is written names the file again
  const Result<Scene> again = parse_scene(write_scene(*scene), (folder / "scene.yaml").string());
  REQUIRE(again.ok());
  CHECK(*again == *scene);
  // a byte order mark is no part of the first number
  const Result<Scene> marked = scene_with("marked.txt");
  REQUIRE(marked.ok());
  CHECK(marked->rods[0].shape.points == std::vector<Vec3>{{0, 0, 0}, {0.1, 0, 0}});
  // mistakes name the file they stand in
  const Result<Scene> bad = scene_with("bad.txt");
  REQUIRE_FALSE(bad.ok());
  CHECK(bad.error().line == 2);
  CHECK(bad.error().file == (folder / "bad.txt").string());
  CHECK(bad.error().message == "expected a length such as 5.2 mm, found 'zero'");
  const Result<Scene> missing = scene_with("none.txt");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().line == 8);
  CHECK(missing.error().code == ErrorCode::File);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a scene that cannot be opened is a file error") {
  const Result<Scene> none = read_scene("no/such/scene.yaml");
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().code == ErrorCode::File);
  CHECK(none.error().text() == "no/such/scene.yaml: no such file");
  const Result<Scene> folder = read_scene(FILUM_SOURCE_DIR);
  REQUIRE_FALSE(folder.ok());
  CHECK(folder.error().message == "is a folder, not a file");
}

TEST_CASE("the shipped brake hose reads") {
  const Result<Scene> scene = read_scene(std::string(FILUM_SOURCE_DIR) + "/scenes/brake-hose.yaml");
  REQUIRE(scene.ok());
  CHECK(*scene->rods[0].length == 0.42);
  CHECK(scene->holds.size() == 2);
}

TEST_CASE("empty parts may be left without a value") {
  const Scene scene = read(test::kSmallScene + "forces:\nbodies:\ntitle:\nrecord: {probes: []}\n");
  CHECK(scene.forces.empty());
  CHECK(scene.title.empty());
}

}  // namespace filum::test_scene_read
