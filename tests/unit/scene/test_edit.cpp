// Edits of a scene: what they change, what stays where it was, what they refuse.
#include <filum/edit.hpp>

#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "scene/layout.hpp"
#include "scene/lookup.hpp"
#include "scene/validate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace filum;
using filum::scene::Placement;
using filum::scene::rod_length;
using filum::scene::RodLayout;
using math::kPi;

namespace {

constexpr FixedAxes kAll{true, true, true};

Rod rod_along(const std::string& name, const Curve& shape) {
  Rod rod;
  rod.name = name;
  rod.material = "steel";
  rod.section = "wire";
  rod.segments = 40;
  rod.shape = shape;
  return rod;
}

Curve line(const Vec3& a, const Vec3& b) {
  Curve curve;
  curve.points = {a, b};
  return curve;
}

// Every kind of shape, none of them in a plane if it can help it.
std::vector<Curve> shapes() {
  Curve points;
  points.kind = CurveKind::Points;
  points.points = {{0, 0, 0}, {0.4, 0, 0.1}, {0.7, 0.3, 0.1}, {0.9, 0.4, -0.2}};
  Curve spline = points;
  spline.kind = CurveKind::Spline;
  Curve helix;
  helix.kind = CurveKind::Helix;
  helix.centre = {0, 0.2, 0};
  helix.axis = {0.1, 0, 1};
  helix.start = {0.3, 0, 0};
  helix.angle = 5;
  helix.pitch = 0.4;
  Curve arc = helix;
  arc.kind = CurveKind::Arc;
  arc.angle = -3;
  return {line({0, 0, 0}, {1, 0.2, 0}), points, spline, helix, arc};
}

// One rod of length 1.2 with all that can refer to it, and a bystander.
Scene full_scene(const Curve& shape) {
  Scene scene;
  Section wire;
  wire.radius = 1e-3;
  scene.sections.push_back({"wire", wire});
  wire.radius = 2e-3;
  scene.sections.push_back({"thick", wire});
  scene.rods.push_back(rod_along("hose", shape));
  scene.rods.back().length = 1.2;
  scene.rods.back().stations = {{{0.25, 0}, "thick", ""}, {{0, 0.8}, "wire", "copper"}};
  scene.rods.push_back(rod_along("other", line({0, 1, 0}, {1, 1, 0})));
  const auto hold = [&](const char* name, const char* rod, const ArcPosition& at) {
    Hold made;
    made.name = name;
    made.rod = rod;
    made.at = at;
    made.fix_position = made.fix_orientation = kAll;
    scene.holds.push_back(made);
  };
  hold("left", "hose", {0, 0});
  hold("clip", "hose", {0.5, 0.05});
  hold("right", "hose", {1, 0});
  hold("apart", "other", {0, 0});
  scene.junctions.push_back({"tee", {{"hose", {0, 0.3}}, {"other", {1, 0}}}});
  for (const char* rod : {"other", "hose", "other"}) {
    PointForce force;
    force.point = {rod, {0.75, 0}};
    force.force = Vec3(0, 0, 1);
    scene.forces.push_back(force);
  }
  PointTorque torque;
  torque.point = {"hose", {1, -0.1}};
  torque.torque = Vec3(0, 0, 1);
  scene.torques.push_back(torque);
  scene.distributed.push_back({"hose", {0.2, 0}, {0.9, 0}, Vec3(0, 0, -1)});
  scene.record.probes.push_back({"tip", {"hose", {1, 0}}});
  scene.record.probes.push_back({"early", {"hose", {0, 0.1}}});
  const auto drive = [&](DriverKind kind, const char* target, int index) {
    Driver driver;
    driver.kind = kind;
    driver.target = target;
    driver.index = index;
    driver.path.resize(1);
    scene.drivers.push_back(driver);
    return &scene.drivers.back().path[0];
  };
  drive(DriverKind::Hold, "right", 0)->turns = 1;
  drive(DriverKind::Force, "", 1)->scale = 1;
  drive(DriverKind::Force, "", 2)->scale = 2;
  drive(DriverKind::Torque, "", 0)->scale = 3;
  return scene;
}

void check_valid(const Scene& scene) {
  const auto problem = scene::validate(scene);
  INFO((problem ? problem->error().message : std::string()));
  CHECK(!problem);
}

Placement placed(const Scene& scene, const std::string& rod, const ArcPosition& at) {
  const RodLayout layout(*scene::Names(scene).rod(rod));
  return layout.at(at.at(layout.length()));
}

double distance(const Placement& a, const Placement& b) {
  return (a.position - b.position).norm() + (a.frame - b.frame).norm();
}

// Where the shapes put all holds and the ends of junctions. Splines are sampled anew: some 1e-7 of their size.
void check_same_places(const Scene& before, const Scene& after, double tolerance) {
  REQUIRE(before.holds.size() == after.holds.size());
  for (std::size_t i = 0; i < before.holds.size(); ++i) {
    CAPTURE(before.holds[i].name);
    CHECK(distance(placed(before, before.holds[i].rod, before.holds[i].at),
                   placed(after, after.holds[i].rod, after.holds[i].at)) < tolerance);
  }
  for (std::size_t i = 0; i < before.junctions.size(); ++i)
    for (std::size_t j = 0; j < before.junctions[i].rods.size(); ++j) {
      const RodPoint& was = before.junctions[i].rods[j];
      const RodPoint& is = after.junctions[i].rods[j];
      CHECK(distance(placed(before, was.rod, was.at), placed(after, is.rod, is.at)) < tolerance);
    }
}

// The error of an edit that must fail and leave no trace.
std::string refused(const Scene& scene, const std::function<Status(Scene&)>& edit) {
  Scene changed = scene;
  const Status status = edit(changed);
  CHECK(changed == scene);
  return status ? "fine" : status.error().message;
}

void require_ok(const Status& status) {
  INFO((status ? std::string() : status.error().message));
  REQUIRE(status.ok());
}

const Scene& sample() {
  static const Scene scene = full_scene(line({0, 0, 0}, {1.2, 0, 0}));
  return scene;
}

}  // namespace

