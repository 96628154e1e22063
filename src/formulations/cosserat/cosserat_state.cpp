#include "formulations/cosserat/cosserat_state.hpp"

#include "formulations/discrete/packing.hpp"

namespace filum::cosserat {

std::vector<double> pack_state(const CableState& cable) {
  std::vector<double> values = discrete::pack_state(cable.rods);
  for (const auto* list : {&cable.span_force, &cable.peg_force})
    for (const Vec3& f : *list) values.insert(values.end(), f.data(), f.data() + 3);
  return values;
}

bool unpack_state(std::span<const double> values, CableState& cable) {
  const std::size_t forces = 3 * (cable.span_force.size() + cable.peg_force.size());
  if (values.size() < forces || !discrete::unpack_state(values.first(values.size() - forces), cable.rods)) return false;
  values = values.last(forces);
  for (auto* list : {&cable.span_force, &cable.peg_force})
    for (Vec3& f : *list) {
      f = {values[0], values[1], values[2]};
      values = values.subspan(3);
    }
  return true;
}

}  // namespace filum::cosserat
