// The linear system of a step: constraint forces of the whole graph in one direct solve.
//
// With the velocities u that the parts would have without constraints, the masses M̃ and the rows φ of every constraint,
//
//     S μ = −J u − φ/(h + β),      S = J M̃⁻¹ Jᵀ + ε/(h (h + β)),      v = u + M̃⁻¹ Jᵀ μ,
//
// μ = h λ the impulses, ε the compliance and β the damping time of each row [Servin & Lacoursière 2007, (11)]. A block
// of S per constraint; two of them meet where they act on the same moving part, so that a rod without branches gives a
// block-tridiagonal matrix, and bodies, loops and ropes the graph that they are. S is symmetric and positive definite
// as long as the rows are independent, down to ε = 0.
#pragma once

#include "base/index.hpp"
#include "formulations/chain/state.hpp"
#include "math/block_ldlt.hpp"

#include <limits>
#include <span>
#include <vector>

namespace filum::chain {

// M̃⁻¹ of a part: what an impulse and an angular impulse do to its velocity and spin. Zero: its motion is given.
struct Mobility {
  double linear = 0;
  Mat3 angular = Mat3::Zero();
  const Mat6* coupled = nullptr;  // instead, of a part that also presses on something

  [[nodiscard]] Vec6 times(const Vec6& impulse) const {
    if (coupled != nullptr) return *coupled * impulse;
    Vec6 result;
    result << linear * impulse.head<3>(), angular * impulse.tail<3>();
    return result;
  }
};

// The share of one part in the rows of one constraint.
struct Incidence {
  int constraint = 0;
  int part = 0;
  bool moves = true;
  Mat6 rows = Mat6::Zero();  // J; those beyond the constraint's own number mean nothing
};

// Where a bounded row stands.
enum class Bound { Free, Low, High };

struct Constraint {
  int rows = 6;
  int first = 0;                                             // its incidences
  int last = 0;                                              // one beyond
  Vec6 right = Vec6::Zero();                                 // right-hand side
  Vec6 softness = Vec6::Zero();                              // ε/(h (h + β)) per row; of a row that is not there: 1
  Vec6 impulse = Vec6::Zero();                               // μ
  Bound bound = Bound::Free;                                 // of a single row
  double lowest = -std::numeric_limits<double>::infinity();  // impulses allowed
  double highest = std::numeric_limits<double>::infinity();
};

class Schur {
 public:
  std::vector<Constraint> constraints;
  std::vector<Incidence> incidences;

  // Once the lists say who meets whom. The only call that allocates.
  void analyse(int parts);

  // Impulses of all constraints from their right-hand sides, those at a bound as given. False: a number that is not
  // finite.
  [[nodiscard]] bool solve(std::span<const Mobility> mobility);

  // After a solve: puts rows beyond a bound onto it and frees those that a bound keeps from what they want. Whether
  // anything changed, so that it has to be solved again.
  bool revise();

  // What the impulses do to a part's velocity and spin.
  [[nodiscard]] const Vec6& change(int part) const { return change_[at(part)]; }

  // Rows whose equation depended on others.
  [[nodiscard]] int redundant() const { return ldlt_.inertia().zero; }

 private:
  void assemble(std::span<const Mobility> mobility);
  void push(std::span<const Mobility> mobility, bool given);
  [[nodiscard]] bool is_given(int constraint) const { return constraints[at(constraint)].bound != Bound::Free; }

  struct Pair {
    int first = 0;  // incidences on the same part
    int second = 0;
    math::Slot slot{};
  };
  math::BlockLdlt ldlt_;
  std::vector<int> incidence_of_;     // sorted by part
  std::vector<int> first_incidence_;  // per part; one more at the end
  std::vector<Pair> pairs_;           // by part, in the order of `incidence_of_`
  std::vector<math::Slot> diagonal_;  // per constraint
  std::vector<int> first_row_;        // per constraint, in the vector
  std::vector<double> vector_;
  std::vector<Mat6> weighted_;  // J M̃⁻¹ of the incidences of one part
  std::vector<Vec6> change_;    // per part
};

}  // namespace filum::chain
