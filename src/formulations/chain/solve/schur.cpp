#include "formulations/chain/solve/schur.hpp"

#include <numeric>

namespace filum::chain {

void Schur::analyse(int parts) {
  changes.assign(at(parts), Vec6::Zero());
  std::vector<int> all(constraints.size());
  std::iota(all.begin(), all.end(), 0);
  whole_.analyse(*this, std::move(all));
}

bool Schur::solve(std::span<const Mobility> mobility) {
  set_zero();
  whole_.outdate();
  return whole_.solve(*this, mobility, SchurBlock::From::Nothing);
}

}  // namespace filum::chain
