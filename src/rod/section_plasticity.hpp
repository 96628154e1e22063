// Where a cross-section yields, in stretch, bending and twist, and how it goes on from there.
//
// Of a section that has a material, with its yield stress σ_y, E, G, extents a, b along d1 and d2, and τ_y = σ_y/√3 (von
// Mises), first yield is at
//
//     stretch   ε = σ_y/E
//     bending   κ1 = σ_y/(E b),  κ2 = σ_y/(E a)
//     twist     circle, tube τ_y/(G r);   ellipse τ_y (a² + b²)/(2 G a² b), b the shorter;   rectangle by its largest
//               shear stress [Timoshenko & Goodier, 109]
//
// and from there the moment follows rod/backbone.hpp up to the fully plastic one; stretch has no more to give. Twist of
// ellipse and rectangle is fully plastic at twice the volume of a heap of sand on the section, slope τ_y [Nadai1950].
//
// Both bends share one circle in κ1/κ_y1, κ2/κ_y2. It is exact for circle, tube and, since it is an affine image of
// these, ellipse. A rectangle bent across its corners yields earlier (at 1/√2 of it) and ends at 0.94 of it. Stretch,
// bending and twist do not weaken each other: what the whole section bears of one is not asked of the others.
//
// Hardening of plastic modulus H, a share β of which is isotropic (t = H_k/(E + H_k), H_k = (1 − β) H): every fibre is
// an elastic spring of t E beside an element of (1 − t) E that yields at the same strain, its limit growing by
// η = (1 − t) β H/E of its own stiffness; the section's elements are scaled likewise.
//
// A `given` section yields all at once, at its yield moments. A section that slips (stranded, a bundle) goes from its
// stiffness to that of wires that slide on each other round its slip curvature.
#pragma once

#include "rod/parallel_elements.hpp"

#include <filum/section.hpp>
#include <filum/types.hpp>

#include <optional>

namespace filum::rod {

struct SectionPlasticity {
  ParallelElements stretch;
  ParallelElements bend;
  ParallelElements twist;
  bool joined = true;              // the two bends share one circle
  bool slips = false;              // the elements of bending are wires that slide, which is no yield
  double stretch_yield = 1;        // reference strain of `stretch`
  Vec2 bend_yield = Vec2::Ones();  // of `bend`, about d1 and d2, 1/m
  double twist_yield = 1;          // of `twist`, rad/m

  // Numbers that a piece of rod leaves behind: of bending and twist, of stretch.
  [[nodiscard]] int joint_memory() const { return (joined ? bend.memory(2) : 2 * bend.memory(1)) + twist.memory(1); }
  [[nodiscard]] int edge_memory() const { return stretch.memory(1); }
};

// Elements of a curve, unless it has a single corner.
inline constexpr int kElements = 12;
inline constexpr int kSlipElements = 8;

// Empty: it is elastic whatever happens.
std::optional<SectionPlasticity> section_plasticity(const Section& section, const Material& material);

// Fully plastic torque over that of first yield.
double rectangle_torsion_ratio(double width, double height);
double ellipse_torsion_ratio(double a, double b);

}  // namespace filum::rod
