// What a state remembers of one contact, a pair of station and solid, and where a station is.
#pragma once

#include "base/index.hpp"
#include "contact/contact_law.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <vector>

namespace filum::discrete {

inline contact::Memory memory_of(const RodState& state, int pair) {
  return {static_cast<contact::Touch>(state.contact_touch[at(pair)]), state.contact_force[at(pair)],
          state.contact_anchor[at(pair)], state.contact_slip[at(pair)]};
}

inline void keep(const contact::Memory& memory, int pair, RodState& state) {
  state.contact_touch[at(pair)] = static_cast<int>(memory.touch);
  state.contact_force[at(pair)] = memory.force;
  state.contact_anchor[at(pair)] = memory.anchor;
  state.contact_slip[at(pair)] = memory.slip;
}

inline bool is_open(const RodState& state, int pair) {
  return state.contact_touch[at(pair)] == static_cast<int>(contact::Touch::Open);
}

// At another share of its edge than its own, of a station between nodes.
inline Vec3 position_of(const std::vector<Vec3>& nodes, const ContactStation& station, double share) {
  const Vec3& a = nodes[at(station.a)];
  return station.b < 0 ? a : Vec3(a + share * (nodes[at(station.b)] - a));
}

inline Vec3 position_of(const std::vector<Vec3>& nodes, const ContactStation& station) {
  return position_of(nodes, station, station.share);
}

}  // namespace filum::discrete
