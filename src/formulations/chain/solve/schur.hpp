// The linear system of a step: constraint forces of the whole graph in one direct solve.
//
// With the velocities u that the parts would have without constraints, the masses M̃ and the rows φ of every constraint,
//
//     S μ = −J u − φ/(h + β),      S = J M̃⁻¹ Jᵀ + ε/(h (h + β)),      v = u + M̃⁻¹ Jᵀ μ,
//
// μ = h λ the impulses, ε the compliance and β the damping time of each row [Servin2007, (11)]. S is
// symmetric and positive definite as long as the rows are independent, down to ε = 0.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/solve/schur_block.hpp"

#include <span>

namespace filum::chain {

class Schur : public ConstraintSet {
 public:
  // Once the lists say who meets whom. The only call that allocates.
  void analyse(int parts);

  // Impulses of all constraints from their right-hand sides, those at a bound as given. False: a number that is not
  // finite.
  [[nodiscard]] bool solve(std::span<const Mobility> mobility);

  // After a solve: puts rows beyond a bound onto it and frees those that a bound keeps from what they want. Whether
  // anything changed, so that it has to be solved again.
  bool revise() { return whole_.revise(*this); }

  // What the impulses do to a part's velocity and spin.
  [[nodiscard]] const Vec6& change(int part) const { return changes[at(part)]; }

  // Rows whose equation depended on others.
  [[nodiscard]] int redundant() const { return whole_.redundant(); }

 private:
  SchurBlock whole_;
};

}  // namespace filum::chain
