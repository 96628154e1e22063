// Islands of a scene: rods that nothing couples to the others. Each has an equilibrium of its own, so that moving one need
// not ask the rest.
//
// Rods hang together if a junction joins them or if they are held to the same free body. A body that is driven or stands
// couples nothing: where it is, is given. Where things may touch each other, ropes run or lengths are sought, everything
// counts as one island.
#pragma once

#include "formulations/formulation.hpp"

#include <filum/scene.hpp>

#include <vector>

namespace filum::sim {

// Per rod: the number of its island.
std::vector<int> islands(const Scene& scene);

// Per rod: whether something asks its island for another place, length or load at `to` than at `from`.
std::vector<char> stirred(const Scene& scene, const std::vector<int>& islands, const Targets& from, const Targets& to);

// Some islands as a scene of their own, without drivers.
struct ScenePart {
  Scene scene;
  // where its things stand in the lists of the whole
  std::vector<int> rods;
  std::vector<int> bodies;
  std::vector<int> holds;
  std::vector<int> forces;
  std::vector<int> torques;

  // What the whole is asked for, as far as it concerns this part.
  [[nodiscard]] Targets of(const Targets& whole) const;
};

// The part with the marked rods, which are whole islands.
ScenePart part_of(const Scene& scene, const std::vector<char>& rods);

}  // namespace filum::sim
