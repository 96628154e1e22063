#include "formulations/cosserat/cosserat_equilibrium.hpp"

#include "formulations/cosserat/follow_loads.hpp"
#include "formulations/discrete/free_end.hpp"
#include "formulations/discrete/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::cosserat {

namespace {

constexpr double kTolerance = 1e-10;  // of the residual, unless ten times the floor is more
constexpr double kFloorFactor = 10;
constexpr double kGapTolerance = 1e-11;    // share of the model's size
constexpr double kLargestRotation = 0.5;   // of a segment in one iteration, rad
constexpr double kSettledRotation = 1e-4;  // a step this small ends with the square of it
constexpr int kMostIterations = 200;
constexpr int kNewtonAlone = 40;  // without an energy to watch
constexpr int kMostHalvings = 5;
constexpr int kMostCorrections = 3;
constexpr double kNearRotation = 0.05;  // rad: a step that turns nothing by more is near an equilibrium
constexpr int kPatience = 40;           // iterations in which a cable may still leave it
constexpr double kFirstShift = 0.1;     // of the bending stiffness of a whole rod
constexpr int kCrawl = 5;               // steps with the least shift that turn little: it is too large
constexpr double kCrawlRotation = 0.1;  // rad
constexpr double kShortStep = 0.2;      // share of a step: shorter ones, one after another, creep round a bend
constexpr int kShortSteps = 4;
constexpr int kStepsAhead = 4;   // taken unwatched round it
constexpr double kGapShift = 1;  // of the metric in which gaps are then closed
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
  bool factor(double shift) { return system.factor(shift); }
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
    const int most = system_.conservative() ? kMostIterations : kNewtonAlone;
    SolveReport report;
    system_.use_elastic_tangent(true);
    Balance here = system_.evaluate(state_, true);
    system_.use_elastic_tangent(false);
    double last_rotation = 0;
    for (int iteration = 0; iteration <= most; ++iteration) {
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
      if (iteration == most) break;
      ++report.iterations;
      if (stops(progress, static_cast<double>(iteration) / most, "Newton's iterations", report)) return report;
      if (!take_step(here, report)) {
        report.why = "no step lowers the energy";
        return report;
      }
      last_rotation = rotation_;
      here = system_.evaluate(state_, true);
      if (short_steps_ >= kShortSteps) go_ahead(here, report);
    }
    report.why = "Newton did not settle";
    return report;
  }

 private:
  // A direction along which the energy is convex, and a step along it that lowers the merit.
  bool take_step(const Balance& here, SolveReport& report) {
    bool fresh = true;
    for (; shift_ <= kLargestShift; shift_ = std::max(least_, kShiftGrowth * shift_)) {
      if (!fresh) system_.evaluate(state_, true);
      fresh = false;
      if (!system_.solve(shift_)) continue;
      // where nothing has led away from an equilibrium that is not stable, Newton's own steps end the crawl to it
      const bool stays = shift_ == 0 && report.iterations > kPatience && system_.largest_rotation() < kNearRotation;
      if (system_.excess_negative() > 0 && !stays) continue;
      if (shift_ > 0) ++course_.stiffened;
      if (!search_along(here, report)) continue;
      // a shift far above the one negative stiffness that asks for it leaves a saddle at a crawl
      crawl_ = shift_ > 0 && shift_ <= least_ && rotation_ < kCrawlRotation ? crawl_ + 1 : 0;
      if (crawl_ >= kCrawl) least_ /= kShiftGrowth * kShiftGrowth;
      shift_ = shift_ > least_ ? shift_ / (kShiftGrowth * kShiftGrowth) : 0;
      return true;
    }
    shift_ = 0;
    return false;
  }

  // In a narrow valley that bends, a merit that must fall at every step allows but small ones. Newton's own steps may
  // climb its side and are back at the bottom one or two iterations later: so many are taken, and taken back if the
  // merit has not fallen by then.
  void go_ahead(Balance& here, SolveReport& report) {
    const CableState before = state_;
    const Balance start = here;
    short_steps_ = 0;
    for (int k = 0; k < kStepsAhead && here.finite && !balanced(here); ++k) {
      double shift = 0;
      const bool convex = system_.solve(0) && system_.excess_negative() <= 0;
      if (!convex && !discrete::solve_shifted(At{system_, state_}, kShiftGrowth, kMostShifts, shift = least_)) break;
      ++report.iterations;
      weight_ = std::max(weight_, kWeightMargin * system_.largest_force(state_));
      system_.advance(state_, std::min(1.0, kLargestRotation / system_.largest_rotation()));
      system_.release_stops(state_);
      here = system_.evaluate(state_, true);
      if (here.finite && here.merit(weight_) < start.merit(weight_)) return;
    }
    state_ = before;
    here = system_.evaluate(state_, true);
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
      if (!falls && shift_ == 0 && short_steps_ >= 2 && k >= 1 && k <= 3)
        falls = close_gaps(step, factor, before + noise, there, report);
      if (falls) {
        short_steps_ = factor < kShortStep * cap ? short_steps_ + 1 : 0;
        course_.worst_rise = std::max(course_.worst_rise, (there.merit(weight_) - before) / (here.size + 1e-300));
        state_ = trial_;
        system_.release_stops(state_);
        return true;
      }
      ++course_.refused;
    }
    return false;
  }

  // Likewise with a matrix of the trial's own, in which no direction is soft.
  bool close_gaps(const std::vector<double>& step, double factor, double most, Balance& there, SolveReport& report) {
    trial_ = state_;
    system_.evaluate(trial_, false);
    system_.step() = step;
    system_.advance(trial_, factor);
    for (int c = 0; c < kMostCorrections; ++c) {
      there = system_.evaluate(trial_, true);
      if (!there.finite) return false;
      if (there.merit(weight_) <= most) return true;
      ++report.iterations;
      const double gap = there.gap;
      if (!system_.factor(kGapShift)) return false;
      system_.solve_gaps();
      if (system_.largest_rotation() > kLargestRotation) return false;
      system_.advance(trial_, 1);
      there = system_.evaluate(trial_, false);
      if (there.finite && there.merit(weight_) <= most) return true;
      if (there.gap > 0.5 * gap) return false;
    }
    return false;
  }

  System& system_;
  CableState& state_;
  CableState trial_;
  Course& course_;
  double shift_ = 0;
  double least_ = kFirstShift;  // of all shifts but none
  int crawl_ = 0;
  int short_steps_ = 0;  // one after another
  double weight_ = 0;
  double rotation_ = 0;
};

