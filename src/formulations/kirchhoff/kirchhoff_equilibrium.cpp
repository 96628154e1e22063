#include "formulations/kirchhoff/kirchhoff_equilibrium.hpp"

#include "formulations/discrete/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

constexpr double kTolerance = 1e-10;  // of the residual, unless ten times the floor is more
constexpr double kFloorFactor = 10;
constexpr double kGapTolerance = 1e-10;  // of ties and sliders, share of the model's size
constexpr int kNewtonIterations = 60;
constexpr int kDescentIterations = 400;
constexpr double kLargestRotation = 0.5;   // of an edge in one iteration, rad
constexpr double kSettledRotation = 1e-4;  // a step this small ends with the square of it
// Stiffness below which a direction counts as neutral: a share of the softest bending, and so many round-offs of the
// stiffest stretch.
constexpr double kNeutral = 1e-6;
constexpr double kRoundOffs = 16;

bool balanced(const Balance& b) {
  return b.finite && b.constraint <= kGapTolerance && b.residual <= std::max(kTolerance, kFloorFactor * b.floor);
}

constexpr double kFarRotation = 0.1;  // a step that turns an edge by more is far from equilibrium, rad
constexpr double kShiftGrowth = 4;
constexpr int kMostShifts = 40;
constexpr int kMostNewtonShifts = 10;  // Newton that needs more is lost

// The system at a state, as discrete/stability.hpp wants it.
struct At {
  RodSystem& system;
  RodState& state;
  const Targets& targets;
  RodSystem::Want want = RodSystem::Want::TrueTangent;
  void evaluate() { system.evaluate(state, targets, want); }
  bool solve(double shift) { return system.solve(shift); }
  [[nodiscard]] int excess_negative() const { return system.excess_negative(); }
  std::vector<double>& step() { return system.step(); }
  [[nodiscard]] bool turns(int row) const { return system.is_primal(row); }
  [[nodiscard]] bool is_free(int row) const { return system.is_free(row); }
};

// From a tenth of the softest bending on.
bool solve_shifted(const At& at, int most, double& shift) {
  shift = std::max(shift, 0.1 * at.system.soft_stiffness());
  return discrete::solve_shifted(at, kShiftGrowth, most, shift);
}

}  // namespace

SolveReport newton(RodSystem& system, RodState& state, const Targets& targets, Branch branch,
                   const Progress& progress) {
  SolveReport report;
  double last_rotation = 0;
  for (int iteration = 0; iteration <= kNewtonIterations; ++iteration) {
    system.track_sliders(state);
    const Balance balance = system.evaluate(state, targets, RodSystem::Want::NewtonTangent);
    report.residual = balance.residual;
    report.floor = balance.floor;
    if (!balance.finite) {
      report.why = "the forces are no longer finite";
      return report;
    }
    // a balanced state reached by a large step is looked at once more
    if (balanced(balance) && last_rotation < kSettledRotation) {
      report.converged = true;
      return report;
    }
    if (iteration == kNewtonIterations) break;
    bool solved = system.solve(0);
    double rotation = system.largest_rotation(state);
    const bool far = branch == Branch::Leave || rotation > kFarRotation;
    if (!solved || (system.excess_negative() > 0 && far)) {
      double shift = 0;
      solved = solve_shifted({system, state, targets, RodSystem::Want::NewtonTangent}, kMostNewtonShifts, shift);
      rotation = system.largest_rotation(state);
    }
    if (!solved) {
      report.why = "Newton lost its way";
      return report;
    }
    ++report.iterations;
    if (stops(progress, static_cast<double>(iteration) / kNewtonIterations, "Newton's iterations", report))
      return report;
    const double factor = rotation > kLargestRotation ? kLargestRotation / rotation : 1;
    report.leaps += factor < 1 ? 1 : 0;
    system.advance(state, factor);
    system.release_stops(state);
    last_rotation = rotation;
  }
  report.why = "Newton did not settle";
  return report;
}

SolveReport descend(RodSystem& system, RodState& state, const Targets& targets, const Progress& progress) {
  SolveReport report;
  double shift = 0;
  RodState trial = state;
  int small_steps = 0;
  for (int iteration = 0; iteration < kDescentIterations && small_steps < 20; ++iteration) {
    system.track_sliders(state);
    const Balance balance = system.evaluate(state, targets, RodSystem::Want::TrueTangent);
    report.residual = balance.residual;
    report.floor = balance.floor;
    if (balanced(balance)) {
      report.converged = true;
      return report;
    }
    ++report.iterations;
    if (stops(progress, static_cast<double>(iteration) / kDescentIterations, "going downhill", report)) return report;
    // a minimum in every direction but those of the constraints, or more shift
    if ((!system.solve(shift) || system.excess_negative() > 0) &&
        !solve_shifted({system, state, targets}, kMostShifts, shift))
      break;
    const double rotation = system.largest_rotation(state);
    const double factor = rotation > kLargestRotation ? kLargestRotation / rotation : 1;
    trial = state;
    system.advance(trial, factor);
    system.track_sliders(trial);
    const Balance after = system.evaluate(trial, targets, RodSystem::Want::Residual);
    // downhill in energy plus weighted constraint violation, or no further uphill than round-off can tell
    const double weight = 2 * std::max(system.largest_multiplier(state), system.largest_multiplier(trial));
    const double merit = balance.energy() + weight * system.size() * balance.constraint;
    const double trial_merit = after.energy() + weight * system.size() * after.constraint;
    const double noise = 1e-13 * (std::abs(balance.elastic) + std::abs(balance.potential));
    if (after.finite && trial_merit <= merit + noise) {
      state = trial;
      shift = shift > 0.1 * system.soft_stiffness() ? shift / (2 * kShiftGrowth) : 0;
      system.release_stops(state);
      small_steps = rotation < 1e-9 ? small_steps + 1 : 0;
    } else {
      shift = std::max(kShiftGrowth * shift, 0.1 * system.soft_stiffness());
      if (shift > 1e6 * system.typical_stiffness()) break;
    }
  }
  report.why = "the descent did not reach an equilibrium";
  return report;
}

void judge_stability(RodSystem& system, RodState& state, const Targets& targets, bool conservative,
                     SolveReport& report) {
  const double neutral = kNeutral * system.soft_stiffness() +
                         kRoundOffs * std::numeric_limits<double>::epsilon() * system.typical_stiffness();
  discrete::judge_stability(At{system, state, targets}, neutral, conservative, report);
}

void leave_along_softest(RodSystem& system, RodState& state, const Targets& targets) {
  const At at{system, state, targets};
  double shift = 0;
  if (!solve_shifted(at, kMostShifts, shift)) return;
  system.step() = softest_direction(at, shift);
  const double rotation = system.largest_rotation(state);
  if (rotation > 0) system.advance(state, kNudge / rotation);
}

}  // namespace filum::kirchhoff
