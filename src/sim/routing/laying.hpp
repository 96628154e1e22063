// Something that is laid from equilibrium to equilibrium, and whose rods may change their lengths on the way.
//
// A rod that changes as a whole does so through the targets: nothing is compiled. One that changes in a part of it is
// compiled anew, and the state carried over. The scene always says how long a rod is now.
#pragma once

#include "formulations/formulation.hpp"
#include "scene/parts.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <memory>
#include <vector>

namespace filum::sim {

// What belongs to somebody else: a scene, its model, a state of it in equilibrium at `last`.
struct Laying {
  const Formulation& formulation;
  Scene& scene;
  std::unique_ptr<Model>& model;
  std::unique_ptr<State>& state;
  Targets& resting;
  Targets& last;
  int* compiled = nullptr;  // counts how often the model was compiled anew, for whoever refers to it

  // To the equilibrium at `next`, of which the lengths are the scene's. Not converged: the state is as before.
  SolveReport settle(const Targets& next, const Progress& progress = {}) const;
  [[nodiscard]] Pose pose() const { return model->sample(*state, last); }
};

// A part of a rod that is to get another length.
struct PartLength {
  int rod = 0;
  scene::Part part;  // as it is now
  double length = 0;
};

// Gives the parts, no two of which overlap, their new lengths; `part` of each is then where it is now. Says what the
// scene refuses; then nothing has changed.
Status set_lengths(const Laying& laying, std::vector<PartLength>& parts);

// A copy that can be tried on, of the scene as it is or with other stiffnesses.
struct LayingCopy {
  Scene scene;
  std::unique_ptr<Model> model;
  std::unique_ptr<State> state;
  Targets resting;
  Targets last;
  const Formulation& formulation;

  explicit LayingCopy(const Laying& laying) : LayingCopy(laying, laying.scene) {}
  LayingCopy(const Laying& laying, const Scene& other);
  [[nodiscard]] Laying laying() { return {formulation, scene, model, state, resting, last}; }
};

}  // namespace filum::sim