TEST_CASE("edit: the sample scene is right") {
  for (const Curve& shape : shapes()) check_valid(full_scene(shape));
}

TEST_CASE("edit: holds are added, named and removed with their drivers") {
  Scene scene = sample();
  Hold hold;
  hold.rod = "other";
  hold.at = {0.5, 0};
  hold.fix_position = kAll;
  require_ok(edit::add_hold(scene, hold));
  CHECK(scene.holds.back().name == "hold 1");
  require_ok(edit::remove_hold(scene, "hold 1"));
  CHECK(scene == sample());
  require_ok(edit::remove_hold(scene, "right"));
  CHECK(scene.drivers.size() == sample().drivers.size() - 1);
  check_valid(scene);

  hold.name = "left";
  CHECK(refused(scene, [&](Scene& s) { return edit::add_hold(s, hold); }).find("double name") != std::string::npos);
  hold.rod = "none";
  CHECK(refused(scene, [&](Scene& s) { return edit::add_hold(s, hold); }) == "there is no rod 'none'");
  CHECK(refused(scene, [](Scene& s) { return edit::remove_hold(s, "x"); }) == "there is no hold 'x'");
}

TEST_CASE("edit: holds are spread evenly") {
  Scene scene = sample();
  require_ok(edit::remove_hold(scene, "apart"));
  require_ok(edit::spread_holds(scene, "other", 5, edit::Grip::Position, "clamp"));
  CHECK(scene.holds.size() == 8);
  for (int i = 0; i < 5; ++i) {
    const Hold& hold = scene.holds[static_cast<std::size_t>(3 + i)];
    CHECK(hold.name == "clamp " + std::to_string(i + 1));
    CHECK(hold.at == ArcPosition{0.25 * i, 0});
    CHECK(hold.fix_position == kAll);
    CHECK(!hold.holds_orientation());
  }
  // one alone
  Scene one = sample();
  require_ok(edit::spread_holds(one, "other", 1, edit::Grip::PositionAndOrientation, "clamp"));
  CHECK(one.holds.back().at == ArcPosition{0.5, 0});
  CHECK(one.holds.back().fix_orientation == kAll);
  // a ring
  Scene ring = sample();
  Curve circle;
  circle.kind = CurveKind::Arc;
  circle.start = {1, 0, 0};
  circle.angle = 2 * kPi;
  ring.rods.push_back(rod_along("ring", circle));
  ring.rods.back().closed = true;
  require_ok(edit::spread_holds(ring, "ring", 4, edit::Grip::Position, "spoke"));
  CHECK(ring.holds.back().at == ArcPosition{0.75, 0});

  CHECK(refused(scene, [](Scene& s) { return edit::spread_holds(s, "other", 0, edit::Grip::Position, "c"); }) ==
        "holds to spread must be 1 to 10000, found 0");
  // where there is one already
  CHECK(refused(sample(), [](Scene& s) {
          return edit::spread_holds(s, "other", 3, edit::Grip::Position, "c");
        }).find("both fix the position") != std::string::npos);
}

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

