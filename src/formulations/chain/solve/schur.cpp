#include "formulations/chain/solve/schur.hpp"

#include "math/eliminate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace filum::chain {

namespace {

// What friction is moved by to see what pulls do, N·s; more where it or its pull is larger.
constexpr double kLeastMove = 1e-6;

// Adds the top left of a 6×6 matrix to a block of the system.
void add_block(double* values, const math::Slot& slot, const Mat6& matrix, int rows, int columns) {
  double* to = values + slot.offset;
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r)
      to[slot.transposed ? c + std::ptrdiff_t{r} * slot.stride : r + std::ptrdiff_t{c} * slot.stride] += matrix(r, c);
}

}  // namespace

void Schur::analyse(const ConstraintSet& set) {
  std::vector<int> all(set.constraints.size());
  std::iota(all.begin(), all.end(), 0);
  analyse(set, std::move(all));
}

void Schur::analyse(const ConstraintSet& set, std::vector<int> members) {
  members_ = std::move(members);
  // what moves, by part
  auto part_of = [&](const Place& place) { return set.incidences[at(place.incidence)].part; };
  places_.clear();
  math::BlockGraph graph;
  first_row_.clear();
  for (int m = 0; m < static_cast<int>(members_.size()); ++m) {
    const Constraint& constraint = set.constraints[at(members_[at(m)])];
    first_row_.push_back(graph.rows());
    graph.add_block(constraint.rows);
    for (int i = constraint.first; i < constraint.last; ++i)
      if (set.incidences[at(i)].moves) places_.push_back({i, m});
  }
  std::stable_sort(places_.begin(), places_.end(),
                   [&](const Place& a, const Place& b) { return part_of(a) < part_of(b); });

  // constraints that meet on a part
  meetings_.clear();
  int most = 0;
  for (int k = 0; k < static_cast<int>(places_.size()); ++k) {
    const int part = part_of(places_[at(k)]);
    if (meetings_.empty() || meetings_.back().part != part) meetings_.push_back({part, k, k});
    Meeting& meeting = meetings_.back();
    meeting.last = k + 1;
    most = std::max(most, meeting.last - meeting.first);
    for (int j = meeting.first; j <= k; ++j) graph.connect(places_[at(k)].member, places_[at(j)].member);
  }
  ldlt_.analyse(graph);
  slots_.clear();
  for (const Meeting& meeting : meetings_)
    for (int i = meeting.first; i < meeting.last; ++i)
      for (int j = meeting.first; j <= i; ++j)
        slots_.push_back(ldlt_.slot(places_[at(i)].member, places_[at(j)].member));
  diagonal_.clear();
  for (int m = 0; m < static_cast<int>(members_.size()); ++m) diagonal_.push_back(ldlt_.slot(m, m));
  given_.assign(members_.size(), 0);
  vector_.assign(at(graph.rows()), 0);
  weighted_.resize(at(most));
  current_ = false;

  followers_.clear();
  for (const int member : members_)
    if (set.constraints[at(member)].follows >= 0) followers_.push_back(member);
  const std::size_t count = followers_.size();
  for (std::vector<double>* list : {&ratio_, &pull_, &right_}) list->assign(count, 0);
  for (std::vector<double>* list : {&response_, &matrix_}) list->assign(count * count, 0);
}

// Whether the factor at hand is that of the rows as they stand.
bool Schur::is_current(const ConstraintSet& set) const {
  if (!current_) return false;
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (set.constraints[at(members_[m])].is_given() != (given_[m] != 0)) return false;
  return true;
}

// The kept matrix with the softness that rows have now. False: there is none, or not of these rows.
bool Schur::soften_again(const ConstraintSet& set) {
  if (kept_softness_.size() != members_.size()) return false;
  for (std::size_t m = 0; m < members_.size(); ++m)
    if (set.constraints[at(members_[m])].is_given() != (given_[m] != 0)) return false;
  double* values = ldlt_.values();
  std::copy(kept_.begin(), kept_.end(), values);
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Constraint& constraint = set.constraints[at(members_[m])];
    if (constraint.softened == nullptr) continue;
    add_block(values, diagonal_[m], *constraint.softened - kept_softness_[m], constraint.rows, constraint.rows);
  }
  return true;
}

