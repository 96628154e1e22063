// What the positions of a model hang on once those between its fixed points are eliminated: stations and chains.
//
// A segment's rotation says where it goes, so the position of a node follows from any other by walking along the rod.
// Only a few nodes need a position of their own, the «stations»: where a hold grips, where rods are joined or tied to a
// body. The segments between two stations are a «span»: they must lead from one to the other, and the internal force at
// the span's far end is the multiplier of that. The segments beyond the last station are a «tail», whose forces follow
// from the loads. A station is a «root», whose position is unknown or held, or it keeps its place relative to a root by
// arms that turn with rotors. What would close a loop of such arms, or holds a station that is no root, is a «peg»: a
// constraint with a multiplier.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

#include <vector>

namespace filum::cosserat {

using discrete::ModelData;

struct Arm {
  int rotor = 0;
  Vec3 arm = Vec3::Zero();
};

// x = X(root) + Σ R(rotor)·arm.
struct Station {
  int node = 0;
  int root = 0;
  std::vector<Arm> arms;
};

struct Root {
  int node = 0;
  FixedAxes held{};
  FixedAxes loose{};  // along these axes nothing holds what hangs together with it: it stays where it is
};

// Segments one after the other along a rod.
struct Chain {
  int rod = 0;
  std::vector<int> edges;
  int start = -1;  // stations; −1: a free end
  int end = -1;
  discrete::RodMesh mesh;  // of its own nodes alone, by the rod's arc length: what a sliding hold sees

  [[nodiscard]] bool is_span() const { return start >= 0 && end >= 0; }
  // The station that positions are counted from, and whether forwards.
  [[nodiscard]] bool forward() const { return start >= 0; }
  [[nodiscard]] int anchor() const { return forward() ? start : end; }
};

// The station is where a hold wants it, or where another station is reached by other arms.
struct Peg {
  int station = 0;
  int hold = -1;
  FixedAxes axes{};
  int other_root = -1;
  std::vector<Arm> other_arms;
};

struct Network {
  std::vector<Root> roots;
  std::vector<Station> stations;
  std::vector<Chain> chains;
  std::vector<Peg> pegs;
  std::vector<int> station_of;       // per node, or −1
  std::vector<int> chain_of_edge;    // per edge
  std::vector<int> place_of_edge;    // per edge: which of its chain's
  std::vector<int> chain_of_slider;  // per slider

  // Whether holds alone say where a station is.
  [[nodiscard]] bool is_given(int station) const {
    const Station& s = stations[static_cast<std::size_t>(station)];
    const FixedAxes& held = roots[static_cast<std::size_t>(s.root)].held;
    return s.arms.empty() && held[0] && held[1] && held[2];
  }
};

Network make_network(const ModelData& model);

}  // namespace filum::cosserat
