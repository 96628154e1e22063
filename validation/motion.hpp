// The kit of the cases in motion: runs and sessions that report their failure to the sheet, release from a natural
// mode, and what is read off a time series.
#pragma once

#include "validation/scenes.hpp"

#include <filum/modes.hpp>
#include <filum/run.hpp>
#include <filum/session.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace filum::validation {

// A scene in motion. What goes wrong is told to the sheet, which then fails the case; the pose stays what it was.
class Motion {
 public:
  Motion(Sheet& sheet, Scene scene);

  // As `scene` has it, at rest but for the displacement `amplitude` times the mode of its equilibrium. A static force
  // Mφ displaces a rod by φ/ω², so the motion begins from equilibrium under that force, which is then taken away:
  // nothing but this mode is excited, on a stable equilibrium or on an unstable one.
  static Motion released(Sheet& sheet, const Scene& scene, const NaturalMode& mode, double amplitude);

  // False: the step failed, now or before.
  bool step();
  [[nodiscard]] bool fine() const { return session_.has_value(); }
  [[nodiscard]] double time() const { return fine() ? session_->time() : 0; }
  [[nodiscard]] Pose pose() const { return fine() ? session_->pose() : last_; }
  [[nodiscard]] RunReport report() const { return fine() ? session_->report() : RunReport{}; }

  // Steps until `end`, telling the pose after every `every`-th step, and at first.
  void watch(double end, int every, const std::function<void(double, const Pose&)>& tell);

 private:
  void give_up(const std::string& why);

  Sheet& sheet_;
  std::optional<Session> session_;
  Pose last_;
};

// The whole run, which must come to its end.
Outcome run_through(Sheet& sheet, const Scene& scene);

// The modes about the scene's equilibrium, which must exist: at least `count`, or the case fails.
ModesOutcome modes_of(Sheet& sheet, const Scene& scene, int count);
// The softest of them that is no rigid motion.
const NaturalMode& softest(const ModesOutcome& outcome);

// Lumped masses of a scene's first rod: per entry of RodPose::position, a closed rod's last entry counting nothing.
std::vector<double> node_masses(double mass_per_length, const RodPose& rod);

// How far the first rod is displaced along a mode: φᵀM(x − x0)/φᵀMφ.
double share_of_mode(const NaturalMode& mode, const std::vector<double>& masses, const RodPose& rod,
                     const RodPose& rest);

// s² of a series y ~ cosh(st + c), or −ω² of y ~ cos(ωt + c), taken at the interval dt: y(t + τ) + y(t − τ) =
// 2 cosh(sτ) y(t), by least squares, with τ of `lag` intervals.
double squared_rate(const std::vector<double>& y, double dt, int lag);

// The mean time between zero crossings in one direction, each placed by the cubic through four values.
double mean_period(const std::vector<double>& y, double dt);

// Amplitude and rate of decay of y ~ exp(−δt) cos(ωt + c), by the largest values of each swing.
struct Swings {
  double period = 0;
  double decay = 0;  // δ
};
Swings swings(const std::vector<double>& y, double dt);

// The root of the line through the points (x, y), least squares.
double root_of_line(const std::vector<double>& x, const std::vector<double>& y);

// Linear and angular momentum about the origin of a scene's first rod, with lumped masses.
struct Momentum {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
};
Momentum momentum(const std::vector<double>& masses, const RodPose& rod);

}  // namespace filum::validation
