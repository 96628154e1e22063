// The one interface behind which every formulation lives.
//
// A formulation turns a scene into a Model, constant once compiled and shared by threads, a State, a value that holds all
// that moves or remembers, and a Workspace, which each thread has for itself. Everything around it (drivers, load stepping, recording, checks, files) is written once against this
// header and never asks which formulation is running.
#pragma once

#include "formulations/features.hpp"
#include "scene/problem.hpp"

#include <filum/modes.hpp>
#include <filum/outcome.hpp>
#include <filum/pose.hpp>
#include <filum/progress.hpp>

#include <memory>
#include <span>
#include <vector>

namespace filum {

struct Scene;

// What the outside asks for at the end of a solve or a step. Lists run parallel to the scene's.
struct Targets {
  std::vector<HoldTarget> holds;
  std::vector<BodyPose> bodies;
  std::vector<double> force_scale;
  std::vector<double> torque_scale;
  std::vector<double> rod_length;
  std::vector<double> winch_speed;  // m/s, > 0 pays out
  std::vector<double> joint_scale;  // of joints between bodies: factor on what drives them
  std::vector<double> rope_tied;    // 1: tied; 0: it pulls at nothing
  std::vector<double> rope_length;  // m; negative: as it lies at the start
  double load = 1;                  // factor on gravity and on all forces: 1 but for load stepping
  // Of a solve: the state that it begins from was in equilibrium, so that what rubs knows where it has come from. The
  // first equilibrium of a drawn shape is found without friction.
  bool increment = false;
};

// Tells how far a solve is. True: its watcher asks to stop, and the report says so.
inline bool stops(const Progress& progress, double share, const char* what, SolveReport& report) {
  if (!stops(progress, share, what)) return false;
  report.stopped = true;
  report.converged = false;
  report.why = kStopped;
  return true;
}

class State {
 public:
  virtual ~State() = default;
  [[nodiscard]] virtual std::unique_ptr<State> clone() const = 0;
  // Becomes a copy of a state of the same model, without allocating: for going back to before a step.
  virtual void assign(const State& other) = 0;
  // All of it as numbers, for `Model::unpack`.
  [[nodiscard]] virtual std::vector<double> pack() const = 0;
};

// Scratch of solves and steps, sized by the model it belongs to: nothing that a state would remember. One per thread.
class Workspace {
 public:
  virtual ~Workspace() = default;
};

// One step in time.
struct StepReport {
  bool converged = false;       // to the formulation's own tolerance
  bool usable = false;          // finite, and with bounded cost good enough to go on from though not converged
  const char* why = "";         // why not
  int iterations = 0;           // Newton's, or the projection's
  double residual = 0;          // as SolveReport's
  double error = 0;             // estimate of the step's own error, share of the longest rod: for an adaptive step
  double neglected_strain = 0;  // inextensible steppers: |axial force|/EA at worst
  bool blow = false;            // a pull rose so suddenly that how high depends on the step
  bool coarse = false;          // it has made energy, as a shorter one would not: to be taken back and halved
  double made = 0;              // what this and earlier steps have made and not yet lost, share of the energy that moves
};

// What of a scene stays as it is. Calls that need scratch take a workspace of this very model, any one of them: the
// answer is the same to the last bit.
class Model {
 public:
  virtual ~Model() = default;

  [[nodiscard]] virtual std::unique_ptr<Workspace> workspace() const = 0;

  // The scene's initial shape, holds where `targets` puts them.
  [[nodiscard]] virtual std::unique_ptr<State> start(const Targets& targets) const = 0;

  // Equilibrium from `state`, which is left at the best finite state found. Every iteration looks up at `progress`.
  virtual SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                            const Progress& progress = {}) const = 0;

  // Leaves an unstable equilibrium along its softest direction and descends to a stable one.
  virtual SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                            const Progress& progress = {}) const = 0;

  // Moves `state` by dt > 0 under forces and inertia; holds and driven bodies, which are where the last step (or the
  // start) left them, arrive at `targets` at its end, at an even rate. If the report is not usable the state is spoilt:
  // the caller goes back to a copy and tries a shorter step. Turning a hold by half a turn or more in one step is
  // refused in this way. Does not allocate.
  virtual StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const = 0;

  // After a blow the same time is gone through again in shorter steps (sim/run/closer_look.hpp), with another state. All
  // peaks of its pulls so far, summed, N: they grow as long as the blow does.
  [[nodiscard]] virtual double peak_pulls(const State&) const { return 0; }
  // `state` takes over the peaks that were found so, and breaks where they broke it.
  virtual void take_peaks(State& /*state*/, const State& /*looked*/) const {}

  // Parts a rod in its state, at the place nearest to arc length s where it can. False: it does not do so itself, and is
  // compiled anew with the rod cut (sim/live/parted.hpp).
  virtual bool part(State& /*state*/, int /*rod*/, double /*s*/) const { return false; }

  // The longest step worth trying: 0 if any is. From a given state it may be shorter: taut rods, bodies that spin.
  [[nodiscard]] virtual double longest_step() const { return 0; }
  [[nodiscard]] virtual double longest_step_from(const State&) const { return longest_step(); }

  // Natural modes about the equilibrium `state`, at most `count`, by rising ω²; none if it was stopped, or if the
  // formulation has none (Feature::NaturalModes).
  [[nodiscard]] virtual std::vector<NaturalMode> modes(Workspace& /*workspace*/, const State& /*state*/,
                                                       const Targets& /*targets*/, int /*count*/,
                                                       const Progress& /*progress*/ = {}) const {
    return {};
  }

  // `state` of another model, carried over to this one by the rods' names and arc lengths, with velocities, turns and
  // ledgers. Rods and bodies that the other model lacks are where this scene puts them. Null: that model is of another
  // formulation, of whose states this one knows nothing.
  [[nodiscard]] virtual std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                          const Targets& targets) const = 0;

  // The rods, bodies and holds of `part`, a model of islands of this scene compiled by the same formulation, become what
  // they are in a state of it at rest; all else keeps its bits. False: they cannot, and nothing has changed.
  virtual bool take_over(State& /*state*/, const Model& /*part*/, const State& /*of_part*/) const { return false; }

  // A state that `pack` wrote, or null if it does not fit this model.
  [[nodiscard]] virtual std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const = 0;

  // Poses of the holds and free bodies as the state has them: what a hold that takes hold again finds, in the form of
  // targets. Lists run parallel to the scene's.
  [[nodiscard]] virtual Targets where_it_is(const State& state, const Targets& targets) const = 0;

  [[nodiscard]] virtual Pose sample(Workspace& workspace, const State& state, const Targets& targets) const = 0;

  // What there is to tell of the state: a sliding hold at the end of its rod, … Their time is left to the caller.
  [[nodiscard]] virtual std::vector<Event> events(const State& state) const = 0;
};

class Formulation {
 public:
  virtual ~Formulation() = default;
  // What it has of that which only some have. `check` need not tell of these.
  [[nodiscard]] virtual bool supports(Feature feature) const = 0;
  // What of this scene the formulation cannot honour: each names the object and the feature, or an option of
  // its own that makes no sense. Empty: it can run.
  [[nodiscard]] virtual std::vector<scene::Problem> check(const Scene& scene) const = 0;
  // What of it cannot be moved in time, though it has equilibria.
  [[nodiscard]] virtual std::vector<scene::Problem> check_motion(const Scene&) const { return {}; }
  [[nodiscard]] virtual std::unique_ptr<Model> compile(const Scene& scene) const = 0;
};

}  // namespace filum
