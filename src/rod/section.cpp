// Stiffness and inertia of a cross-section, from its shape and its material.
//
// Isotropic linear elasticity; bending and stretch after Euler and Bernoulli, twist after Saint-Venant. The contents of
// a tube (fill_density) carry no load: they add mass and tilt with the tube, but have no rotary inertia about d3, because
// a fluid in a round bore does not turn with the wall.
//
// Notation: a, b half-extents along d1 and d2; A area; I1, I2 second moments of area about d1 and d2; J torsion
// constant. References: Timoshenko & Goodier, «Theory of Elasticity», 3rd ed., articles 105 (ellipse) and 109
// (rectangle).
#include <filum/section.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum {
namespace {

constexpr double kPi = std::numbers::pi;

// Geometry alone: what is multiplied by moduli and density below.
struct Area {
  double A = 0;
  double I1 = 0;
  double I2 = 0;
  double J = 0;
  Vec2 outline = Vec2::Zero();
};

// J = a b³/3 [1 − (192 b)/(π⁵ a) Σ_{n odd} tanh(nπa/2b)/n⁵], a the long side, b the short one [Timoshenko & Goodier,
// 109]. With tanh x = 1 − 2/(e^{2x} + 1) the slow part sums to (31/32)ζ(5) and the rest falls off faster than e^{−nπ}.
double rectangle_torsion_constant(double width, double height) {
  const double a = std::max(width, height);
  const double b = std::min(width, height);
  if (!(b > 0)) return 0;
  constexpr double kZeta5 = 1.0369277551433699263;
  double sum = 31.0 / 32.0 * kZeta5;
  for (int n = 1; n <= 15; n += 2) sum -= 2.0 / ((std::exp(n * kPi * a / b) + 1.0) * std::pow(n, 5));
  return a * b * b * b / 3.0 * (1.0 - 192.0 * b / (std::pow(kPi, 5) * a) * sum);
}

// J = π a³b³/(a² + b²) [Timoshenko & Goodier, 105]; a circle is the case a = b, J = π a⁴/2.
Area ellipse_area(double a, double b) {
  Area area;
  area.A = kPi * a * b;
  area.I1 = kPi * a * b * b * b / 4.0;
  area.I2 = kPi * b * a * a * a / 4.0;
  area.J = a * a + b * b > 0 ? kPi * a * a * a * b * b * b / (a * a + b * b) : 0.0;
  area.outline = Vec2(a, b);
  return area;
}

// A circle less its bore; both are concentric circles, so the torsion constants subtract.
Area tube_area(double outer, double inner) {
  Area area = ellipse_area(outer, outer);
  const Area bore = ellipse_area(inner, inner);
  area.A -= bore.A;
  area.I1 -= bore.I1;
  area.I2 -= bore.I2;
  area.J -= bore.J;
  return area;
}

Area rectangle_area(double width, double height) {
  Area area;
  area.A = width * height;
  area.I1 = width * height * height * height / 12.0;
  area.I2 = height * width * width * width / 12.0;
  area.J = rectangle_torsion_constant(width, height);
  area.outline = Vec2(width, height) / 2.0;
  return area;
}

Area area_of(const Section& section) {
  switch (section.shape) {
    case SectionShape::Tube:
      return tube_area(section.outer_radius, section.inner_radius);
    case SectionShape::Rectangle:
      return rectangle_area(section.width, section.height);
    case SectionShape::Ellipse:
      return ellipse_area(section.radii[0], section.radii[1]);
    case SectionShape::Circle:
    case SectionShape::Given:
    case SectionShape::Bundle:
      break;
  }
  return ellipse_area(section.radius, section.radius);
}

// Stiffnesses from a data sheet or a measurement; the mass is taken as spread evenly over the disc of the outline.
Stiffness given_stiffness(const Section& section) {
  Stiffness out;
  out.EA = section.EA;
  out.EI = section.EI;
  out.GJ = section.GJ;
  out.mass_per_length = section.mass_per_length;
  out.outline = Vec2::Constant(section.radius);
  const double disc = section.mass_per_length * section.radius * section.radius / 4.0;
  const Vec3 inertia = section.inertia.value_or(Vec3(disc, disc, 2.0 * disc));
  out.polar_inertia = inertia[2];
  out.tilt_inertia = inertia.head<2>();
  return out;
}

// A bundle between its bounds, its mass likewise spread evenly.
Stiffness bundle_stiffness(const Section& section) {
  const BundleFacts facts = bundle_facts(section);
  Stiffness out;
  out.EA = facts.EA;
  out.EI = Vec2::Constant(facts.chosen.EI);
  out.GJ = facts.chosen.GJ;
  out.mass_per_length = facts.mass_per_length;
  out.outline = Vec2::Constant(facts.diameter / 2);
  out.polar_inertia = facts.mass_per_length * facts.diameter * facts.diameter / 8;
  out.tilt_inertia = Vec2::Constant(0.5 * out.polar_inertia);
  return out;
}

}  // namespace

Stiffness stiffness(const Section& section, const Material& material) {
  if (section.shape == SectionShape::Given) return given_stiffness(section);
  if (section.shape == SectionShape::Bundle) return bundle_stiffness(section);

  // moduli times geometry, G = E/(2(1 + ν))
  const Area area = area_of(section);
  const double shear = material.young / (2.0 * (1.0 + material.poisson));
  Stiffness out;
  out.EA = material.young * area.A;
  out.EI = material.young * Vec2(area.I1, area.I2);
  out.GJ = shear * area.J;
  out.outline = area.outline;

  // inertia: the rotary one is ρ times the second moments of area
  out.mass_per_length = material.density * area.A;
  out.polar_inertia = material.density * (area.I1 + area.I2);
  out.tilt_inertia = material.density * Vec2(area.I1, area.I2);
  if (section.shape == SectionShape::Tube) {
    const Area bore = ellipse_area(section.inner_radius, section.inner_radius);
    out.mass_per_length += section.fill_density * bore.A;
    out.tilt_inertia += section.fill_density * Vec2(bore.I1, bore.I2);
  }
  return out;
}

}  // namespace filum
