// What moves a state of discrete rods in time: a scheme, constant and shared by threads, and steppers with their scratch.
#pragma once

#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

#include <memory>
#include <optional>

namespace filum::discrete {

class RodStepper {
 public:
  virtual ~RodStepper() = default;
  // As Model::step.
  virtual StepReport step(RodState& state, const Targets& targets, double dt) = 0;
  // Elastic energy in the stepper's own measure of bending, or none if that is the system's.
  [[nodiscard]] virtual std::optional<double> elastic_energy(const RodState&) { return std::nullopt; }
  // Brings the velocities and accounts of a state to the instant of its positions, if the stepper keeps them apart: for
  // showing, not for going on.
  virtual void synchronise(RodState&, const Targets&) {}
};

// Must outlive its steppers.
class StepScheme {
 public:
  virtual ~StepScheme() = default;
  [[nodiscard]] virtual std::unique_ptr<RodStepper> stepper() const = 0;
  // As Model::longest_step and Model::longest_step_from.
  [[nodiscard]] virtual double longest_step() const { return 0; }
  [[nodiscard]] virtual double longest_step_from(const RodState&) const { return longest_step(); }
  // Fills what a stepper remembers of the past in a state that has none: a fresh one, or one carried over.
  virtual void prepare(RodState& state) const = 0;
};

}  // namespace filum::discrete
