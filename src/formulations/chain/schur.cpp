#include "formulations/chain/schur.hpp"

#include "base/index.hpp"

namespace filum::chain {

namespace {

// Adds the top left of a 6×6 matrix to a block of the system.
void add_block(double* values, const math::Slot& slot, const Mat6& matrix, int rows, int columns) {
  double* to = values + slot.offset;
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r)
      to[slot.transposed ? c + std::ptrdiff_t{r} * slot.stride : r + std::ptrdiff_t{c} * slot.stride] += matrix(r, c);
}

}  // namespace

void Schur::analyse(int parts) {
  // incidences by part
  first_incidence_.assign(at(parts) + 1, 0);
  for (const Incidence& incidence : incidences)
    if (incidence.moves) ++first_incidence_[at(incidence.part) + 1];
  for (int p = 0; p < parts; ++p) first_incidence_[at(p) + 1] += first_incidence_[at(p)];
  incidence_of_.assign(at(first_incidence_.back()), 0);
  std::vector<int> next(first_incidence_.begin(), first_incidence_.end() - 1);
  for (std::size_t i = 0; i < incidences.size(); ++i)
    if (incidences[i].moves) incidence_of_[at(next[at(incidences[i].part)]++)] = static_cast<int>(i);

  // constraints that meet on a part
  math::BlockGraph graph;
  first_row_.clear();
  for (const Constraint& constraint : constraints) {
    first_row_.push_back(graph.rows());
    graph.add_block(constraint.rows);
  }
  pairs_.clear();
  std::size_t most = 0;
  for (int p = 0; p < parts; ++p) {
    const int begin = first_incidence_[at(p)];
    const int end = first_incidence_[at(p) + 1];
    most = std::max(most, at(end - begin));
    for (int i = begin; i < end; ++i)
      for (int j = begin; j <= i; ++j) {
        const Pair pair{incidence_of_[at(i)], incidence_of_[at(j)]};
        graph.connect(incidences[at(pair.first)].constraint, incidences[at(pair.second)].constraint);
        pairs_.push_back(pair);
      }
  }
  ldlt_.analyse(graph);
  for (Pair& pair : pairs_)
    pair.slot = ldlt_.slot(incidences[at(pair.first)].constraint, incidences[at(pair.second)].constraint);
  diagonal_.clear();
  for (int c = 0; c < static_cast<int>(constraints.size()); ++c) diagonal_.push_back(ldlt_.slot(c, c));
  vector_.assign(at(graph.rows()), 0);
  weighted_.resize(most);
  change_.assign(at(parts), Vec6::Zero());
}

void Schur::assemble(std::span<const Mobility> mobility) {
  ldlt_.set_zero();
  double* values = ldlt_.values();
  for (std::size_t c = 0; c < constraints.size(); ++c)
    for (int r = 0; r < constraints[c].rows; ++r)
      values[diagonal_[c].at(r, r)] += is_given(static_cast<int>(c)) ? 1 : constraints[c].softness[r];

  // J M̃⁻¹ Jᵀ, part by part
  std::size_t pair = 0;
  for (std::size_t p = 0; p + 1 < first_incidence_.size(); ++p) {
    const Mobility& inverse = mobility[p];
    const int begin = first_incidence_[p];
    for (int i = begin; i < first_incidence_[p + 1]; ++i) {
      const Incidence& one = incidences[at(incidence_of_[at(i)])];
      Mat6& weighted = weighted_[at(i - begin)];
      if (inverse.coupled != nullptr) {
        weighted.noalias() = one.rows * *inverse.coupled;
      } else {
        weighted.leftCols<3>() = inverse.linear * one.rows.leftCols<3>();
        weighted.rightCols<3>().noalias() = one.rows.rightCols<3>() * inverse.angular;
      }
      for (int j = begin; j <= i; ++j, ++pair) {
        const Incidence& other = incidences[at(incidence_of_[at(j)])];
        if (is_given(one.constraint) || is_given(other.constraint)) continue;
        const int rows = constraints[at(one.constraint)].rows;
        const int columns = constraints[at(other.constraint)].rows;
        Mat6 product;
        product.noalias() = weighted * other.rows.transpose();
        add_block(values, pairs_[pair].slot, product, rows, columns);
        // a constraint that meets itself on a part, by two of its places
        if (i != j && one.constraint == other.constraint)
          add_block(values, pairs_[pair].slot, product.transpose(), rows, columns);
      }
    }
  }
}

// Adds what impulses do to the velocities: those given beforehand, or the others.
void Schur::push(std::span<const Mobility> mobility, bool given) {
  for (const Incidence& incidence : incidences) {
    if (!incidence.moves || is_given(incidence.constraint) != given) continue;
    const Constraint& constraint = constraints[at(incidence.constraint)];
    Vec6 impulse;
    if (constraint.rows == 6)
      impulse.noalias() = incidence.rows.transpose() * constraint.impulse;
    else
      impulse.noalias() =
          incidence.rows.topRows(constraint.rows).transpose() * constraint.impulse.head(constraint.rows);
    change_[at(incidence.part)] += mobility[at(incidence.part)].times(impulse);
  }
}

bool Schur::solve(std::span<const Mobility> mobility) {
  assemble(mobility);
  std::fill(change_.begin(), change_.end(), Vec6::Zero());
  bool any_given = false;
  for (Constraint& constraint : constraints) {
    if (constraint.bound == Bound::Free) continue;
    constraint.impulse[0] = constraint.bound == Bound::Low ? constraint.lowest : constraint.highest;
    any_given = any_given || constraint.impulse[0] != 0;
  }
  if (any_given) push(mobility, true);

  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const Constraint& constraint = constraints[c];
    double* right = &vector_[at(first_row_[c])];
    if (is_given(static_cast<int>(c))) {
      right[0] = 0;
      continue;
    }
    for (int r = 0; r < constraint.rows; ++r) right[r] = constraint.right[r];
    if (!any_given) continue;
    for (int i = constraint.first; i < constraint.last; ++i)
      for (int r = 0; r < constraint.rows; ++r)
        right[r] -= incidences[at(i)].rows.row(r).dot(change_[at(incidences[at(i)].part)]);
  }
  if (!ldlt_.factor_and_solve(vector_.data())) return false;
  for (std::size_t c = 0; c < constraints.size(); ++c)
    if (!is_given(static_cast<int>(c)))
      for (int r = 0; r < constraints[c].rows; ++r) constraints[c].impulse[r] = vector_[at(first_row_[c] + r)];
  push(mobility, false);
  return true;
}

bool Schur::revise() {
  bool changed = false;
  for (Constraint& constraint : constraints) {
    Bound next = constraint.bound;
    if (constraint.bound == Bound::Free) {
      if (constraint.impulse[0] > constraint.highest && constraint.rows == 1) next = Bound::High;
      if (constraint.impulse[0] < constraint.lowest && constraint.rows == 1) next = Bound::Low;
    } else {
      // what its equation still asks for beyond the bound
      double wanted = constraint.right[0] - constraint.softness[0] * constraint.impulse[0];
      for (int i = constraint.first; i < constraint.last; ++i)
        wanted -= incidences[at(i)].rows.row(0).dot(change_[at(incidences[at(i)].part)]);
      if (constraint.bound == Bound::High ? wanted < 0 : wanted > 0) next = Bound::Free;
    }
    changed = changed || next != constraint.bound;
    constraint.bound = next;
  }
  return changed;
}

}  // namespace filum::chain
