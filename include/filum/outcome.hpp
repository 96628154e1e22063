// What a solve leaves behind: reports, states, events, checks. `io` writes it as result.json and report.html.
#pragma once

#include <filum/pose.hpp>
#include <filum/reference.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum {

struct SolveReport {
  bool converged = false;
  std::optional<bool> stable;  // by inertia; empty when the scene is not conservative or did not converge
  std::string why;             // why `converged` is false or `stable` is empty; empty if there is nothing to say
  int iterations = 0;          // Newton iterations in all
  double residual = 0;         // largest nodal |Σ forces| / largest nodal Σ|element forces|
  double floor = 0;            // what round-off alone leaves of it
  double seconds = 0;          // from the parsed scene to the final state
  bool hopeless = false;       // there can be no equilibrium: smaller steps would not help
  bool stopped = false;        // not converged because its watcher asked to stop (progress.hpp)
  int leaps = 0;               // iterations shortened because an edge would have turned too far
  int load_steps = 0;          // > 0: one solve failed and the loads were raised in so many steps
  bool nudged = false;         // left an unstable branch on request
  std::string begun_from;      // its own way led nowhere: the formulation whose equilibrium it then began from
};

// What a run did, beside the states it went through.
struct RunReport {
  bool completed = false;       // reached its end
  std::string why;              // why not
  long steps = 0;               // of the scene's own step length (adaptive: that were taken)
  long failed_steps = 0;        // that did not converge at one go and were halved
  long halvings = 0;            // in all of them
  long rejected_steps = 0;      // adaptive: tried, and taken back because their error was above the tolerance
  long unconverged_steps = 0;   // accepted short of convergence: bounded cost
  double residual_left = 0;     // of those at worst, as SolveReport's; 1: a step that was not taken at all
  long iterations = 0;          // Newton's (or the projection's), in all
  double max_energy_error = 0;  // largest |energy balance − its value at the start|, J
  double energy_scale = 0;      // what that is to be compared with: the largest kinetic or stored energy that moved, J
  double neglected_strain = 0;  // inextensible steppers: largest |axial force|/EA
  double smallest_step = 0;     // s
  double largest_step = 0;      // s
  double start = 0;             // s: where it began
  double end = 0;               // s: where it stopped
  double seconds = 0;           // wall time, set by whoever has a clock
};

// What happened. Each says below which of an event's fields it fills; <filum/words.hpp> makes a sentence of them.
enum class EventKind {
  Told,           // why: the sentence itself, of a stored result
  SliderStopped,  // object: a sliding hold; it has reached `to` on `rod`
  LaidOut,        // object: a rod that begins at its own length; value: by which share of that it was drawn longer;
                  // why: what keeps it stretched, if anything does
  TooShort,       // object: a rod, shown stretched between `from` and `to`; value: what is missing, m
  Broke,   // object: a rod at `from`, or a rope; why: how, where it is told, and value: the strain or the tension
  Jerked,  // likewise; value: the tension of a blow that the step rounds off, N
  LetGo,   // object: a hold, as of the next three
  FixesPosition,
  FixesOrientation,
  FixesPose,
  Popped,          // object: a clip, pulled open by its load; value: the load, N; why: in which direction
  Caught,          // object: a clip; it has taken hold at `from` of its rod; value: the push that it took, N
  LengthFound,     // object: a rod, between `from` and `to`; value: its length, m; as of the next four
  LengthShortest,  // as LengthVerdict has them
  LengthLongest,
  LengthKept,
  LengthFailed,
  PushedOut,     // object: a rod, drawn inside the obstacle `why`, deepest at `from`; value: how far it was moved, m
  BodyStopped,   // object: a body; `rod` between `from` and `to` is too short by value, m, or why
  WinchStopped,  // object: a winch at its shortest or longest rope; value: that length, m
  BrakeSlipped,  // object: a winch whose rope pulls harder than its brake; value: the force, N
  WentSlack,     // object: a rod or rope that bore a load and bears none any more
  RopeJumped,    // object: a sheave; its rope has come off it, rod: that rope
  JointStopped,  // object: a joint between bodies at one of its ends; value: which one, rad or m
  RopeUntied,    // object: a rope
  KnotsAdapted,  // object: a rod of splines; value: by how much the elastic energy changed, J; why: the figures, in words
  EnergyTaken,  // value: the share of the energy that moved which a fixed step has taken; why: what to use instead
  EnergyMade,   // likewise, which it has made
  StepDivided,  // why
  RunStopped    // why
};

struct Event {
  double t = 0;
  EventKind kind = EventKind::Told;
  ObjectRef object;  // what it happened to
  std::string rod;   // that the places are on, where the object is something else
  RodPlace from;
  RodPlace to;
  double value = 0;
  std::string why;

  // The same thing, perhaps with other figures at another time.
  [[nodiscard]] bool same(const Event& other) const {
    return kind == other.kind && object == other.object && rod == other.rod && from.same(other.from) &&
           to.same(other.to) && why == other.why;
  }
  bool operator==(const Event&) const = default;
};

