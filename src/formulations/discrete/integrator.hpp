// The integrators of the implicit stepper: what balance each asks for, and what it makes of the state that has it.
//
//   energy-momentum   tension, bending and twist averaged over the step (rod/axial_average.hpp, rod/joint_step.hpp).
//                     Second order, keeps energy and momentum to the last digit; the default.
//   implicit Euler    end of the step. First order, strongly damped.
//   BDF2              end of the step, two steps back; variable step. Second order, damped at high frequencies.
//   generalised-α     end of the step, in the form of [Arnold2007] (balance at the end itself, an averaged
//                     acceleration beside it), after [Chung1993]. Second order, damping by the spectral
//                     radius.
//
// BDF2 and generalised-α begin with a step of implicit Euler, having no past.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

namespace filum::discrete {

// The longest step in which no body and no section turns too far to be followed well, 0 if none spins: moments averaged
// over a turn of α act with cos²(α/2) of their size.
[[nodiscard]] double longest_step_of_spins(const ModelData& model, const RodState& state);

// Whether the scene's rule asks for more of the past than where things are and how fast.
[[nodiscard]] bool goes_on_from_past(const ModelData& model);

// Gives `motion` its sizes, once, and the state the past that the integrator will ask for.
void size_motion(const ModelData& model, Motion& motion);
void give_past(const ModelData& model, RodState& state);

// Sets the motion up for a step from `start` to `targets`.
void set_motion(const ModelData& model, const RodState& start, const Targets& targets, double step, Motion& motion);

// Velocities and the past of `end`, whose positions and rotors are those of the step's end and whose velocities are
// still those of its start. Returns an estimate of the step's own error, share of the model's size.
double finish_velocities(const ModelData& model, const Motion& motion, RodState& end);

}  // namespace filum::discrete
