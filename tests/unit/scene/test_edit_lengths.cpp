// Edits of lengths: what grows, and what stays where it was.
#include "math/frame.hpp"
#include "unit/scene/edit_samples.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace filum::test_edit_lengths {

using namespace filum::edit_samples;

TEST_CASE("edit: a length set anew keeps shares, shapes and poses") {
  for (const Curve& shape : shapes()) {
    const Scene before = full_scene(shape);
    Scene scene = before;
    require_ok(edit::set_length(scene, "hose", 1.8));
    check_valid(scene);
    CHECK(rod_length(scene.rods[0]) == 1.8);
    CHECK(scene.rods[0].stations[1].s.offset == doctest::Approx(1.2));
    check_same_places(before, scene, 1e-12);
    require_ok(edit::change_length(scene, "hose", -0.25, edit::Change::Relative));
    CHECK(rod_length(scene.rods[0]) == doctest::Approx(1.35));
    require_ok(edit::change_length(scene, "hose", -0.15, edit::Change::Absolute));
    CHECK(rod_length(scene.rods[0]) == doctest::Approx(1.2));
    CHECK(scene.holds[1].at.at(1.2) == doctest::Approx(0.65));
  }
  CHECK(refused(sample(), [](Scene& s) { return edit::set_length(s, "hose", -1); }) ==
        "a length must be greater than zero, found -1");
  CHECK(refused(sample(), [](Scene& s) {
          return edit::change_length(s, "hose", std::nan(""), edit::Change::Absolute);
        }) == "a length must be greater than zero, found nan");
  CHECK(refused(sample(), [](Scene& s) { return edit::change_length(s, "x", 1, edit::Change::Absolute); }) ==
        "there is no rod 'x'");
}

TEST_CASE("edit: a driven length follows") {
  Scene scene = sample();
  Driver driver;
  driver.kind = DriverKind::Rod;
  driver.target = "hose";
  driver.path.resize(1);
  driver.path[0].length = 1.5;
  scene.drivers.push_back(driver);
  require_ok(edit::set_length(scene, "hose", 2.4));
  CHECK(*scene.drivers.back().path[0].length == doctest::Approx(3));
  require_ok(edit::prolong(scene, "hose", 0.5, edit::RodEnd::End));
  CHECK(*scene.drivers.back().path[0].length == doctest::Approx(3.5));
  CHECK(refused(scene, [](Scene& s) {
          return edit::split(s, "hose", {0.5, 0});
        }) == "rod 'hose' has a driven length and cannot be split");
}

TEST_CASE("edit: a prolonged rod keeps its material where it was") {
  for (const Curve& shape : shapes())
    for (const edit::RodEnd end : {edit::RodEnd::Start, edit::RodEnd::End})
      for (const double twist : {0.0, 2.0}) {
        CAPTURE(int(shape.kind));
        CAPTURE(int(end));
        Scene before = full_scene(shape);
        before.rods[0].twist = twist;
        Scene scene = before;
        require_ok(edit::prolong(scene, "hose", 0.3, end));
        check_valid(scene);
        CHECK(rod_length(scene.rods[0]) == doctest::Approx(1.5));
        CHECK(scene.rods[0].segments == 50);
        check_same_places(before, scene, shape.kind == CurveKind::Spline ? 1e-6 : 1e-9);
        // every place moved with its material
        const double shift = end == edit::RodEnd::Start ? 0.3 : 0;
        CHECK(scene.record.probes[0].point.at.at(1.5) == doctest::Approx(1.2 + shift));
        CHECK(scene.record.probes[1].point.at.at(1.5) == doctest::Approx(0.1 + shift));
        CHECK(scene.torques[0].point.at.at(1.5) == doctest::Approx(1.1 + shift));
        CHECK(scene.distributed[0].from.at(1.5) == doctest::Approx(0.24 + shift));
        CHECK(scene.rods[0].stations[0].s.at(1.5) == doctest::Approx(0.3 + shift));
        // the bystander's did not
        CHECK(scene.forces[0] == before.forces[0]);
      }
  // the length of a rod that takes it from its shape
  Scene scene = sample();
  scene.rods[1].shape = shapes()[2];
  const double length = rod_length(scene.rods[1]);
  require_ok(edit::prolong(scene, "other", 0.2, edit::RodEnd::End));
  CHECK(!scene.rods[1].length);
  CHECK(rod_length(scene.rods[1]) == doctest::Approx(length + 0.2).epsilon(1e-8));
  CHECK(refused(sample(), [](Scene& s) { return edit::prolong(s, "hose", 0, edit::RodEnd::End); }) ==
        "the length to add must be greater than zero, found 0");
}