TEST_CASE("edit: rods are joined, separated and joined again") {
  Scene scene = sample();
  require_ok(edit::separate(scene, "tee"));
  CHECK(scene.junctions.empty());
  require_ok(edit::join(scene, {"", {{"hose", {0, 0.3}}, {"other", {1, 0}}}}));
  CHECK(scene.junctions[0].name == "junction 1");
  check_valid(scene);
  // one of three
  scene.rods.push_back(rod_along("third", line({0, 2, 0}, {1, 2, 0})));
  scene.junctions[0].rods.push_back({"third", {0.5, 0}});
  require_ok(edit::separate(scene, "junction 1", "other"));
  CHECK(scene.junctions[0].rods.size() == 2);
  require_ok(edit::separate(scene, "junction 1", "third"));
  CHECK(scene.junctions.empty());

  CHECK(refused(sample(), [](Scene& s) { return edit::separate(s, "x"); }) == "there is no junction 'x'");
  CHECK(refused(sample(), [](Scene& s) { return edit::separate(s, "tee", "x"); }) ==
        "junction 'tee' does not join rod 'x'");
  CHECK(refused(sample(), [](Scene& s) {
          return edit::join(s, {"j", {{"hose", {}}, {"x", {}}}});
        }) == "there is no rod 'x'");
  CHECK(refused(sample(), [](Scene& s) {
          return edit::join(s, {"j", {{"hose", {}}}});
        }).find("joins 1 rod") != std::string::npos);
}

TEST_CASE("edit: rods in series, as placed or moved to go on") {
  for (const Curve& shape : shapes()) {
    Scene scene = sample();
    scene.rods.push_back(rod_along("next", shape));
    scene.rods.back().twist = 1;
    Scene as_placed = scene;
    require_ok(edit::connect_in_series(as_placed, "hose", "next", edit::Fit::AsPlaced, "series"));
    CHECK(as_placed.rods == scene.rods);
    CHECK(as_placed.junctions.back() == Junction{"series", {{"hose", {1, 0}}, {"next", {0, 0}}}});
    // moved: its frames all turned by the same rotation
    const Placement was = placed(scene, "next", {0, 0});
    const Placement later = placed(scene, "next", {0.7, 0});
    require_ok(edit::connect_in_series(scene, "hose", "next", edit::Fit::Continue));
    check_valid(scene);
    const Placement end = placed(scene, "hose", {1, 0});
    CHECK(distance(placed(scene, "next", {0, 0}), end) < 1e-12);
    const Placement now = placed(scene, "next", {0.7, 0});
    const Mat3 turn = end.frame * was.frame.transpose();
    CHECK((now.frame - turn * later.frame).norm() < 1e-9);
    CHECK((now.position - end.position - turn * (later.position - was.position)).norm() < 1e-12);
  }
  CHECK(refused(sample(), [](Scene& s) { return edit::connect_in_series(s, "hose", "other", edit::Fit::Continue); }) ==
        "rod 'other' is kept by hold 'apart' and cannot be moved to rod 'hose'");
  CHECK(refused(sample(), [](Scene& s) { return edit::connect_in_series(s, "hose", "x", edit::Fit::AsPlaced); }) ==
        "there is no rod 'x'");
}

