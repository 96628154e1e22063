#include "formulations/chain/solve/sweeps.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// How often a group is solved in its turn until its bounded rows stand where they belong.
constexpr int kMostSweepRounds = 12;

// Of the first few numbers.
double sum_of_squares(const Vec6& values, int count) {
  double sum = 0;
  for (int k = 0; k < count; ++k) sum += values[k] * values[k];
  return sum;
}

}  // namespace

void Sweeps::analyse(const ConstraintSet& set) {
  int count = 0;
  for (const Constraint& constraint : set.constraints) count = std::max(count, constraint.group + 1);
  std::vector<std::vector<int>> members(at(count));
  for (std::size_t c = 0; c < set.constraints.size(); ++c)
    members[at(set.constraints[c].group)].push_back(static_cast<int>(c));
  groups_.clear();
  for (std::vector<int>& each : members) {
    if (each.empty()) continue;
    groups_.emplace_back();
    groups_.back().analyse(set, std::move(each));
  }
}

void Sweeps::begin(ConstraintSet& set) {
  set.set_zero();
  for (Schur& group : groups_) group.outdate();
}

bool Sweeps::sweep(ConstraintSet& set, std::span<const Mobility> mobility) {
  for (Schur& group : groups_)
    for (int round = 0; round < kMostSweepRounds; ++round) {
      if (!group.solve(set, mobility, Schur::From::Here)) return false;
      if (!group.revise(set)) break;
    }
  return true;
}

double Sweeps::residual(const ConstraintSet& set) {
  double left = 0;
  double asked = 0;
  for (const Constraint& constraint : set.constraints) {
    asked += sum_of_squares(constraint.right, constraint.rows);
    if (constraint.is_given() && set.stays_given(constraint)) continue;
    left += sum_of_squares(set.missing(constraint), constraint.rows);
  }
  return asked > 0 ? std::sqrt(left / asked) : 0;
}

}  // namespace filum::chain
