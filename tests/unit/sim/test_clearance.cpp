// Clearance of everything to everything: values with their places, what belongs together, what passes through.
#include "sim/clearance.hpp"

#include "geometry/mesh_surface.hpp"
#include "scene/obstacle_shape.hpp"
#include "sim/limits.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace filum::test_clearance {

using geometry::kFarAway;

namespace {

constexpr double kPi = std::numbers::pi;

// A round rod through these points.
void add_rod(Scene& scene, Pose& pose, const std::string& name, const std::vector<Vec3>& points, double radius,
             bool closed = false) {
  scene.rods.emplace_back().name = name;
  RodPose& rod = pose.rods.emplace_back();
  rod.closed = closed;
  double s = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) s += (points[i] - points[i - 1]).norm();
    const Vec3 along = i + 1 < points.size() ? points[i + 1] - points[i] : points[i] - points[i - 1];
    rod.s.push_back(s);
    rod.position.push_back(points[i]);
    rod.frame.emplace_back(Quat::FromTwoVectors(Vec3::UnitZ(), along));
    rod.outline.emplace_back(radius, radius);
    rod.axial_force.push_back(0);
  }
}

std::vector<Vec3> line(const Vec3& from, const Vec3& to, int segments) {
  std::vector<Vec3> points;
  for (int i = 0; i <= segments; ++i) points.push_back(from + (to - from) * i / segments);
  return points;
}

std::vector<sim::Clearance> all(const Scene& scene, const Pose& pose) {
  return sim::clearances(scene, pose, std::vector<double>(scene.rods.size(), kFarAway));
}

}  // namespace

TEST_CASE("two rods that cross: the gap and where, for both") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "a", line({-1, 0, 0}, {1, 0, 0}, 13), 0.02);
  add_rod(scene, pose, "b", line({0.3, -1, 0.1}, {0.3, 1, 0.1}, 17), 0.03);
  const auto found = all(scene, pose);
  CHECK(found[0].value == doctest::Approx(0.05));
  CHECK(found[0].s == doctest::Approx(1.3));
  CHECK(found[0].other == ObjectRef{ObjectKind::Rod, "b"});
  CHECK(found[0].other_s == doctest::Approx(1));
  CHECK(found[1].value == doctest::Approx(0.05));
  CHECK(found[1].s == doctest::Approx(1));
  CHECK(found[1].other_s == doctest::Approx(1.3));
  // nothing is looked for beyond the reach
  CHECK(sim::clearances(scene, pose, std::vector<double>{0.04, 0.04})[0].value == kFarAway);
  CHECK(sim::clearances(scene, pose, std::vector<double>{0.06, 0})[0].value == doctest::Approx(0.05));
  CHECK(sim::clearances(scene, pose, std::vector<double>{0.06, 0})[1].value == kFarAway);
}

TEST_CASE("a flat band reaches as far as its outline does in that direction") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "band", line({0, 0, 0}, {0, 0, 1}, 4), 0.01);
  for (Vec2& outline : pose.rods[0].outline) outline = Vec2(0.02, 0.005);
  Obstacle wall;
  wall.name = "wall";
  wall.normal = Vec3(1, 0, 0);
  wall.point = Vec3(-0.1, 0, 0);
  scene.obstacles = {wall};
  const Vec3 d1 = pose.rods[0].frame[0] * Vec3::UnitX();
  const double reach = std::hypot(0.02 * d1.x(), 0.005 * (pose.rods[0].frame[0] * Vec3::UnitY()).x());
  CHECK(all(scene, pose)[0].value == doctest::Approx(0.1 - reach));
  CHECK(all(scene, pose)[0].other == ObjectRef{ObjectKind::Obstacle, "wall"});
}

