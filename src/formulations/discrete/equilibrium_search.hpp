// Finding equilibria: Newton with capped rotations, and a descent that always goes downhill when Newton loses its way.
//
// `System` is a formulation's own, at whose heart is the tangent of a state; `State` is what it moves:
//
//     Balance evaluate(State&, const Targets&, Want)      residual and, if wanted, tangent
//     bool solve(double shift)                            for the step; false: not finite
//     void advance(State&, double factor)                 by a share of that step
//     double largest_rotation(const State&)               of anything, that the step asks for, rad
//     int excess_negative()                               pivots below zero beyond those of the constraints
//     void track_sliders(const State&), release_stops(State&)
//     double soft_stiffness(), typical_stiffness(), size(), largest_multiplier(const State&)
//     where rods yield: bool begin_increment(), void set_yield(Yield), bool find_stretched(const State&),
//     double largest_part(const State&, double rotation)
//     double free_share(const State&)                     where there are obstacles: of the step, that may be taken
#pragma once

#include "formulations/discrete/balance.hpp"
#include "formulations/discrete/stability.hpp"
#include "formulations/formulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::discrete {

// While a step still turns an edge far, an indefinite matrix is shifted until it is not: its step would lead uphill to
// some distant saddle. Near by, `Keep` takes the pure step, which stays at an unstable equilibrium if that is where the
// state is; `Leave` goes on shifting, and so goes downhill from it.
enum class Branch { Keep, Leave };

namespace search {
inline constexpr double kTolerance = 1e-10;  // of the residual, unless ten times the floor is more
inline constexpr double kFloorFactor = 10;
inline constexpr double kGapTolerance = 1e-10;  // of ties and sliders, share of the model's size
inline constexpr int kNewtonIterations = 60;
inline constexpr int kTouchingIterations = 200;  // where contacts are to be found on the way
inline constexpr int kDescentIterations = 400;
inline constexpr int kElasticIterations = 25;     // after which rods yield whether an elastic balance was found or not
inline constexpr double kLargestRotation = 0.5;   // of an edge in one iteration, rad
inline constexpr double kSettledRotation = 1e-4;  // a step this small ends with the square of it
// Stiffness below which a direction counts as neutral: a share of the softest bending, and so many round-offs of the
// stiffest stretch.
inline constexpr double kNeutral = 1e-6;
inline constexpr double kRoundOffs = 16;
// Corrections this small, one after the other, are round-off: so is what is then left of the balance, whatever the floor
// says, which does not know the sums of a junction of thick and thin. Rad; of the residual.
inline constexpr double kRoundOffRotation = 1e-13;
inline constexpr double kRoundOffResidual = 1e-6;
inline constexpr double kFarRotation = 0.1;  // a step that turns an edge by more is far from equilibrium, rad
inline constexpr double kShiftGrowth = 4;
inline constexpr int kMostShifts = 40;
inline constexpr int kMostNewtonShifts = 10;  // Newton that needs more is lost
}  // namespace search

inline bool balanced(const Balance& b) {
  return b.finite && b.settled && b.constraint <= search::kGapTolerance &&
         b.residual <= std::max(search::kTolerance, search::kFloorFactor * b.floor);
}

// Likewise where two corrections in a row turned nothing.
inline bool settled(const Balance& b, double rotation, double rotation_before) {
  return b.finite && b.settled && b.constraint <= search::kGapTolerance && b.residual <= search::kRoundOffResidual &&
         rotation <= search::kRoundOffRotation && rotation_before <= search::kRoundOffRotation;
}

// A system at a state, as discrete/stability.hpp wants it.
template <class System, class State>
struct SystemAt {
  System& system;
  State& state;
  const Targets& targets;
  typename System::Want want = System::Want::TrueTangent;
  void evaluate() { system.evaluate(state, targets, want); }
  bool solve(double shift) { return system.solve(shift); }
  bool factor(double shift) {
    if constexpr (requires { system.factor_shifted(shift); }) return system.factor_shifted(shift);
    return system.solve(shift);
  }
  [[nodiscard]] int excess_negative() const { return system.excess_negative(); }
  std::vector<double>& step() { return system.step(); }
  [[nodiscard]] bool turns(int row) const { return system.is_primal(row); }
  [[nodiscard]] bool is_free(int row) const { return system.is_free(row); }
};

