// Sheaves that a rod runs over: its elements end and begin at the tangent points, and the rope between lies on the
// wheel.
//
// The wheel has a centre c, an axis a and a radius R; the rope comes with element A and goes with element B, both along
// tangents, and turns about a by β on the way. With u the direction of an element, x its centre and s its arc length
// there, the rope leaves the line of A at the arc length s_A = s(x_A) + u_A·(c − x_A), and likewise that of B. Six rows
// take the place of a joint:
//
//     (u_A × a)·(x_A − c) = R                   on the rim; the same of B
//     a·(x_A − c) + ξ_A a·u_A = 0               in its groove, ξ_A = u_A·(c − x_A); the same of B
//     R β − (s_B − s_A) = −ε λ                  what lies on the wheel is R β long, but for its stretch
//     twist from A, carried round, to B = −ε λ  bending by the wheel leaves the twist as it is
//
// λ of the fifth is minus the tension. None of them has a moment on the elements: the rope is tangent where it touches.
// After every step the elements are cut anew at s_A and s_B, so that material runs from one to the other; that on the
// wheel weighs on the body that carries it, and runs with the rim where there is no friction. Friction holds it up to the capstan's ratio of tensions e^{μβ}: a seventh row, on the
// arc length of the material that lies on a mark of the wheel, s_B − R θ_B, with θ_B the angle from the mark to where B
// leaves. A wheel without inertia and with friction stands still. One with inertia J turns: its rim, at the speed w, is
// pushed by what the row does to the rope, w⁺ = w − R²/J μ, so that the row is that of a soft one; without friction
// nothing bounds it, and rim and rope run as one, with the rope's mass m on it: 1/(J/R² + m) in place of R²/J. Its weight then drives it by
// ρ g times what one tangent point lies lower than the other.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/chain/reeving/wheel_path.hpp"

#include <span>
#include <vector>

namespace filum::chain {

class Wheels {
 public:
  // Appends the constraints of all wheels to a system that is being laid out.
  void add_to(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, const ChainState& state);

  // Before the solve: what lies on wheels weighs on the bodies that carry them.
  static void weigh(const Mechanism& mechanism, const ModelData& model, const ChainState& state, double dt,
                    std::span<const Mobility> mobility, std::span<Vec6> velocity);

  // A step may be solved more than once: its wheels turn each time as they did before it.
  void begin(const ChainState& state);

  void fill(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
            const std::vector<Vec6>& velocity, double dt);

  // After the last solve; `velocity`: without the constraints.
  void take(const ConstraintSet& set, const ModelData& model, ChainState& state, const std::vector<Vec6>& velocity,
            double dt) const;

  // Before anything has moved: whether a rod lies on a wheel so much shorter than it is that it would be thrown about.
  [[nodiscard]] static bool pushed_together(const ModelData& model, const Mechanism& mechanism,
                                            const ChainState& state);

  // After the parts have moved: why there is nothing to cut, or null. A rope runs by more than its own length, or what
  // is tied to its end has been drawn into the wheel.
  [[nodiscard]] static const char* trouble(const ModelData& model, const ChainState& state);

  // After the parts have moved: cuts the elements at the tangent points. Whether the list of them has changed.
  static bool recut(const ModelData& model, ChainState& state);

 private:
  struct Pair;
  static bool recut_once(const ModelData& model, ChainState& state);
  static void bound_friction(const ModelData& model, const ChainState& state, const Pair& pair, Constraint& row);

  struct Pair {
    int wheel = 0;
    int before = 0;  // elements
    int after = 0;
    int part = 0;        // that carries it
    int constraint = 0;  // of six rows; the seventh is the next
  };
  std::vector<Pair> pairs_;
  std::vector<double> rates_;        // of the rims at the beginning of the step
  std::vector<double> twist_rates_;  // at the beginning of the step before
};

// Mass of the rope that lies on a wheel, kg.
[[nodiscard]] double rope_on(const ModelData& model, const Wheel& wheel, double angle);

// Tension of a rod on the wheel behind an element, by its stretch.
[[nodiscard]] double tension_on(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                                int before);

}  // namespace filum::chain
