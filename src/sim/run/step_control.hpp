// Adaptive steps: the length of the next one from the error of the last.
//
// For a method of second order, whose error goes with the third power of the step (Hairer, Nørsett, Wanner, «Solving
// Ordinary Differential Equations I», section II.4).
#pragma once

#include "sim/run/clock.hpp"

#include <filum/scene.hpp>

namespace filum::sim {

class StepControl {
 public:
  explicit StepControl(const Simulation& simulation) : trial_(simulation.step) {}

  // The step to try from t on: up to the limit if little would be left.
  [[nodiscard]] Tick next(const Simulation& simulation, double t, double limit) const;

  // Whether a step from t to `tick`, which had this error, may count. Chooses the length of the next.
  bool judge(const Simulation& simulation, const Tick& tick, double limit, double error);
  // A step so short is not worth trying.
  [[nodiscard]] bool is_hopeless(const Simulation& simulation) const;

  // Length of the next step, s.
  [[nodiscard]] double trial() const { return trial_; }
  void set_trial(double trial) { trial_ = trial; }

 private:
  double trial_ = 0;
};

}  // namespace filum::sim
