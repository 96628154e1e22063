// Numbers, units, fractions, places along a rod; and how they are written.
#include "io/yaml/units.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <numbers>
#include <random>

namespace filum::test_scene_units {

using namespace filum::io;
using std::numbers::pi;

namespace {

double value(std::string_view text, Dimension dimension) {
  const Quantity quantity = parse_quantity(text, dimension);
  CHECK_MESSAGE(quantity.problem.empty(), quantity.problem);
  return quantity.value;
}

bool refused(std::string_view text, Dimension dimension) {
  return !parse_quantity(text, dimension).problem.empty();
}

}  // namespace

TEST_CASE("numbers") {
  CHECK(value("5", Dimension::Number) == 5);
  CHECK(value(" -0.5 ", Dimension::Number) == -0.5);
  CHECK(value("+.5", Dimension::Number) == 0.5);
  CHECK(value("7.0e6", Dimension::Number) == 7e6);
  CHECK(value("1e-3", Dimension::Number) == 1e-3);
  CHECK(value("1/60", Dimension::Time) == 1.0 / 60);
  CHECK(value("-1/4 in", Dimension::Length) == -0.00635);
  for (const char* text : {"", "-", ".", "e5", "nan", "-inf", "infinity", "0x1p3", "1e400", "1e-400", "1/0", "1//2",
                           "1,5", "1 2", "--1", "1/-2", "one", "1_000"})
    CHECK_MESSAGE(refused(text, Dimension::Number), text);
}

TEST_CASE("a unit gives the double nearest to the decimal value") {
  CHECK(value("5.2 mm", Dimension::Length) == 0.0052);
  CHECK(value("5.2mm", Dimension::Length) == 0.0052);
  CHECK(value("3 um", Dimension::Length) == 3e-6);
  CHECK(value("3 µm", Dimension::Length) == 3e-6);
  CHECK(value("1 in", Dimension::Length) == 0.0254);
  CHECK(value("1 ft", Dimension::Length) == 0.3048);
  CHECK(value("2 km", Dimension::Length) == 2000);
  CHECK(value("40 N", Dimension::Force) == 40);
  CHECK(value("0.3 kN", Dimension::Force) == 300);
  CHECK(value("3 mN", Dimension::Force) == 0.003);
  CHECK(value("7 MPa", Dimension::Pressure) == 7e6);
  CHECK(value("210 GPa", Dimension::Pressure) == 210e9);
  CHECK(value("1.15 g/cm3", Dimension::Density) == 1150);
  CHECK(value("1150 kg/m^3", Dimension::Density) == 1150);
  CHECK(value("1150 kg / m³", Dimension::Density) == 1150);
  CHECK(value("180 deg", Dimension::Angle) == pi);
  CHECK(value("2.5 turns", Dimension::Angle) == 5 * pi);
  CHECK(value("2.5 rad", Dimension::Angle) == 2.5);
  CHECK(value("3", Dimension::Turns) == 3);
  CHECK(value("900 deg", Dimension::Turns) == 2.5);
  CHECK(value("20 ms", Dimension::Time) == 0.02);
  CHECK(value("2 min", Dimension::Time) == 120);
  for (const char* text : {"1.2 N m", "1.2 N·m", "1.2 Nm", "1.2 N*m", "1200 N mm"})
    CHECK_MESSAGE(value(text, Dimension::Moment) == 1.2, text);
  for (const char* text : {"0.8 N m2", "0.8 N m^2", "0.8 N·m²", "0.8 Nm2"})
    CHECK_MESSAGE(value(text, Dimension::BendStiffness) == 0.8, text);
  CHECK(value("5 mm/s", Dimension::Velocity) == 0.005);
  CHECK(value("9.81 m/s2", Dimension::Acceleration) == 9.81);
  CHECK(value("50 g/m", Dimension::MassPerLength) == 0.05);
  CHECK(value("3 N/m", Dimension::ForcePerLength) == 3);
  CHECK(value("2 1/m", Dimension::Curvature) == 2);
  CHECK(value("360 deg/m", Dimension::TwistRate) == 2 * pi);
  CHECK(value("4 kg", Dimension::Mass) == 4);
  CHECK(value("2 t", Dimension::Mass) == 2000);
  CHECK(value("360 deg/s", Dimension::Spin) == 2 * pi);
  CHECK(value("60 rpm", Dimension::Spin) == doctest::Approx(2 * pi));
  CHECK(value("3 turns/s", Dimension::Spin) == 6 * pi);
  for (const char* text : {"0.01 kg m2", "0.01 kg·m²", "0.01 kg m^2", "100000 g cm2", "10000 kg mm2"})
    CHECK_MESSAGE(value(text, Dimension::Inertia) == 0.01, text);
  CHECK(value("0.1 1/s", Dimension::Rate) == 0.1);
  CHECK(value("3 N·s", Dimension::Impulse) == 3);
  CHECK(value("1e-6 N m2 s", Dimension::BendDamping) == 1e-6);
  CHECK(value("0.02 kg/m²", Dimension::AreaDensity) == 0.02);
}

TEST_CASE("a unit of another dimension is refused, naming what was expected") {
  CHECK(parse_quantity("40 N", Dimension::Length).problem == "expected a length such as 5.2 mm, found '40 N'");
  CHECK(parse_quantity("5 mm", Dimension::Force).problem == "expected a force such as 40 N, found '5 mm'");
  CHECK(parse_quantity("5 %", Dimension::Length).problem ==
        "unknown unit '%': expected a length such as 5.2 mm, found '5 %'");
  CHECK(refused("5 m m", Dimension::Length));
  CHECK(refused("5 m N", Dimension::Force));
}

TEST_CASE("numbers do not depend on the locale") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) std::setlocale(LC_ALL, locale);
  CHECK(value("5.25 mm", Dimension::Length) == 0.00525);
  CHECK(number_text(0.5) == "0.5");
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("places along a rod") {
  const auto place = [](std::string_view text) {
    const ArcQuantity at = parse_arc_position(text);
    CHECK_MESSAGE(at.problem.empty(), at.problem);
    return at.value;
  };
  CHECK(place("start") == ArcPosition{0, 0});
  CHECK(place("middle") == ArcPosition{0.5, 0});
  CHECK(place("end") == ArcPosition{1, 0});
  CHECK(place("50 %") == ArcPosition{0.5, 0});
  CHECK(place("12.5%") == ArcPosition{0.125, 0});
  CHECK(place("0.1e2 %") == ArcPosition{0.1, 0});
  CHECK(place("100/3 %") == ArcPosition{100.0 / 3 / 100, 0});
  CHECK(place("30 mm") == ArcPosition{0, 0.03});
  CHECK(place("1/4") == ArcPosition{0, 0.25});
  CHECK(place("end - 10 mm") == ArcPosition{1, -0.01});
  CHECK(place("25 % + 0.1") == ArcPosition{0.25, 0.1});
  for (const char* text : {"", "begin", "40 N", "%", "x %", "end -", "end - end", "end-1", "5 % %"})
    CHECK_MESSAGE(!parse_arc_position(text).problem.empty(), text);
}

TEST_CASE("what is written reads back to the same bits") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-12, 12);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 20000; ++i) {
    const double number = (unit(random) - 0.5) * std::pow(10, exponent(random));
    CHECK(parse_quantity(number_text(number), Dimension::Number).value == number);
    const ArcPosition at{i % 3 == 0 ? 0 : unit(random), i % 2 == 0 ? 0 : number};
    const ArcQuantity again = parse_arc_position(arc_text(at));
    REQUIRE_MESSAGE(again.value == at, arc_text(at));
  }
  CHECK(arc_text({0.5, 0}) == "middle");
  CHECK(arc_text({0.25, 0}) == "25 %");
  CHECK(arc_text({1, -0.5}) == "end - 0.5");
}

}  // namespace filum::test_scene_units