namespace {

// The rest frame of a rod at an arc length against the one at another: what its rest curve bends and twists it by.
Mat3 rest_turn(const Rod& rod, double from, double to) {
  const CurvePath path(rod.rest.curve);
  const Mat3 start = math::frame_from(path.at(0).tangent, *rod.normal);
  const std::vector<double> s{from, to};
  const auto both = scene::place_along(path, rod_length(rod), start, s);
  return both[0].frame.transpose() * both[1].frame;
}

}  // namespace

TEST_CASE("edit: rest curves keep their bends on the material") {
  for (const Curve& rest : shapes()) {
    CAPTURE(int(rest.kind));
    const double tolerance = rest.kind == CurveKind::Spline ? 1e-5 : 1e-9;
    Scene before = sample();
    before.rods[0].rest.kind = RestKind::Curve;
    before.rods[0].rest.curve = rest;
    before.rods[0].normal = Vec3(0.1, 0.8, 0.5);
    before.rods[0].twist = 1;
    const Rod& was = before.rods[0];
    Scene longer = before;
    require_ok(edit::prolong(longer, "hose", 0.3, edit::RodEnd::Start));
    CHECK((rest_turn(longer.rods[0], 0.5, 1.3) - rest_turn(was, 0.2, 1.0)).norm() < tolerance);
    Scene cut = before;
    require_ok(edit::split(cut, "hose", {0, 0.5}, "tail"));
    CHECK((rest_turn(cut.rods[0], 0.1, 0.45) - rest_turn(was, 0.1, 0.45)).norm() < tolerance);
    CHECK((rest_turn(cut.rods[1], 0.1, 0.6) - rest_turn(was, 0.6, 1.1)).norm() < tolerance);
  }
  // drawn larger in between: the same turns over more length
  Scene scene = sample();
  scene.rods[0].rest.kind = RestKind::Curve;
  scene.rods[0].rest.curve = shapes()[3];
  scene.rods[0].normal = Vec3(0.1, 0.8, 0.5);
  const Rod was = scene.rods[0];
  require_ok(edit::lengthen_between(scene, "hose", {0, 0.4}, {0, 0.6}, 0.2));
  // a helix sampled 200 times
  CHECK((rest_turn(scene.rods[0], 0.1, 0.35) - rest_turn(was, 0.1, 0.35)).norm() < 1e-5);
  CHECK((rest_turn(scene.rods[0], 0.1, 1.2) - rest_turn(was, 0.1, 1.0)).norm() < 1e-5);
}

TEST_CASE("edit: material inserted between two places leaves the rest where it was") {
  for (const Curve& shape : shapes())
    for (const double by : {0.01, 0.3, 1.5}) {
      CAPTURE(int(shape.kind));
      CAPTURE(by);
      const Scene before = full_scene(shape);
      Scene scene = before;
      // the clip at 0.65 and the junction at 0.3 lie in between
      require_ok(edit::lengthen_between(scene, "hose", {0, 0.2}, {0, 0.9}, by));
      check_valid(scene);
      const double length = 1.2 + by;
      CHECK(rod_length(scene.rods[0]) == doctest::Approx(length).epsilon(1e-12));
      const double drawn = curve_length(before.rods[0].shape) / 1.2;
      CHECK(curve_length(scene.rods[0].shape) == doctest::Approx(length * drawn).epsilon(1e-9));
      // polylines are exact; splines as sampled, and of tight bulges the layout's own transport shows, in 1000 steps
      const bool exact = shape.kind == CurveKind::Line || shape.kind == CurveKind::Points;
      check_same_places(before, scene, exact ? 1e-9 : by > 1 ? 1e-3 : 1e-5);
      CHECK(scene.record.probes[1].point.at.at(length) == doctest::Approx(0.1));
      CHECK(scene.record.probes[0].point.at.at(length) == doctest::Approx(length));
      CHECK(scene.holds[1].at.at(length) == doctest::Approx(0.65 + by * 0.45 / 0.7));
      CHECK(scene.rods[0].segments == std::lround(40 * length / 1.2));
    }
  CHECK(refused(sample(), [](Scene& s) {
          return edit::lengthen_between(s, "hose", {0, 0.5}, {0, 0.2}, 1);
        }) == "the places between which rod 'hose' gets longer must follow each other along it");
  CHECK(refused(sample(), [](Scene& s) {
          return edit::lengthen_between(s, "hose", {0, 0.5}, {0, 2}, 1);
        }) == "s = 2 m is outside rod 'hose', which is 1.2 m long");
  Scene twisted = sample();
  twisted.rods[0].twist = 1;
  CHECK(refused(twisted, [](Scene& s) {
          return edit::lengthen_between(s, "hose", {0, 0.2}, {0, 0.5}, 1);
        }).find("junction 'tee' joins it") != std::string::npos);
  require_ok(edit::separate(twisted, "tee"));
  const Placement right = placed(twisted, "hose", {1, 0});
  require_ok(edit::lengthen_between(twisted, "hose", {0, 0.2}, {0, 0.5}, 1));
  CHECK((twisted.holds[2].orientation->toRotationMatrix() - right.frame).norm() < 1e-12);
}

