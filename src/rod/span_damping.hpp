// Viscous bending and twist of a span of an isotropic rod without rotary inertia: moments proportional to the rates of
// curvature and twist, as the gradient of a dissipation function.
//
// The frame of an edge turns at ω = p + s t with p = t × ė/l and a spin s about itself. The rates of strain of a joint
// are those of rod/joint to lowest order in its turning angle,
//
//     twist   τ̇ = (ω1 − ω0)·(t0 + t1)/(1+c),        bend   b = (ω1 − ω0) − ½ τ̇ (t0 + t1),
//
// and P = ½ Σ (η |b|² + η_t τ̇²). Twist without inertia is even along the span: from one spin the others follow joint by
// joint,
//
//     s1 = s0 + τ̇ − (p1 − p0)·(t0 + t1)/(1+c).
//
// Held sections give the spin at the ends and so the rate of the total twist; where none is held the common spin makes
// P least, which is to say that nothing turns the span about itself. So P vanishes for every rigid motion and its
// gradient conserves linear and angular momentum; the power −2P is never positive. ([Wang2016, (4.25)] has P = ½ k_d Σ ċ²
// with c the cosine of the turning angle: this is P with η = k_d sin²φ, which does not damp a straight rod, and no
// damping of twist.)
#pragma once

#include "rod/uniform_twist.hpp"

#include <filum/types.hpp>

#include <span>
#include <vector>

namespace filum::rod {

struct JointViscosity {
  double bend = 0;   // η, N·m·s
  double twist = 0;  // η_t, N·m·s
};

// How the spin along a span is tied down.
struct SpinTies {
  bool start = false;  // the first side is a section, whose rate of turning is known
  bool even = false;   // the last side is one, too, or the first edge again: the total twist has a rate
};

class SpanDamping {
 public:
  void resize(std::size_t joints);

  // `turning` is p of every edge and ω of every section. Finds the rates of strain; returns 2P, the power taken.
  double rates(std::span<const SpanJoint> joints, std::span<const JointViscosity> viscosity,
               std::span<const Vec3> tangent, std::span<const Vec3> turning, const SpinTies& ties);

  // Adds ∂P/∂ė of every edge to `gradient`, after `rates` of the same span.
  void add_gradient(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<Vec3> gradient) const;

  // Moment of a joint, as of the last `rates`: ∂P/∂ω1 = −∂P/∂ω0.
  [[nodiscard]] Vec3 moment(std::size_t joint) const { return moment_[joint]; }

 private:
  void carry_spin(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<const Vec3> turning,
                  const SpinTies& ties);
  void share_torque(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, const SpinTies& ties);

  std::vector<double> spin_;      // per joint: of its far side
  std::vector<double> twisting_;  // per joint: rate of its twist
  std::vector<Vec3> bending_;     // per joint: rate of its bend
  std::vector<double> torque_;    // per joint: about the tangent, that keeps the spin as it is
  std::vector<Vec3> moment_;      // per joint
  std::vector<double> leverage_;  // per joint: what the moments of bending do about its far side's tangent
};

}  // namespace filum::rod
