// A span of a naturally straight, isotropic rod whose twist is in balance: bending at every joint, one torque for all.
//
// [Wang2016, ch. 4, after Bergou2008], with the misprints corrected. A joint has the tangents t0 and t1 on its
// two sides (of an edge, or of a cross-section that is held), c = t0·t1, φ the angle between them. Bending is that of
// rod/binormal_bending, ½ k (2 tan φ/2)² = 2k (2/(1+c) − 1) with k = EI/length (4.19; 4.23 lacks the factor 8). Where
// nothing turns the cross-sections between its ends, the torque M is the same all along the span: the total twist is
// Θ = M Σ 1/k_t, with k_t = GJ/length, and E_twist = ½ Θ²/Σ(1/k_t). Θ is the angle, about the last tangent, from the
// first director carried along without twist to the last director; it changes with the shape by
//
//     dΘ = Σ (t0 × t1)/(1+c) · (dt0 + dt1)                                        (4.41, which lacks 1/l)
//
// With the moment m of a joint, ∂E/∂e1 = m × t1/l1 and ∂E/∂e0 = −m × t0/l0: exact, no constant length assumed, and
// square to the edges, so that the multipliers of inextensibility alone are the axial force. No square roots, no
// angles.
#pragma once

#include <filum/types.hpp>

#include <span>

namespace filum::rod {

// Sides are places in a common list of tangents.
struct SpanJoint {
  int from = 0;
  int to = 0;
  double bend = 0;              // k = EI/length, N·m
  double twist_compliance = 0;  // 1/k_t, 1/(N·m)
  double inverse_from = 0;      // 1/l of the edge on that side, 0 if it is a section
  double inverse_to = 0;
};

double bending_energy(std::span<const SpanJoint> joints, std::span<const Vec3> tangent);

// Adds ∂E/∂e of every edge to `gradient` (parallel to the tangents; sections get nothing). `torque` is per joint.
void add_gradient(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<const double> torque,
                  std::span<Vec3> gradient);

// Carries the director of the first joint's `from` side along the span without twist; `rail` is parallel to the
// tangents. Returns the last one, that of a ring's first edge come round.
Vec3 carry_rail(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<Vec3> rail);

// dΘ/dt with the cross-sections at the ends at rest; `rate` is de/dt of every edge, zero for sections (4.41).
double twist_rate(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<const Vec3> rate);

}  // namespace filum::rod
