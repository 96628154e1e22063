// Joints between bodies: hinge, slider, ball, fixed; their stops, motors and drives.
//
// A joint sees its two bodies A (or the world) and B from one place p and with one frame (x, y, z), z its axis, both of
// which each body carries with it as drawn. With d = p_B − p_A its rigid rows are
//
//     gap     d = 0                           world axes: hinge, ball, fixed
//     rail    x_A·d = y_A·d = 0               slider
//     axis    x_A·z_B = y_A·z_B = 0           hinge
//     frame   y_A·z_B = z_A·x_B = x_A·y_B = 0   slider, fixed
//
// What is left free is q: the angle about z of a hinge, counted on beyond full turns, the travel z_A·d of a slider, the
// tilt of a ball's axis. Two more rows act on q. A stop, which only pushes back: q ≤ q_max, or q ≥ q_min, whichever is
// nearer; it takes a blow without bouncing. A motor, which wants a rate and has an impulse of at most h times its force
// or torque: below that it holds its rate exactly, beyond it runs at its limit. A motor of rate zero is a brake.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

#include <span>
#include <vector>

namespace filum::chain {

class BodyJoints {
 public:
  // Appends the rows of all joints to a system that is being laid out.
  void add_to(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model);

  // What drives them from outside, before the solve.
  static void drive(const Mechanism& mechanism, const ModelData& model, const ChainState& state, const Targets& targets,
                    double dt, std::span<const Mobility> mobility, std::span<Vec6> velocity);

  void fill(ConstraintSet& set, const ModelData& model, ChainState& state, const std::vector<Vec6>& velocity,
            const Targets& targets, double dt);

  // After the last solve, with the new velocities: forces, and the work of motors and drives.
  void take(const ConstraintSet& set, const ModelData& model, ChainState& state, const std::vector<Vec6>& velocity,
            const Targets& targets, double dt) const;

 private:
  struct Rows {
    int joint = 0;
    int a = 0;  // parts
    int b = 0;
    int rigid = 0;  // constraints; −1: none
    int stop = -1;
    int motor = -1;
  };
  std::vector<Rows> rows_;
};

}  // namespace filum::chain
