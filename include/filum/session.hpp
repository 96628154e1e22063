// A simulation that goes on while somebody plays with it: step, move, release, fix, twist.
//
// It goes on in time by `step`, where the formulation has motion, or from equilibrium to equilibrium by `settle`.
// A session owns the scene, its compiled model, the state and the clock. Moving a hold or scaling a force only changes
// what is asked for at the end of the next step. A change of the scene itself (a hold that lets go, another stiffness,
// more segments) compiles it anew and carries the state over by arc length, velocities and turns included.
//
// Every call that may be refused answers a Status, or a Result of what it found: the error says why, and the session
// is as it was. A `settle` is never refused: whether there is an equilibrium stands in its report.
#pragma once

#include <filum/fix.hpp>
#include <filum/outcome.hpp>
#include <filum/progress.hpp>
#include <filum/result.hpp>
#include <filum/run.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filum {

struct Routing;
struct Scene;

// How far a body came before a rod held it back.
struct ReachReport {
  bool stopped = false;
  double fraction = 1;              // of the movement
  Event event;                      // that it stopped, and why
  std::vector<Shortage> shortages;  // the rod that stops it first; `t` and `stopped` are fractions of the movement
};

class Session {
 public:
  // At t = 0, as the scene's `start` says. `watch` may stop whatever computes: a settling or a step in time is then as
  // if it had not been begun (of several that one call takes, the one at hand), and refused or reported as stopped.
  static Result<Session> begin(const Scene& scene, const Progress& watch = {});
  // Another one watches from now on.
  void watch(const Progress& watch);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  // One step of the scene's length (or of `dt`): drivers, then whatever was asked for by hand. A step that does not
  // converge is halved; refused if even that fails, or if the formulation has no motion.
  Status step();
  Status step(double dt);

  // To the equilibrium of what is asked for now, from where things are: what a cable does that is laid by hand. Drivers
  // are read at the present time, which does not go on. Not converged: things are as near to it as they came.
  SolveReport settle();

  // Asked of a hold from the next step (or settling) on, instead of its driver. Turns are unwrapped, about the rod's
  // own tangent.
  Status move_hold(std::string_view hold, const Vec3& position);
  // Likewise by a hand of bounded strength, N: in motion, what is too strong for it slips, and is held where it came to.
  Status pull_hold(std::string_view hold, const Vec3& position, double most);
  Status turn_hold(std::string_view hold, const Quat& orientation);
  Status twist_hold(std::string_view hold, double turns);
  // Likewise of a body that is not free, with all that is held to it.
  Status move_body(std::string_view body, const Vec3& position);
  Status turn_body(std::string_view body, const Quat& orientation);
  // Of a rod from the next step (or settling) on, m, instead of its driver: as a winch pays out and hauls in.
  // Everything on the rod keeps its share of the length, and nothing is compiled anew.
  Status drive_length(std::string_view rod, double length);
  // Of a winch, m/s, above zero pays out, instead of its driver.
  Status drive_winch(std::string_view winch, double speed);
  // Of a massless rope, m, instead of its driver.
  Status drive_rope(std::string_view rope, double length);
  // Of a force or torque of the scene, by its place in the list: a factor on what is listed, instead of its driver. Not
  // part of what is saved.
  Status scale_force(std::size_t index, double factor);
  Status scale_torque(std::size_t index, double factor);
  // Brings such a body as far as the rods let it, and settles there. A rod holds it back where a part of it between
  // neighbouring holds or junctions bears its `max_tension`, or without such a limit where its ends are farther apart
  // than its length by more than 1e-3 of it. What was over its limit before may be so, but not more. Stopped: it is
  // where it came by then.
  Result<ReachReport> move_body_within_reach(std::string_view body, const Vec3& position, const Quat& orientation);

  // Rods that find their own lengths at every settling, instead of those of the scene: `scene()` then has the lengths
  // found.
  Status set_routing(const std::vector<Routing>& routing);
  [[nodiscard]] const std::vector<FoundLength>& lengths() const;

  // Lets go of what is no longer fixed and grips what now is, where it is.
  Status fix_hold(std::string_view hold, const Fix& fix);
  // Any other change of the scene. What was asked by hand goes on, but for holds, bodies and lengths of which the new
  // scene says something new. Another formulation goes on from the same shape, velocities and turns, as far as its
  // elements can take them.
  Status edit(const Scene& scene);

  [[nodiscard]] double time() const;
  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] Pose pose() const;
  // One per hold of the scene: where it was last brought.
  [[nodiscard]] const std::vector<HoldTarget>& hold_places() const;
  // One per rod: its unstretched length now, m.
  [[nodiscard]] std::vector<double> rod_lengths() const;
  // One per rod: turns of its ends against each other since the session began, and where they went.
  [[nodiscard]] std::vector<TurnBalance> turn_balances() const;
  // Of the present pose, which need not be sampled again then.
  [[nodiscard]] std::vector<TurnBalance> turn_balances(const Pose& pose) const;
  // The energy error is that of the poses which were asked for.
  [[nodiscard]] const RunReport& report() const;
  // What happened since it was last asked.
  [[nodiscard]] std::vector<Event> take_events();

  [[nodiscard]] SavedState save() const;
  Status load(const SavedState& saved);

 private:
  struct Parts;
  explicit Session(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace filum
