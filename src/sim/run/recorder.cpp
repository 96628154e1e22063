#include "sim/run/recorder.hpp"

#include "rod/finite_pose.hpp"
#include "sim/history_row.hpp"
#include "sim/limits.hpp"
#include "sim/run/clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::sim {

namespace {

// Readings of the ledger over a run, if it has so many steps.
constexpr double kReadings = 2000;

}  // namespace

void Ledger::note(const Energy& energy) {
  if (!std::exchange(begun_, true)) start_ = energy;
  error_ = std::max(error_, std::abs(energy.balance() - start_.balance()));
  scale_ = std::max(
      {scale_, energy.kinetic, std::abs(energy.elastic - start_.elastic), std::abs(energy.gravity - start_.gravity)});
}

void Ledger::go_on(const Energy& start, double error, double scale) {
  begun_ = true;
  start_ = start;
  error_ = error;
  scale_ = scale;
}

Recorder::Recorder(const Engine& engine, const RunOptions& options, double end, Outcome& outcome)
    : engine_(engine),
      options_(options),
      outcome_(outcome),
      every_(engine.scene().record.every),
      read_every_((end - outcome.run->start) / kReadings) {}

bool Recorder::first() {
  const double t = engine_.time();
  if (every_ > 0) recorded_ = multiples_until(t, every_);
  read_ = multiples_until(t, read_every_);
  if (outcome_.history.empty()) return record({t, engine_.pose()});
  last_ = outcome_.history.back().t;
  ledger_.go_on(outcome_.states.front().pose.energy, outcome_.run->max_energy_error, outcome_.run->energy_scale);
  return true;
}

bool Recorder::due(double t) const {
  return every_ <= 0 || multiples_until(t, every_) > recorded_;
}

bool Recorder::after_step(bool last) {
  const double t = engine_.time();
  if (t == last_) return true;
  if (last || due(t)) {
    if (every_ > 0) recorded_ = multiples_until(t, every_);
    read_ = multiples_until(t, read_every_);
    return record({t, engine_.pose()});
  }
  if (multiples_until(t, read_every_) > read_) {
    read_ = multiples_until(t, read_every_);
    read(engine_.pose(), t);
  }
  return true;
}

bool Recorder::record(Snapshot snapshot) {
  finite_ = rod::is_finite(snapshot.pose);
  if (!finite_ && !outcome_.states.empty()) return false;
  last_ = snapshot.t;
  read(snapshot.pose, snapshot.t);
  outcome_.history.push_back(history_row(engine_.scene(), snapshot));
  const bool go_on = !options_.frame || options_.frame(snapshot);
  // of the states the first and the last are kept
  if (outcome_.states.size() < 2)
    outcome_.states.push_back(std::move(snapshot));
  else
    outcome_.states.back() = std::move(snapshot);
  return go_on;
}

void Recorder::read(const Pose& pose, double t) {
  ledger_.note(pose.energy);
  outcome_.run->max_energy_error = ledger_.error();
  outcome_.run->energy_scale = ledger_.scale();
  const std::vector<Check> now = check_limits(engine_.scene(), pose, t, true);
  outcome_.checks = outcome_.checks.empty() ? now : worst_of({outcome_.checks, now});
}

}  // namespace filum::sim
