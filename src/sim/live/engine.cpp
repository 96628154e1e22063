#include "sim/live/engine.hpp"

#include "base/index.hpp"
#include "sim/statics/load_stepping.hpp"
#include "sim/live/same_event.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::sim {

namespace {

// Step control of a method of second order, whose error goes with the third power of the step (Hairer, Nørsett, Wanner,
// «Solving Ordinary Differential Equations I», section II.4).
constexpr double kSafety = 0.9;
constexpr double kMostGrowth = 2;
constexpr double kMostShrinking = 0.2;
// A step shorter than this share of the scene's is not tried.
constexpr double kShortestTrial = 1e-6;

// The strain that an inextensible stepper may neglect.
constexpr double kMostNeglectedStrain = 1e-3;

bool judges_strain(const Scene& scene) {
  return std::any_of(scene.rods.begin(), scene.rods.end(), [](const Rod& rod) { return rod.extensible; });
}

}  // namespace

Engine::Engine(const Scene& scene, std::unique_ptr<Formulation> formulation)
    : formulation_(std::move(formulation)), scene_(scene), router_(scene), trial_(scene.simulation.step) {
  for (std::size_t h = 0; h < scene_.holds.size(); ++h)
    set_fix(scene_.holds[h], fix_at(scene, static_cast<int>(h), kSameInstant * scene.simulation.step));
  grips_.resize(scene_.holds.size());
  asked_.resize(scene_.holds.size());
  asked_bodies_.resize(scene_.bodies.size());
  asked_lengths_.resize(scene_.rods.size());
  asked_speeds_.resize(scene_.winches.size());
  asked_ropes_.resize(scene_.ropes.size());
  compile(scene_);
}

void Engine::compile(const Scene& scene) {
  model_ = formulation_->compile(scene);
  resting_ = resting_targets(scene);
  compiled_ = resting_.rod_length;
}

// Sizes everything that a step writes to.
void Engine::make_ready() {
  marcher_.emplace(*model_, *state_, last_);
  next_ = last_;
  going_on_.clear();
}

void Engine::begin(const Progress& progress) {
  fill_next(0);
  last_ = next_;
  if (scene_.simulation.start == StartKind::Equilibrium) {
    Equilibrium found = find_equilibrium(*model_, scene_, resting_, last_, progress);
    state_ = std::move(found.state);
    solve_ = found.report;
  } else {
    state_ = model_->start(last_);
    solve_.converged = true;
  }
  make_ready();
  turns_.begin(scene_, pose(), last_);
}

const SolveReport& Engine::settle(const Progress& progress) {
  if (!scene_.routing.empty()) {
    find_lengths(progress);
    return solve_;
  }
  fill_next(t_);
  solve_ = follow_equilibrium(*model_, state_, last_, next_, progress);
  if (solve_.converged) last_ = next_;
  turns_.follow(last_);
  note_events();
  return solve_;
}

// Drivers, then what was asked for by hand.
void Engine::fill_next(double t) {
  fill_targets(scene_, resting_, grips_, asked_bodies_, t, next_);
  for (std::size_t h = 0; h < asked_.size(); ++h) {
    HoldTarget& hold = next_.holds[h];
    if (asked_[h].position) hold.position = *asked_[h].position;
    if (asked_[h].orientation) hold.orientation = *asked_[h].orientation;
    if (asked_[h].turns) hold.turns = *asked_[h].turns;
  }
  for (std::size_t r = 0; r < asked_lengths_.size(); ++r)
    if (asked_lengths_[r]) next_.rod_length[r] = *asked_lengths_[r];
  for (std::size_t w = 0; w < asked_speeds_.size(); ++w)
    if (asked_speeds_[w]) next_.winch_speed[w] = *asked_speeds_[w];
  for (std::size_t r = 0; r < asked_ropes_.size(); ++r)
    if (asked_ropes_[r]) next_.rope_length[r] = *asked_ropes_[r];
}

bool Engine::step(double limit) {
  const double bound = std::min(limit, next_switch());
  return take(scene_.simulation.tolerance ? Tick{bound, bound - t_} : next_tick(t_, scene_.simulation.step, bound));
}

bool Engine::advance() {
  const double until = next_tick(t_, scene_.simulation.step, std::numeric_limits<double>::infinity()).t;
  while (t_ < until - kSameInstant * scene_.simulation.step)
    if (!step(until)) return false;
  return true;
}

