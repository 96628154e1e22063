#include "formulations/discrete/packing.hpp"

#include "formulations/discrete/pack_lists.hpp"

namespace filum::discrete {

std::vector<double> pack_state(const RodState& state) {
  return pack_lists(state);
}

bool unpack_state(std::span<const double> values, RodState& state) {
  return unpack_lists(values, state);
}

}  // namespace filum::discrete