// From a tenth of the softest bending on.
template <class System, class State>
bool solve_shifted(const SystemAt<System, State>& at, int most, double& shift) {
  shift = std::max(shift, 0.1 * at.system.soft_stiffness());
  return discrete::solve_shifted(at, search::kShiftGrowth, most, shift);
}

// An increment begins elastic, where a system has rods that yield. True: they yield already.
template <class System>
bool begin_yielding(System& system) {
  if constexpr (requires { system.begin_increment(); }) {
    if (!system.begin_increment()) return true;
    system.set_yield(System::Yield::Off);
    return false;
  }
  return true;
}
template <class System>
bool set_yielding(System& system) {
  if constexpr (requires { system.begin_increment(); }) system.set_yield(System::Yield::On);
  return true;
}

// Whether edges in balance are stretched beyond yield, which from now on do yield.
template <class System, class State>
bool stretches_further(System& system, const State& state) {
  if constexpr (requires { system.find_stretched(state); }) return system.find_stretched(state);
  return false;
}

// What of the last step is taken: nothing turns too far, nothing goes through an obstacle.
template <class System, class State>
double share_of_step(System& system, const State& state, double rotation) {
  const double share = rotation > search::kLargestRotation ? search::kLargestRotation / rotation : 1;
  if constexpr (requires { system.free_share(state); }) return std::min(share, system.free_share(state));
  return share;
}

template <class System>
int most_iterations(System& system) {
  if constexpr (requires { system.touching(); })
    if (system.touching()) return search::kTouchingIterations;
  return search::kNewtonIterations;
}

// Newton to convergence from `state`. The path, fast: 4 to 10 iterations from afar. Not monotone in anything: a linear
// step lengthens what it turns, energy and residual jump, and both collapse in the next iteration.
template <class System, class State>
SolveReport newton(System& system, State& state, const Targets& targets, Branch branch, const Progress& progress) {
  SolveReport report;
  double last_rotation = 0;
  double rotation_before = 1;
  bool yields = begin_yielding(system);
  const int most = most_iterations(system);
  for (int iteration = 0; iteration <= most; ++iteration) {
    system.track_sliders(state);
    // strains on the way to a balance are those of no path: rods yield from an elastic one on
    if (!yields && iteration == search::kElasticIterations) yields = set_yielding(system);
    Balance balance = system.evaluate(state, targets, System::Want::NewtonTangent);
    if (!yields && balanced(balance) && last_rotation < search::kSettledRotation) {
      yields = set_yielding(system);
      balance = system.evaluate(state, targets, System::Want::NewtonTangent);
    }
    report.residual = balance.residual;
    report.floor = balance.floor;
    if (!balance.finite) {
      report.why = "the forces are no longer finite";
      return report;
    }
    // a balanced state reached by a large step is looked at once more
    const bool done = balanced(balance) || (iteration > 1 && settled(balance, last_rotation, rotation_before));
    if (done && last_rotation < search::kSettledRotation) {
      if (!stretches_further(system, state)) {
        report.converged = true;
        return report;
      }
      system.evaluate(state, targets, System::Want::NewtonTangent);
    }
    if (iteration == most) break;
    bool solved = system.solve(0);
    double rotation = system.largest_rotation(state);
    const bool far = branch == Branch::Leave || rotation > search::kFarRotation;
    if (!solved || (system.excess_negative() > 0 && far)) {
      double shift = 0;
      solved = solve_shifted(SystemAt<System, State>{system, state, targets, System::Want::NewtonTangent},
                             search::kMostNewtonShifts, shift);
      rotation = system.largest_rotation(state);
    }
    if (!solved) {
      report.why = "Newton lost its way";
      return report;
    }
    ++report.iterations;
    if (stops(progress, static_cast<double>(iteration) / most, "Newton's iterations", report)) return report;
    double factor = share_of_step(system, state, rotation);
    report.leaps += factor < 1 ? 1 : 0;
    if constexpr (requires { system.largest_part(state, rotation); })
      if (yields) factor = std::min(factor, system.largest_part(state, rotation));
    system.advance(state, factor);
    system.release_stops(state);
    rotation_before = std::exchange(last_rotation, rotation);
  }
  report.why = "Newton did not settle";
  return report;
}

