// The judges of the validation cases must be able to say no.
#include "validation/cantilever.hpp"
#include "validation/case.hpp"
#include "validation/scenes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace filum::test_rows {

using namespace filum::validation;

TEST_CASE("a row outside its tolerance, on the wrong side of its bound or without a number fails") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(passes({"x", 2, 2.01, Comparison::Relative, 0.006, ""}));
  CHECK_FALSE(passes({"x", 2, 2.02, Comparison::Relative, 0.006, ""}));
  CHECK(passes({"x", 2, 2.005, Comparison::Absolute, 0.006, ""}));
  CHECK_FALSE(passes({"x", 2, 2.01, Comparison::Absolute, 0.006, ""}));
  CHECK(passes({"x", 1.9, 1.9, Comparison::AtLeast, 0, ""}));
  CHECK_FALSE(passes({"x", 1.9, 1.89, Comparison::AtLeast, 0, ""}));
  CHECK_FALSE(passes({"x", 10, 11, Comparison::AtMost, 0, ""}));
  CHECK_FALSE(passes({"x", 2, nan, Comparison::Absolute, 1, ""}));
  CHECK_FALSE(passes({"x", 10, nan, Comparison::AtMost, 0, ""}));
}

TEST_CASE("a case whose scene cannot be solved fails and says why") {
  Setting setting;
  setting.formulation = "none";
  Sheet sheet(setting);
  const Scene scene = straight_rod(given_section(1, Vec2::Ones(), 1, 1), Vec3::Zero(), Vec3::UnitX(), 10);
  sheet.absolute("tip", tip(sheet.solve(scene))[0], 1, 1, "any");
  const auto rows = std::move(sheet).result();
  REQUIRE_FALSE(rows.ok());
  CHECK(rows.error().message.find("none") != std::string::npos);
}

TEST_CASE("the reference integrator meets the elastica under a tip load") {
  // [Mattiasson1981], p = 10; EA so large that the stretch does not show in seven digits
  Cantilever rod;
  rod.EA = 1e10;
  rod.frame.col(0) = Vec3::UnitY();
  rod.frame.col(1) = Vec3::UnitZ();
  rod.frame.col(2) = Vec3::UnitX();
  rod.tip_force = Vec3(0, 0, -10);
  const CantileverSolution solution = integrate(rod);
  CHECK(std::abs(solution.tip[0] - (1 - 0.5549956)) < 1e-7);
  CHECK(std::abs(solution.tip[2] + 0.8106090) < 1e-7);
  // the clamp's moment is the force times its lever
  CHECK(solution.clamp_moment[1] == doctest::Approx(10 * solution.tip[0]).epsilon(1e-10));
}

TEST_CASE("an onset is found between its ends, and only there") {
  CHECK(onset(1, 4, [](double x) { return x < 2.5; }) == doctest::Approx(2.5).epsilon(1e-5));
  CHECK(std::isnan(onset(1, 2, [](double x) { return x < 2.5; })));
}

TEST_CASE("the order of a second-order sequence is 2") {
  CHECK(observed_order({1e-2, 2.5e-3, 6.25e-4}, {50, 100, 200}) == doctest::Approx(2));
}

}  // namespace filum::test_rows
