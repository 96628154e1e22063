// Time on the workbench: playing, single steps, equilibria.
#include "serve/editor/editor.hpp"

#include "base/index.hpp"
#include "sim/refusal.hpp"

#include <filum/edit.hpp>
#include <filum/solve.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace filum::serve {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

const Error kNothing{ErrorCode::BadInput, "there is no cable yet: open a scene or draw one", {}, 0, 0};

// Of the time that is due no more than this many seconds of the clock are caught up with.
constexpr double kMostDebt = 0.1;

double mean_tension(const RodPose& rod) {
  return std::accumulate(rod.axial_force.begin(), rod.axial_force.end(), 0.0) /
         static_cast<double>(rod.axial_force.size());
}

}  // namespace

Status Editor::play() {
  if (!session_) return kNothing;
  if (const auto why = sim::why_not_moving(scene())) return *why;
  if (playing_) return Done{};
  undo_.push(now("play"));
  playing_ = true;
  change_grips();
  debt_ = 0;
  touch();
  return Done{};
}

// Free bodies in a hand are pulled while it plays, and led while time stands still.
void Editor::change_grips() {
  bool changed = false;
  for (Hand& hand : hands_) {
    if (!hand.moved || !hand.freed || hand.pulls == playing_) continue;
    hand.pulls = playing_;
    hand.bears.setZero();
    changed = true;
  }
  if (changed && !apply(scene())) {
    for (Hand& hand : hands_) hand.pulls = false;
    (void)apply(scene());
  }
}

void Editor::pause() {
  if (!playing_) return;
  playing_ = false;
  change_grips();
  reels_.clear();
  cranks_.clear();
  touch();
}

// One step of the scene's length. False: it could not be taken, and why was told.
bool Editor::step_once() {
  const long before = session_->report().iterations;
  const double dt = session_->scene().simulation.step;
  advance_hands(dt);
  advance_reels(dt);
  advance_cranks(dt);
  const Status taken = session_->step();
  pose_.reset();  // hands feel the next step by it
  fresh_ = false;
  laid_ = false;
  const RunReport& report = session_->report();
  solve_.kind = "step";
  solve_.converged = taken.ok();
  solve_.stable.reset();
  solve_.why = taken ? "" : taken.error().message;
  solve_.iterations = report.iterations - before;
  solve_.residual = 0;
  if (!taken && stopped().empty()) notices_.add(time(), Level::Error, "it cannot go on: " + taken.error().message);
  note_events();
  return taken.ok();
}

Status Editor::step(int count) {
  if (!session_) return kNothing;
  if (const auto why = sim::why_not_moving(scene())) return *why;
  pause();
  UndoPoint before = now(count == 1 ? "step" : "steps");
  const Clock::time_point start = Clock::now();
  bool taken = true;
  for (int k = 0; k < count && taken; ++k) {
    taken = step_once();
    // the last one's row comes with its frame
    if (taken && k + 1 < count) {
      touch();
      const double share = static_cast<double>(k + 1) / count;
      history_.add(frame_ + share, time(), 1e3 * seconds_since(start) / (k + 1), scene(), pose());
    }
  }
  solve_.ms = 1e3 * seconds_since(start);
  undo_.push(std::move(before));
  touch();
  if (!taken) return bad_input(solve_.why);
  return Done{};
}

void Editor::advance(double seconds, double budget) {
  if (!playing_ || !session_) return;
  const double step = session_->scene().simulation.step;
  debt_ = std::min(debt_ + seconds * speed_, std::max(step, kMostDebt * speed_));
  if (debt_ < step) return;
  const Clock::time_point start = Clock::now();
  while (debt_ >= step) {
    debt_ -= step;
    if (!step_once()) {
      playing_ = false;
      change_grips();
      break;
    }
    // what does not fit is not caught up with: the simulation is slower than the clock
    if (seconds_since(start) > budget) {
      debt_ = std::min(debt_, step);
      break;
    }
  }
  solve_.ms = 1e3 * seconds_since(start);
  touch();
}

Status Editor::reset() {
  if (!session_) return kNothing;
  UndoPoint before = now("reset");
  hands_.clear();
  reels_.clear();
  cranks_.clear();
  std::optional<Session> old = std::exchange(session_, std::nullopt);
  if (auto begun = begin(scene()); !begun) {
    session_ = std::move(old);
    return begun;
  }
  playing_ = false;
  undo_.push(std::move(before));
  if (stopped().empty()) history_.clear();
  ++revision_;
  note_events();
  touch();
  return Done{};
}

