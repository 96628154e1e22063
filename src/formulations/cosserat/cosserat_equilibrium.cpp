#include "formulations/cosserat/cosserat_equilibrium.hpp"

#include "formulations/discrete/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::cosserat {

namespace {

constexpr double kTolerance = 1e-10;  // of the residual, unless ten times the floor is more
constexpr double kFloorFactor = 10;
constexpr double kGapTolerance = 1e-11;    // share of the model's size
constexpr double kLargestRotation = 0.5;   // of a segment in one iteration, rad
constexpr double kSettledRotation = 1e-4;  // a step this small ends with the square of it
constexpr int kMostIterations = 200;
constexpr int kMostHalvings = 5;
constexpr int kMostCorrections = 3;
constexpr double kNearRotation = 0.05;  // rad: a step that turns nothing by more is near an equilibrium
constexpr int kPatience = 40;           // iterations in which a cable may still leave it
constexpr double kFirstShift = 0.1;     // of the bending stiffness of a whole rod
constexpr double kShiftGrowth = 3;
constexpr double kLargestShift = 1e9;
constexpr int kMostShifts = 21;        // as many as lead from the first to the largest
constexpr double kWeightMargin = 1.5;  // of the merit's weight over the largest force of a constraint
constexpr double kStaleWeight = 10;    // weight this much above what is needed is lowered: another merit from there on
constexpr double kNoise = 1e-13;       // rise of the energy that round-off explains, share of its terms
constexpr double kNeutral = 1e-6;      // stiffness that counts as none, of a whole rod's bending

bool balanced(const Balance& b) {
  return b.finite && b.worst_gap <= kGapTolerance && b.residual <= std::max(kTolerance, kFloorFactor * b.floor);
}

// The system at a state, as discrete/stability.hpp wants it.
struct At {
  System& system;
  CableState& state;
  void evaluate() { system.evaluate(state, true); }
  bool solve(double shift) { return system.solve(shift); }
  [[nodiscard]] int excess_negative() const { return system.excess_negative(); }
  std::vector<double>& step() { return system.step(); }
  [[nodiscard]] bool turns(int row) const { return system.is_rotation(row); }
  [[nodiscard]] bool is_free(int row) const { return system.is_free(row); }
};

class Search {
 public:
  Search(System& system, CableState& state, Course& course)
      : system_(system), state_(state), trial_(state), course_(course) {}

  SolveReport run(const Progress& progress) {
    SolveReport report;
    Balance here = system_.evaluate(state_, true);
    double last_rotation = 0;
    for (int iteration = 0; iteration <= kMostIterations; ++iteration) {
      report.residual = here.residual;
      report.floor = here.floor;
      if (!here.finite) {
        report.why = "the forces are no longer finite";
        return report;
      }
      if (balanced(here) && last_rotation < kSettledRotation) {
        report.converged = true;
        return report;
      }
      if (iteration == kMostIterations) break;
      ++report.iterations;
      if (stops(progress, static_cast<double>(iteration) / kMostIterations, "Newton's iterations", report))
        return report;
      if (!take_step(here, report)) {
        report.why = "no step lowers the energy";
        return report;
      }
      last_rotation = rotation_;
      here = system_.evaluate(state_, true);
    }
    report.why = "Newton did not settle";
    return report;
  }

 private:
  // A direction along which the energy is convex, and a step along it that lowers the merit.
  bool take_step(const Balance& here, SolveReport& report) {
    bool fresh = true;
    for (; shift_ <= kLargestShift; shift_ = std::max(kFirstShift, kShiftGrowth * shift_)) {
      if (!fresh) system_.evaluate(state_, true);
      fresh = false;
      if (!system_.solve(shift_)) continue;
      // where nothing has led away from an equilibrium that is not stable, Newton's own steps end the crawl to it
      const bool stays = shift_ == 0 && report.iterations > kPatience && system_.largest_rotation() < kNearRotation;
      if (system_.excess_negative() > 0 && !stays) continue;
      if (shift_ > 0) ++course_.stiffened;
      if (!search_along(here, report)) continue;
      shift_ = shift_ > kFirstShift ? shift_ / (kShiftGrowth * kShiftGrowth) : 0;
      return true;
    }
    shift_ = 0;
    return false;
  }

  bool search_along(const Balance& here, SolveReport& report) {
    rotation_ = system_.largest_rotation();
    const double cap = rotation_ > kLargestRotation ? kLargestRotation / rotation_ : 1;
    report.leaps += cap < 1 ? 1 : 0;
    // a weight far above the forces of the constraints would make them all too stiff
    const double needed = kWeightMargin * system_.largest_force(state_);
    if (needed > weight_ || weight_ > kStaleWeight * needed) weight_ = needed;
    const double before = here.merit(weight_);
    const double noise = kNoise * here.size + std::numeric_limits<double>::epsilon() * weight_ * system_.size();
    const std::vector<double> step = system_.step();
    double factor = cap;
    for (int k = 0; k <= kMostHalvings; ++k, factor /= 2) {
      trial_ = state_;
      system_.step() = step;
      system_.advance(trial_, factor);
      Balance there = system_.evaluate(trial_, false);
      // what is not conservative has no merit to fall
      bool falls = there.finite && (!system_.conservative() || there.merit(weight_) <= before + noise);
      // what turned far has left its ends: close the gaps with the same matrix, as long as that goes on
      for (int c = 0; c < kMostCorrections && !falls && there.finite; ++c) {
        system_.solve_gaps();
        if (system_.largest_rotation() > kLargestRotation) break;
        const double gap = there.gap;
        system_.advance(trial_, 1);
        there = system_.evaluate(trial_, false);
        falls = there.finite && there.merit(weight_) <= before + noise;
        course_.corrections += falls ? 1 : 0;
        if (there.gap > 0.5 * gap) break;
      }
      if (falls) {
        course_.worst_rise = std::max(course_.worst_rise, (there.merit(weight_) - before) / (here.size + 1e-300));
        state_ = trial_;
        system_.release_stops(state_);
        return true;
      }
      ++course_.refused;
    }
    return false;
  }

  System& system_;
  CableState& state_;
  CableState trial_;
  Course& course_;
  double shift_ = 0;
  double weight_ = 0;
  double rotation_ = 0;
};

}  // namespace

SolveReport find_minimum(System& system, CableState& state, const Progress& progress, Course* course) {
  Course own;
  return Search(system, state, course != nullptr ? *course : own).run(progress);
}

void judge_stability(System& system, CableState& state, bool conservative, SolveReport& report) {
  discrete::judge_stability(At{system, state}, kNeutral, conservative, report);
}

void leave_along_softest(System& system, CableState& state) {
  const At at{system, state};
  double shift = kFirstShift;
  discrete::solve_shifted(at, kShiftGrowth, kMostShifts, shift);
  const std::vector<double> direction = discrete::softest_direction(at, shift);
  system.evaluate(state, false);
  system.step() = direction;
  system.advance(state, discrete::kNudge / std::max(system.largest_rotation(), 1e-300));
}

}  // namespace filum::cosserat
