// A scene in motion: its model, its state and its clock. What `run` and `Session` have in common.
//
// One step reads the drivers at its end and marches there (march.hpp). With simulation.tolerance the length of a step
// follows from the error of the last one. Keyframes that switch a hold end a step; the scene is then compiled anew and
// the state carried over. What such a change takes from the energy or gives to it counts as work: it came from outside.
#pragma once

#include "base/index.hpp"
#include "formulations/formulation.hpp"
#include "sim/run/clock.hpp"
#include "sim/drivers.hpp"
#include "sim/run/march.hpp"
#include "sim/routing/routing.hpp"
#include "sim/routing/turn_balance.hpp"

#include <filum/outcome.hpp>
#include <filum/result.hpp>
#include <filum/run.hpp>
#include <filum/scene.hpp>
#include <filum/session.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace filum::sim {

// Asked of a hold by hand, instead of its driver.
struct Asked {
  std::optional<Vec3> position;
  std::optional<Quat> orientation;
  std::optional<double> turns;
};

class Engine {
 public:
  // The scene must be valid and accepted by the formulation.
  Engine(const Scene& scene, std::unique_ptr<Formulation> formulation);

  // At t = 0 as the scene's `start` says: as shaped, or in equilibrium, which `solve` tells about.
  void begin(const Progress& progress = {});
  // As a saved state says.
  Status restore(const SavedState& saved);
  // Switches the holds to what the keyframes of `scene` say for the present time.
  void catch_up(const Scene& scene);
  [[nodiscard]] SavedState save() const;

  // One step, not beyond `limit`. False: it could not be taken, `why` tells; everything is as before.
  bool step(double limit);
  // By the scene's own step, or by one step of length dt: more than one where holds switch or the step adapts.
  bool advance();
  bool advance(double dt);

  // To the equilibrium of where things are asked to be now, from the present state; at rest there. Not converged: the
  // state is the best that was found, or as before.
  const SolveReport& settle(const Progress& progress = {});

  // Other rods find their lengths, from the next settling on.
  void route(const std::vector<Routing>& routing);
  [[nodiscard]] const std::vector<FoundLength>& lengths() const { return router_.lengths(); }

  // Settles a body, which is not free, as far towards a pose as the rods that are held to anything let it.
  ReachReport move_within_reach(int body, const BodyPose& to, const Progress& progress = {});

  // From the next step on; what is not named stays.
  void ask(int hold, const Asked& asked);
  void ask_body(int body, const AskedBody& asked);
  // Of a rod, above zero: instead of its driver.
  void ask_length(int rod, double length) { asked_lengths_[at(rod)] = length; }
  [[nodiscard]] bool asks_length(int rod) const { return asked_lengths_[at(rod)].has_value(); }
  // Of a winch, m/s: likewise.
  void ask_speed(int winch, double speed) { asked_speeds_[at(winch)] = speed; }
  // Of a massless rope, m: likewise.
  void ask_rope(int rope, double length) { asked_ropes_[at(rope)] = length; }
  // Lets go of what is no longer fixed and grips what now is, where it is.
  void fix(int hold, const Fix& fix);
  // Another scene, which must be valid and accepted: the state is carried over, to another formulation as far as that
  // one can take it. What was asked by hand goes on, but for holds, bodies and lengths of which the new scene says
  // something new.
  void edit(const Scene& scene);

  [[nodiscard]] double time() const { return t_; }
  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const SolveReport& solve() const { return solve_; }
  [[nodiscard]] const RunReport& report() const { return report_; }
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] Pose pose() const;
  // Where holds and bodies were last brought.
  [[nodiscard]] const Targets& held() const { return last_; }
  // Of each rod, since the beginning.
  [[nodiscard]] std::vector<TurnBalance> turn_balances(const Pose& pose) const { return turns_.balance(pose); }
  [[nodiscard]] std::vector<Event> take_events();

 private:
  // What a switch must leave alone because a keyframe says where it is to be.
  struct Named {
    bool position = false;
    bool orientation = false;
  };

  void compile(const Scene& scene);
  void make_ready();
  void fill_next(double t);
  bool take(const Tick& tick);
  bool move_to(const Tick& tick);
  March march(const Tick& tick);
  bool adapt(double limit);
  bool accept(const March& march, double t);
  void note_events();
  void note_lengths(const std::vector<FoundLength>& before);
  void find_lengths(const Progress& progress);
  [[nodiscard]] Laying laying() { return {*formulation_, scene_, model_, state_, resting_, last_}; }

  [[nodiscard]] double next_switch() const;
  void apply_switches();
  void switch_hold(int hold, const Fix& fix, Named named);
  void rebuild(const Scene& scene, const std::vector<Grip>& grips, const std::vector<Asked>& asked,
               const std::vector<AskedBody>& asked_bodies);
  void keep_asked_drives(const Scene& scene);
  [[nodiscard]] Targets now_held(const Scene& old, const Targets& last, const Targets& found) const;

  std::unique_ptr<Formulation> formulation_;
  Scene scene_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<State> state_;
  std::optional<Marcher> marcher_;
  Targets resting_;
  Targets last_;              // where holds and bodies are
  Targets next_;              // where they are to be at the end of the step
  std::vector<Grip> grips_;   // per hold
  std::vector<Asked> asked_;  // per hold
  std::vector<AskedBody> asked_bodies_;
  std::vector<std::optional<double>> asked_lengths_;  // per rod
  std::vector<std::optional<double>> asked_speeds_;   // per winch
  std::vector<std::optional<double>> asked_ropes_;    // per rope: its length
  std::vector<double> compiled_;  // lengths of the rods in the model: they may have found others since
  Router router_;
  mutable TurnKeeper turns_;  // a look at the turns goes on from the last one
  double t_ = 0;
  double trial_ = 0;        // adaptive: length of the next step
  double edited_work_ = 0;  // energy that changes of the scene have brought in
  SolveReport solve_;
  RunReport report_;
  std::string why_;
  std::vector<Event> events_;
  std::vector<std::string> going_on_;  // events of the model that have been told
};

// What a hold of the scene is to fix at time t, by its keyframes.
Fix fix_at(const Scene& scene, int hold, double t);

Fix fix_of(const Hold& hold);
void set_fix(Hold& hold, const Fix& fix);

}  // namespace filum::sim
