// The links of a mechanism as rows of a step: the first constraints of its system, one for each.
//
// A gap row and that of the twist look at it as weighted over the step (row_weights.hpp), a bend row at the strain; they give way by
// their compliance ε and damping time β: right = −J u − φ/(h + β), softness = ε/(h (h + β)) [Servin2007, (11)].
//
// J v⁺ leads the ends of a turning element straight on, and they go round: the gap at the step's end is
// φ + h J v⁺ + b, b = bow_of(h ω, ρ) of either side. Left out, b is found as a gap by the next step, which is no harm as
// long as it stays the same; but a rope that whips, or a step that is shorter than the last, makes energy of it. So b is
// foretold by the spins at the start, and where those change much it is asked for again after the solve: then the
// gaps of a step are answered as they are, by forces along the rows at its start, as in SHAKE [Andersen1983].
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

  // After a solve: what the gaps are worth by which the ends of elements go otherwise than was foretold, J.
  double missed_bows(const ConstraintSet& set, const Mechanism& mechanism, const std::vector<Vec6>& velocity, double dt);
  // Has the right-hand sides know of them, to be solved again.
  void foretell_again(ConstraintSet& set);

  // After a solve.
  static void take_forces(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state, double dt);

  // After the last solve; `velocity`: with the constraints.
  void take_lags(const ConstraintSet& set, const Mechanism& mechanism, ChainState& state,
                 const std::vector<Vec6>& velocity, double dt) const;

 private:
  std::vector<Vec3> gap_;  // as the step finds them
  struct Bow {
    Vec3 told = Vec3::Zero();   // as the right-hand side has it, m
    Vec3 found = Vec3::Zero();  // as the last solve has it
    double weight = 0;          // in the right-hand side, 1/s
  };
  std::vector<Bow> bow_;
  struct Twist {
    double value = 0;
    double rate = 0;
  };
  std::vector<Twist> twist_;  // likewise
};

}  // namespace filum::chain
