// Bending of any section over a step in time, and the twist that carrying adds: work, moment and derivatives.
#include "math/rotation.hpp"
#include "rod/bending_step.hpp"
#include "rod/carried_twist.hpp"

#include <doctest/doctest.h>

namespace filum::rod::test_bending_step {

namespace {

constexpr double kRestSpeed = 0.9;
const Vec2 kEI(1.3, 4.1);
const Vec2 kRest(0.4, -0.7);

BendPlace start_place() {
  BendPlace place;
  place.v = Vec3(0.9, 0.2, -0.1);
  place.a = Vec3(0.3, -1.4, 0.8);
  place.frame = carried_frame(Mat3::Identity(), place.v, 0.3);
  return place;
}

BendPlace end_place(const BendPlace& start, const Vec3& v, const Vec3& a, double angle) {
  return {v, a, carried_frame(start.frame, v, angle)};
}

const Vec3 kV(0.6, 0.5, 0.3), kA(-0.5, 0.9, 1.1);
constexpr double kAngle = 0.7;

Vec2 curvature(const BendPlace& place) {
  return spline_strain(place.v, place.a, place.frame, kRestSpeed).curvature;
}

double energy(const BendPlace& place) {
  const Vec2 strain = curvature(place) - kRest;
  return 0.5 * strain.dot(kEI.cwiseProduct(strain));
}

MeanMoment mean(const BendPlace& start, const BendPlace& end) {
  MeanMoment moment;
  moment.value = kEI.cwiseProduct(0.5 * (curvature(start) + curvature(end)) - kRest);
  moment.slope = Vec2(0.5 * kEI).asDiagonal();
  return moment;
}

Vec7 force_at(const Vec7& x) {
  const BendPlace start = start_place();
  const BendPlace end = end_place(start, x.head<3>(), x.segment<3>(3), x[6]);
  return bending_step(start, end, x[6], kRestSpeed, mean(start, end), false).force;
}

}  // namespace

TEST_CASE(
    "The work of bending over a step is the change of its energy, for unequal stiffnesses and a bent rest shape") {
  const BendPlace start = start_place();
  const BendPlace end = end_place(start, kV, kA, kAngle);
  const Vec7 force = bending_step(start, end, kAngle, kRestSpeed, mean(start, end), false).force;
  const double work =
      force.head<3>().dot(end.v - start.v) + force.segment<3>(3).dot(end.a - start.a) + force[6] * kAngle;
  CHECK(work == doctest::Approx(energy(end) - energy(start)).epsilon(1e-13));
}

TEST_CASE("Where no torque about the tangent acts, bending over a step makes no moment") {
  const BendPlace start = start_place();
  const BendPlace end = end_place(start, kV, kA, kAngle);
  MeanMoment given;
  // the moment that leaves no torque on the angle
  const auto torque = [&](const Vec2& moment) {
    given.value = moment;
    return bending_step(start, end, kAngle, kRestSpeed, given, false).force[6];
  };
  const double first = torque(Vec2(1, 0)), second = torque(Vec2(0, 1));
  CHECK(std::abs(torque(Vec2(second, -first))) < 1e-14);
  const Vec7 force = bending_step(start, end, kAngle, kRestSpeed, given, false).force;
  const Vec3 moment =
      0.5 * (start.v + end.v).cross(Vec3(force.head<3>())) + 0.5 * (start.a + end.a).cross(Vec3(force.segment<3>(3)));
  CHECK(moment.norm() < 1e-13);
}

TEST_CASE("Derivatives of bending over a step") {
  Vec7 x;
  x << kV, kA, kAngle;
  const BendPlace start = start_place();
  const BendPlace end = end_place(start, kV, kA, kAngle);
  const Mat7 tangent = bending_step(start, end, kAngle, kRestSpeed, mean(start, end), true).tangent;
  const double d = 1e-5;
  for (int i = 0; i < 7; ++i) {
    const Vec7 e = d * Vec7::Unit(i);
    CHECK(((force_at(x + e) - force_at(x - e)) / (2 * d) - tangent.col(i)).norm() < 1e-7);
  }
}

TEST_CASE("The twist that carrying adds is a lever on the curve, with its derivatives") {
  const Vec3 v0(0.9, 0.2, -0.1), a0(0.3, -1.4, 0.8);
  const CarriedTwist twist = carried_twist_step(v0, a0, kV, kA);
  CHECK(twist.value == doctest::Approx(carried_twist(v0, a0, kV, kA)).epsilon(1e-14));
  CHECK(twist.value == doctest::Approx(twist.lever.dot(kV - v0)).epsilon(1e-14));
  const double d = 1e-5;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = d * Vec3::Unit(i);
    const CarriedTwist v_up = carried_twist_step(v0, a0, kV + e, kA), v_down = carried_twist_step(v0, a0, kV - e, kA);
    const CarriedTwist a_up = carried_twist_step(v0, a0, kV, kA + e), a_down = carried_twist_step(v0, a0, kV, kA - e);
    CHECK(((v_up.lever - v_down.lever) / (2 * d) - twist.by_v.col(i)).norm() < 1e-8);
    CHECK(((a_up.lever - a_down.lever) / (2 * d) - twist.by_a.col(i)).norm() < 1e-8);
    CHECK((v_up.value - v_down.value) / (2 * d) == doctest::Approx(twist.value_by_v[i]).epsilon(1e-6));
    CHECK((a_up.value - a_down.value) / (2 * d) == doctest::Approx(twist.value_by_a[i]).epsilon(1e-6));
  }
}

}  // namespace filum::rod::test_bending_step
