// The rule by which stretch is sampled.
#include "formulations/spline/stretch_rule.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::spline::test_stretch_rule {

namespace {

double sum_of(const rod::SplineKnots& knots, int power) {
  double sum = 0;
  for (const RulePoint& point : stretch_rule(knots))
    sum += point.weight * std::pow(knots.start(point.segment) + point.share * knots.width(point.segment), power);
  return sum;
}

}  // namespace

TEST_CASE("As many points as r' has unknowns, and exact for quadratics") {
  const std::vector<double> even{0, 1, 2, 3, 4, 5, 6};
  const rod::SplineKnots plain(even, std::vector<bool>(7, false));
  CHECK(static_cast<int>(stretch_rule(plain).size()) == plain.controls() - 1);
  // the weights of even knots
  const std::vector<RulePoint> rule = stretch_rule(plain);
  CHECK(rule[0].weight == doctest::Approx(0.494).epsilon(1e-3));
  CHECK(rule[1].weight == doctest::Approx(0.586).epsilon(1e-3));
  CHECK(rule[2].weight == doctest::Approx(0.906).epsilon(1e-3));
  for (int power = 0; power <= 2; ++power)
    CHECK(sum_of(plain, power) == doctest::Approx(std::pow(6, power + 1) / (power + 1)).epsilon(1e-13));
}

TEST_CASE("Uneven knots and breaks keep the weights positive and exact") {
  const std::vector<double> uneven{0, 0.1, 1.1, 1.4, 4, 4.3, 6};
  for (const std::size_t split : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    std::vector<bool> breaks(7, false);
    breaks[split] = true;
    const rod::SplineKnots knots(uneven, breaks);
    CHECK(static_cast<int>(stretch_rule(knots).size()) >= knots.controls() - 1);
    for (const RulePoint& point : stretch_rule(knots)) CHECK(point.weight > 0);
    for (int power = 0; power <= 2; ++power)
      CHECK(sum_of(knots, power) == doctest::Approx(std::pow(6, power + 1) / (power + 1)).epsilon(1e-12));
  }
}

TEST_CASE("Segments between breaks on both sides lock nothing and leave no mechanism") {
  const std::vector<double> places{0, 1, 2, 3};
  const rod::SplineKnots knots(places, std::vector<bool>(4, true));
  CHECK(static_cast<int>(stretch_rule(knots).size()) == knots.controls() - 1);
}

}  // namespace filum::spline::test_stretch_rule