TEST_CASE("scenery that was read counts as what it is: placed, carried by its body, or merely drawn") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "cable", line({0, 0, 0}, {1, 0, 0}, 20), 0.01);
  // a tetrahedron whose corner is its origin
  const std::vector<Vec3> corners = {{0, 0, 0}, {0.1, 0, 0.1}, {-0.1, 0.1, 0.1}, {-0.1, -0.1, 0.1}};
  const std::vector<std::array<int, 3>> triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  Scenery item;
  item.name = "bracket";
  item.position = Vec3(0.42, 0, 0.05);
  scene.scenery = {item};
  CHECK(all(scene, pose)[0].value == kFarAway);
  scene.scenery[0].surface = std::make_shared<const geometry::MeshSurface>(corners, triangles);
  const sim::Clearance above = all(scene, pose)[0];
  CHECK(above.value == doctest::Approx(0.05 - 0.01));
  CHECK(above.s == doctest::Approx(0.42));
  CHECK(above.other == ObjectRef{ObjectKind::Scenery, "bracket"});
  // the rod goes through it, which is told without a limit
  scene.scenery[0].position.z() = -0.05;
  CHECK(passes_through(all(scene, pose)[0]));
  const std::vector<Check> checks = sim::check_limits(scene, pose, 0);
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].kind == CheckKind::PassesThrough);
  CHECK(checks[0].near == ObjectRef{ObjectKind::Scenery, "bracket"});
  // with a body that carries it away it is as far as that
  scene.bodies.emplace_back().name = "carrier";
  pose.bodies.push_back({Vec3(0, 0, 0.3), Quat::Identity()});
  scene.scenery[0].body = "carrier";
  CHECK(all(scene, pose)[0].value == doctest::Approx(0.25 - 0.01));
}

TEST_CASE("a rod is no neighbour of itself until it comes back") {
  Scene scene;
  Pose pose;
  // straight: nothing; a ring: at its waist
  add_rod(scene, pose, "straight", line({0, 0, 0}, {1, 0, 0}, 100), 0.01);
  std::vector<Vec3> ring;
  const auto waist = [](double t) { return std::sin(t) * (0.05 + 0.3 * std::cos(t) * std::cos(t)); };
  for (int i = 0; i <= 60; ++i) ring.emplace_back(5 + 0.5 * std::cos(2 * kPi * i / 60), waist(2 * kPi * i / 60), 0);
  add_rod(scene, pose, "ring", ring, 0.02, true);
  auto found = all(scene, pose);
  CHECK(found[0].other.name == "ring");
  CHECK(found[1].other.name != "straight");
  CHECK(found[1].value == doctest::Approx(0.1 - 0.04).epsilon(0.01));
  // a loop that closes upon itself, through itself if it is thick
  std::vector<Vec3> loop;
  for (int i = 0; i <= 80; ++i) {
    const double t = -1 + 2.0 * i / 80;
    loop.emplace_back(t * t * t - 0.3 * t, 0.5 * t * t, 0.02 * t);
  }
  Scene other;
  Pose there;
  add_rod(other, there, "loop", loop, 0.005);
  const sim::Clearance thin = all(other, there)[0];
  CHECK(thin.value > 0);
  CHECK(thin.value < 0.02);
  CHECK(thin.other == ObjectRef{ObjectKind::Rod, "loop"});
  CHECK_FALSE(sim::passes_through(thin));
  for (Vec2& outline : there.rods[0].outline) outline = Vec2(0.02, 0.02);
  CHECK(sim::passes_through(all(other, there)[0]));
}

TEST_CASE("a rod that has parted is two: nothing lies between its ends") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "parted", line({-1, 0, 0}, {-0.5, 0, 0}, 5), 0.02);
  // its second half has flown off: the same arc length again, elsewhere
  RodPose& rod = pose.rods[0];
  const std::vector<Vec3> flown = line({0.5, 0, 0}, {1, 0, 0}, 5);
  for (std::size_t i = 0; i < flown.size(); ++i) {
    rod.s.push_back(0.5 + 0.1 * static_cast<double>(i));
    rod.position.push_back(flown[i]);
    rod.frame.push_back(rod.frame.front());
    rod.outline.push_back(rod.outline.front());
    rod.axial_force.push_back(0);
  }
  rod.s[6] = rod.s[5];
  add_rod(scene, pose, "through the gap", line({0, -1, 0.001}, {0, 1, 0.001}, 11), 0.03);
  const auto found = all(scene, pose);
  // from the ends on, which have no extent along the rod
  CHECK(found[0].value == doctest::Approx(0.47).epsilon(1e-3));
  CHECK(found[1].value == doctest::Approx(0.47).epsilon(1e-3));
  // a half that crosses the other one is near it
  const std::vector<Vec3> across = line({-0.83, -0.2, 0.05}, {-0.83, 0.3, 0.05}, 5);
  for (std::size_t i = 0; i < across.size(); ++i) {
    pose.rods[0].position[6 + i] = across[i];
    pose.rods[0].frame[6 + i] = Quat::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitY());
  }
  CHECK(all(scene, pose)[0].value == doctest::Approx(0.01).epsilon(1e-3));
}

