#include "formulations/cosserat/follow_loads.hpp"

#include <algorithm>
#include <cmath>

namespace filum::cosserat {

namespace {

constexpr int kMostTurns = 200;
constexpr double kFirstTurn = 0.3;     // of the segment that turns most in a step along the path, rad
constexpr double kLargestTurn = 1.5;   // likewise
constexpr double kLeastTurn = 1e-3;    // the path is lost
constexpr double kLargestShare = 0.5;  // of the load in one step
constexpr int kCorrectionsATurn = 5;
constexpr double kCorrected = 1e-3;  // a correction this small is the last, rad
constexpr double kSlow = 0.7;        // a correction above this share of the one before it leads nowhere

// A direction in all unknowns and the load.
struct Direction {
  std::vector<double> step;
  double load = 0;
};

class Path {
 public:
  Path(System& system, CableState& state, const Targets& targets)
      : system_(system), state_(state), trial_(state), full_(targets), now_(targets) {}

  bool follow(const Progress& progress, int& iterations) {
    Direction along = slope(state_, 0);
    ++iterations;
    scale(along, 1 / std::sqrt(product(along, along)));
    double load = 0;
    double turn = kFirstTurn;
    while (load < 1 && turn > kLeastTurn && iterations < kMostTurns) {
      if (stops(progress, load, "following the loads")) return false;
      system_.step() = along.step;
      double size = std::min(turn / std::max(system_.largest_rotation(), 1e-12), kLargestShare / std::abs(along.load));
      const bool last = load + size * along.load >= 1;
      if (last) size = (1 - load) / along.load;
      trial_ = state_;
      set_load(load);
      system_.evaluate(trial_, false);
      system_.step() = along.step;
      for (double& x : system_.step()) x *= size;
      system_.advance(trial_, 1);
      Direction next;
      double reached = load + size * along.load;
      const int corrections = correct(along, last, reached, next);
      iterations += std::abs(corrections);
      if (corrections <= 0) {
        turn /= 2;
        continue;
      }
      state_ = trial_;
      system_.release_stops(state_);
      load = last ? 1 : reached;
      scale(next, (product(next, along) < 0 ? -1 : 1) / std::sqrt(product(next, next)));
      along = std::move(next);
      turn = std::min(kLargestTurn, turn * (corrections <= 2 ? 2 : corrections == 3 ? 1.3 : 0.7));
    }
    set_load(1);
    return load >= 1;
  }

 private:
  void set_load(double load) {
    now_.load = load * full_.load;
    system_.set_targets(now_, state_);
  }

  // How the equilibrium changes with the load, by the tangent at `state`; what is left of balance goes to `rest`.
  Direction slope(CableState& state, double load, std::vector<double>* rest = nullptr) {
    set_load(load + 1);
    system_.evaluate(state, false);
    Direction direction{system_.step(), 1};
    set_load(load);
    system_.evaluate(state, true);
    for (std::size_t i = 0; i < direction.step.size(); ++i) direction.step[i] -= system_.step()[i];
    solved_ = system_.solve(0);
    if (rest != nullptr) *rest = system_.step();
    system_.step() = direction.step;
    system_.solve_again();
    direction.step = system_.step();
    return direction;
  }

  // Newton square to the path; at the full load along the load's own. The number of corrections, negative if they do not
  // settle. `next` is the way on.
  int correct(const Direction& along, bool at_full_load, double& load, Direction& next) {
    double before = 0;
    for (int k = 1; k <= kCorrectionsATurn; ++k) {
      Direction rest;
      next = slope(trial_, load, &rest.step);
      if (!solved_) return -k;
      const double change = at_full_load ? 0 : -product(along, rest) / product(along, next);
      system_.step() = rest.step;
      for (std::size_t i = 0; i < rest.step.size(); ++i) system_.step()[i] += change * next.step[i];
      const double turn = system_.largest_rotation();
      if (!std::isfinite(turn) || turn > kLargestTurn || (k > 1 && turn > kSlow * before)) return -k;
      system_.advance(trial_, 1);
      load += change;
      if (turn < kCorrected) return k;
      before = turn;
    }
    return -kCorrectionsATurn;
  }

  // Of rotations, in the mean, and the load.
  [[nodiscard]] double product(const Direction& a, const Direction& b) const {
    double sum = 0;
    int rows = 0;
    for (std::size_t i = 0; i < a.step.size(); ++i) {
      if (!system_.is_rotation(static_cast<int>(i))) continue;
      sum += a.step[i] * b.step[i];
      ++rows;
    }
    return sum / std::max(1, rows) + a.load * b.load;
  }

  static void scale(Direction& direction, double factor) {
    for (double& x : direction.step) x *= factor;
    direction.load *= factor;
  }

  System& system_;
  CableState& state_;
  CableState trial_;
  const Targets& full_;
  Targets now_;
  bool solved_ = false;
};

}  // namespace

bool follow_load_path(System& system, CableState& state, const Targets& targets, const Progress& progress,
                      int& iterations) {
  const bool there = Path(system, state, targets).follow(progress, iterations);
  system.set_targets(targets, state);
  return there;
}

}  // namespace filum::cosserat
