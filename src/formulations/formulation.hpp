// The one interface behind which every formulation lives.
//
// A formulation turns a scene into a Model, constant once compiled, and a State, a value that holds all that moves or
// remembers. Everything around it (drivers, load stepping, recording, checks, files) is written once against this
// header and never asks which formulation is running.
#pragma once

#include "scene/validate.hpp"

#include <filum/outcome.hpp>
#include <filum/pose.hpp>
#include <filum/scene.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace filum {

// Where a hold is to be, in the world. `orientation` does not contain the turns, which come on top about d3, unwrapped.
struct HoldTarget {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double turns = 0;
};

// What the outside asks for at the end of a solve or a step. Lists run parallel to the scene's.
struct Targets {
  std::vector<HoldTarget> holds;
  std::vector<BodyPose> bodies;
  std::vector<double> force_scale;
  std::vector<double> torque_scale;
  std::vector<double> rod_length;
  double load = 1;  // factor on gravity and on all forces: 1 but for load stepping
};

// Told now and then how far along a long solve is, in [0, 1], and what it is doing. May be empty.
using Progress = std::function<void(double, const char*)>;

class State {
 public:
  virtual ~State() = default;
  [[nodiscard]] virtual std::unique_ptr<State> clone() const = 0;
};

class Model {
 public:
  virtual ~Model() = default;

  // The scene's initial shape, holds where `targets` puts them.
  [[nodiscard]] virtual std::unique_ptr<State> start(const Targets& targets) const = 0;

  // Equilibrium from `state`, which is left at the best finite state found.
  virtual SolveReport solve(State& state, const Targets& targets, const Progress& progress = {}) const = 0;

  // Leaves an unstable equilibrium along its softest direction and descends to a stable one.
  virtual SolveReport nudge(State& state, const Targets& targets, const Progress& progress = {}) const = 0;

  [[nodiscard]] virtual Pose sample(const State& state, const Targets& targets) const = 0;

  // What happened since it was last asked: a sliding hold at the end of its rod, …
  [[nodiscard]] virtual std::vector<std::string> events(const State& state) const = 0;
};

class Formulation {
 public:
  virtual ~Formulation() = default;
  // What of this scene the formulation cannot honour: each names the object and the feature. Empty: it can run.
  [[nodiscard]] virtual std::vector<scene::Problem> check(const Scene& scene) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Model> compile(const Scene& scene) const = 0;
};

}  // namespace filum
