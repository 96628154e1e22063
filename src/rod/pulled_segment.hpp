// A segment of a rod as a direction in space, and the internal force that pulls on it.
//
// The segment has the direction d (d3 of its frame) and the internal force n; its length r and the part ρ of n along d
// follow from an axial force T (rod/axial_law.hpp). It stands in the balance of a chain of such segments with
//
//     its way r d,   the moment −r d × n,   and   n·d = ρ.
//
// At rest these are the derivatives of Λ = ½ EA l ε² − l (1 + ε) n·d by n, by world rotation increments w of d, and by
// ε. T is Newton's own unknown, condensed: its linearised equation, with σ = n·d,
//
//     σ − ρ + d·δn + (d × n − d × ∂ρ/∂d)·w = ∂ρ/∂T δT,     δr = ∂r/∂T δT + (d × ∂r/∂d)·w,
//
// is put into the others. So the matrix has only rotations and forces, EA may be as large as it likes, and a straight
// pulled chain, whose directions alone could not say how hard it is pulled, keeps a compliance along itself. Over a
// whole step in time the law of the length makes the matrix unsymmetric.
#pragma once

#include "math/rotation.hpp"
#include "rod/axial_law.hpp"

#include <filum/types.hpp>

namespace filum::rod {

struct PulledSegment {
  AxialLaw law;
  Vec3 direction = Vec3::UnitZ();
  Vec3 force = Vec3::Zero();  // n, N

  [[nodiscard]] double along() const { return force.dot(direction); }
  [[nodiscard]] Vec3 way() const { return law.length * direction; }
  [[nodiscard]] Vec3 moment() const { return -law.length * direction.cross(force); }

  // δr = (σ − ρ) give + give d·δn + lean·w.
  [[nodiscard]] double give() const { return law.length_by_pull / law.force_by_pull; }
  [[nodiscard]] Vec3 lean() const { return give() * (direction.cross(force) - law.force_by_turn) + law.length_by_turn; }
  // Once the length has followed the force.
  [[nodiscard]] double settled_length() const { return law.length + give() * (along() - law.force); }
  [[nodiscard]] Vec3 settled_way() const { return settled_length() * direction; }
  [[nodiscard]] Vec3 settled_moment() const { return -settled_length() * direction.cross(force); }

  // Derivatives with T condensed: of the moment by w and by n, of −way by w and by n. To second order of w in
  // exponential coordinates, d → d + w × d + ½ w × (w × d).
  [[nodiscard]] Mat3 turning_stiffness() const {
    const Mat3 outer = 0.5 * direction * force.transpose();
    return law.length * (along() * Mat3::Identity() - outer - outer.transpose()) -
           direction.cross(force) * lean().transpose();
  }
  [[nodiscard]] Mat3 coupling() const {
    return -law.length * math::skew(direction) - give() * direction.cross(force) * direction.transpose();
  }
  [[nodiscard]] Mat3 way_by_turn() const { return law.length * math::skew(direction) - direction * lean().transpose(); }
  [[nodiscard]] Mat3 compliance() const { return give() * direction * direction.transpose(); }
  // The axial force that Newton's step asks for.
  [[nodiscard]] double next_pull(const Vec3& turn, const Vec3& force_step) const {
    return law.pull +
           (along() - law.force + direction.dot(force_step) + (direction.cross(force) - law.force_by_turn).dot(turn)) /
               law.force_by_pull;
  }
};

}  // namespace filum::rod
