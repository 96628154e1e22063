// A scene in motion: a living scene and its clock. What `run` and `Session` have in common.
//
// One step reads the drivers at its end and marches there (march.hpp). With simulation.tolerance the length of a step
// follows from the error of the last one. Keyframes that switch a hold end a step; the scene is then compiled anew and
// the state carried over. What such a change takes from the energy or gives to it counts as work: it came from outside.
#pragma once

#include "base/index.hpp"
#include "formulations/formulation.hpp"
#include "sim/clips.hpp"
#include "sim/drivers.hpp"
#include "sim/live/asked.hpp"
#include "sim/live/hold_switches.hpp"
#include "sim/live/living_scene.hpp"
#include "sim/live/parted.hpp"
#include "sim/live/slip.hpp"
#include "sim/routing/routing.hpp"
#include "sim/routing/turn_balance.hpp"
#include "sim/run/clock.hpp"
#include "sim/run/step_control.hpp"
#include "sim/rupture.hpp"

#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/run.hpp>
#include <filum/scene.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace filum::sim {

class Engine {
 public:
  // The scene must be valid and accepted by the formulation.
  Engine(const Scene& scene, std::shared_ptr<const Formulation> formulation);

  // At t = 0 as the scene's `start` says: as shaped, or in equilibrium, which `solve` tells about.
  void begin(const Progress& progress = {});
  // As a saved state says.
  Status restore(const SavedState& saved);
  // Switches the holds to what the keyframes of `scene` say for the present time.
  void catch_up(const Scene& scene);
  [[nodiscard]] SavedState save() const;
  // Counts on from there.
  void count_on(const RunReport& earlier) { report_ = earlier; }

  // Who hears of every part of a step.
  void watch(Progress progress) { watch_ = std::move(progress); }

  // One step, not beyond `limit`. False: it could not be taken, `why` tells; everything is as before.
  bool step(double limit);
  // By the scene's own step, or by one step of length dt: more than one where holds switch or the step adapts.
  bool advance();
  bool advance(double dt);

  // To the equilibrium of where things are asked to be now, from the present state; at rest there. Not converged: the
  // state is the best that was found, or as before. Stopped: all is as before. Clips that bear more than they can open on
  // the way, and open ones take hold of what has come near.
  const SolveReport& settle(const Progress& progress = {});

  // Other rods find their lengths, from the next settling on.
  void route(const std::vector<Routing>& routing);
  [[nodiscard]] const std::vector<FoundLength>& lengths() const { return router_.lengths(); }

  // What is asked by hand, from the next step on.
  [[nodiscard]] Asked& asked() { return asked_; }
  // Where drivers and hands want everything now.
  [[nodiscard]] Targets wanted() const;
  // Lets go of what is no longer fixed and grips what now is, where it is.
  void fix(const HoldSwitch& to);
  // Another scene, which must be valid and accepted: the state is carried over, to another formulation as far as that
  // one can take it. What was asked by hand goes on, but for holds, bodies and lengths of which the new scene says
  // something new.
  void edit(const Scene& scene);

  [[nodiscard]] double time() const { return t_; }
  [[nodiscard]] const LivingScene& living() const { return living_; }
  [[nodiscard]] const Scene& scene() const { return living_.scene(); }
  [[nodiscard]] const SolveReport& solve() const { return solve_; }
  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] Pose pose() const;
  // Of each rod, since the beginning. A look at the turns goes on from the last one.
  [[nodiscard]] std::vector<TurnBalance> look_at_turns(const Pose& pose) { return turns_.balance(pose); }
  Event& tell(EventKind kind);
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] std::vector<Event> take_events();

 private:
  [[nodiscard]] const Simulation& simulation() const { return scene().simulation; }
  void fill_wanted(double t, Targets& targets) const;
  bool take(const Tick& tick);
  bool go(const Tick& tick);
  bool go_by_hand(const Tick& tick);
  bool go_slipping(const Tick& tick, const std::vector<Slip>& slips);
  void tell_laid_out(const Pose& now);
  void find_rest(const Progress& progress);
  March march(const Tick& tick);
  bool adapt(double limit);
  bool accept(const March& march, double t);
  void note_events();
  void note_lengths(const std::vector<FoundLength>& before);
  void switch_to(const HoldSwitch& to);
  enum When { InMotion, AtRest };
  bool judge_clips(When when);
  void judge_rupture();
  void part(const Rupture& rupture);
  bool close_clip(int hold, const RodPose& rod, double s, const Vec3& seat, When when);
  bool push_in(int hold, double push, When when);
  void tell_caught(const Hold& hold, double s, double push);
  void change_to(LivingScene changed);
  void go_over_to(LivingScene& other);

  std::shared_ptr<const Formulation> whole_;  // that of rods which have not parted
  std::vector<Parting> partings_;
  LivingScene living_;
  Targets next_;             // where holds and bodies are to be at the end of the step
  std::vector<Grip> grips_;  // per hold
  Asked asked_;
  std::vector<Slip> slips_;  // holds that hands were too weak for in the last step
  Router router_;
  TurnKeeper turns_;
  StepControl control_;
  double t_ = 0;
  double edited_work_ = 0;  // energy that changes of the scene have brought in
  double broken_ = 0;       // energy that went into what has parted, J
  SolveReport solve_;
  RunReport report_;
  std::string why_;
  Progress watch_;
  std::vector<Event> events_;
  std::vector<Event> going_on_;  // events of the model that have been told
};

}  // namespace filum::sim
