// How far each rod is from everything else: other rods, itself, bodies, obstacles, scenery that was read.
//
// A rod is its sections swept along the straight segments between its nodes; the gap of two of them is the distance of
// their centre lines less what the sections reach towards each other, each as the ellipse of its outline. That is exact
// for round rods and never too large for others; of a rod inside a solid, by whose edge it is no nearer to one side than to
// another, it may be off by the rod's radius. What belongs together is left out: a rod near its own junction with another, neighbours along
// one rod, and the stretch by which a rod that is held on or in a solid, or held off by one that it touches, leaves it.
#pragma once

#include "geometry/shape.hpp"

#include <filum/pose.hpp>
#include <filum/reference.hpp>
#include <filum/scene.hpp>

#include <span>
#include <vector>

namespace filum::sim {

struct Clearance {
  double value = geometry::kFarAway;  // between the surfaces, m; negative: they overlap by so much
  double s = 0;                       // where along the rod, m
  double radius = 0;                  // of the rod there, m
  ObjectRef other;
  double other_s = 0;  // where along that, if it is a rod
};

// Deeper than what round-off, a mesh of straight segments and bodies at rest explain: by a tenth of the radius.
[[nodiscard]] bool passes_through(const Clearance& clearance);

// The smallest of each rod of the scene, of those that are no further away than the rod's `reach`.
[[nodiscard]] std::vector<Clearance> clearances(const Scene& scene, const Pose& pose, std::span<const double> reach);

}  // namespace filum::sim
