// What a state remembers of one contact, a pair of station and solid, and where a station is.
#pragma once

#include "base/index.hpp"
#include "contact/contact_law.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <algorithm>
#include <cstdlib>
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

// The same things touch in two states, wherever along each other they do: neither was struck or left anything.
inline bool touches_as_before(const RodState& before, const RodState& after) {
  constexpr int kBeside = 1;  // spans that a contact may have gone on
  const auto both = [](int one, int other) { return (one != 0) == (other != 0); };
  const auto goes_on = [](const RodTouch& a, const RodTouch& b) {
    return std::abs(a.a - b.a) <= kBeside && std::abs(a.b - b.b) <= kBeside;
  };
  const auto same_pair = [](const BodyTouch& a, const BodyTouch& b) { return a.pair == b.pair; };
  const auto& rods = before.rod_touch.list;
  const auto& bodies = before.body_touch.list;
  return std::equal(before.contact_touch.begin(), before.contact_touch.end(), after.contact_touch.begin(),
                    after.contact_touch.end(), both) &&
         std::is_permutation(rods.begin(), rods.end(), after.rod_touch.list.begin(), after.rod_touch.list.end(),
                             goes_on) &&
         std::equal(bodies.begin(), bodies.end(), after.body_touch.list.begin(), after.body_touch.list.end(),
                    same_pair);
}

// The part of its place beside the centre line that one of its frames carries, at a share of the reach.
inline Vec3 frame_arm(const std::vector<Mat3>& frames, const StationFrame& frame, double across) {
  return across * frame.share * (frames[at(frame.edge)] * frame.reach);
}

// At another share of its edge and another one across than its own.
inline Vec3 position_of(const std::vector<Vec3>& nodes, const std::vector<Mat3>& frames, const ContactStation& station,
                        double share, double across) {
  Vec3 x = nodes[at(station.a)];
  if (station.b >= 0) x += share * (nodes[at(station.b)] - x);
  for (int f = 0; f < station.frames; ++f) x += frame_arm(frames, station.frame[at(f)], across);
  return x;
}

inline Vec3 position_of(const std::vector<Vec3>& nodes, const std::vector<Mat3>& frames,
                        const ContactStation& station) {
  return position_of(nodes, frames, station, station.share, station.across);
}

inline Vec3 position_of(const RodState& state, const ContactStation& station, double share) {
  return position_of(state.position, state.frame, station, share, station.across);
}

inline Vec3 position_of(const RodState& state, const ContactStation& station) {
  return position_of(state, station, station.share);
}

}  // namespace filum::discrete
