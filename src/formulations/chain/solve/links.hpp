// The links of a mechanism as rows of a step: the first constraints of its system, one for each.
//
// A gap row and that of the twist look at it as weighted over the step (row_weights.hpp), a bend row at the strain; they give way by
// their compliance ε and damping time β: right = −J u − φ/(h + β), softness = ε/(h (h + β)) [Servin2007, (11)].
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"

#include <vector>

namespace filum::chain {

class Links {
 public:
  // Appends the constraints of all links to an empty system. Links that join two rods have the group `rods`.
  void add_to(ConstraintSet& set, const Mechanism& mechanism, int rods);

  // Rows and right-hand sides; `velocity`: without the constraints.
  void fill(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model, ChainState& state,
            const std::vector<Vec6>& velocity, double dt);

  // After a solve.
  static void take_forces(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state, double dt);

  // After the last solve; `velocity`: with the constraints.
  void take_lags(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state,
                 const std::vector<Vec6>& velocity, double dt) const;

 private:
  std::vector<Vec3> gap_;  // as the step finds them
  struct Twist {
    double value = 0;
    double rate = 0;
  };
  std::vector<Twist> twist_;  // likewise
};

}  // namespace filum::chain