TEST_CASE("edit: a rod split in two lies as it did, and all that referred to it still does") {
  for (const Curve& shape : shapes())
    for (const double twist : {0.0, -1.5}) {
      CAPTURE(int(shape.kind));
      Scene before = full_scene(shape);
      before.rods[0].twist = twist;
      Scene scene = before;
      require_ok(edit::split(scene, "hose", {0, 0.5}, "tail", "splice"));
      check_valid(scene);
      REQUIRE(scene.rods.size() == 3);
      CHECK(scene.rods[1].name == "tail");
      CHECK(*scene.rods[0].length + *scene.rods[1].length == doctest::Approx(1.2));
      CHECK(scene.rods[0].segments + scene.rods[1].segments == 40);
      check_same_places(before, scene, shape.kind == CurveKind::Spline ? 1e-5 : 1e-9);
      // the cut itself fits
      CHECK(distance(placed(scene, "hose", {1, 0}), placed(scene, "tail", {0, 0})) < 1e-5);
      CHECK(scene.junctions.back().name == "splice");
      // who went where
      CHECK(scene.holds[0].rod == "hose");
      CHECK(scene.holds[1].rod == "tail");
      CHECK(scene.holds[1].at.at(0.7) == doctest::Approx(0.15));
      CHECK(scene.holds[2].at == ArcPosition{1, 0});
      CHECK(scene.junctions[0].rods[0].rod == "hose");
      CHECK(scene.forces[1].point.rod == "tail");
      CHECK(scene.torques[0].point.rod == "tail");
      CHECK(scene.record.probes[1].point.rod == "hose");
      CHECK(scene.drivers == before.drivers);
      // a load over the cut is two
      REQUIRE(scene.distributed.size() == 2);
      CHECK(scene.distributed[0].to == ArcPosition{1, 0});
      CHECK(scene.distributed[1].from == ArcPosition{});
      CHECK(scene.distributed[1].to.at(0.7) == doctest::Approx(1.08 - 0.5));
      // and so are sections
      CHECK(scene.rods[0].stations.size() == 1);
      CHECK(scene.rods[1].section == "thick");
      CHECK(scene.rods[1].stations.size() == 1);
      CHECK(scene.rods[1].stations[0].material == "copper");
    }
  Scene named = sample();
  require_ok(edit::split(named, "hose", {0.5, 0}));
  CHECK(named.rods[1].name == "hose 1");
  CHECK(refused(sample(), [](Scene& s) {
          return edit::split(s, "hose", {1, 0});
        }).find("must lie between its ends") != std::string::npos);
  CHECK(refused(sample(), [](Scene& s) {
          return edit::split(s, "hose", {0.5, 0}, "other");
        }).find("double name") != std::string::npos);
}

TEST_CASE("edit: a rod goes with all that hangs on it") {
  Scene scene = full_scene(shapes()[2]);
  require_ok(edit::remove_rod(scene, "hose"));
  check_valid(scene);
  CHECK(scene.rods.size() == 1);
  CHECK(scene.holds.size() == 1);
  CHECK(scene.junctions.empty());
  CHECK(scene.forces.size() == 2);
  CHECK(scene.torques.empty());
  CHECK(scene.distributed.empty());
  CHECK(scene.record.probes.empty());
  // the driver of the third force now drives the second
  REQUIRE(scene.drivers.size() == 1);
  CHECK(scene.drivers[0].kind == DriverKind::Force);
  CHECK(scene.drivers[0].index == 1);
  CHECK(*scene.drivers[0].path[0].scale == 2);
  CHECK(refused(sample(), [](Scene& s) { return edit::remove_rod(s, "x"); }) == "there is no rod 'x'");
}

TEST_CASE("edit: rings are refused where they have no ends") {
  Scene scene = sample();
  Curve circle;
  circle.kind = CurveKind::Arc;
  circle.start = {1, 0, 0};
  circle.angle = 2 * kPi;
  scene.rods.push_back(rod_along("ring", circle));
  scene.rods.back().closed = true;
  CHECK(refused(scene, [](Scene& s) { return edit::prolong(s, "ring", 1, edit::RodEnd::End); }) ==
        "rod 'ring' is closed: set its length instead");
  CHECK(refused(scene, [](Scene& s) {
          return edit::split(s, "ring", {0.5, 0});
        }) == "rod 'ring' is closed and cannot be split in two");
  CHECK(refused(scene, [](Scene& s) { return edit::connect_in_series(s, "ring", "other", edit::Fit::AsPlaced); }) ==
        "rod 'ring' is closed: it has no ends to connect");
  require_ok(edit::set_length(scene, "ring", 7));
}

TEST_CASE("edit: a session's scene with a hold that has let go can be edited") {
  Scene scene = sample();
  scene.drivers.clear();
  scene.holds[1].fix_position = scene.holds[1].fix_orientation = {false, false, false};
  require_ok(edit::prolong(scene, "other", 0.1, edit::RodEnd::End));
}
