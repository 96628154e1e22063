// Lengths of parts that end at places which nothing holds: junctions that follow their rods.
//
// How far such a place moves depends on all lengths around it, and whether the rods there are taut or slack changes
// within a few millionths of their lengths: no step of Newton's is small enough. So the lengths are sought with rods
// that stretch easily, some 300 times (pull + EI/ℓ²) instead of EA, which need no such care. What they then measure,
// stretch included, is what rods of the true stiffness must have; a factor for all of them puts these at the right
// tension.
#pragma once

#include "sim/routing/length_search.hpp"

#include <optional>

namespace filum::sim {

// As find_lengths. `soft` is the copy that stretches easily: kept for the next search for the same parts.
SolveReport find_floating(LivingScene& living, const Targets& next, std::vector<SoughtPart>& parts,
                          std::optional<LivingScene>& soft, Eigen::MatrixXd& slopes, const Progress& progress = {});

}  // namespace filum::sim