// Modified Newton with a shift that keeps the matrix positive and the energy falling: the safeguard. Conservative
// scenes only.
template <class System, class State>
SolveReport descend(System& system, State& state, const Targets& targets, const Progress& progress) {
  SolveReport report;
  double shift = 0;
  State trial = state;
  int small_steps = 0;
  set_yielding(system);
  for (int iteration = 0; iteration < search::kDescentIterations && small_steps < 20; ++iteration) {
    system.track_sliders(state);
    const Balance balance = system.evaluate(state, targets, System::Want::TrueTangent);
    report.residual = balance.residual;
    report.floor = balance.floor;
    if (balanced(balance)) {
      if (!stretches_further(system, state)) {
        report.converged = true;
        return report;
      }
      system.evaluate(state, targets, System::Want::TrueTangent);
    }
    ++report.iterations;
    if (stops(progress, static_cast<double>(iteration) / search::kDescentIterations, "going downhill", report))
      return report;
    // a minimum in every direction but those of the constraints, or more shift
    if ((!system.solve(shift) || system.excess_negative() > 0) &&
        !solve_shifted(SystemAt<System, State>{system, state, targets}, search::kMostShifts, shift))
      break;
    const double rotation = system.largest_rotation(state);
    const double factor = share_of_step(system, state, rotation);
    trial = state;
    system.advance(trial, factor);
    system.track_sliders(trial);
    const Balance after = system.evaluate(trial, targets, System::Want::Residual);
    // downhill in energy plus weighted constraint violation, or no further uphill than round-off can tell
    const double weight = 2 * std::max(system.largest_multiplier(state), system.largest_multiplier(trial));
    const double merit = balance.energy() + weight * (system.size() * balance.constraint + balance.sunk);
    const double trial_merit = after.energy() + weight * (system.size() * after.constraint + after.sunk);
    const double noise = 1e-13 * (std::abs(balance.elastic) + std::abs(balance.potential));
    if (after.finite && trial_merit <= merit + noise) {
      state = trial;
      shift = shift > 0.1 * system.soft_stiffness() ? shift / (2 * search::kShiftGrowth) : 0;
      system.release_stops(state);
      small_steps = rotation < 1e-9 ? small_steps + 1 : 0;
    } else {
      shift = std::max(search::kShiftGrowth * shift, 0.1 * system.soft_stiffness());
      if (shift > 1e6 * system.typical_stiffness()) break;
    }
  }
  report.why = "the descent did not reach an equilibrium";
  return report;
}

// Whether the equilibrium at `state` is a minimum of the energy, by the inertia of the tangent. `assembled`: the system
// has it from the search, which ends by looking at the state it found. Newton's has the tension of its last correction
// instead of the edges' own, equal to the square of that correction.
template <class System, class State>
void judge_stability(System& system, State& state, const Targets& targets, bool conservative, SolveReport& report,
                     bool assembled = false) {
  set_yielding(system);
  const double neutral = search::kNeutral * system.soft_stiffness() +
                         search::kRoundOffs * std::numeric_limits<double>::epsilon() * system.typical_stiffness();
  judge_stability(SystemAt<System, State>{system, state, targets}, neutral, conservative, report, assembled);
}

// Moves `state` off an unstable equilibrium along its softest direction.
template <class System, class State>
void leave_along_softest(System& system, State& state, const Targets& targets) {
  const SystemAt<System, State> at{system, state, targets};
  double shift = 0;
  if (!solve_shifted(at, search::kMostShifts, shift)) return;
  system.step() = softest_direction(at, shift);
  const double rotation = system.largest_rotation(state);
  if (!(rotation > 0)) return;
  for (double& part : system.step()) part *= kNudge / rotation;
  system.advance(state, share_of_step(system, state, kNudge));
}

}  // namespace filum::discrete
