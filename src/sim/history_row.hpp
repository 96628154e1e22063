// One row of the history: what a plot over time needs of a pose.
#pragma once

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

namespace filum::sim {

HistoryRow history_row(const Scene& scene, const Snapshot& snapshot);

}  // namespace filum::sim
