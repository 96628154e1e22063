// States of spline rods from states of discrete rods and back: how one formulation goes on from another.
//
// The nodes of the discrete model are the knots. The spline goes through them; a discrete rod made of a spline has its
// nodes on the curve.
#pragma once

#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

namespace filum::spline {

// `nodes` is a state of the model's own nodes. Rods whose nodes are where the scene draws them have the drawn tangents.
SplineState from_nodes(const SplineModel& model, const discrete::RodState& nodes);

discrete::RodState to_nodes(const SplineModel& model, const SplineState& state);

// Puts held nodes and rotors where the targets are, with what lies between two held nodes moved in proportion.
void apply_targets(const SplineModel& model, const Targets& targets, SplineState& state);

}  // namespace filum::spline