enum class CheckKind {
  BendRadius,  // of the centre line
  InsideBendRadius,
  Tension,
  BreakingTension,
  TensileStrain,  // of the outermost fibre, against the strain at which the rod breaks
  CompressiveStrain,
  ShearStrain,
  HoldForce,
  TransverseForce,
  HoldPull,
  HoldShear,
  ClipPull,
  ClipShear,
  ClipAlong,
  Length,
  Yield,            // of a rod that may yield: how far it is or has been strained, times first yield
  Clearance,        // of a rod's surface from the nearest of all else
  PassesThrough,    // likewise, of what is too near to be true; listed only where it is so
  ContactForce,     // of a stretch of rod that touches one thing, sum along it
  ContactPressure,  // on a square of the rod's width
  Chafing           // normal force times way slipped, at the place with the most of it
};

// Radii and clearances must not fall below their limit; all others must not rise above theirs.
constexpr bool is_least(CheckKind kind) {
  return kind == CheckKind::BendRadius || kind == CheckKind::InsideBendRadius || kind == CheckKind::Clearance ||
         kind == CheckKind::PassesThrough;
}

// What is neither a length, a pressure, chafing nor a plain number is a force.
constexpr bool is_length(CheckKind kind) {
  return is_least(kind) || kind == CheckKind::Length;
}
constexpr bool is_plain(CheckKind kind) {
  return kind == CheckKind::Yield || kind == CheckKind::TensileStrain || kind == CheckKind::CompressiveStrain ||
         kind == CheckKind::ShearStrain;
}

// One limit, how near it came, where.
struct Check {
  CheckKind kind = CheckKind::BendRadius;
  ObjectRef object;
  double value = 0;  // m, N or a plain number
  double limit = 0;  // likewise
  double s = 0;      // m
  double t = 0;
  bool violated = false;
  std::optional<double> other = std::nullopt;  // of a bend radius: that of the line it is not measured to, m
  ObjectRef near{};                            // Clearance, PassesThrough: what it is near
  double near_s = 0;                           // m, where along that if it is a rod
};

// A part of a rod that found its length (docs/routing.md).
enum class LengthVerdict {
  Found,     // force and pull are in balance
  Shortest,  // straight between its ends: it would be shorter still
  Longest,   // no finite length, or none up to the longest allowed
  Kept,      // pulled: nothing pulls harder than it may
  Failed     // no equilibrium on the way: as long as it was
};
struct FoundLength {
  std::string rod;
  RodPlace from;
  RodPlace to;
  double length = 0;  // unstretched, m
  double added = 0;   // since the scene's own length, m
  double force = 0;   // mean along it: self-finding N + ½ M·κ, pulled N
  double pull = 0;    // what it is compared with, N
  LengthVerdict verdict = LengthVerdict::Found;
};

// A part of a rod that is pulled beyond its limit because it is too short for where its ends are to be.
struct Shortage {
  std::string rod;
  RodPlace from;
  RodPlace to;
  double limit = 0;    // the tension that it may bear, N
  double tension = 0;  // the largest that it bore, mean along it, N
  double missing = 0;  // extra length with which all that was asked for can be reached, m
  double t = 0;        // when most is missing
  double stopped = 0;  // from when on: there it would stop whoever pulls
};

// Turns of a rod's ends against each other since the first state, and where they went:
// twist + writhe = turns − 2 crossings + remainder (docs/theory/cosserat.md, section 4).
struct TurnBalance {
  double turns = 0;      // of the ends, about the rod
  double twist = 0;      // of the material
  double writhe = 0;     // of the centre line
  int crossings = 0;     // of the rod with itself, signed: one that lowers the writhe by two counts +1
  double remainder = 0;  // zero but for round-off: no turn was lost
};

struct Snapshot {
  double t = 0;
  Pose pose;
};

// One row per recorded instant: what a plot over time needs.
struct HistoryRow {
  double t = 0;
  Energy energy;
  std::vector<Vec3> hold_force;
  std::vector<Vec3> hold_moment;
  std::vector<Vec3> probe;            // positions
  std::vector<Vec3> probe_velocity;   // a run's
  std::vector<double> turns;          // of each rod
  std::vector<TurnBalance> balance;   // of each rod, statics along a path; all zero for a ring
  std::vector<double> found_length;   // of each of the outcome's `lengths`
  std::vector<double> rope_tension;   // of each rope: the largest along it, N
  std::vector<double> winch_force;    // of each winch, N
  std::vector<double> sheave_before;  // of each sheave: the tension where the rod comes on, N
  std::vector<double> sheave_after;   // and where it leaves
};

struct Outcome {
  SolveReport solve;             // of the equilibrium: the outcome's own, or the one a run began from
  std::optional<RunReport> run;  // a run's; `states` then has the first and the last
  std::vector<Snapshot> states;  // at least one
  std::vector<Event> events;
  std::vector<Check> checks;
  std::vector<FoundLength> lengths;  // of rods that find their own, in the last state
  std::vector<Shortage> shortages;   // of statics: rods that are too short, the worst of each
  std::vector<HistoryRow> history;
};

}  // namespace filum
