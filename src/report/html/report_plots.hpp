// The charts of the report: quantities along the rods in the last state, and over time for a path.
#pragma once

#include "io/result/result_names.hpp"
#include "report/svg/svg_chart.hpp"

#include <vector>

namespace filum::io {

// Curvature, bend radius, twist, tension, moments, over the arc length; one curve per rod.
std::vector<Chart> arc_charts(const Scene& scene, const Pose& pose, const ResultNames& names);

// Hold forces, energies, probes and turns over t, from the history or else from the states; empty for a single state.
std::vector<Chart> time_charts(const Outcome& outcome, const ResultNames& names);

}  // namespace filum::io
