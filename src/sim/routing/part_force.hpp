// What pulls along a part of a rod: tensions, and the force that works on the part's length.
//
// Let U(ℓ) be the elastic energy of a part in equilibrium between ends that stay where they are. A little more material
// changes it by dU = −H dℓ with the configurational force
//   H = N (1 + ε) + M·κ − W
// (N axial force, ε = N/EA, M moment and κ curvatures with the twist, on the section; W elastic energy per length). It
// follows from dilating the part evenly, s → λ s, with the sections' rotations as they are: κ → κ/λ. For a rod that is
// straight at rest H = N + ½ M·κ but for stretch, and along a weightless uniform part it is constant (Antman,
// «Nonlinear Problems of Elasticity», the first integral of a uniform rod). Weight makes it vary: the mean is taken, so
// that weight does not lengthen a part.
#pragma once

#include "scene/parts.hpp"

#include <filum/pose.hpp>
#include <filum/scene.hpp>

namespace filum::sim {

struct PartForce {
  double configurational = 0;  // mean of H, N
  double tension = 0;          // mean of N
  double largest_tension = 0;
  double straight_tension = 0;  // what it would bear, straight between where its ends are: EA (chord/ℓ − 1)
};

// At the nodes inside the part, or at its ends if there are none. `part`: arc lengths of the pose.
PartForce part_force(const Scene& scene, const Rod& rod, const RodPose& pose, const scene::Part& part);

// Of a part: the least stretch stiffness along it and the largest bending stiffness.
struct PartStiffness {
  double EA = 0;
  double EI = 0;
};
PartStiffness part_stiffness(const Scene& scene, const Rod& rod, const scene::Part& part);

}  // namespace filum::sim
