#include "rod/finite_pose.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace filum::rod {

namespace {

bool finite(double value) {
  return std::isfinite(value);
}
bool finite(const Vec2& value) {
  return value.allFinite();
}
bool finite(const Vec3& value) {
  return value.allFinite();
}
bool finite(const Quat& value) {
  return value.coeffs().allFinite();
}
bool finite(const RodPose& rod);
bool finite(const BodyPose& body);
bool finite(const HoldPose& hold);
bool finite(const RopePose& rope);
bool finite(const WinchPose& winch);
bool finite(const SheavePose& sheave);
template <class T>
bool finite(const std::vector<T>& list) {
  return std::all_of(list.begin(), list.end(), [](const T& value) { return finite(value); });
}
bool finite(const RodPose& rod) {
  return finite(rod.s) && finite(rod.position) && finite(rod.velocity) && finite(rod.frame) && finite(rod.curvature) &&
         finite(rod.twist) && finite(rod.axial_force) && finite(rod.moment) && finite(rod.length) &&
         finite(rod.turns) && finite(rod.writhe);
}
bool finite(const BodyPose& body) {
  return finite(body.position) && finite(body.orientation) && finite(body.velocity) && finite(body.spin);
}
bool finite(const HoldPose& hold) {
  return finite(hold.force) && finite(hold.moment) && finite(hold.position) && finite(hold.s);
}
bool finite(const RopePose& rope) {
  return finite(rope.path) && finite(rope.tension) && finite(rope.length);
}
bool finite(const WinchPose& winch) {
  return finite(winch.force) && finite(winch.torque) && finite(winch.paid_out) && finite(winch.speed);
}
bool finite(const SheavePose& sheave) {
  return finite(sheave.tension_before) && finite(sheave.tension_after) && finite(sheave.angle) && finite(sheave.slip);
}

}  // namespace

bool is_finite(const Pose& pose) {
  return finite(pose.rods) && finite(pose.bodies) && finite(pose.holds) && finite(pose.ropes) && finite(pose.winches) &&
         finite(pose.sheaves) && finite(pose.energy.balance()) && finite(pose.momentum) &&
         finite(pose.angular_momentum);
}

}  // namespace filum::rod
