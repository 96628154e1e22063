// The rows of a link: how far its two parts are from where it wants them, and how that changes as they move.
//
// Parts move by (v, ω), ω in the world. With ρ = R·arm
//
//   gap    φ = p_b − p_a,       J_a = [−1, [ρ_a]×],  J_b = [1, −[ρ_b]×]
//   turn   φ = strain − rest,   J_a = [0, −G],       J_b = [0, G]
//   gap of a laid rope: φ = p_b − p_a + γ (twist − rest) t, t the tangent at a, which turns with it
//
// The strain is one of three. Vector, the default: bend and twist of rod/joint.hpp, two components of bending without a
// cone at straight and a twist that bending does not leak into. Angle: [Servin2007, (21), (22)], the
// bending angle θ alone with the axis n = u_a × u_b, which is undefined at straight, and the angle of v_a against w_b
// as the twist, here signed and unwrapped (as printed it folds back at a quarter turn). LooseAngle: their alternative,
// the angle of v_a against v_b, into which bending leaks.
#pragma once

#include "formulations/chain/chain_variant.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"

namespace filum::chain {

struct LinkRows {
  Vec6 value = Vec6::Zero();
  Mat6 by_a = Mat6::Zero();
  Mat6 by_b = Mat6::Zero();
  double twist = 0;  // unwrapped: what the state is to remember

  // How fast the gap opens as the parts move now.
  [[nodiscard]] Vec3 gap_rate(const PartState& a, const PartState& b) const {
    return by_a.topLeftCorner<3, 3>() * a.velocity + by_a.topRightCorner<3, 3>() * a.spin +
           by_b.topLeftCorner<3, 3>() * b.velocity + by_b.topRightCorner<3, 3>() * b.spin;
  }
  // Likewise the twist.
  [[nodiscard]] double twist_rate(const PartState& a, const PartState& b) const {
    return by_a.row(5).tail<3>().dot(a.spin) + by_b.row(5).tail<3>().dot(b.spin);
  }
};

// The strain of a turn alone: (bend, bend, twist) and its derivative by the rotation of b; by that of a it is the
// opposite.
struct Turn {
  Vec3 strain = Vec3::Zero();
  double twist = 0;  // unwrapped
  Mat3 by_rotation = Mat3::Zero();
};
[[nodiscard]] Turn turn_rows(JointForm form, const Mat3& section_a, const Mat3& section_b, double twist_near);

// What the end of an arm does beyond moving straight on, as its part turns by a rotation vector: exp(w)ρ − ρ − w × ρ.
[[nodiscard]] Vec3 bow_of(const Vec3& turn, const Vec3& arm);

[[nodiscard]] LinkRows link_rows(const Link& link, JointForm form, const PartState& a, const PartState& b,
                                 double twist_near);

}  // namespace filum::chain
