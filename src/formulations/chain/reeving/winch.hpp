// Winches: rope paid out and hauled in at the end of a rod.
//
// The element at the drum grows and shrinks with the rope that is out: material joins it, or leaves it, with its own
// motion. The drum's hold on the end pushes it out, or pulls it in, by as much within the step. At half as long again
// as an ordinary element it becomes two, at half of one it joins the next, so that the rope has elements of about the
// same length whatever is out.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/formulation.hpp"

namespace filum::chain {

// Winds all winches for a step. Whether the list of elements has changed.
bool wind(const ModelData& model, ChainState& state, const Targets& targets, double dt);

// Rope that is out, m.
[[nodiscard]] double rope_out(const ModelData& model, const ChainState& state, int winch);

// After a solve: what each winch bears, and the work it has done.
void read_winches(const Mechanism& mechanism, ChainState& state, double dt);

}  // namespace filum::chain
