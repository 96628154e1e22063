// Stiffnesses of sections against the theory of elasticity.
#include "validation/cases.hpp"

#include "math/rotation.hpp"
#include "validation/scenes.hpp"

#include <filum/section.hpp>

#include <fmt/format.h>
#include <cmath>
#include <utility>

namespace filum::validation {

namespace section_properties_case {
namespace {

// E = 2, ν = 0, so that G = 1 and GJ is the torsion constant itself.
constexpr Material kUnit{2, 0, 3};

Section rectangle(double width, double height) {
  Section section;
  section.shape = SectionShape::Rectangle;
  section.width = width;
  section.height = height;
  return section;
}

void add_rectangles(Sheet& sheet) {
  sheet.relative("torsion constant of a square, a⁴", stiffness(rectangle(1, 1), kUnit).GJ, 0.1405770150, 1e-9,
                 "all digits of the series");
  // Timoshenko & Goodier, table of k1, three digits
  for (const auto& [ratio, constant] : {std::pair{1.2, 0.166}, {1.5, 0.196}, {2.0, 0.229}, {3.0, 0.263}, {10.0, 0.312}})
    sheet.absolute(fmt::format("torsion constant of a rectangle {} : 1, over width × height³", ratio),
                   stiffness(rectangle(ratio, 1), kUnit).GJ / ratio, constant, 5e-4, "the table has three digits");
  // a thin strip: the two ends cost 0.630249 heights of its width
  const double strip = 1000.0 / 3 * (1 - 0.630249 / 1000);
  sheet.relative("torsion constant of a strip 1000 : 1", stiffness(rectangle(1000, 1), kUnit).GJ, strip, 1e-8,
                 "what the strip's ends leave out is below 1e-9");
  sheet.relative("the same strip upright", stiffness(rectangle(1, 1000), kUnit).GJ, strip, 1e-8, "no side is special");
  sheet.relative("bending about d1 of a rectangle 3 × 2, E w h³/12", stiffness(rectangle(3, 2), kUnit).EI[0], 4, 1e-14,
                 "exact");
  sheet.relative("bending about d2 of a rectangle 3 × 2, E h w³/12", stiffness(rectangle(3, 2), kUnit).EI[1], 9, 1e-14,
                 "exact");
}

void add_round(Sheet& sheet) {
  Section ellipse;
  ellipse.shape = SectionShape::Ellipse;
  ellipse.radii = Vec2(3, 2);
  sheet.relative("torsion constant of an ellipse 3 × 2, πa³b³/(a² + b²)", stiffness(ellipse, kUnit).GJ,
                 math::kPi * 216 / 13, 1e-14, "exact");
  sheet.relative("bending of it about d1, Eπab³/4", stiffness(ellipse, kUnit).EI[0], 2 * math::kPi * 6, 1e-14, "exact");
  Section circle;
  circle.radius = 2;
  sheet.relative("torsion constant of a circle, πr⁴/2", stiffness(circle, kUnit).GJ, math::kPi * 8, 1e-14, "exact");
  Section tube;
  tube.shape = SectionShape::Tube;
  tube.outer_radius = 2;
  tube.inner_radius = 1;
  tube.fill_density = 1;
  sheet.relative("torsion constant of a tube, π(R⁴ − r⁴)/2", stiffness(tube, kUnit).GJ, math::kPi * 7.5, 1e-14,
                 "exact");
  sheet.relative("mass of a filled tube per length", stiffness(tube, kUnit).mass_per_length, math::kPi * (9 + 1), 1e-14,
                 "exact");
}

Result<std::vector<Row>> run(const Setting& setting) {
  Sheet sheet(setting);
  add_rectangles(sheet);
  add_round(sheet);
  setting.tell(1);
  return std::move(sheet).result();
}

}  // namespace
}  // namespace section_properties_case

Case section_properties() {
  return {.name = "section-properties",
          .shows = "Torsion constants and bending stiffnesses of circles, tubes, ellipses, rectangles and strips",
          .source = "Timoshenko & Goodier, Theory of Elasticity, articles 105 and 109",
          .run = section_properties_case::run};
}

}  // namespace filum::validation
