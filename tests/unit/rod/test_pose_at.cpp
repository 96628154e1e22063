// A pose between its entries.
#include "rod/pose_at.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace filum::test_pose_at {

namespace {

// Straight along x, then up; its frames turn by a right angle about y.
RodPose bent_rod() {
  RodPose rod;
  rod.s = {0, 1, 3};
  rod.position = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 2)};
  const Quat along_x(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()));
  rod.frame = {along_x, along_x, Quat::Identity()};
  return rod;
}

}  // namespace

TEST_CASE("pose: between entries it is linear, at an entry it is the entry, beyond the ends the end") {
  const RodPose rod = bent_rod();
  CHECK(rod::position_at(rod, 0.25) == Vec3(0.25, 0, 0));
  CHECK(rod::position_at(rod, 1) == Vec3(1, 0, 0));
  CHECK(rod::position_at(rod, 2) == Vec3(1, 0, 1));
  CHECK(rod::position_at(rod, -1) == Vec3(0, 0, 0));
  CHECK(rod::position_at(rod, 4) == Vec3(1, 0, 2));
  const rod::PosePlace place = rod::pose_place(rod.s, 1.5);
  CHECK(place.after == 2);
  CHECK(place.share == 0.25);
  CHECK(rod::value_at({Vec3::Zero(), Vec3::Zero(), Vec3(8, 0, 0)}, place) == Vec3(2, 0, 0));
}

TEST_CASE("pose: directions are units and frames turn evenly") {
  const RodPose rod = bent_rod();
  CHECK((rod::tangent_at(rod, 0.5) - Vec3::UnitX()).norm() < 1e-15);
  CHECK((rod::tangent_at(rod, 3) - Vec3::UnitZ()).norm() < 1e-15);
  CHECK((rod::tangent_at(rod, 2) - Vec3(1, 0, 1).normalized()).norm() < 1e-15);
  // a quarter of the way from the second entry to the third
  const Quat expected(Eigen::AngleAxisd(0.75 * std::numbers::pi / 2, Vec3::UnitY()));
  CHECK(rod::frame_at(rod, 1.5).angularDistance(expected) < 1e-12);
  // an entry's own frame has its own sign
  RodPose other = rod;
  other.frame[2].coeffs() *= -1;
  CHECK(rod::frame_at(other, 3).coeffs() == other.frame[2].coeffs());
}

TEST_CASE("pose: entries at the same place are no division by zero") {
  RodPose rod = bent_rod();
  rod.s = {0, 0, 3};
  CHECK(rod::position_at(rod, 0) == Vec3(0, 0, 0));
}

}  // namespace filum::test_pose_at
