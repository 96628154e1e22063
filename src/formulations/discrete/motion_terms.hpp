// What motion adds to the balance of forces: inertia and damping at the instant an integrator evaluates it.
//
// Every integrator of the implicit stepper asks for balance in the same form, its unknown the state at the end of the
// step. At a node with position x
//
//     inertia  c m (x − x̂)         damping  α m v + k |v| v,   v = κ (x − x̃),
//
// and the rest strain, moment by moment, of a viscous joint is drawn towards the strain at the start of the step. What
// c, κ, x̂ and x̃ are is the integrator's business.
#pragma once

#include "body/spin_inertia.hpp"
#include "rod/axial_average.hpp"
#include "rod/joint_step.hpp"
#include "rod/plastic_memory.hpp"

#include <filum/types.hpp>

#include <vector>

namespace filum::discrete {

struct Motion {
  double inertia = 0;                    // c, 1/s²
  std::vector<Vec3> reference;           // x̂ per node
  double rate = 0;                       // κ, 1/s
  std::vector<Vec3> velocity_reference;  // x̃ per node
  double step = 0;                       // h

  // The start of the step.
  std::vector<Vec3> start_position;         // per node
  std::vector<Mat3> start_frame;            // per edge
  std::vector<rod::AxialStart> start_edge;  // per edge
  std::vector<Mat3> start_rotor;            // per rotor
  std::vector<Mat3> start_target;           // per rotor: where its hold wanted it
  std::vector<double> start_slide;          // per slider
  std::vector<double> start_length;         // per rod: its length as a share of the compiled one
  std::vector<Vec3> start_strain;           // per joint, where somebody asks for it
  rod::PlasticMemory start_plastic;         // as RodState::plastic, where lengths are driven

  // Rotary inertia of edges about themselves, without gyroscopic moments, where it only keeps angles determined:
  // c J (α − α̂), α the angle of the edge's frame against the start's, carried there without twist. Empty: there is none.
  std::vector<double> angle_reference;  // α̂ per edge
  // Rotary inertia of edges about all their axes, with the rule of `spin` below; a step that keeps energy has its own.
  bool rotary = false;
  std::vector<double> start_spin;  // per edge: about itself
  std::vector<Vec2> start_tilt;    // per edge: about d1 and d2
  [[nodiscard]] Vec3 own_spin(std::size_t edge) const {
    return {start_tilt[edge][0], start_tilt[edge][1], start_spin[edge]};
  }

  // Rotors with inertia.
  body::SpinScheme spin;
  std::vector<Vec3> known_spin;      // per rotor, own frame
  std::vector<Vec3> known_momentum;  // per rotor, world frame

  // A step that keeps energy: the state at its end is the unknown, forces and moments are means over the step that do
  // exactly the work by which energies change (rod/axial_average.hpp, rod/joint_step.hpp, rod/edge_turn.hpp).
  bool conserving = false;
  std::vector<rod::JointStepStart> joint_start;  // per joint
  std::vector<Vec3> past_change;                 // per joint: of its strain in the last step, if that damped it too
  double chi = 0;                                // of strains that flip from step to step; 0: energy is kept
  std::vector<double> joint_chi;                 // per joint: the same, more where a rotor without inertia would flip
  double spin_share = 0.5;                       // of the spin at the step's end in its mean: 1 damps spins that flip
};

}  // namespace filum::discrete
