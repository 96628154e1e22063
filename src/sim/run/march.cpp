#include "sim/run/march.hpp"

#include "sim/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace filum::sim {

namespace {

constexpr double kMostTurn = 0.5;  // rad
// A step split into more pieces than this would never end: it is refused.
constexpr double kMostPieces = 1e7;
// Steps that make energy are halved into so many parts; beyond, energy is what it is.
constexpr double kFinestForEnergy = 64;
// Good parts of a size after which a longer one is tried; twice as many whenever that fails, at most so many.
constexpr int kLeastGood = 2;
constexpr int kMostGood = 64;
// Room for round-off in a quotient that is a whole number.
constexpr double kSlack = 1e-9;

void count_step(const StepReport& report, double dt, March& march) {
  if (!report.converged) {
    ++march.unconverged;
    march.residual_left = std::max(march.residual_left, report.residual);
  }
  march.shortest = march.shortest > 0 ? std::min(march.shortest, dt) : dt;
  march.longest = std::max(march.longest, dt);
  march.error = std::max(march.error, report.error);
  march.neglected_strain = std::max(march.neglected_strain, report.neglected_strain);
  march.blow = march.blow || report.blow;
}

}  // namespace

double largest_turn(const Targets& from, const Targets& to) {
  double largest = 0;
  for (std::size_t h = 0; h < to.holds.size(); ++h) {
    const double turned = from.holds[h].orientation.angularDistance(to.holds[h].orientation);
    const double spun = 2 * std::numbers::pi * std::abs(to.holds[h].turns - from.holds[h].turns);
    largest = std::max(largest, turned + spun);
  }
  return largest;
}

Marcher::Marcher(const Model& model, Workspace& workspace, const State& like, const Targets& targets)
    : model_(model),
      workspace_(workspace),
      start_(like.clone()),
      before_(like.clone()),
      mixed_(targets),
      closer_(model, workspace, like, targets) {}

March Marcher::march(State& state, const Targets& from, const Targets& to, double dt, RunReport& counts,
                     const Progress& progress) {
  start_->assign(state);
  result_ = {};
  // pieces that are needed for sure
  const double longest = model_.longest_step_from(state);
  const double pieces = std::max(std::ceil(largest_turn(from, to) / kMostTurn - kSlack),
                                 longest > 0 ? std::ceil(dt / longest - kSlack) : 1.0);
  if (!(pieces <= kMostPieces)) {
    result_.why = "it would have to be split into more than ten million steps";
    return result_;
  }
  pieces_ = std::max(1L, static_cast<long>(pieces));

  End end = go(state, from, to, dt, false, counts, progress);
  if (end == End::NeedsCopies) {
    // a piece failed of which nothing was kept: the same way again, keeping every piece
    undo(state);
    result_ = {};
    end = go(state, from, to, dt, true, counts, progress);
  }
  if (end == End::Done && result_.blow) {
    const int parts = static_cast<int>(std::min(pieces_, long{CloserLook::kFinest}));
    result_.stopped = !closer_.look(*start_, from, to, dt, parts, state, progress);
    if (result_.stopped) end = End::Failed;
  }
  if (end == End::Failed) undo(state);
  result_.done = end == End::Done;
  return result_;
}

Marcher::End Marcher::go(State& state, const Targets& from, const Targets& to, double dt, bool copies,
                         RunReport& counts, const Progress& progress) {
  const double piece_dt = dt / static_cast<double>(pieces_);
  int size = kFinest;  // of the next part, in units of piece_dt / kFinest
  int good = 0;        // parts of this size that went well
  int needed = kLeastGood;
  bool tries = false;  // a longer part than the last
  bool halved = false;
  for (long piece = 0; piece < pieces_; ++piece) {
    for (int done = 0; done < kFinest;) {
      const bool first = piece == 0 && done == 0;
      if (copies && !first) before_->assign(state);

      // one part of a piece
      const double passed = static_cast<double>(piece) + static_cast<double>(done + size) / kFinest;
      const bool last = piece + 1 == pieces_ && done + size == kFinest;
      if (!last) blend(from, to, passed / static_cast<double>(pieces_), mixed_);
      const double part_dt = piece_dt * size / kFinest;
      const StepReport report = model_.step(workspace_, state, last ? to : mixed_, part_dt);
      counts.iterations += report.iterations;
      if (stops(progress, passed / static_cast<double>(pieces_), "a step in time")) {
        result_.stopped = true;
        return End::Failed;
      }

      if (!report.usable || (report.coarse && part_dt > dt / kFinestForEnergy)) {
        if (!first && !copies) return End::NeedsCopies;
        if (!halved && !report.usable) ++counts.failed_steps;
        halved = halved || !report.usable;
        if (!report.usable) result_.why = report.why;
        if (size == 1) return End::Failed;
        state.assign(first ? *start_ : *before_);
        if (std::exchange(tries, false)) needed = std::min(2 * needed, kMostGood);
        size /= 2;
        ++counts.halvings;
        copies = true;
        good = 0;
        continue;
      }
      count_step(report, part_dt, result_);
      done += size;
      if (std::exchange(tries, false)) needed = std::max(needed / 2, kLeastGood);
      // longer again after some good ones, where the halves meet
      if (++good >= needed && size < kFinest && done % (2 * size) == 0) {
        size *= 2;
        good = 0;
        tries = true;
      }
    }
  }
  return End::Done;
}

}  // namespace filum::sim