TEST_CASE("edit: a length typed between two places leaves holds where they were") {
  Scene scene;
  Section wire;
  wire.radius = 1e-3;
  scene.sections.push_back({"wire", wire});
  scene.rods.push_back(rod_along("r", line({0, 0, 0}, {1, 0, 0})));
  for (const double share : {0.0, 0.5, 1.0}) {
    Hold hold;
    hold.name = "h" + std::to_string(static_cast<int>(10 * share));
    hold.rod = "r";
    hold.at = {share, 0};
    hold.fix.position = kAllAxes;
    scene.holds.push_back(hold);
  }
  scene.routing.push_back({"r", RoutingMode::Pulled, 1.0, {0, 0.6}, {1, 0}, {}});
  REQUIRE(edit::set_length_between(scene, "r", {0, 0}, {0.5, 0}, 0.8).ok());
  CHECK(*scene.rods[0].length == doctest::Approx(1.3));
  CHECK(scene.holds[1].at.at(1.3) == doctest::Approx(0.8));
  CHECK((*scene.holds[1].position - Vec3(0.5, 0, 0)).norm() < 1e-12);
  CHECK(scene.routing[0].from.at(1.3) == doctest::Approx(0.9));
  // shorter again, and the whole as ever
  REQUIRE(edit::set_length_between(scene, "r", {0, 0}, {0, 0.8}, 0.5).ok());
  CHECK(scene.holds[1].at.at(1.0) == doctest::Approx(0.5));
  REQUIRE(edit::set_length_between(scene, "r", {0, 0}, {1, 0}, 2).ok());
  CHECK(scene.holds[1].at.at(2.0) == doctest::Approx(1));
  // what would not stay in place is refused
  scene.rods[0].rest.kind = RestKind::AsShaped;
  CHECK_FALSE(edit::set_length_between(scene, "r", {0, 0}, {0.5, 0}, 0.8).ok());
}

TEST_CASE("edit: both parts of a rod that is cut find their lengths") {
  Scene scene;
  Section wire;
  wire.radius = 1e-3;
  scene.sections.push_back({"wire", wire});
  scene.rods.push_back(rod_along("r", line({0, 0, 0}, {1, 0, 0})));
  Hold hold;
  hold.name = "h";
  hold.rod = "r";
  hold.at = {0, 0};
  hold.fix.position = kAllAxes;
  scene.holds.push_back(hold);
  scene.routing.push_back({"r", RoutingMode::Pulled, 1.0, {0, 0.2}, {0, 0.9}, {}});
  REQUIRE(edit::split(scene, "r", {0, 0.4}, "s").ok());
  REQUIRE(scene.routing.size() == 2);
  CHECK(scene.routing[0].from.at(0.4) == doctest::Approx(0.2));
  CHECK(scene.routing[0].to.at(0.4) == doctest::Approx(0.4));
  CHECK(scene.routing[1].rod == "s");
  CHECK(scene.routing[1].from.at(0.6) == doctest::Approx(0));
  CHECK(scene.routing[1].to.at(0.6) == doctest::Approx(0.5));
  REQUIRE(edit::remove_rod(scene, "s").ok());
  CHECK(scene.routing.size() == 1);
}

TEST_CASE("edit: lengths that no curve can have are refused") {
  CHECK(refused(sample(), [](Scene& s) {
          return edit::lengthen_between(s, "hose", {0, 0.2}, {0, 0.5}, 1e300);
        }).find("at most a million times") != std::string::npos);
  CHECK(refused(sample(), [](Scene& s) { return edit::set_length(s, "hose", 1e300); }).find("at most 1e+12") !=
        std::string::npos);
  // a scene that was wrong before
  Scene scene = sample();
  scene.rods[0].shape.points.clear();
  CHECK(refused(scene, [](Scene& s) { return edit::prolong(s, "hose", 1, edit::RodEnd::End); }) ==
        "rod 'hose' has a shape without length");
  CHECK(refused(scene, [](Scene& s) {
          return edit::split(s, "hose", {0.5, 0});
        }) == "rod 'hose' has a shape without length");
}

}  // namespace filum::test_edit_lengths