void Editor::settle_now() {
  const Clock::time_point start = Clock::now();
  const SolveReport report = session_->settle();
  // why there is none is told when it begins, not with every move
  const bool news = !report.converged && !report.stopped && (solve_.converged || solve_.why != report.why);
  solve_ = {
      "settle",        report.converged,          report.stable, report.converged ? "" : report.why, report.iterations,
      report.residual, 1e3 * seconds_since(start)};
  if (news) notices_.add(time(), Level::Warning, "no equilibrium: " + report.why);
  laid_ = report.converged;
  fresh_ = false;
  note_events();
  touch();
}

void Editor::settle_if_laid() {
  if (!session_ || playing_ || scene().simulation.mode != Mode::Statics) return;
  settle_now();
  keep_clips();
}

Status Editor::settle() {
  if (!session_) return kNothing;
  pause();
  UndoPoint before = now("settle");
  settle_now();
  keep_clips();
  undo_.push(std::move(before));
  return Done{};
}

// The longer the rod, the less it pulls: the length is bracketed and halved.
Result<double> Editor::find_length(const std::string& rod, double tension) {
  const int index = index_of(scene().rods, rod);
  if (index < 0 || !session_) return bad_input("there is no rod '" + rod + "'");
  UndoPoint before = now("find the length of '" + rod + "'");
  const Document present = document_;
  const auto give_up = [&](std::string why) -> Result<double> {
    (void)go_to(before, "");
    return bad_input(std::move(why));
  };

  // the mean tension at a length, or nothing if there is no equilibrium
  std::optional<Error> refused;
  Scene tried;
  const auto pull_at = [&](double length) -> std::optional<double> {
    tried = present.scene();
    if (auto done = edit::set_length(tried, rod, length); !done) refused = done.error();
    if (!refused)
      if (auto done = session_->edit(with_hands(tried)); !done) refused = done.error();
    if (refused) return std::nullopt;
    settle_now();
    if (!stopped().empty()) refused = bad_input(stopped());
    if (!solve_.converged) return std::nullopt;
    return mean_tension(pose().rods[at(index)]) - tension;
  };

  constexpr double kStride = 1.08;     // of the bracket
  constexpr int kMostStrides = 30;     // a factor of ten
  constexpr double kPrecision = 1e-5;  // of the length
  const double length = pose().rods[at(index)].s.back();
  double low = length;
  double high = length;
  std::optional<double> pull = pull_at(length);
  const bool taut = pull && *pull > 0;
  bool found = false;
  for (int k = 0; k < kMostStrides && !found && !refused; ++k) {
    (taut ? high : low) *= taut ? kStride : 1 / kStride;
    pull = pull_at(taut ? high : low);
    // too short for an equilibrium counts as pulling
    found = taut ? pull && *pull <= 0 : !pull || *pull > 0;
    if (!found) (taut ? low : high) = taut ? high : low;
  }
  if (refused) return give_up(refused->message);
  if (!found) return give_up("no length of rod '" + rod + "' has a mean tension of " + std::to_string(tension) + " N");
  while (high - low > kPrecision * length && !refused) {
    const double middle = 0.5 * (low + high);
    pull = pull_at(middle);
    (!pull || *pull > 0 ? low : high) = middle;
  }
  if (!pull_at(high)) return give_up("the length of rod '" + rod + "' was not found");
  Document document = present;
  document.set_scene(tried);
  commit(std::move(before), std::move(document));
  return high;
}

Scene in_formulation(Scene scene, std::string_view formulation) {
  Simulation& simulation = scene.simulation;
  simulation.formulation = formulation;
  if (formulation != "chain") simulation.chain = {};
  if (formulation != "spline") {
    simulation.spline = {};
    if (simulation.integrator == Integrator::RungeKutta) simulation.integrator = Integrator::EnergyMomentum;
  }
  return scene;
}

Status Editor::switch_formulation(const std::string& formulation) {
  return change("formulation " + formulation, [&](Scene& scene) -> Status {
    scene = in_formulation(std::move(scene), formulation);
    return Done{};
  });
}

Result<Editor::Compared> Editor::compare(const std::string& formulation) const {
  if (!session_) return kNothing;
  // another session in the same state goes over to the other formulation and settles
  Result<Session> other = begin_at(session_->scene(), session_->save());
  if (!other) return other.error();
  if (auto edited = other->edit(in_formulation(other->scene(), formulation)); !edited) return edited.error();
  Compared compared{other->settle(), other->pose()};
  compared.pose.holds.resize(std::min(compared.pose.holds.size(), scene().holds.size()));
  return compared;
}

Result<ModesOutcome> Editor::modes(int count) const {
  if (!session_) return kNothing;
  return filum::modes(scene(), {count, time(), watcher()});
}

Result<Outcome> Editor::follow_path(int states, bool nudge) const {
  if (!session_) return kNothing;
  if (scene().drivers.empty()) return bad_input("nothing is driven: give a hold, a body, a force or a length a path");
  return filum::solve(scene(), {0, states, nudge, watcher()});
}

}  // namespace filum::serve
