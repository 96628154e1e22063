// What the variational stepper knows of a model once and for all: masses, lengths, and the step it stays stable with.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/kirchhoff/taut.hpp"
#include "formulations/kirchhoff/variational/variational_spans.hpp"
#include "rod/span_damping.hpp"

#include <vector>

namespace filum::kirchhoff {

class VariationalSetup {
 public:
  explicit VariationalSetup(const discrete::ModelData& model);

  [[nodiscard]] double longest_step() const { return kSafety * step_limit; }
  [[nodiscard]] double longest_step_from(const discrete::RodState& state) const;

  static constexpr double kSafety = 0.9;      // share of the stability limit of bending that is used
  static constexpr double kTautSafety = 0.5;  // and of that of taut rods, whose tension varies

  const discrete::ModelData& model;
  SpanLayout layout;
  StringRate string;
  double step_limit = 0;  // beyond which bending is unstable, s; 0: none
  // per node
  std::vector<Vec3> inverse_mass;  // per axis, zero where held
  std::vector<int> held_nodes;     // those with a held axis
  bool damped_nodes = false;
  // per edge
  std::vector<double> length;
  std::vector<double> inverse_length;
  std::vector<double> compliance;  // 1/EA where the neglected strain is to be judged, else 0
  // per rod
  std::vector<double> bending_rate;  // upper bound of ω² of bending, 1/s²
  // per joint of the layout
  std::vector<int> section_joints;             // those with a section on one side
  std::vector<rod::JointViscosity> viscosity;  // empty where nothing is viscous

 private:
  void measure_nodes();
  void measure_stiffness();
};

}  // namespace filum::kirchhoff