void Schur::keep(const ConstraintSet& set) {
  kept_.assign(ldlt_.values(), ldlt_.values() + ldlt_.pattern().values());
  kept_softness_.reserve(members_.size());
  for (const int member : members_) {
    const Constraint& constraint = set.constraints[at(member)];
    kept_softness_.push_back(constraint.softened != nullptr ? *constraint.softened
                                                            : Mat6(constraint.softness.asDiagonal()));
  }
}

void Schur::assemble(const ConstraintSet& set, std::span<const Mobility> mobility) {
  if (std::exchange(only_softened_, false) && soften_again(set)) return;
  ldlt_.set_zero();
  double* values = ldlt_.values();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Constraint& constraint = set.constraints[at(members_[m])];
    given_[m] = constraint.is_given();
    if (constraint.softened != nullptr) {
      add_block(values, diagonal_[m], *constraint.softened, constraint.rows, constraint.rows);
      continue;
    }
    for (int r = 0; r < constraint.rows; ++r)
      values[diagonal_[m].at(r, r)] += constraint.is_given() ? 1 : constraint.softness[r];
  }

  // J M̃⁻¹ Jᵀ, part by part
  std::size_t slot = 0;
  for (const Meeting& meeting : meetings_) {
    const Mobility& inverse = mobility[at(meeting.part)];
    for (int i = meeting.first; i < meeting.last; ++i) {
      const Incidence& one = set.incidences[at(places_[at(i)].incidence)];
      const Constraint& of_one = set.constraints[at(one.constraint)];
      Mat6& weighted = weighted_[at(i - meeting.first)];
      if (inverse.coupled != nullptr) {
        weighted.noalias() = one.rows * *inverse.coupled;
      } else {
        weighted.leftCols<3>() = inverse.linear * one.rows.leftCols<3>();
        weighted.rightCols<3>().noalias() = one.rows.rightCols<3>() * inverse.angular;
      }
      for (int j = meeting.first; j <= i; ++j, ++slot) {
        const Incidence& other = set.incidences[at(places_[at(j)].incidence)];
        const Constraint& of_other = set.constraints[at(other.constraint)];
        if (of_one.is_given() || of_other.is_given()) continue;
        Mat6 product;
        product.noalias() = weighted * other.rows.transpose();
        add_block(values, slots_[slot], product, of_one.rows, of_other.rows);
        // a constraint that meets itself on a part, by two of its places
        if (i != j && one.constraint == other.constraint)
          add_block(values, slots_[slot], product.transpose(), of_one.rows, of_other.rows);
      }
    }
  }
  kept_softness_.clear();
  if (keeps_) keep(set);
}

// Gives rows at a bound the impulse of that bound. Whether anything moved.
bool Schur::put_on_bounds(ConstraintSet& set, std::span<const Mobility> mobility) const {
  bool any = false;
  for (const int member : members_) {
    Constraint& constraint = set.constraints[at(member)];
    if (!constraint.is_given() || constraint.impulse[0] == constraint.at_bound()) continue;
    Vec6 more = Vec6::Zero();
    more[0] = constraint.at_bound() - constraint.impulse[0];
    constraint.impulse[0] = constraint.at_bound();
    set.push(constraint, more, mobility);
    any = true;
  }
  return any;
}

bool Schur::solve(ConstraintSet& set, std::span<const Mobility> mobility, From from) {
  return answer(set, mobility, from) && follow_pulls(set, mobility);
}

