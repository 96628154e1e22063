// What moves a Kirchhoff state in time: one of three steppers, chosen by the scene.
#pragma once

#include "formulations/discrete/model.hpp"
#include "formulations/discrete/state.hpp"
#include "formulations/formulation.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace filum::kirchhoff {

using namespace discrete;

class RodStepper {
 public:
  virtual ~RodStepper() = default;
  // As Model::step.
  virtual StepReport step(RodState& state, const Targets& targets, double dt) = 0;
  // As Model::longest_step and Model::longest_step_from.
  [[nodiscard]] virtual double longest_step() const { return 0; }
  [[nodiscard]] virtual double longest_step_from(const RodState&) const { return longest_step(); }
  // Elastic energy in the stepper's own measure of bending, or none if that is the system's.
  [[nodiscard]] virtual std::optional<double> elastic_energy(const RodState&) { return std::nullopt; }
  // Brings the velocities and accounts of a state to the instant of its positions, if the stepper keeps them apart: for
  // showing, not for going on.
  virtual void synchronise(RodState&, const Targets&) {}
  // Fills what the stepper remembers of the past in a state that has none: a fresh one, or one carried over.
  virtual void prepare(RodState& state) const = 0;
};

std::unique_ptr<RodStepper> make_implicit_stepper(const ModelData& model);
std::unique_ptr<RodStepper> make_projection_stepper(const ModelData& model);
std::unique_ptr<RodStepper> make_variational_stepper(const ModelData& model);

// What of a scene each of them cannot honour.
std::vector<scene::Problem> implicit_refusals(const Scene& scene);
std::vector<scene::Problem> projection_refusals(const Scene& scene);
std::vector<scene::Problem> variational_refusals(const Scene& scene);

}  // namespace filum::kirchhoff
