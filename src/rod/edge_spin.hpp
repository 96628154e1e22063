// The spin of an edge about itself over a step in time: its angular momentum J ω t, carried by its tangent.
//
// With 2 tan(α/2) = h ((1 − a) ω0 + a ω1), α the edge's turn about itself (rod/edge_turn.hpp), the torque
//
//     G = J (ω1 t1 − ω0 t0)/h
//
// on its turn does the work ½ J (ω1² − ω0²) for a = ½; a = 1 damps spins that flip from step to step.
#pragma once

#include "rod/edge_turn.hpp"

namespace filum::rod {

template <class T>
struct EdgeSpinLawOf {
  T inertia = 0;  // J
  T before = 0;   // ω0
  T step = 0;     // h
  T share = 0.5;  // a
};

using EdgeSpinLaw = EdgeSpinLawOf<double>;

template <class T>
struct EdgeSpinOf {
  Vec3Of<T> torque = Vec3Of<T>::Zero();       // G
  Mat3Of<T> by_rotation = Mat3Of<T>::Zero();  // ∂G/∂w, w the rotation of the end's frame
};
using EdgeSpin = EdgeSpinOf<double>;

template <class T>
EdgeSpinOf<T> edge_spin(const EdgeTurnOf<T>& turn, const EdgeSpinLawOf<T>& law) {
  const T after = (2.0 * turn.half_tan / law.step - (1.0 - law.share) * law.before) / law.share;
  const T rate = law.inertia / law.step;
  const T by_angle = (1.0 + turn.half_tan * turn.half_tan) / (law.share * law.step);
  const Vec3Of<T>& t1 = turn.end_tangent;
  const Vec3Of<T> t0 = t1 - turn.change;
  EdgeSpinOf<T> spin;
  spin.torque = rate * (after * t1 - law.before * t0);
  spin.by_rotation =
      (rate * by_angle) * t1 * turn.angle_gradient().transpose() - math::cross_matrix<T>((rate * after) * t1);
  return spin;
}

}  // namespace filum::rod
