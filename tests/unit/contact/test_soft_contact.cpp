// The convex law of a contact: its derivatives are those of its value, and it is convex.
#include "contact/soft_contact.hpp"

#include <doctest/doctest.h>

#include <random>

namespace filum::test_soft_contact {

namespace {

constexpr double kStep = 1.0 / 60;

contact::SoftContact drawn(std::mt19937& dice) {
  std::uniform_real_distribution<double> pick(-1, 1);
  const auto vector = [&] { return Vec3(pick(dice), pick(dice), pick(dice)); };
  contact::SoftContact made;
  made.normal = vector().normalized();
  made.gap = 0.01 * pick(dice);
  made.stiffness = 1e5 * std::pow(10, pick(dice));
  made.stick = 1e5 * std::pow(10, pick(dice));
  made.limit = pick(dice) < -0.5 ? 0 : 500 * (1 + pick(dice));
  made.bent = 0.01 * vector();
  made.bent -= made.normal.dot(made.bent) * made.normal;
  return made;
}

}  // namespace

TEST_CASE("impulse and second derivative are those of the value") {
  std::mt19937 dice(7);
  std::uniform_real_distribution<double> pick(-1, 1);
  int slides = 0;
  int sticks = 0;
  for (int k = 0; k < 2000; ++k) {
    const contact::SoftContact law = drawn(dice);
    const Vec3 v(pick(dice), pick(dice), pick(dice));
    const contact::SoftAnswer here = contact::answer(law, v, kStep);
    const Mat3 second = contact::second_derivative(law, here);
    constexpr double kWay = 1e-6;
    const double scale = here.impulse.norm() + 1e-3 * second.norm() + 1e-12;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 way = kWay * Vec3::Unit(axis);
      const contact::SoftAnswer up = contact::answer(law, v + way, kStep);
      const contact::SoftAnswer down = contact::answer(law, v - way, kStep);
      // a kink between the two belongs to neither side
      if (up.slide.isZero(0) != down.slide.isZero(0) || (up.along_normal > 0) != (down.along_normal > 0)) continue;
      CHECK(std::abs((up.value - down.value) / (2 * kWay) + here.impulse[axis]) < 1e-6 * scale);
      const Vec3 change = -(up.impulse - down.impulse) / (2 * kWay);
      CHECK((change - second.col(axis)).norm() < 1e-5 * (second.norm() + scale));
    }
    slides += here.slide.isZero(0) ? 0 : 1;
    sticks += here.slide.isZero(0) && here.across > 0 ? 1 : 0;
  }
  CHECK(slides > 200);
  CHECK(sticks > 200);
}

TEST_CASE("the law is convex: impulses never rise with the way") {
  std::mt19937 dice(11);
  std::uniform_real_distribution<double> pick(-2, 2);
  for (int k = 0; k < 20000; ++k) {
    const contact::SoftContact law = drawn(dice);
    const Vec3 a(pick(dice), pick(dice), pick(dice));
    const Vec3 b(pick(dice), pick(dice), pick(dice));
    const contact::SoftAnswer at_a = contact::answer(law, a, kStep);
    const contact::SoftAnswer at_b = contact::answer(law, b, kStep);
    CHECK((at_b.impulse - at_a.impulse).dot(b - a) <= 1e-9 * (at_a.impulse.norm() + at_b.impulse.norm()));
    // above its tangent
    CHECK(at_b.value - at_a.value + at_a.impulse.dot(b - a) >= -1e-9 * (at_a.value + at_b.value));
  }
}

TEST_CASE("friction is bounded, against the slip, and nothing is pulled") {
  contact::SoftContact law;
  law.stiffness = law.stick = 1e6;
  law.limit = 5;
  law.gap = 1e-4;
  CHECK(contact::answer(law, Vec3(0, 0, -1e-3), kStep).normal_impulse == 0);
  const contact::SoftAnswer slid = contact::answer(law, Vec3(3, 0, -1), kStep);
  CHECK(slid.impulse[0] == doctest::Approx(-5 * kStep));
  CHECK(slid.impulse[2] == doctest::Approx(kStep * 1e6 * (kStep - 1e-4)));
  CHECK(slid.slide == Vec3(1, 0, 0));
}

}  // namespace filum::test_soft_contact
