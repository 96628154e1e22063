// All that a cosserat model remembers: the rods' nodes and frames, and the forces in its spans.
#pragma once

#include "formulations/discrete/push_out.hpp"
#include "formulations/discrete/rod_state.hpp"

#include <span>
#include <vector>

namespace filum::cosserat {

struct CableState {
  discrete::RodState rods;       // `frame` is what is solved for; positions and edges follow from it
  std::vector<Vec3> span_force;  // per chain, N: the internal force at the far end of a span; nil for a tail
  std::vector<Vec3> peg_force;   // per peg, N: multiplier

  discrete::Drawn drawn;  // where obstacles act

  // the count of turns: see lift.hpp
  std::vector<Quat> edge_lift;          // per edge: quaternion of its frame, continuous in time
  std::vector<Quat> rotor_lift;         // per rotor: likewise
  std::vector<signed char> joint_sign;  // per joint: ±1
};

// As discrete/packing.hpp; the count of turns begins anew.
std::vector<double> pack_state(const CableState& cable);
bool unpack_state(std::span<const double> values, CableState& cable);

}  // namespace filum::cosserat