// From rest without loads to the full load, then Newton again. `state` is left as it is if that leads nowhere.
SolveReport along_the_loads(System& system, CableState& state, const CableState& from, const Progress& progress) {
  const Targets& targets = system.targets();
  Targets unloaded = targets;
  unloaded.load = 0;
  CableState trial = from;
  Course course;
  system.set_targets(unloaded, trial);
  SolveReport report = Search(system, trial, course).run(progress);
  int iterations = report.iterations;
  const bool there = report.converged && follow_load_path(system, trial, targets, progress, iterations);
  system.set_targets(targets, trial);
  if (there) {
    report = Search(system, trial, course).run(progress);
    iterations += report.iterations;
  }
  report.converged = report.converged && there;
  if (report.converged) state = trial;
  if (!report.converged && !report.stopped) report.why = "Newton did not settle";
  report.iterations = iterations;
  return report;
}

}  // namespace

SolveReport find_minimum(System& system, CableState& state, const Progress& progress, Course* course,
                         const Elsewhere& elsewhere) {
  Course own;
  Course& taken = course != nullptr ? *course : own;
  const CableState before = state;
  SolveReport report = Search(system, state, taken).run(progress);
  if (report.converged || report.stopped || system.conservative()) return report;
  int iterations = report.iterations;
  if (CableState other = before; elsewhere && elsewhere(other)) {
    report = Search(system, other, taken).run(progress);
    report.iterations = iterations += report.iterations;
    report.begun_from = discrete::kMarched;
    if (report.converged) state = std::move(other);
    if (report.converged || report.stopped) return report;
  }
  report = along_the_loads(system, state, before, progress);
  report.iterations += iterations;
  return report;
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