TEST_CASE("branches belong together near their junction, and only there") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "trunk", line({0, 0, 0}, {1, 0, 0}, 20), 0.01);
  add_rod(scene, pose, "left", line({1, 0, 0}, {2, 0.3, 0}, 20), 0.01);
  add_rod(scene, pose, "right", line({1, 0, 0}, {2, -0.3, 0}, 20), 0.01);
  scene.junctions.push_back({"y", {{"trunk", {1, 0}}, {"left", {0, 0}}, {"right", {0, 0}}}});
  for (const sim::Clearance& each : all(scene, pose)) CHECK_FALSE(sim::passes_through(each));
  // a branch that comes back to its trunk
  std::vector<Vec3> back = line({1, 0, 0}, {1, 0.5, 0}, 10);
  for (const Vec3& point : line({1, 0.5, 0}, {0.5, -0.5, 0}, 10)) back.push_back(point);
  back.erase(back.begin() + 11);
  Scene again;
  Pose there;
  add_rod(again, there, "trunk", line({0, 0, 0}, {1, 0, 0}, 20), 0.01);
  add_rod(again, there, "left", back, 0.01);
  again.junctions.push_back({"y", {{"trunk", {1, 0}}, {"left", {0, 0}}}});
  CHECK(sim::passes_through(all(again, there)[0]));
  CHECK(all(again, there)[0].s == doctest::Approx(0.75));
}

TEST_CASE("bodies and obstacles: a hold on a solid is none of its alarms, a rod that comes back is") {
  Scene scene;
  Pose pose;
  Body block;
  block.name = "block";
  block.box = Vec3(0.2, 0.2, 0.2);
  scene.bodies = {block};
  BodyPose place;
  place.position = Vec3(1, 2, 3);
  place.orientation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitZ()));
  pose.bodies = {place};
  const auto out = [&](const Vec3& local) { return Vec3(place.position + place.orientation * local); };
  // from the middle of the block out of it
  add_rod(scene, pose, "cable", line(out({0, 0, 0}), out({0.6, 0, 0}), 12), 0.01);
  CHECK(sim::passes_through(all(scene, pose)[0]));
  CHECK(all(scene, pose)[0].other == ObjectRef{ObjectKind::Body, "block"});
  scene.holds.emplace_back().rod = "cable";
  pose.holds.emplace_back().s = 0;
  CHECK_FALSE(sim::passes_through(all(scene, pose)[0]));
  // and in again from above
  std::vector<Vec3> points = line(out({0, 0, 0}), out({0.5, 0, 0}), 10);
  for (const Vec3& p : {out({0.5, 0, 0.5}), out({0, 0, 0.5}), out({0, 0, 0.05})}) points.push_back(p);
  scene.rods.clear();
  pose.rods.clear();
  add_rod(scene, pose, "cable", points, 0.01);
  const sim::Clearance back = all(scene, pose)[0];
  // with its flat end
  CHECK(back.value == doctest::Approx(-0.05));
  CHECK(back.s == doctest::Approx(pose.rods[0].s.back()));
}

TEST_CASE("what holds a rod off where it touches is no lack of clearance; what it comes near to elsewhere is") {
  Scene scene;
  Pose pose;
  Obstacle floor;
  floor.shape = ObstacleShape::Plane;
  Obstacle wall = floor;
  wall.point = Vec3(2.005, 0, 0);
  wall.normal = Vec3(-1, 0, 0);
  scene.obstacles = {floor, wall};
  // lies on the floor, some nodes a round-off inside, rises and comes down to 2 mm above it, 5 mm before the wall
  std::vector<Vec3> points;
  for (int i = 0; i <= 80; ++i) {
    const double x = i / 40.0;
    const double above = x < 0.5 ? 0 : x < 1.5 ? 0.1 * std::sin(kPi * (x - 0.5)) : 0;
    points.emplace_back(x, 0, 0.01 + above + (x < 0.5 ? 1e-12 * (i % 3 - 1) : x < 1.5 ? 0 : 0.002));
  }
  add_rod(scene, pose, "cable", points, 0.01);
  CHECK(all(scene, pose)[0].value < 0);
  for (int i = 0; i < 20; i += 4) {
    ContactPose& contact = pose.contacts.emplace_back();
    contact.a.rod = 0;
    contact.a.s = pose.rods[0].s[static_cast<std::size_t>(i)];
    contact.b.obstacle = 0;
  }
  const sim::Clearance near = all(scene, pose)[0];
  CHECK(near.value == doctest::Approx(0.002));
  CHECK(near.s > 1.4);
  // what touches one thing may be too near to another
  for (ContactPose& contact : pose.contacts) contact.b.obstacle = 1;
  CHECK(all(scene, pose)[0].value < 0);
  // and what is in deep is told, whether it touches or not
  for (ContactPose& contact : pose.contacts) contact.b.obstacle = 0;
  pose.rods[0].position[8].z() = 0.005;
  CHECK(sim::passes_through(all(scene, pose)[0]));
}

