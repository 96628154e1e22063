// What the outside sees of a state of discrete rods.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"
#include "rod/joint.hpp"

#include <span>

namespace filum::discrete {

// Strains, internal forces and reactions at a state, as the formulation that solved it has them.
struct Internals {
  std::span<const rod::JointStrain> strain;  // per joint
  std::span<const Vec3> edge_force;          // per edge: what the part beyond its middle does to the part before, N
  std::span<const double> axial_force;       // per edge: its part along the edge; of a moving one, over the step
  std::span<const double> axial_change;      // per edge: of its strain in the step, where its tension is averaged
  std::span<const double> half_turn;   // per edge: tan(α/2) of its turn about itself in the step, where that is so
  std::span<const Vec3> node_force;    // per node: what its holds do to it
  std::span<const Vec3> rotor_moment;  // per rotor: what its hold does to it
  double elastic = 0;                  // J
  double gravity = 0;
};

// Of nodes, bodies and, where it has inertia, the spin of edges.
[[nodiscard]] double kinetic_energy(const ModelData& model, const RodState& state);

Pose sample_pose(const ModelData& model, const Internals& internals, const RodState& state, const Targets& targets);

}  // namespace filum::discrete
