// Where the parts would go in a step if nothing joined them, and the masses they resist with: weight, loads, drag, the
// gyroscopic torque, and the geometric stiffness of what is under tension (tension_stiffness.hpp).
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/chain/mechanism/tension_stiffness.hpp"
#include "formulations/formulation.hpp"

#include <vector>

namespace filum::chain {

class FreeMotion {
 public:
  // For the parts of another mechanism. The only call that allocates.
  void lay_out(const Mechanism& mechanism);

  // `tension` is as the last step left it.
  void find(const ModelData& model, const Mechanism& mechanism, const ChainState& state, const Targets& targets,
            double dt);

  std::vector<Mobility> mobility;  // per part: M̃⁻¹
  std::vector<Vec6> velocity;      // per part: u, linear and angular
  std::vector<double> tension;     // per part: of an element, N (remember_tension)

 private:
  std::vector<SpanTurn> span_turn_;
};

}  // namespace filum::chain
