// What motion adds to the balance of forces: inertia and damping at the instant an integrator evaluates it.
//
// Every integrator of the implicit stepper asks for balance at one unknown state, that at the end of the step or that
// in its middle, in the same form. At a node with position x
//
//     inertia  c m (x − x̂)         damping  α m v + k |v| v,   v = κ (x − x̃),
//
// and the rest strain, moment by moment, of a viscous joint is drawn towards the strain at the start of the step. What
// c, κ, x̂ and x̃ are is the integrator's business.
#pragma once

#include "body/spin_inertia.hpp"
#include "rod/axial_average.hpp"

#include <filum/types.hpp>

#include <vector>

namespace filum::discrete {

struct Motion {
  double inertia = 0;                    // c, 1/s²
  std::vector<Vec3> reference;           // x̂ per node
  double rate = 0;                       // κ, 1/s
  std::vector<Vec3> velocity_reference;  // x̃ per node
  double step = 0;                       // h
  double elapsed = 0;                    // from the start of the step to the evaluated state: h or h/2

  // The start of the step.
  std::vector<Vec3> start_position;         // per node
  std::vector<Mat3> start_frame;            // per edge
  std::vector<rod::AxialStart> start_edge;  // per edge
  std::vector<Mat3> start_rotor;            // per rotor
  std::vector<Mat3> start_target;           // per rotor: where its hold wanted it
  std::vector<double> start_slide;          // per slider
  std::vector<double> start_length;         // per rod: its length as a share of the compiled one
  std::vector<Vec3> start_strain;           // per joint, where somebody asks for it

  // Rotary inertia of edges about themselves: c J (α − α̂), α the angle of the edge's frame against the start's, carried
  // there without twist. Empty: twist is in balance at every instant.
  std::vector<double> angle_reference;  // α̂ per edge

  // Rotors with inertia.
  body::SpinScheme spin;
  std::vector<Vec3> known_spin;      // per rotor, own frame
  std::vector<Vec3> known_momentum;  // per rotor, world frame

  // Tension as its average over the step (rod/axial_average.hpp), for integrators that evaluate at mid-step.
  bool average_tension = false;
  double chi = 0;  // its damping of flips

  // Joints. A viscous one is drawn towards its strain at the start; one that flips from step to step, which no step of
  // a useful length resolves, is damped by `flip` times its stiffness towards the strain that its way so far foresees.
  std::vector<Vec3> foreseen_strain;  // per joint; empty if flips are not damped
  double flip = 0;
};

}  // namespace filum::discrete
