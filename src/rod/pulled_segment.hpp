// A segment of a rod as a direction in space, and the internal force that pulls on it.
//
// The segment has the direction d (d3 of its frame) and the internal force n; its length r = l (1 + T/EA) follows from
// an axial force T without loss of digits however stiff it is. It stands in the balance of a chain of such segments with
//
//     its way r d,   the moment −r d × n,   and   n·d = T,
//
// the derivatives of Λ = ½ EA l ε² − l (1 + ε) n·d by n, by world rotation increments w of d, and by ε. T is Newton's
// own unknown, condensed: its linearised equation, with σ = n·d,
//
//     σ − T + d·δn + (d × n)·w = δT,     δr = l/EA δT,
//
// is put into the others. So the matrix has only rotations and forces, EA may be as large as it likes, and a straight
// pulled chain, whose directions alone could not say how hard it is pulled, keeps a compliance along itself.
#pragma once

#include "math/rotation.hpp"

#include <filum/types.hpp>

namespace filum::rod {

struct PulledSegment {
  double pull = 0;    // T, N
  double length = 0;  // r, m
  double give = 0;    // ∂r/∂T = l/EA
  Vec3 direction = Vec3::UnitZ();
  Vec3 force = Vec3::Zero();  // n, N

  [[nodiscard]] double along() const { return force.dot(direction); }
  [[nodiscard]] Vec3 way() const { return length * direction; }
  [[nodiscard]] Vec3 moment() const { return -length * direction.cross(force); }

  // δr = (σ − T) give + give d·δn + lean·w.
  [[nodiscard]] Vec3 lean() const { return give * direction.cross(force); }
  // Once the length has followed the force.
  [[nodiscard]] double settled_length() const { return length + give * (along() - pull); }
  [[nodiscard]] Vec3 settled_way() const { return settled_length() * direction; }
  [[nodiscard]] Vec3 settled_moment() const { return -settled_length() * direction.cross(force); }

  // Derivatives with T condensed: of the moment by w and by n, of −way by w and by n. To second order of w in
  // exponential coordinates, d → d + w × d + ½ w × (w × d).
  [[nodiscard]] Mat3 turning_stiffness() const {
    const Mat3 outer = 0.5 * direction * force.transpose();
    return length * (along() * Mat3::Identity() - outer - outer.transpose()) -
           direction.cross(force) * lean().transpose();
  }
  [[nodiscard]] Mat3 coupling() const {
    return -length * math::skew(direction) - give * direction.cross(force) * direction.transpose();
  }
  [[nodiscard]] Mat3 way_by_turn() const { return length * math::skew(direction) - direction * lean().transpose(); }
  [[nodiscard]] Mat3 compliance() const { return give * direction * direction.transpose(); }
  // The axial force that Newton's step asks for.
  [[nodiscard]] double next_pull(const Vec3& turn, const Vec3& force_step) const {
    return along() + direction.dot(force_step) + direction.cross(force).dot(turn);
  }
};

inline PulledSegment pulled_segment(const Vec3& direction, const Vec3& force, double pull, double rest_length,
                                    double axial_stiffness) {
  return {pull, rest_length * (1 + pull / axial_stiffness), rest_length / axial_stiffness, direction, force};
}

}  // namespace filum::rod
