#include "validation/shaft.hpp"

#include "math/rotation.hpp"

namespace filum::validation {

Scene twisted_shaft(double twist_stiffness, double tension, double turns, int segments) {
  const Section section = given_section(1e6, Vec2::Ones(), twist_stiffness, 1);
  Scene scene = straight_rod(section, Vec3::Zero(), Vec3::UnitX(), segments);
  scene.holds = {clamp(kStart), guide(kEnd)};
  scene.holds[1].name = "far end";
  scene.forces.push_back({{"rod", kEnd}, "", Vec3(tension, 0, 0), false});
  Driver driver;
  driver.kind = DriverKind::Hold;
  driver.target = "far end";
  driver.path.resize(1);
  driver.path[0].turns = turns;
  scene.drivers = {driver};
  return scene;
}

Scene greenhill_shaft(double tension, double twist, int segments) {
  return twisted_shaft(1 / kShaftBendOverTwist, tension, twist / (2 * math::kPi), segments);
}

}  // namespace filum::validation