// With all bounds as they stand.
bool Schur::answer(ConstraintSet& set, std::span<const Mobility> mobility, From from) {
  const bool at_rest = !put_on_bounds(set, mobility) && from == From::Nothing;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Constraint& constraint = set.constraints[at(members_[m])];
    double* right = &vector_[at(first_row_[m])];
    if (constraint.is_given()) {
      right[0] = 0;
      continue;
    }
    const Vec6 asked = at_rest ? constraint.right : set.missing(constraint);
    std::copy_n(asked.data(), constraint.rows, right);
  }
  if (is_current(set)) {
    ldlt_.solve(vector_.data());
  } else {
    assemble(set, mobility);
    if (!ldlt_.factor_and_solve(vector_.data())) return false;
    current_ = true;
  }
  for (std::size_t m = 0; m < members_.size(); ++m) {
    Constraint& constraint = set.constraints[at(members_[m])];
    if (constraint.is_given()) continue;
    Vec6 more = Vec6::Zero();
    std::copy_n(&vector_[at(first_row_[m])], constraint.rows, more.data());
    constraint.impulse += more;
    set.push(constraint, more, mobility);
  }
  return true;
}

// Columns of A, by moving one slipping row after the other.
bool Schur::ask_responses(ConstraintSet& set, std::span<const Mobility> mobility) {
  const std::size_t count = followers_.size();
  for (std::size_t i = 0; i < count; ++i) pull_[i] = set.pull_before(set.constraints[at(followers_[i])]);
  for (std::size_t j = 0; j < count; ++j) {
    double* column = &response_[j * count];
    std::fill_n(column, count, 0.0);
    if (ratio_[j] == 0) continue;
    Constraint& moved = set.constraints[at(followers_[j])];
    const double more = std::max({std::abs(pull_[j]), std::abs(moved.impulse[0]), kLeastMove});
    (moved.bound == Bound::Low ? moved.lowest : moved.highest) = moved.impulse[0] + more;
    if (!answer(set, mobility, From::Here)) return false;
    for (std::size_t i = 0; i < count; ++i) {
      const double now = set.pull_before(set.constraints[at(followers_[i])]);
      column[i] = (now - pull_[i]) / more;
      pull_[i] = now;
    }
  }
  return true;
}

// Gives friction that slips its share of the pull before it, and all friction its bounds.
bool Schur::follow_pulls(ConstraintSet& set, std::span<const Mobility> mobility) {
  const std::size_t count = followers_.size();
  bool slips = false;
  for (std::size_t j = 0; j < count; ++j) {
    const Constraint& row = set.constraints[at(followers_[j])];
    ratio_[j] = row.is_given() ? (row.bound == Bound::Low ? row.low : row.high) : 0;
    slips = slips || ratio_[j] != 0;
  }
  if (slips && !ask_responses(set, mobility)) return false;
  // a rope that would push does not rub: once more without it
  for (bool again = slips; again;) {
    for (std::size_t i = 0; i < count; ++i) {
      right_[i] = pull_[i];
      for (std::size_t j = 0; j < count; ++j) {
        right_[i] -= response_[i + j * count] * set.constraints[at(followers_[j])].impulse[0];
        matrix_[i + j * count] = (i == j ? 1 : 0) - response_[i + j * count] * ratio_[j];
      }
    }
    if (!math::eliminate(matrix_, right_)) return false;
    again = false;
    for (std::size_t j = 0; j < count; ++j)
      if (ratio_[j] != 0 && right_[j] < 0) {
        ratio_[j] = 0;
        again = true;
      }
  }
  if (slips) {
    for (std::size_t j = 0; j < count; ++j)
      if (Constraint& row = set.constraints[at(followers_[j])]; row.is_given())
        (row.bound == Bound::Low ? row.lowest : row.highest) = ratio_[j] * right_[j];
    if (!answer(set, mobility, From::Here)) return false;
  }
  for (const int follower : followers_) set.renew_bounds(set.constraints[at(follower)]);
  return true;
}

bool Schur::revise(ConstraintSet& set) {
  bool changed = false;
  for (const int member : members_) {
    Constraint& constraint = set.constraints[at(member)];
    if (constraint.rows != 1) continue;
    Bound next = constraint.bound;
    if (constraint.is_given()) {
      if (!set.stays_given(constraint)) next = Bound::Free;
    } else {
      if (constraint.impulse[0] > constraint.highest) next = Bound::High;
      if (constraint.impulse[0] < constraint.lowest) next = Bound::Low;
    }
    changed = changed || next != constraint.bound;
    constraint.bound = next;
  }
  return changed;
}

}  // namespace filum::chain
