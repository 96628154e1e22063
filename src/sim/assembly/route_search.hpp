// A way for a cable between two ends that keeps clear of solids: a search on a grid, then a band that is drawn smooth.
//
// A* [Hart1968] over a grid of 26 neighbours, whose edges are looked at as segments with the clearance to keep, so that
// thin walls are not passed between two nodes; nodes nearer to solids than twice that cost up to half as much again. The
// grid is halved, for narrower ways that may be shorter, until it is finer than what is to be kept clear or a bound of nodes is met. The polyline is
// then cut short wherever the straight way is clear, and drawn smooth as a band that bends, is taut and is pushed out.
#pragma once

#include "sim/assembly/rigid_fit.hpp"

#include <filum/progress.hpp>
#include <filum/types.hpp>

#include <vector>

namespace filum::sim {

struct RouteEnd {
  Vec3 position = Vec3::Zero();
  Vec3 outwards = Vec3::Zero();  // unit, the way in which the cable leaves it; nil: any
};

struct RouteTask {
  RouteEnd start;
  RouteEnd end;
  double radius = 0;  // of the cable, m
  double keep = 0;    // its centre line from everything, m: radius and clearance
  double lead = 0;    // that it goes straight at its ends, m
  geometry::Box bounds;
  Progress progress;
};

struct FoundRoute {
  std::vector<Vec3> points;  // none: there is no way
  double grid = 0;           // the finest that was looked at, m
  bool complete = false;     // all of that grid was
  bool stopped = false;
};

[[nodiscard]] FoundRoute find_route(const Surroundings& around, const RouteTask& task);

}  // namespace filum::sim
