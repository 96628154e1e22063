// The inner loop of the search: the best way on from every incoming link to every outgoing one of a node.
//
// Bending depends on the difference of two angles alone and is convex in it, so with both lists sorted by angle the
// best incoming link never moves down as the outgoing angle goes up (the matrix of costs is Monge). Halving the
// outgoing links and passing on the bounds finds all best ones in O((n + m) log m) instead of O(n m) steps, and nothing
// is lost. The scans run two lanes of two numbers wide.
#pragma once

#include <cstdint>

namespace filum::channel {

// From n links of angle `from` and cost `cost`, both lists sorted by angle, to m links of angle `to`:
//   best[j] = min_i cost[i] + stiffness (to[j] − from[i] − rest)²,   arg[j] the smallest i that gives it.
// Needs n >= 1 and finite costs.
void min_plus(const double* from, const double* cost, int n, const double* to, int m, double stiffness, double rest,
              double* best, std::uint16_t* arg);

}  // namespace filum::channel
