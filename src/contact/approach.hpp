// How near two strands come: a span of one centre line against the whole of another, with derivatives.
//
// A centre line is a C¹ cubic through its nodes, span by span. A contact belongs to one span of one strand, its station
// the middle of it, and touches the other strand wherever that is nearest. Where strands lie along each other the nearest
// pair of points is ill defined and leaps; where they cross it is all that counts. So the station may leave the middle of
// its span, against a soft spring: with r the vector between the two points,
//
//     E(s, t) = ½ |r|² + ½ κ (s − s̄)²,   g = √(2E) − R   at the minimum over s (within the span) and t.
//
// Strands that cross by an angle θ draw the station to the crossing (all but κ/(κ + sin²θ) of the way), strands side by
// side leave it where it is, and in between all is smooth: one geometry for all angles. As E is stationary the gradient
// is ∂g/∂x_k = w_k r/ρ, ρ = √(2E), w_k the weights of the nodes in r, and
//
//     ∇²g = (E_xx − E_xz E_zz⁻¹ E_zx − ∇g ∇gᵀ)/ρ,   z those of s, t that are not at an end.
#pragma once

#include <filum/types.hpp>

#include <Eigen/Core>

#include <array>
#include <span>

namespace filum::contact {

// One span of a centre line: x(u) = Σ_p x_p Σ_k weight(p, k) u^k, u from 0 to 1.
struct Span {
  int count = 0;
  std::array<int, 4> node{};
  Eigen::Matrix4d weight = Eigen::Matrix4d::Zero();
  double length = 0;  // m
  double radius = 0;  // m
};

[[nodiscard]] Vec3 span_point(const Span& span, std::span<const Vec3> nodes, double u);

// How far its points are from its chord's, at most.
[[nodiscard]] double span_bulge(const Span& span, std::span<const Vec3> nodes);

// The spans of a strand, in a list of those of all.
struct Strand {
  int first = 0;
  int count = 0;
  bool closed = false;
};

// Points of a span of strand a and of strand b.
struct Approach {
  int a = 0;  // spans
  int b = 0;
  double u = 0.5;  // where on each, 0 to 1
  double v = 0.5;
  bool a_slides = true;  // s is inside its span
  bool b_slides = true;  // t is not at an end of its strand
};

// κ of a span: so small that a station at the end of its span is felt as a hundredth of the radius, and so large that
// points do not leap.
[[nodiscard]] double keeping(const Span& span, double radius);

// The nearest minimum from where `place` is. False if none was found.
bool find_approach(std::span<const Span> spans, const Strand& strand_b, std::span<const Vec3> nodes, double keep,
                   Approach& place);

// r and its derivatives; all that a contact needs of its place.
struct CurveGap {
  static constexpr int kMost = 8;
  int count = 0;
  std::array<int, kMost> node{};
  std::array<double, kMost> weight{};  // of the nodes in r
  Vec3 apart = Vec3::Zero();           // r
  double rho = 0;
  double crossing = 0;  // sin²θ of the two tangents
  // what s and t change: ∇²g has −Σ_ij slide_i (inverse)_ij slide_jᵀ/ρ beside w w (1 − n nᵀ)/ρ
  int slides = 0;
  std::array<std::array<Vec3, kMost>, 2> slide{};
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();
  // slide_i[k] = w_k by_i + change_i[k] r: the change of r and of the weights by s or t
  std::array<Vec3, 2> by{};
  std::array<std::array<double, kMost>, 2> change{};
};
[[nodiscard]] CurveGap curve_gap(std::span<const Span> spans, std::span<const Vec3> nodes, double keep,
                                 const Approach& place);

// The same points' r in another list of nodes.
[[nodiscard]] Vec3 apart(const CurveGap& gap, std::span<const Vec3> nodes);

}  // namespace filum::contact
