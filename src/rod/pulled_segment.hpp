// A segment of a rod as a direction in space, and the internal force that pulls on it.
//
// The segment has the direction d (d3 of its frame), the rest length l and the elongation ε along d; the internal force
// n acts on it. In the Lagrangian of a chain of such segments, positions eliminated, it stands as
//
//     Λ = ½ EA l ε² − l (1 + ε) n·d,
//
// whose derivative by n is the way it goes, −l(1 + ε) d, and whose derivative by ε says EA ε = σ, σ = n·d. For world
// rotation increments, d → exp(w) d = d + w × d + ½ w × (w × d),
//
//     ∂Λ/∂w = −l (1 + ε) d × n,      ∂²Λ/∂w² = −l (1 + ε) [½ (d nᵀ + n dᵀ) − σ 1],   ∂²Λ/∂w∂n = −l (1 + ε) [d]×.
//
// ε is Newton's own unknown, condensed: its linearised equation EA (ε + δε) = σ + d·δn + (d × n)·w is put into the
// others. So the matrix has only rotations and forces, EA may be as large as it likes, and a straight pulled chain,
// whose directions alone could not say how hard it is pulled, keeps a compliance l/EA along itself.
#pragma once

#include "math/rotation.hpp"

#include <filum/types.hpp>

namespace filum::rod {

struct PulledSegment {
  double length = 0;           // l, m
  double axial_stiffness = 0;  // EA, N
  double elongation = 0;       // ε
  Vec3 direction = Vec3::UnitZ();
  Vec3 force = Vec3::Zero();  // n, N

  [[nodiscard]] double along() const { return force.dot(direction); }
  [[nodiscard]] Vec3 way() const { return length * (1 + elongation) * direction; }
  // Where it goes once its elongation has followed the force.
  [[nodiscard]] Vec3 settled_way() const { return length * (1 + along() / axial_stiffness) * direction; }
  [[nodiscard]] double stretch_energy() const { return 0.5 * axial_stiffness * length * elongation * elongation; }
  // ∂Λ/∂w, and the same once the elongation has followed.
  [[nodiscard]] Vec3 moment() const { return -length * (1 + elongation) * direction.cross(force); }
  [[nodiscard]] Vec3 settled_moment() const {
    return -length * (1 + along() / axial_stiffness) * direction.cross(force);
  }
  // Second derivatives with the elongation condensed: by w twice, by w and n, by n twice.
  [[nodiscard]] Mat3 turning_stiffness() const {
    const Vec3 across = direction.cross(force);
    const Mat3 outer = 0.5 * direction * force.transpose();
    return length * (1 + elongation) * (along() * Mat3::Identity() - outer - outer.transpose()) -
           (length / axial_stiffness) * across * across.transpose();
  }
  [[nodiscard]] Mat3 coupling() const {
    return -length * (1 + elongation) * math::skew(direction) -
           (length / axial_stiffness) * direction.cross(force) * direction.transpose();
  }
  [[nodiscard]] Mat3 compliance() const { return (length / axial_stiffness) * direction * direction.transpose(); }
  // The elongation that Newton's step asks for.
  [[nodiscard]] double next_elongation(const Vec3& turn, const Vec3& force_step) const {
    return (along() + direction.dot(force_step) + direction.cross(force).dot(turn)) / axial_stiffness;
  }
};

}  // namespace filum::rod
