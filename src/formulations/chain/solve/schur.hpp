// The linear system of a step, of all its constraints or of a group of them, and its direct solve.
//
// With the velocities u that the parts would have without constraints, their masses M̃ and the rows φ of constraints,
//
//     S μ = −J u − φ/(h + β),      S = J M̃⁻¹ Jᵀ + ε/(h (h + β)),      v = u + M̃⁻¹ Jᵀ μ,
//
// μ = h λ the impulses, ε the compliance and β the damping time of each row [Servin2007, (11)]. S is symmetric and
// positive definite as long as the rows are independent, down to ε = 0.
//
// A block of S per constraint; two of them meet where they act on the same moving part, so that a rod without branches
// gives a block-tridiagonal matrix, and bodies, loops and ropes the graph that they are. Impulses are found as changes
// δ: with r what the rows still ask for while all impulses are as they are, S δ = r.
//
// Friction that slips stands in the capstan's ratio κ to a pull p, which answers to it: p = p₀ + A f, f = κ p. A is asked
// for, one solve with the factor at hand for each slipping row, and (1 − A κ) p = p₀ solved for all of them at once.
// (To put in the κ p of the last solve again and again diverges where κ |A| > 1: lowering with μβ > ln 2.)
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "math/block_ldlt.hpp"

#include <span>
#include <vector>

namespace filum::chain {

class Schur {
 public:
  // What a solve begins with: no impulses and no velocities, or those that there are.
  enum class From { Nothing, Here };

  // Of all constraints, or of those with these numbers. The only calls that allocate.
  void analyse(const ConstraintSet& set);
  void analyse(const ConstraintSet& set, std::vector<int> members);

  // Rows or masses are others: the matrix is made anew when it is needed.
  void outdate() { current_ = false; }

  // New impulses of all constraints, which must be its members, from their right-hand sides alone. `Softened`: since the
  // last assembly nothing has changed of the matrix but how rows give way together, so that the rest of it is taken from
  // there. False: a number that is not finite.
  enum class Matrix { New, Softened };
  [[nodiscard]] bool solve_all(ConstraintSet& set, std::span<const Mobility> mobility, Matrix matrix = Matrix::New) {
    set.set_zero();
    outdate();
    only_softened_ = matrix == Matrix::Softened;
    return solve(set, mobility, From::Nothing);
  }

  // Whether to keep a copy of each matrix as assembled, for `Softened`.
  void keep_matrices(bool keeps) { keeps_ = keeps; }

  // Impulses with which its own rows are answered, those at a bound as given, all others as they stand. False: a number
  // that is not finite.
  [[nodiscard]] bool solve(ConstraintSet& set, std::span<const Mobility> mobility, From from);

  // After a solve: puts rows beyond a bound onto it and frees those that a bound keeps from what they want. Whether
  // anything changed, so that it has to be solved again.
  bool revise(ConstraintSet& set);

  // Rows whose equation depended on others.
  [[nodiscard]] int redundant() const { return ldlt_.inertia().zero; }

 private:
  [[nodiscard]] bool is_current(const ConstraintSet& set) const;
  void assemble(const ConstraintSet& set, std::span<const Mobility> mobility);
  [[nodiscard]] bool soften_again(const ConstraintSet& set);
  void keep(const ConstraintSet& set);
  bool put_on_bounds(ConstraintSet& set, std::span<const Mobility> mobility) const;
  bool answer(ConstraintSet& set, std::span<const Mobility> mobility, From from);
  bool follow_pulls(ConstraintSet& set, std::span<const Mobility> mobility);
  bool ask_responses(ConstraintSet& set, std::span<const Mobility> mobility);

  // An incidence of one of the members, which is named by its place among them.
  struct Place {
    int incidence = 0;
    int member = 0;
  };
  // The places on one part.
  struct Meeting {
    int part = 0;
    int first = 0;
    int last = 0;
  };
  math::BlockLdlt ldlt_;
  bool current_ = false;
  std::vector<int> members_;
  std::vector<char> given_;    // per member: at a bound, as the matrix has it
  std::vector<Place> places_;  // sorted by part
  std::vector<Meeting> meetings_;
  std::vector<math::Slot> slots_;     // of two places on the same part, in the order in which they are met
  std::vector<math::Slot> diagonal_;  // per member
  std::vector<int> first_row_;        // per member, in the vector
  std::vector<double> vector_;
  std::vector<Mat6> weighted_;  // J M̃⁻¹ of the places on one part

  // the last matrix as assembled, and what its softened members had in it
  bool keeps_ = false;
  bool only_softened_ = false;
  std::vector<double> kept_;
  std::vector<Mat6> kept_softness_;  // per member

  // friction that follows pulls
  std::vector<int> followers_;    // constraints
  std::vector<double> ratio_;     // per follower: κ where it slips, else 0
  std::vector<double> pull_;      // per follower: p
  std::vector<double> response_;  // A, by columns
  std::vector<double> matrix_;    // 1 − A κ, likewise
  std::vector<double> right_;
};

}  // namespace filum::chain