TEST_CASE("every obstacle's shape, as by many points along the rod") {
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> dice(-1, 1);
  Obstacle shape;
  shape.name = "thing";
  shape.point = Vec3(0.1, 0, -0.2);
  shape.normal = Vec3(0, 0.3, 1);
  shape.from = Vec3(-0.3, 0, 0.1);
  shape.to = Vec3(0.4, 0.2, 0);
  shape.radius = 0.15;
  shape.size = Vec3(0.3, 0.5, 0.2);
  shape.position = Vec3(0, 0.1, 0);
  shape.orientation = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 1, 0).normalized()));
  for (const ObstacleShape kind : {ObstacleShape::Plane, ObstacleShape::Sphere, ObstacleShape::Box,
                                   ObstacleShape::Capsule, ObstacleShape::Cylinder}) {
    shape.shape = kind;
    for (int i = 0; i < 40; ++i) {
      Scene scene;
      Pose pose;
      const Vec3 from(dice(engine), dice(engine), dice(engine));
      const Vec3 to(dice(engine), dice(engine), dice(engine));
      add_rod(scene, pose, "rod", line(from, to, 5), 0.02);
      scene.obstacles = {shape};
      // of the centre line, and of points on the skin
      const geometry::Shape solid = scene::shape_of(shape);
      double line_least = kFarAway;
      double skin_least = kFarAway;
      const Quat frame = pose.rods[0].frame[0];
      for (const Vec3& x : line(from, to, 400)) {
        line_least = std::min(line_least, geometry::distance_from(solid, x).value);
        for (int k = 0; k < 36; ++k) {
          const Vec3 out = frame * Vec3(0.02 * std::cos(kPi * k / 18), 0.02 * std::sin(kPi * k / 18), 0);
          skin_least = std::min(skin_least, geometry::distance_from(solid, x + out).value);
        }
      }
      // never too large outside, and never less than that of a swept ball; beside a plane it is that of the skin
      const double found = all(scene, pose)[0].value;
      CHECK(found < skin_least + (skin_least > 0 ? 1e-9 : 0.02));
      CHECK(found > line_least - 0.02 - 1e-3);
      if (kind == ObstacleShape::Plane) CHECK(found == doctest::Approx(skin_least).epsilon(2e-3));
    }
  }
}

TEST_CASE("limits: clearance where one is set, what passes through where none is, the worst over time") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "a", line({-1, 0, 0}, {1, 0, 0}, 12), 0.02);
  add_rod(scene, pose, "b", line({0, -1, 0.05}, {0, 1, 0.05}, 12), 0.02);
  CHECK(sim::check_limits(scene, pose, 0).empty());
  scene.rods[0].limits.min_clearance = 0.02;
  const auto near = sim::check_limits(scene, pose, 1);
  REQUIRE(near.size() == 1);
  CHECK(near[0].kind == CheckKind::Clearance);
  CHECK(near[0].value == doctest::Approx(0.01));
  CHECK(near[0].violated);
  CHECK(near[0].near == ObjectRef{ObjectKind::Rod, "b"});
  // then they pass through each other
  for (Vec3& x : pose.rods[1].position) x.z() = 0.02;
  const auto through = sim::check_limits(scene, pose, 2);
  REQUIRE(through.size() == 3);
  CHECK(through[1].kind == CheckKind::PassesThrough);
  CHECK(through[1].object == ObjectRef{ObjectKind::Rod, "a"});
  CHECK(through[2].object == ObjectRef{ObjectKind::Rod, "b"});
  CHECK(through[2].value == doctest::Approx(-0.02));
  const auto worst = sim::worst_of({near, through, near});
  REQUIRE(worst.size() == 3);
  CHECK(worst[0].t == 2);
  CHECK(worst[1].violated);
}

TEST_CASE("a rod whose pose does not say how thick it is touches nothing, beside a solid and a hold too") {
  Scene scene;
  Pose pose;
  add_rod(scene, pose, "a", line({-1, 0, 0}, {1, 0, 0}, 13), 0.02);
  pose.rods[0].outline.clear();
  scene.holds.emplace_back().rod = "a";
  pose.holds.emplace_back();
  scene.bodies.emplace_back().name = "box";
  scene.bodies[0].box = {1, 1, 1};
  pose.bodies.emplace_back();
  CHECK(all(scene, pose)[0].value == kFarAway);
}

}  // namespace filum::test_clearance
