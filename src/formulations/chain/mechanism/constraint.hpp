// Constraints of a step as rows on the parts they join, with the impulses μ that answer them and what these do to the
// velocities: Δv = M̃⁻¹ Jᵀ μ.
//
// A single row may have bounds. Those of a sheave's friction follow the pull p of the rope before it, by the capstan's
// ratio: low p ≤ μ ≤ high p. Where several sheaves follow each other on one massless rope, p is what the first row and
// all friction before leave: p = −μ₁ − Σ μ.
#pragma once

#include "base/index.hpp"
#include "formulations/chain/mechanism/chain_state.hpp"

#include <algorithm>
#include <cmath>
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
  Vec3 arm = Vec3::Zero();   // of a body: from its centre to where it is pulled
};

// Where a bounded row stands.
enum class Bound { Free, Low, High };

struct Constraint {
  int rows = 6;
  int group = 0;                                             // it is solved with, when groups take turns (sweeps.hpp)
  int first = 0;                                             // its incidences
  int last = 0;                                              // one beyond
  Vec6 right = Vec6::Zero();                                 // right-hand side
  Vec6 softness = Vec6::Zero();                              // ε/(h (h + β)) per row; of a row that is not there: 1
  const Mat6* softened = nullptr;                            // instead, where rows give way together
  Vec6 impulse = Vec6::Zero();                               // μ
  Bound bound = Bound::Free;                                 // of a single row
  double lowest = -std::numeric_limits<double>::infinity();  // impulses allowed
  double highest = std::numeric_limits<double>::infinity();
  int follows = -1;     // of friction: the constraint that tells the pull before it
  int follows_row = 0;  // the row of that one
  double low = 0;       // its bounds over that pull; infinite: none
  double high = 0;

  // At a bound its impulse is given.
  [[nodiscard]] bool is_given() const { return bound != Bound::Free; }
  [[nodiscard]] double at_bound() const { return bound == Bound::Low ? lowest : highest; }
};

struct ConstraintSet {
  std::vector<Constraint> constraints;
  std::vector<Incidence> incidences;  // constraint by constraint
  std::vector<Vec6> changes;          // Δv per part: linear, angular

  // No constraints yet, on so many parts.
  void begin(int parts) {
    constraints.clear();
    incidences.clear();
    changes.assign(at(parts), Vec6::Zero());
  }

  // Appends a constraint, whose parts are then named by `join` one after the other. Its number.
  int add(int rows, int group) {
    Constraint constraint;
    constraint.rows = rows;
    constraint.group = group;
    constraint.first = constraint.last = static_cast<int>(incidences.size());
    constraints.push_back(constraint);
    return static_cast<int>(constraints.size()) - 1;
  }
  void join(int part, bool moves) {
    incidences.push_back({static_cast<int>(constraints.size()) - 1, part, moves, Mat6::Zero()});
    constraints.back().last = static_cast<int>(incidences.size());
  }

  // Leaves the first ones.
  void cut_back(std::size_t count) {
    constraints.resize(count);
    incidences.resize(count == 0 ? 0 : at(constraints.back().last));
  }

  // No impulses, no changes.
  void set_zero() {
    for (Constraint& constraint : constraints) constraint.impulse.setZero();
    for (Vec6& change : changes) change.setZero();
  }

  // What the equation of a constraint still asks for: right − ε μ − J Δv.
  [[nodiscard]] Vec6 missing(const Constraint& constraint) const {
    Vec6 result = constraint.right;
    if (constraint.softened == nullptr)
      result -= constraint.softness.cwiseProduct(constraint.impulse);
    else
      result.noalias() -= *constraint.softened * constraint.impulse;
    for (int i = constraint.first; i < constraint.last; ++i)
      result.noalias() -= incidences[at(i)].rows * changes[at(incidences[at(i)].part)];
    return result;
  }

  // Whether a row at its bound is kept there by its equation.
  [[nodiscard]] bool stays_given(const Constraint& constraint) const {
    const double wanted = missing(constraint)[0];
    return constraint.bound == Bound::High ? wanted >= 0 : wanted <= 0;
  }

  // The pull before a sheave, as an impulse.
  [[nodiscard]] double pull_before(const Constraint& friction) const {
    double pull = 0;
    const Constraint* at_hand = &friction;
    for (; at_hand->follows >= 0; at_hand = &constraints[at(at_hand->follows)])
      pull -= constraints[at(at_hand->follows)].impulse[at_hand->follows_row];
    return pull;
  }

  // Bounds of friction from the impulses as they stand.
  void renew_bounds(Constraint& friction) const {
    const double pull = std::max(0.0, pull_before(friction));
    friction.lowest = std::isfinite(friction.low) ? friction.low * pull : friction.low;
    friction.highest = std::isfinite(friction.high) ? friction.high * pull : friction.high;
  }
  void renew_bounds() {
    for (Constraint& constraint : constraints)
      if (constraint.follows >= 0) renew_bounds(constraint);
  }

  // Adds what an impulse on the rows of a constraint does to the velocities.
  void push(const Constraint& constraint, const Vec6& impulse, std::span<const Mobility> mobility) {
    for (int i = constraint.first; i < constraint.last; ++i) {
      const Incidence& incidence = incidences[at(i)];
      if (!incidence.moves) continue;
      Vec6 on_part;
      if (constraint.rows == 6)
        on_part.noalias() = incidence.rows.transpose() * impulse;
      else
        on_part.noalias() = incidence.rows.topRows(constraint.rows).transpose() * impulse.head(constraint.rows);
      changes[at(incidence.part)] += mobility[at(incidence.part)].times(on_part);
    }
  }
};

}  // namespace filum::chain