bool Engine::advance(double dt) {
  const double until = t_ + dt;
  Tick tick{until, dt};
  while (t_ < until - kSameInstant * std::min(dt, scene_.simulation.step)) {
    if (const double bound = std::min(until, next_switch()); bound < until || t_ > until - dt)
      tick = {bound, bound - t_};
    if (!take(tick)) return false;
  }
  return true;
}

// One step to an instant, or with an adaptive step towards it.
bool Engine::take(const Tick& tick) {
  if (!(scene_.simulation.tolerance ? adapt(tick.t) : move_to(tick))) return false;
  ++report_.steps;
  turns_.follow(last_);
  note_events();
  apply_switches();
  return true;
}

bool Engine::move_to(const Tick& tick) {
  return accept(march(tick), tick.t);
}

// Tries to get to an instant.
March Engine::march(const Tick& tick) {
  fill_next(tick.t);
  const bool first = report_.failed_steps == 0;
  const March result = marcher_->march(*state_, last_, next_, tick.dt, report_);
  if (first && report_.failed_steps > 0)
    events_.push_back({t_, std::string("a step had to be divided: ") + result.why});
  return result;
}

void Engine::ask(int hold, const Asked& asked) {
  Asked& kept = asked_[at(hold)];
  if (asked.position) kept.position = asked.position;
  if (asked.orientation) kept.orientation = asked.orientation;
  if (asked.turns) kept.turns = asked.turns;
}

void Engine::ask_body(int body, const AskedBody& asked) {
  AskedBody& kept = asked_bodies_[at(body)];
  if (asked.position) kept.position = asked.position;
  if (asked.orientation) kept.orientation = asked.orientation;
}

// Takes over what a march has reached, unless it must not count.
bool Engine::accept(const March& march, double t) {
  if (!march.done) {
    why_ = "the step does not converge, however finely it is divided: " + std::string(march.why);
    return false;
  }
  if (march.neglected_strain > kMostNeglectedStrain && judges_strain(scene_)) {
    marcher_->undo(*state_);
    why_ = "this stepper neglects stretching, which would reach a strain of " + std::to_string(march.neglected_strain) +
           ": take `stepper: implicit`, or say `extensible: false` of the rods";
    return false;
  }
  report_.unconverged_steps += march.unconverged;
  report_.smallest_step = report_.smallest_step > 0 ? std::min(report_.smallest_step, march.shortest) : march.shortest;
  report_.largest_step = std::max(report_.largest_step, march.longest);
  report_.neglected_strain = std::max(report_.neglected_strain, march.neglected_strain);
  t_ = t;
  std::swap(last_, next_);
  return true;
}

// One step whose error is below the tolerance, of a length that the errors so far suggest.
bool Engine::adapt(double limit) {
  const double longest = scene_.simulation.step;
  const double tolerance = *scene_.simulation.tolerance;
  while (true) {
    // up to the limit if little would be left
    const bool last = t_ + trial_ > limit - kSameInstant * longest;
    const double dt = last ? limit - t_ : trial_;
    const double t = last ? limit : t_ + trial_;
    const March tried = march({t, dt});
    if (!tried.done) return accept(tried, t);

    const double wanted = kSafety * std::cbrt(tolerance / std::max(tried.error, 1e-300));
    const double factor = std::clamp(wanted, kMostShrinking, kMostGrowth);
    if (tried.error <= tolerance) {
      // a step cut short by the limit says little about longer ones
      trial_ = std::min(longest, last ? std::max(trial_, factor * dt) : factor * dt);
      return accept(tried, t);
    }
    marcher_->undo(*state_);
    ++report_.rejected_steps;
    trial_ = factor * dt;
    if (trial_ < kShortestTrial * longest) {
      why_ = "the error of a step stays above the tolerance, however short it is";
      return false;
    }
  }
}

// What the model tells anew. That a thing goes on is told once.
void Engine::note_events() {
  std::vector<std::string> now = model_->events(*state_);
  for (const std::string& what : now)
    if (std::none_of(going_on_.begin(), going_on_.end(), [&](const auto& before) { return same_event(before, what); }))
      events_.push_back({t_, what});
  going_on_ = std::move(now);
}

Pose Engine::pose() const {
  Pose pose = model_->sample(*state_, last_);
  pose.energy.work += edited_work_;
  return pose;
}

std::vector<Event> Engine::take_events() {
  return std::exchange(events_, {});
}

}  // namespace filum::sim
