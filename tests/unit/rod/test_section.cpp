// Section stiffnesses against textbook values, and the material table against plain sense.
#include <filum/section.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>

namespace filum::test_section {

namespace {

constexpr double kPi = std::numbers::pi;
// G = E/(2(1 + ν)) = 1 with E = 2, ν = 0: GJ then is J itself
constexpr Material kUnitShear{2.0, 0.0, 1.0};

Section circle(double radius) {
  Section section;
  section.radius = radius;
  return section;
}

Section tube(double outer, double inner, double fill = 0) {
  Section section;
  section.shape = SectionShape::Tube;
  section.outer_radius = outer;
  section.inner_radius = inner;
  section.fill_density = fill;
  return section;
}

Section rectangle(double width, double height) {
  Section section;
  section.shape = SectionShape::Rectangle;
  section.width = width;
  section.height = height;
  return section;
}

Section ellipse(double a, double b) {
  Section section;
  section.shape = SectionShape::Ellipse;
  section.radii = Vec2(a, b);
  return section;
}

// The series of Timoshenko & Goodier summed term by term with the closed tail bound: slow, and independent of the
// product.
double rectangle_torsion_brute(double a, double b) {
  double sum = 0;
  for (int n = 20001; n >= 1; n -= 2) sum += std::tanh(n * kPi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 * b / (std::pow(kPi, 5) * a) * sum);
}

}  // namespace

TEST_CASE("a circle has the textbook stiffnesses") {
  const Material steel{210e9, 0.3, 7850};
  const double r = 0.5e-3;
  const Stiffness k = stiffness(circle(r), steel);
  CHECK(k.EA == doctest::Approx(210e9 * kPi * r * r).epsilon(1e-14));
  CHECK(k.EI[0] == doctest::Approx(210e9 * kPi * std::pow(r, 4) / 4).epsilon(1e-14));
  CHECK(k.EI[1] == k.EI[0]);
  // GJ/EI = 1/(1 + ν) for every circle
  CHECK(k.GJ / k.EI[0] == doctest::Approx(1 / 1.3).epsilon(1e-14));
  CHECK(k.mass_per_length == doctest::Approx(7850 * kPi * r * r).epsilon(1e-14));
  CHECK(k.polar_inertia == doctest::Approx(k.mass_per_length * r * r / 2).epsilon(1e-14));
  CHECK(k.outline == Vec2(r, r));
}

TEST_CASE("a tube is a circle less its bore, and its contents weigh without stiffening") {
  const Material epdm{7e6, 0.49, 1150};
  const double R = 5.2e-3;
  const double r = 1.6e-3;
  const Stiffness empty = stiffness(tube(R, r), epdm);
  const Stiffness full = stiffness(tube(R, r, 1060), epdm);
  const double G = 7e6 / (2 * 1.49);
  CHECK(empty.GJ == doctest::Approx(G * kPi * (std::pow(R, 4) - std::pow(r, 4)) / 2).epsilon(1e-14));
  CHECK(empty.EI[0] == doctest::Approx(7e6 * kPi * (std::pow(R, 4) - std::pow(r, 4)) / 4).epsilon(1e-14));
  CHECK(empty.EA == doctest::Approx(7e6 * kPi * (R * R - r * r)).epsilon(1e-14));
  CHECK(full.mass_per_length - empty.mass_per_length == doctest::Approx(1060 * kPi * r * r).epsilon(1e-12));
  CHECK(full.GJ == empty.GJ);
  CHECK(full.EI == empty.EI);
  CHECK(full.polar_inertia == empty.polar_inertia);
  // but the contents tilt with the tube
  CHECK(full.tilt_inertia[0] > empty.tilt_inertia[0]);
  CHECK(empty.outline == Vec2(R, R));

  // a tube without a bore is a circle
  CHECK(stiffness(tube(R, 0), epdm) == stiffness(circle(R), epdm));
}

TEST_CASE("the torsion constant of a rectangle is Saint-Venant's") {
  // square of side 1: 0.14057701495515 (Timoshenko & Goodier tabulate 0.1406), here from fourteen summed figures
  CHECK(stiffness(rectangle(1, 1), kUnitShear).GJ == doctest::Approx(0.14057701495515).epsilon(1e-12));

  // tabulated k1 = J/(a b³), three figures: 2 → 0.229, 3 → 0.263, 5 → 0.291, 10 → 0.312
  for (const auto& [aspect, k1] : {std::pair{2.0, 0.229}, {3.0, 0.263}, {5.0, 0.291}, {10.0, 0.312}})
    CHECK(std::abs(stiffness(rectangle(aspect, 1), kUnitShear).GJ / aspect - k1) < 0.0006);

  // the series summed by brute force; its tail beyond n = 20001 is below 1e-18
  for (const double aspect : {1.0, 1.001, 1.7, 4.0, 30.0, 1e3})
    CHECK(stiffness(rectangle(aspect, 1), kUnitShear).GJ ==
          doctest::Approx(rectangle_torsion_brute(aspect, 1)).epsilon(1e-13));

  // thin strip: w h³/3 (1 − 0.63025 h/w), five printed figures
  CHECK(stiffness(rectangle(1, 1e-3), kUnitShear).GJ == doctest::Approx(1e-9 / 3 * (1 - 0.63025e-3)).epsilon(1e-8));

  // either orientation, any scale
  CHECK(stiffness(rectangle(0.3, 2), kUnitShear).GJ == stiffness(rectangle(2, 0.3), kUnitShear).GJ);
  CHECK(stiffness(rectangle(2e-4, 3e-4), kUnitShear).GJ ==
        doctest::Approx(1e-16 * stiffness(rectangle(2, 3), kUnitShear).GJ).epsilon(1e-13));
}

TEST_CASE("a rectangle bends stiffly about the axis square to its long side") {
  const Stiffness k = stiffness(rectangle(12e-3, 3e-3), kUnitShear);
  CHECK(k.EI[0] == doctest::Approx(2 * 12e-3 * std::pow(3e-3, 3) / 12).epsilon(1e-14));
  CHECK(k.EI[1] == doctest::Approx(2 * 3e-3 * std::pow(12e-3, 3) / 12).epsilon(1e-14));
  CHECK(k.EA == doctest::Approx(2 * 36e-6).epsilon(1e-14));
  CHECK(k.polar_inertia == doctest::Approx(36e-6 * (144e-6 + 9e-6) / 12).epsilon(1e-14));
  CHECK(k.tilt_inertia[0] + k.tilt_inertia[1] == doctest::Approx(k.polar_inertia).epsilon(1e-14));
  CHECK(k.tilt_inertia[1] / k.tilt_inertia[0] == doctest::Approx(16).epsilon(1e-14));  // (width/height)²
  CHECK(k.outline == Vec2(6e-3, 1.5e-3));
}

TEST_CASE("an ellipse has Saint-Venant's torsion constant and the circle as its limit") {
  const Stiffness k = stiffness(ellipse(4, 2), kUnitShear);
  CHECK(k.EI[0] == doctest::Approx(2 * kPi * 4 * 8 / 4).epsilon(1e-14));
  CHECK(k.EI[1] == doctest::Approx(2 * kPi * 2 * 64 / 4).epsilon(1e-14));
  CHECK(k.GJ == doctest::Approx(kPi * 64 * 8 / 20).epsilon(1e-14));
  CHECK(k.outline == Vec2(4, 2));
  CHECK(stiffness(ellipse(2, 4), kUnitShear).GJ == doctest::Approx(k.GJ).epsilon(1e-15));

  const Stiffness round = stiffness(ellipse(0.7, 0.7), kUnitShear);
  CHECK(round == stiffness(circle(0.7), kUnitShear));
  CHECK(round.GJ == doctest::Approx(kPi * std::pow(0.7, 4) / 2).epsilon(1e-14));
}

TEST_CASE("given stiffnesses pass through whatever the material") {
  Section section;
  section.shape = SectionShape::Given;
  section.EA = 1e5;
  section.EI = Vec2(0.8, 0.9);
  section.GJ = 0.7;
  section.mass_per_length = 0.05;
  section.radius = 3e-3;
  const Stiffness k = stiffness(section, {});
  CHECK(k.EA == 1e5);
  CHECK(k.EI == Vec2(0.8, 0.9));
  CHECK(k.GJ == 0.7);
  CHECK(k.mass_per_length == 0.05);
  CHECK(k.outline == Vec2(3e-3, 3e-3));
  CHECK(k.polar_inertia == doctest::Approx(0.05 * 9e-6 / 2).epsilon(1e-14));
  CHECK(k.tilt_inertia[0] == doctest::Approx(0.05 * 9e-6 / 4).epsilon(1e-14));
  section.inertia = Vec3(1, 2, 3);
  CHECK(stiffness(section, {}).tilt_inertia == Vec2(1, 2));
  CHECK(stiffness(section, {}).polar_inertia == 3);
}

TEST_CASE("a section without extent gives zeros, not NaN") {
  for (const Section& section :
       {circle(0), tube(0, 0), rectangle(0, 0), rectangle(1, 0), ellipse(0, 0), ellipse(1, 0)}) {
    const Stiffness k = stiffness(section, kUnitShear);
    CHECK(k.GJ == 0);
    CHECK(k.EA == 0);
    CHECK(k.EI.allFinite());
  }
}

TEST_CASE("every common material is physical and named once") {
  std::set<std::string> names;
  for (const NamedMaterial& entry : common_materials()) {
    CAPTURE(entry.name);
    CHECK(names.insert(entry.name).second);
    CHECK(entry.material.young > 0);
    CHECK(entry.material.poisson > -1);
    CHECK(entry.material.poisson <= 0.5);
    // nothing lighter than 800 or heavier than 9000 kg/m³ in this table
    CHECK(entry.material.density > 800);
    CHECK(entry.material.density < 9000);
    CHECK(std::string(entry.note).size() > 5);
  }
  for (const char* name : {"steel", "copper", "epdm"}) CHECK(names.count(name) == 1);
}

}  // namespace filum::test_section
