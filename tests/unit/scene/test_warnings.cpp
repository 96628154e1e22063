// What a person should know though nothing is wrong.
#include <filum/scene.hpp>

#include <doctest/doctest.h>

namespace filum::test_warnings {

namespace {

Rod straight_rod(const char* name, double shape_length) {
  Rod rod;
  rod.name = name;
  rod.shape.points = {Vec3(0, 0, 0), Vec3(shape_length, 0, 0)};
  return rod;
}

Hold hold_on(const char* rod) {
  Hold hold;
  hold.name = "hold 1";
  hold.rod = rod;
  hold.fix.position = {false, false, true};
  return hold;
}

}  // namespace

TEST_CASE("a rod that nothing holds, directly or through junctions") {
  Scene scene;
  for (const char* name : {"a", "b", "c", "d"}) scene.rods.push_back(straight_rod(name, 1));
  scene.holds.push_back(hold_on("a"));
  // a – b – c are joined, d is alone
  scene.junctions.push_back({"1", {{"b", {}}, {"c", {}}}});
  scene.junctions.push_back({"2", {{"a", {}}, {"b", {}}}});
  CHECK(warnings(scene) == std::vector<std::string>{"nothing holds rod 'd'"});
  // orientation alone does not hold a rod
  scene.holds[0].fix.position = {false, false, false};
  scene.holds[0].fix.orientation = kAllAxes;
  CHECK(warnings(scene).size() == 4);
}

TEST_CASE("a free body holds nothing, but is held by what is") {
  Scene scene;
  for (const char* name : {"a", "b"}) scene.rods.push_back(straight_rod(name, 1));
  Body bob;
  bob.name = "bob";
  bob.motion = BodyMotion::Free;
  scene.bodies.push_back(bob);
  for (const char* name : {"a", "b"}) {
    scene.holds.push_back(hold_on(name));
    scene.holds.back().body = "bob";
  }
  CHECK(warnings(scene) ==
        std::vector<std::string>{"nothing holds rod 'a'", "nothing holds rod 'b'", "nothing holds body 'bob'"});
  // one rod to the world: the other hangs on it by the body
  scene.holds.push_back(hold_on("a"));
  CHECK(warnings(scene).empty());
  // a fixed body is as good as the world
  scene.holds.pop_back();
  scene.bodies[0].motion = BodyMotion::Fixed;
  CHECK(warnings(scene).empty());
}

TEST_CASE("a shape stretched beyond its length") {
  Scene scene;
  scene.rods.push_back(straight_rod("a", 1.0009));
  scene.holds.push_back(hold_on("a"));
  CHECK(warnings(scene).empty());
  scene.rods[0].length = 1;
  CHECK(warnings(scene).empty());
  scene.rods[0].length = 0.5;
  CHECK(warnings(scene) ==
        std::vector<std::string>{"the shape of rod 'a' is stretched by 100.2 % beyond its length of 0.5 m"});
  // where every hold says itself where it is, the shape is but a start
  scene.holds[0].position = Vec3::Zero();
  CHECK(warnings(scene).empty());
  scene.simulation.mode = Mode::Dynamics;
  CHECK(warnings(scene).size() == 1);
  // slack is no stretch
  scene.rods[0].length = 2;
  CHECK(warnings(scene).empty());
}

}  // namespace filum::test_warnings
