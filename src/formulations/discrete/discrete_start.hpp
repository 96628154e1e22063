// The state a solve begins from: the scene's shape, then moved to where the holds are.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

namespace filum::discrete {

// Where nodes on a drawn curve are to begin: on it, or moved so that the edges between them have their own lengths.
enum class Nodes { OnCurve, AtEdgeLengths };
RodState start_state(const ModelData& model, const Targets& targets, Nodes nodes = Nodes::AtEdgeLengths);

// Where a hold wants the rotor it leads, so many turns about the rod's tangent included.
Mat3 wanted_rotation(const ModelData& model, const Rotor& rotor, const HoldTarget& target, double turns);

// Puts the held nodes and rotors of a state where the targets are; nodes between two held ones move in proportion.
// Turns of a hold go into the twist of the joint next to it.
void apply_targets(const ModelData& model, const Targets& targets, RodState& state);

// Takes its motion from a state that has moved: what begins an equilibrium.
void bring_to_rest(RodState& state);

}  // namespace filum::discrete
