// The rows of a link against differences of themselves, and the readings of each form of joint.
#include "formulations/chain/mechanism/joint_residual.hpp"

#include "math/rotation.hpp"

#include <doctest/doctest.h>

#include <random>

namespace filum::test_link_rows {

using namespace filum::chain;

namespace {

constexpr JointForm kForms[] = {JointForm::Vector, JointForm::Angle, JointForm::LooseAngle};

class Random {
 public:
  double number(double size = 1) { return size * std::uniform_real_distribution<double>(-1, 1)(engine_); }
  Vec3 vector(double size = 1) { return {number(size), number(size), number(size)}; }
  Quat turn(double size) { return math::exp_quat(vector(size)); }

 private:
  std::mt19937 engine_{11};
};

PartState moved(const PartState& part, int direction, double by) {
  PartState result = part;
  if (direction < 3)
    result.position[direction] += by;
  else
    result.orientation = math::exp_quat(by * Vec3::Unit(direction - 3)) * part.orientation;
  return result;
}

Link full_link(Random& random) {
  Link link;
  link.gap = {true, true, true};
  link.turn = true;
  link.arm_a = random.vector();
  link.arm_b = random.vector();
  link.base_a = random.turn(0.3).toRotationMatrix();
  link.base_b = random.turn(0.3).toRotationMatrix();
  link.rest = random.vector(0.2);
  return link;
}

// Columns of differences of the value as one of the parts moves.
Mat6 differences(const Link& link, JointForm form, const PartState& a, const PartState& b, double near, bool of_b) {
  constexpr double h = 1e-5;  // truncation and round-off are both some 1e-10 then
  Mat6 columns;
  for (int k = 0; k < 6; ++k) {
    auto value = [&](double by) {
      return of_b ? link_rows(link, form, a, moved(b, k, by), near).value
                  : link_rows(link, form, moved(a, k, by), b, near).value;
    };
    columns.col(k) = (value(h) - value(-h)) / (2 * h);
  }
  return columns;
}

// Cross-sections that differ by a bend about an axis across the tangent and a twist about it.
Vec3 strain_of(JointForm form, double bend, double direction, double twist, double near) {
  const Mat3 b =
      math::exp_so3(bend * Vec3(std::cos(direction), std::sin(direction), 0)) * math::exp_so3(twist * Vec3::UnitZ());
  return turn_rows(form, Mat3::Identity(), b, near).strain;
}

}  // namespace

TEST_CASE("rows of every form are the derivatives of their values") {
  Random random;
  for (const JointForm form : kForms)
    for (int trial = 0; trial < 200; ++trial) {
      const Link link = full_link(random);
      PartState a;
      PartState b;
      a.position = random.vector();
      a.orientation = random.turn(2);
      b.position = random.vector();
      b.orientation = random.turn(0.6) * a.orientation;
      // whole turns that the joint remembers do not change how it turns
      const double near = 2 * math::kPi * (trial % 5 - 2);
      const LinkRows rows = link_rows(link, form, a, b, near);
      CAPTURE(trial);
      CAPTURE(static_cast<int>(form));
      CHECK((rows.by_a - differences(link, form, a, b, near, false)).norm() < 1e-6 * rows.by_a.norm());
      CHECK((rows.by_b - differences(link, form, a, b, near, true)).norm() < 1e-6 * rows.by_b.norm());
    }
}

TEST_CASE("rows along axes that a body carries are the derivatives of their values") {
  Random random;
  for (int trial = 0; trial < 100; ++trial) {
    Link link = full_link(random);
    link.gap = {trial % 2 == 0, trial % 3 != 0, true};
    link.carried = true;
    link.axes = random.turn(2).toRotationMatrix();
    // the body is b, or a
    (trial % 4 < 2 ? link.side_a : link.side_b) = trial % 4 < 2 ? 1 : -1;
    PartState a;
    PartState b;
    a.position = random.vector();
    a.orientation = random.turn(2);
    b.position = random.vector();
    b.orientation = random.turn(0.6) * a.orientation;
    const LinkRows rows = link_rows(link, JointForm::Vector, a, b, 0);
    CAPTURE(trial);
    CHECK((rows.by_a - differences(link, JointForm::Vector, a, b, 0, false)).norm() < 1e-6 * rows.by_a.norm());
    CHECK((rows.by_b - differences(link, JointForm::Vector, a, b, 0, true)).norm() < 1e-6 * rows.by_b.norm());
    // nothing along what is left free
    const Mat3 axes = (link.side_a == 0 ? a : b).orientation.toRotationMatrix() * link.axes;
    for (int k = 0; k < 3; ++k)
      if (!link.gap[static_cast<std::size_t>(k)]) CHECK(std::abs(axes.col(k).dot(rows.value.head<3>())) < 1e-12);
  }
}

TEST_CASE("a gap of some axes has rows of those alone") {
  Random random;
  Link link = full_link(random);
  link.gap = {true, false, true};
  link.turn = false;
  PartState a;
  PartState b;
  b.position = random.vector();
  const LinkRows rows = link_rows(link, JointForm::Vector, a, b, 0);
  CHECK(rows.value[0] != 0);
  CHECK(rows.value[1] == 0);
  CHECK(rows.value.tail<3>().isZero());
  CHECK(rows.by_b.row(1).isZero());
  CHECK(rows.by_a.bottomRows<3>().isZero());
}

TEST_CASE("a twist of 2 rad reads 2 rad") {
  // as printed, with an angle that knows no sign, it would fold back to 1.14 beyond a quarter turn
  CHECK(strain_of(JointForm::Vector, 0, 0, 2.0, 1.9)[2] == doctest::Approx(2.0));
  CHECK(strain_of(JointForm::Angle, 0, 0, 2.0, 1.9)[2] == doctest::Approx(2.0));
  CHECK(strain_of(JointForm::Vector, 0, 0, -2.0, -1.9)[2] == doctest::Approx(-2.0));
  CHECK(strain_of(JointForm::Angle, 0, 0, -2.0, -1.9)[2] == doctest::Approx(-2.0));
}

TEST_CASE("twist is counted on over many turns") {
  for (const JointForm form : {JointForm::Vector, JointForm::Angle}) {
    double twist = 0;
    for (int k = 1; k <= 2400; ++k) {
      twist = strain_of(form, 0.1, 0.4, 0.1 * k, twist)[2];
      // the angle in space cannot be smaller than the bend sets two directors apart
      REQUIRE(std::abs(twist - 0.1 * k) < (form == JointForm::Vector ? 1e-10 : 0.1));
    }
  }
}

TEST_CASE("bending leaks into the twist of the angle, not into that of the vector") {
  // 0.6 rad about an axis at 45° to both directors
  CHECK(std::abs(strain_of(JointForm::Vector, 0.6, math::kPi / 4, 0, 0)[2]) < 1e-12);
  CHECK(strain_of(JointForm::Angle, 0.6, math::kPi / 4, 0, 0)[2] == doctest::Approx(-0.087).epsilon(0.005));
  // about a director itself neither reads any, but the loose angle, which reads all of a bend about d2
  CHECK(std::abs(strain_of(JointForm::Angle, 0.6, 0, 0, 0)[2]) < 1e-12);
  CHECK(strain_of(JointForm::LooseAngle, 0.6, math::kPi / 2, 0, 0)[2] == doctest::Approx(0.6));
}

TEST_CASE("bending by vector has two components with sign, by angle one without") {
  const Vec3 vector = strain_of(JointForm::Vector, 0.3, 1.1, 0, 0);
  CHECK(vector[0] == doctest::Approx(0.3 * std::cos(1.1)));
  CHECK(vector[1] == doctest::Approx(0.3 * std::sin(1.1)));
  CHECK(strain_of(JointForm::Angle, 0.3, 1.1, 0, 0)[0] == doctest::Approx(0.3));
  CHECK(strain_of(JointForm::Angle, -0.3, 1.1, 0, 0)[0] == doctest::Approx(0.3));
}

TEST_CASE("a straight joint is finite in every form; the rows of the vector stay independent there") {
  for (const JointForm form : kForms) {
    const Turn turn = turn_rows(form, Mat3::Identity(), Mat3::Identity(), 0);
    CHECK(turn.strain.isZero());
    CHECK(turn.by_rotation.allFinite());
  }
  CHECK(turn_rows(JointForm::Vector, Mat3::Identity(), Mat3::Identity(), 0).by_rotation.isIdentity(1e-15));
  // the angle has no axis at straight: its row vanishes
  CHECK(turn_rows(JointForm::Angle, Mat3::Identity(), Mat3::Identity(), 0).by_rotation.row(0).isZero());
}

TEST_CASE("the end of an arm goes round by what its bow adds to going straight on") {
  Random random;
  for (const double size : {1e-6, 1e-3, 0.02, 0.7, 3.0})
    for (int i = 0; i < 20; ++i) {
      CAPTURE(size);
      const Vec3 turn = random.vector(size);
      const Vec3 arm = random.vector();
      const Vec3 expected = math::exp_quat(turn) * arm - arm - turn.cross(arm);
      CHECK((bow_of(turn, arm) - expected).norm() < 1e-15 + 1e-9 * expected.norm());
    }
}

}  // namespace filum::test_link_rows
