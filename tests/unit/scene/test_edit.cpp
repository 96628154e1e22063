// Edits of holds, junctions and rods: what they change, what stays where it was, what they refuse.
#include "unit/scene/edit_samples.hpp"

#include <doctest/doctest.h>

#include <string>

namespace filum::test_edit {

using namespace filum::edit_samples;

TEST_CASE("edit: the sample scene is right") {
  for (const Curve& shape : shapes()) check_valid(full_scene(shape));
}

TEST_CASE("edit: holds are added, named and removed with their drivers") {
  Scene scene = sample();
  Hold hold;
  hold.rod = "other";
  hold.at = {0.5, 0};
  hold.fix.position = kAll;
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
    CHECK(hold.fix.position == kAll);
    CHECK(!hold.holds_orientation());
  }
  // one alone
  Scene one = sample();
  require_ok(edit::spread_holds(one, "other", 1, edit::Grip::PositionAndOrientation, "clamp"));
  CHECK(one.holds.back().at == ArcPosition{0.5, 0});
  CHECK(one.holds.back().fix.orientation == kAll);
  // a ring
  Scene ring = sample();
  ring.rods.push_back(ring_rod());
  require_ok(edit::spread_holds(ring, "ring", 4, edit::Grip::Position, "spoke"));
  CHECK(ring.holds.back().at == ArcPosition{0.75, 0});

  CHECK(refused(scene, [](Scene& s) { return edit::spread_holds(s, "other", 0, edit::Grip::Position, "c"); }) ==
        "holds to spread must be 1 to 10000, found 0");
  // where there is one already
  CHECK(refused(sample(), [](Scene& s) {
          return edit::spread_holds(s, "other", 3, edit::Grip::Position, "c");
        }).find("both fix the position") != std::string::npos);
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
  scene.rods.push_back(ring_rod());
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
  scene.holds[1].fix.position = scene.holds[1].fix.orientation = {false, false, false};
  require_ok(edit::prolong(scene, "other", 0.1, edit::RodEnd::End));
}

}  // namespace filum::test_edit
