#include "formulations/spline/spline_state.hpp"

#include "formulations/discrete/pack_lists.hpp"

namespace filum::spline {

std::vector<double> pack_state(const SplineState& state) {
  return discrete::pack_lists(state);
}

bool unpack_state(std::span<const double> values, SplineState& state) {
  return discrete::unpack_lists(values, state);
}

}  // namespace filum::spline
