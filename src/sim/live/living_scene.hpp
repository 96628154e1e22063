// A scene that lives: its formulation, its compiled model with the scratch that it works in, a state of it, and where
// its holds and bodies are.
//
// The one owner of these things. Statics, natural modes, runs, sessions and the search for lengths all go from state to
// state through it. A rod that changes its length as a whole does so through the targets, and nothing is compiled; one
// that changes in a part of it is compiled anew and the state carried over. The scene always says how long a rod is now.
#pragma once

#include "formulations/formulation.hpp"
#include "scene/parts.hpp"
#include "sim/live/scene_part.hpp"
#include "sim/run/march.hpp"

#include <filum/outcome.hpp>
#include <filum/scene.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace filum::sim {

// A part of a rod that is to get another length.
struct PartLength {
  int rod = 0;
  scene::Part part;  // as it is now
  double length = 0;
};

class LivingScene {
 public:
  // Compiled, without a state yet: `start`, `find_equilibrium`, `carry_over` or `unpack` gives it one. The scene must be
  // valid and accepted by the formulation.
  LivingScene(Scene scene, std::shared_ptr<const Formulation> formulation);
  // Likewise, compiled with rods of other lengths than the scene's: of a state that was saved after they had changed.
  LivingScene(Scene scene, std::shared_ptr<const Formulation> formulation, std::vector<double> compiled_lengths);
  // A copy to try things on, of the scene as it is or with other stiffnesses.
  [[nodiscard]] LivingScene copy() const { return copy_as(scene_); }
  [[nodiscard]] LivingScene copy_as(const Scene& other) const;

  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const std::shared_ptr<const Formulation>& formulation() const { return formulation_; }
  // Where everything is before any driver acts; its lengths are the scene's.
  [[nodiscard]] const Targets& resting() const { return resting_; }
  // Where holds and bodies were last brought.
  [[nodiscard]] const Targets& held() const { return held_; }
  // Of the rods in the model.
  [[nodiscard]] const std::vector<double>& compiled_lengths() const { return compiled_lengths_; }
  [[nodiscard]] Pose pose() const { return model_->sample(*workspace_, *state_, held_); }
  [[nodiscard]] Targets where_it_is() const { return model_->where_it_is(*state_, held_); }
  [[nodiscard]] const Model& model() const { return *model_; }
  // Parts a rod at arc length s, where its model does that itself.
  bool part(int rod, double s) { return model_->part(*state_, rod, s); }
  [[nodiscard]] std::vector<Event> events() const;

  // In the scene's shape, holds at `targets`.
  void start(const Targets& targets);
  // In equilibrium at `targets`, from the scene's shape; not converged: in the best state that was found.
  SolveReport find_equilibrium(const Targets& targets, const Progress& progress = {});
  // In the state of another one, of which this is an edit: by names and arc lengths, velocities and turns included.
  // Holds, bodies and lengths that were there are where they were; others begin at `wanted`.
  void carry_over(const LivingScene& from, const Targets& wanted);

  // From where it is to the equilibrium at `next`. Not converged: in the best state that was found, held as before.
  SolveReport follow(const Targets& next, const Progress& progress = {});
  // Likewise, for who goes on from the equilibrium that it left last: islands that nothing asks to change stay as they
  // are, to the last bit, and are not looked at. What has only been drawn yet comes to its first equilibrium.
  SolveReport lay(const Targets& next, const Progress& progress = {});
  // Likewise with the lengths of the scene instead of those of `next`. Not converged: everything is as before.
  SolveReport settle(const Targets& next, const Progress& progress = {});
  // Off an unstable equilibrium to a stable one.
  SolveReport nudge(const Progress& progress = {});
  [[nodiscard]] std::vector<NaturalMode> modes(int count, const Progress& progress = {}) const;

  // Tries to get to `next`, dt later. Who accepts what has come out says so by `set_held`; otherwise `undo`.
  March march(const Targets& next, double dt, RunReport& counts, const Progress& progress = {});
  void undo() { marcher_->undo(*state_); }
  // Holds and bodies count as being there. Does not allocate.
  void set_held(const Targets& targets) { held_ = targets; }

  // Gives the parts, no two of which overlap, their new lengths; `part` of each is then where it is now. Says what the
  // scene refuses; then nothing has changed.
  Status set_lengths(std::vector<PartLength>& parts);
  void set_routing(const std::vector<Routing>& routing) { scene_.routing = routing; }

  // The state, to go back to as long as nothing is compiled anew.
  [[nodiscard]] std::unique_ptr<State> keep() const { return state_->clone(); }
  void go_back_to(std::unique_ptr<State> kept) {
    state_ = std::move(kept);
    laid_.reset();
  }
  // All of it, to go back to whatever is done to it meanwhile.
  struct Kept {
    Scene scene;
    std::vector<double> compiled_lengths;
    std::shared_ptr<const Model> model;
    std::unique_ptr<State> state;
    Targets resting;
    Targets held;
  };
  [[nodiscard]] Kept keep_all() const;
  void go_back_to(Kept kept);

  // The state as numbers, and back; false: they do not fit, and nothing has changed.
  [[nodiscard]] std::vector<double> pack() const { return state_->pack(); }
  bool unpack(std::span<const double> values, const Targets& targets);

 private:
  // Some islands as a model of their own, in the state that the whole has them in.
  struct Part {
    std::vector<char> rods;  // of the whole: which
    ScenePart part;
    std::unique_ptr<const Model> model;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<State> state;
  };
  // The state is the equilibrium at `held_` that `lay` left, and is not known to be unstable.
  struct Laid {
    std::optional<bool> stable;
    std::vector<int> islands;
    std::unique_ptr<Part> part;  // that moved last
  };
  SolveReport lay_first(const Targets& next, const Progress& progress);
  bool take_part(const std::vector<char>& rods);
  std::optional<SolveReport> lay_part(const Targets& next, const Progress& progress);

  std::shared_ptr<const Formulation> formulation_;
  Scene scene_;
  std::vector<double> compiled_lengths_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Workspace> workspace_;  // of the model
  std::unique_ptr<State> state_;
  bool drawn_ = false;                // neither moved nor in balance since it was drawn
  bool edited_ = false;               // not in balance since the scene was edited
  std::vector<Event> begun_;          // what happened on the way to its first equilibrium
  std::unique_ptr<Marcher> marcher_;  // of the model, from the first march on
  Targets resting_;
  Targets held_;
  std::optional<Laid> laid_;
};

}  // namespace filum::sim
