// Cross-sections and materials, and the stiffnesses they give a rod.
//
// Directors: d3 the tangent, d1 from the rod's `normal`, d2 = d3 × d1. EI[0] resists bending about d1 (which deflects
// along d2), EI[1] bending about d2. A rectangle has its width along d1 and its height along d2, so
// EI[0] = E·width·height³/12.
#pragma once

#include <filum/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum {

struct Material {
  double young = 0;                            // Young's modulus E, Pa, > 0
  double poisson = 0;                          // Poisson's ratio ν, in (-1, 0.5]
  double density = 0;                          // kg/m³, >= 0
  std::optional<double> yield = std::nullopt;  // yield stress, Pa, > 0; empty: it is elastic for ever
  double hardening = 0;                        // plastic modulus: what the stress rises by per plastic strain, Pa, >= 0
  double isotropic = 0;  // share of the hardening that is isotropic, 0 to 1; the rest is kinematic

  bool operator==(const Material&) const = default;
};

enum class SectionShape { Circle, Tube, Rectangle, Ellipse, Given, Bundle };

// Stiffness and mass of these are their own.
constexpr bool needs_material(SectionShape shape) {
  return shape != SectionShape::Given && shape != SectionShape::Bundle;
}

// Equal wires of a bundle: stranded copper in soft insulation. What is not given is that of the named common wire, or
// follows from what is (rod/bundle.cpp).
struct BundleWire {
  std::string wire;                 // a common wire; empty: none
  int count = 1;                    // >= 1
  std::optional<double> diameter;   // over the insulation, m
  std::optional<double> mass;       // per length, kg/m
  std::optional<double> conductor;  // area of the copper, m²
  std::optional<double> strand;     // diameter of a single strand, m
  bool operator==(const BundleWire&) const = default;
};

// One struct for all shapes: the fields that do not belong to `shape` stay zero.
struct Section {
  SectionShape shape = SectionShape::Circle;
  double radius = 0;                   // Circle, m; Given: outline for pictures and clearance, m
  double outer_radius = 0;             // Tube, m
  double inner_radius = 0;             // Tube, m, < outer_radius
  double fill_density = 0;             // Tube: density of what fills the bore, kg/m³ (0: empty)
  double width = 0;                    // Rectangle: along d1, m
  double height = 0;                   // Rectangle: along d2, m
  Vec2 radii = Vec2::Zero();           // Ellipse: semi-axes along d1 and d2, m
  double EA = 0;                       // Given, N
  Vec2 EI = Vec2::Zero();              // Given, N·m², about d1 and d2
  double GJ = 0;                       // Given, N·m²
  double mass_per_length = 0;          // Given, kg/m
  std::vector<BundleWire> bundle;      // Bundle
  double tape = 0;                     // Bundle: thickness of what is wrapped round, m
  double bond = 0;                     // Bundle: from 0, the wires slip on each other freely, to 1, they stick together
  std::optional<Vec2> yield_moment;    // Given: about d1 and d2, N·m, > 0
  std::optional<double> yield_torque;  // Given, N·m, > 0
  std::optional<double> yield_force;   // Given, N, > 0
  double hardening = 0;                // Given: share of each stiffness that is left beyond yield, < 1
  double isotropic = 0;                // Given: share of the hardening that is isotropic, 0 to 1
  std::optional<double> slip_curvature;  // Given, Bundle: about which its wires begin to slide on each other, 1/m
  double slipping = 0;                   // Given, with `slip_curvature`: share of EI that is left when they do, < 1

  bool operator==(const Section&) const = default;
};

// What the mechanics needs of a section made of a material.
struct Stiffness {
  double EA = 0;                // stretch, N
  Vec2 EI = Vec2::Zero();       // bending about d1 and d2, N·m²
  double GJ = 0;                // twist, N·m²
  double mass_per_length = 0;   // kg/m, contents included
  Vec2 outline = Vec2::Zero();  // half-extents along d1 and d2, m: what is drawn and what touches
  double polar_inertia = 0;     // rotary inertia about d3 per length, kg·m

  bool operator==(const Stiffness&) const = default;
};

Stiffness stiffness(const Section& section, const Material& material);

// Stiffnesses of a bundle between its bounds.
struct BundleStiffness {
  double EI = 0;  // N·m²
  double GJ = 0;  // N·m²
};
struct BundleFacts {
  int wires = 0;
  double diameter = 0;         // over all, tape included, m
  double EA = 0;               // N
  double mass_per_length = 0;  // kg/m
  BundleStiffness slipping;    // the wires slip on each other freely
  BundleStiffness bonded;      // they stick together
  BundleStiffness chosen;      // by `bond`
};
// Of a section of shape Bundle, whose wires are all known and have a diameter.
BundleFacts bundle_facts(const Section& section);

// The diameter of a round bundle of wires, without tape. Two lie side by side; more fill the circle to 69 %.
double bundle_diameter(const std::vector<BundleWire>& wires);

// The table of common wires that a bundle may name.
struct CommonWire {
  const char* name;
  double conductor;  // m²
  double strand;     // m
  double diameter;   // m
  double mass;       // kg/m
};
const CommonWire* find_wire(const std::string& name);
std::vector<std::string> common_wire_names();

// The table of common materials that a scene may name without defining them (steel, copper, epdm, …).
struct NamedMaterial {
  const char* name;
  Material material;
  const char* note;  // where the figures come from
};
struct MaterialTable {
  const NamedMaterial* begin_;
  const NamedMaterial* end_;
  [[nodiscard]] const NamedMaterial* begin() const { return begin_; }
  [[nodiscard]] const NamedMaterial* end() const { return end_; }
};
MaterialTable common_materials();

}  // namespace filum
