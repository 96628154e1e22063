// Limits: how near a pose comes to each, and where.
#pragma once

#include <filum/outcome.hpp>

#include <vector>

namespace filum {
struct Scene;
}

namespace filum::sim {

// Of the straight parts of a rope; zero if it has none.
double largest_tension(const RopePose& rope);

// `driven`: of a run, or on a path of drivers, whose rods move though each state is an equilibrium.
std::vector<Check> check_limits(const Scene& scene, const Pose& pose, double t, bool driven = false);

// Of several lists, one per instant, the worst of each limit.
std::vector<Check> worst_of(const std::vector<std::vector<Check>>& lists);

}  // namespace filum::sim
