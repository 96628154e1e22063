// A state carried over from one model to another whose scene has been edited, by names and arc lengths.
//
// Rods, bodies and holds are matched by name; a rod whose length has changed, in proportion. Positions and velocities
// between nodes are those of the cubic that sliding holds use, frames are turned by the twist rate, whole turns are
// kept by it too. Where the nodes of a rod are the same, everything is copied bit for bit. A cross-section that
// something newly grips is found where the rod has it, without a change of energy: a joint is divided as its strain is
// spread, a free end carries no moment. What it grips is at rest from then on.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_origin.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

namespace filum::discrete {

// What models of discrete rods show each other, whatever their unknowns are: a state of one is a start for another.
class NodeModel {
 public:
  virtual ~NodeModel() = default;
  [[nodiscard]] virtual const ModelData& data() const = 0;
  [[nodiscard]] virtual RodState rods(const State& state) const = 0;
};

// Which rod of `from` a rod of `to` is, or is a piece of.
[[nodiscard]] RodOrigin origin_of(const ModelData& from, const ModelData& to, int rod);

// `to_state` is a start state of `to`. Rods and bodies that `from` lacks stay as they are there.
void transfer(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state);

// Likewise into any state of a model that has all that `from` has, in the same lengths.
void transfer_part(const ModelData& from, const RodState& from_state, const ModelData& to, RodState& to_state);

// Where holds and free bodies are in a state, as targets. Turns stay those of `targets`: the orientation is what the
// rod's section has without them.
Targets present_targets(const ModelData& model, const RodState& state, const Targets& targets);

// One rod on another mesh: positions, edges, frames, axial forces and twists.
void interpolate_rod(const ModelData& from, const RodState& from_state, const RodOrigin& origin, const ModelData& to,
                     const RodRange& to_rod, RodState& to_state);

}  // namespace filum::discrete
