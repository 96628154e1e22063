#include "rod/section_plasticity.hpp"

#include "rod/backbone.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::rod {

namespace {

// How elements that were perfectly plastic harden: shares by (1 − t), limits by η.
struct Hardening {
  double kept = 1;    // 1 − t
  double growth = 0;  // η
};

// `modulus`: the plastic modulus over E.
Hardening hardening(double modulus, double isotropic) {
  const double kinematic = (1 - isotropic) * modulus;
  Hardening h;
  h.kept = 1 / (1 + kinematic);
  h.growth = h.kept * isotropic * modulus;
  return h;
}

ParallelElements hardened(ParallelElements elements, const Hardening& h) {
  elements.growth = h.growth;
  return elements;
}

// Largest shear of a twisted rectangle, long side l, short side k, over G θ k [Timoshenko & Goodier, 109].
double rectangle_shear(double l, double k) {
  double sum = 0;
  for (int n = 1; n <= 15; n += 2) sum += 1 / (n * n * std::cosh(n * std::numbers::pi * l / (2 * k)));
  return 1 - 8 / (std::numbers::pi * std::numbers::pi) * sum;
}

bool circular(const Vec2& stiffness, const Vec2& yield) {
  const double one = stiffness[0] * yield[0] * yield[0];
  const double other = stiffness[1] * yield[1] * yield[1];
  return std::abs(one - other) <= 1e-9 * (one + other);
}

// From a yield stress through the section.
SectionPlasticity from_stress(const Section& section, const Material& material) {
  const double strain = *material.yield / material.young;
  const double shear = *material.yield / std::sqrt(3.0) * 2 * (1 + material.poisson) / material.young;
  const Vec2 outline = stiffness(section, material).outline;
  const double longer = outline.maxCoeff();
  const double shorter = outline.minCoeff();

  Backbone bend{Backbone::Form::Round, 0, 0};
  Backbone twist{Backbone::Form::Power, 4.0 / 3, 0};
  SectionPlasticity law;
  law.stretch_yield = strain;
  law.bend_yield = {strain / outline[1], strain / outline[0]};
  law.twist_yield = shear / longer;
  switch (section.shape) {
    case SectionShape::Tube:
      bend.bore = twist.bore = section.inner_radius / section.outer_radius;
      break;
    case SectionShape::Rectangle:
      bend = {Backbone::Form::Power, 1.5, 0};
      twist.full = rectangle_torsion_ratio(section.width, section.height);
      law.twist_yield = shear / (2 * shorter * rectangle_shear(longer, shorter));
      break;
    case SectionShape::Ellipse:
      twist.full = ellipse_torsion_ratio(longer, shorter);
      law.twist_yield = shear * (longer * longer + shorter * shorter) / (2 * longer * longer * shorter);
      break;
    default:
      break;
  }
  const Hardening h = hardening(material.hardening / material.young, material.isotropic);
  law.stretch = hardened(one_element(h.kept), h);
  law.bend = hardened(elements_below(bend, kElements, h.kept), h);
  law.twist = hardened(elements_below(twist, kElements, h.kept), h);
  return law;
}

// From yield moments, one corner each.
SectionPlasticity from_moments(const Section& section) {
  const double left = section.hardening;
  const Hardening h = hardening(left / (1 - left), section.isotropic);
  const ParallelElements element = hardened(one_element(h.kept), h);
  SectionPlasticity law;
  if (section.yield_force) {
    law.stretch = element;
    law.stretch_yield = *section.yield_force / section.EA;
  }
  if (section.yield_moment) {
    law.bend = element;
    law.bend_yield = section.yield_moment->cwiseQuotient(section.EI);
    law.joined = circular(section.EI, law.bend_yield);
  }
  if (section.yield_torque) {
    law.twist = element;
    law.twist_yield = *section.yield_torque / section.GJ;
  }
  return law;
}

SectionPlasticity from_slip(const Section& section) {
  const Vec2 stiff = stiffness(section, Material{}).EI;
  const double left =
      section.shape == SectionShape::Bundle ? bundle_facts(section).slipping.EI / stiff[0] : section.slipping;
  SectionPlasticity law;
  law.slips = true;
  law.bend = elements_below({Backbone::Form::Slip, 0, 0}, kSlipElements, 1 - left);
  law.bend_yield = Vec2::Constant(*section.slip_curvature);
  law.joined = circular(stiff, law.bend_yield);
  return law;
}

}  // namespace

double rectangle_torsion_ratio(double width, double height) {
  const double l = std::max(width, height);
  const double k = std::min(width, height);
  // first yield: GJ θ at the largest shear, per τ_y; in full: k² (3 l − k)/6 [Nadai1950]
  Section unit;
  unit.shape = SectionShape::Rectangle;
  unit.width = l;
  unit.height = k;
  const double torsion = stiffness(unit, {2, 0, 0}).GJ;  // G = 1: the torsion constant
  return k * k * (3 * l - k) / 6 * k * rectangle_shear(l, k) / torsion;
}

// The heap of sand has a ridge on the long axis, where the normals of its two sides meet: t = b W/a from the edge, with
// W² = b² cos²φ + a² sin²φ. Over the boundary, ∫ W (t²/2 − ab/W³ t³/3) dφ is its volume.
double ellipse_torsion_ratio(double a, double b) {
  const double l = std::max(a, b);
  const double k = std::min(a, b);
  constexpr int kParts = 4096;  // the trapezoidal rule on a period: exact to round-off but for needles
  double volume = 0;
  for (int i = 0; i < kParts; ++i) {
    const double phi = 2 * std::numbers::pi * (i + 0.5) / kParts;
    const double w = std::hypot(k * std::cos(phi), l * std::sin(phi));
    volume += (k * k * w * w * w / 2 - k * k * k * k * w / 3) / (l * l) * 2 * std::numbers::pi / kParts;
  }
  return 2 * volume / (std::numbers::pi * l * k * k / 2);
}

std::optional<SectionPlasticity> section_plasticity(const Section& section, const Material& material) {
  if (section.slip_curvature) return from_slip(section);
  if (section.shape == SectionShape::Given) {
    if (section.yield_moment || section.yield_torque || section.yield_force) return from_moments(section);
    return std::nullopt;
  }
  if (!needs_material(section.shape) || !material.yield) return std::nullopt;
  return from_stress(section, material);
}

}  // namespace filum::rod
