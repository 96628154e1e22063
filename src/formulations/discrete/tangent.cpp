#include "formulations/discrete/tangent.hpp"

namespace filum::discrete {

void Tangent::analyse(const math::BlockGraph& graph, std::span<const int> order, bool symmetric) {
  symmetric_ = symmetric;
  graph_ = graph;
  if (symmetric_)
    ldlt_.analyse(graph, order);
  else
    lu_.analyse(graph, order);
  const std::ptrdiff_t beyond = symmetric_ ? ldlt_.beyond() : lu_.beyond();
  nowhere_ = {math::Slot{beyond, 0, false}, math::Slot{beyond, 0, true}};
  diagonal_.clear();
  for (int block = 0; block < graph.blocks(); ++block) {
    const math::Slot slot = pair(block, block).direct;
    for (int r = 0; r < graph.size(block); ++r) diagonal_.push_back(slot.at(r, r));
  }
}

void Tangent::hold_rows(const std::vector<char>& held) {
  held_ = held;
  struck_.clear();
  struck_diagonal_.clear();
  const math::BlockGraph::Adjacency neighbours = graph_.adjacency();
  for (int a = 0; a < graph_.blocks(); ++a) {
    for (int r = 0; r < graph_.size(a); ++r) {
      const int row = graph_.first_row(a) + r;
      if (held[static_cast<std::size_t>(row)] == 0) continue;
      struck_diagonal_.push_back(diagonal_[static_cast<std::size_t>(row)]);
      // its row and column within its own block, then within the neighbours'
      const math::Slot own = pair(a, a).direct;
      for (int c = 0; c < graph_.size(a); ++c) {
        if (c == r) continue;
        struck_.push_back(own.at(r, c));
        struck_.push_back(own.at(c, r));
      }
      for (const int b : neighbours.of(a)) {
        const Pair p = pair(a, b);
        for (int c = 0; c < graph_.size(b); ++c) {
          struck_.push_back(p.direct.at(r, c));
          if (!symmetric_) struck_.push_back(p.mirror.at(c, r));
        }
      }
    }
  }
}

void Tangent::strike_out() {
  double* v = values();
  for (const std::ptrdiff_t i : struck_) v[i] = 0;
  // what stands on the diagonal is kept if it can serve as a pivot
  for (const std::ptrdiff_t i : struck_diagonal_) v[i] = v[i] > 0 ? v[i] : 1;
}

void Tangent::shift(const std::vector<char>& marked, double amount) {
  for (std::size_t row = 0; row < diagonal_.size(); ++row)
    if (marked[row] != 0 && held_[row] == 0) values()[diagonal_[row]] += amount;
}

Tangent::Pair Tangent::pair(int a, int b) const {
  if (symmetric_) return {ldlt_.slot(a, b), {}};
  return {lu_.slot(a, b), lu_.slot(b, a)};
}

}  // namespace filum::discrete
