#include "sim/live/engine.hpp"

#include "base/index.hpp"
#include "rod/pose_at.hpp"
#include "scene/text.hpp"
#include "sim/formulations.hpp"
#include "sim/refusal.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace filum::sim {

namespace {

// The strain that an inextensible stepper may neglect.
constexpr double kMostNeglectedStrain = 1e-3;

bool judges_strain(const Scene& scene) {
  return std::any_of(scene.rods.begin(), scene.rods.end(), [](const Rod& rod) { return rod.extensible; });
}

}  // namespace

Engine::Engine(const Scene& scene, std::shared_ptr<const Formulation> formulation)
    : whole_(std::move(formulation)),
      living_(as_it_begins(scene), whole_),
      grips_(scene.holds.size()),
      asked_(scene),
      router_(scene),
      control_(scene.simulation) {}

void Engine::begin(const Progress& progress) {
  fill_wanted(0, next_);
  if (simulation().start == StartKind::Equilibrium) {
    solve_ = living_.find_equilibrium(next_, progress);
  } else {
    living_.start(next_);
    solve_.converged = true;
  }
  const Pose now = pose();
  turns_.begin(scene(), now, living_.held());
  const bool moves = simulation().mode == Mode::Dynamics || simulation().end > 0;
  if (moves && simulation().start == StartKind::Relaxed) tell_laid_out(now);
}

// Rods that were drawn with another length than their own: whether they have it now.
void Engine::tell_laid_out(const Pose& now) {
  constexpr double kTold = 0.01;
  const Targets& held = living_.held();
  for (std::size_t r = 0; r < scene().rods.size(); ++r) {
    const Rod& rod = scene().rods[r];
    const auto reeved = [&](const Sheave& sheave) { return sheave.rod == rod.name; };
    if (std::any_of(scene().sheaves.begin(), scene().sheaves.end(), reeved)) continue;
    const double length = held.rod_length[r];
    const double longer = curve_length(rod.shape, rod.closed) / length - 1;
    if (!(std::abs(longer) > kTold)) continue;
    Event& event = tell(EventKind::LaidOut);
    event.object = {ObjectKind::Rod, rod.name};
    event.value = longer;
    if (now.rods[r].length > (1 + 0.1 * kTold) * length) event.why = "to " + scene::text(now.rods[r].length) + " m";
  }
}

// A clip that opens or closes makes another equilibrium, in which the next may: each does so once at most.
const SolveReport& Engine::settle(const Progress& progress) {
  find_rest(progress);
  for (std::size_t k = 0; k < scene().holds.size(); ++k) {
    if (!solve_.converged || !has_clips(scene()) || !judge_clips(AtRest)) break;
    find_rest(progress);
  }
  return solve_;
}

void Engine::find_rest(const Progress& progress) {
  fill_wanted(t_, next_);
  if (scene().routing.empty()) {
    std::unique_ptr<State> before = living_.keep();
    solve_ = living_.lay(next_, progress);
    if (solve_.stopped) living_.go_back_to(std::move(before));
  } else {
    LivingScene::Kept before = living_.keep_all();
    const std::vector<FoundLength> lengths = router_.lengths();
    solve_ = router_.settle(living_, next_, progress);
    if (solve_.stopped)
      living_.go_back_to(std::move(before));
    else
      note_lengths(lengths);
  }
  if (solve_.stopped) return;
  // from rest to rest: what an edit brought in is gone with it, and is nobody's work
  edited_work_ = broken_ = 0;
  turns_.follow(living_.held());
  note_events();
}

void Engine::route(const std::vector<Routing>& routing) {
  living_.set_routing(routing);
  router_.begin(scene());
}

// What has become of a length is told when it is something else than before.
void Engine::note_lengths(const std::vector<FoundLength>& before) {
  const std::vector<FoundLength>& now = router_.lengths();
  for (std::size_t k = 0; k < now.size(); ++k)
    if (k >= before.size() || before[k].rod != now[k].rod || before[k].verdict != now[k].verdict)
      events_.push_back(length_event(now[k], t_));
}

// Drivers, then what was asked for by hand.
void Engine::fill_wanted(double t, Targets& targets) const {
  fill_targets(scene(), living_.resting(), grips_, asked_.bodies, t, targets);
  for (std::size_t h = 0; h < grips_.size(); ++h)
    targets.holds[h].position += (grips_[h].mouth ? 1 : way_to_seat(t - grips_[h].caught_at)) * grips_[h].caught_off;
  asked_.put_into(targets);
}

Targets Engine::wanted() const {
  Targets targets;
  fill_wanted(t_, targets);
  return targets;
}

bool Engine::step(double limit) {
  const double bound = std::min(limit, next_switch(scene(), t_ + kSameInstant * simulation().step));
  return take(simulation().tolerance ? Tick{bound, bound - t_} : next_tick(t_, simulation().step, bound));
}

bool Engine::advance() {
  const double until = next_tick(t_, simulation().step, std::numeric_limits<double>::infinity()).t;
  while (t_ < until - kSameInstant * simulation().step)
    if (!step(until)) return false;
  return true;
}

bool Engine::advance(double dt) {
  const double until = t_ + dt;
  Tick tick{until, dt};
  while (t_ < until - kSameInstant * std::min(dt, simulation().step)) {
    const double bound = std::min(until, next_switch(scene(), t_ + kSameInstant * simulation().step));
    if (bound < until || t_ > until - dt) tick = {bound, bound - t_};
    if (!take(tick)) return false;
  }
  return true;
}

// To an instant, or with an adaptive step towards it.
bool Engine::go(const Tick& tick) {
  return simulation().tolerance ? adapt(tick.t) : accept(march(tick), tick.t);
}

// Likewise where hands of bounded strength hold on to something (slip.hpp).
bool Engine::go_by_hand(const Tick& tick) {
  LivingScene::Kept before = living_.keep_all();
  const double t = t_;
  const RunReport counts = report_;
  const double trial = control_.trial();
  const bool held = go(tick);
  if (!held && why_ == kStopped) return false;
  const std::vector<Slip> slips = held ? overpowered(asked_, living_.pose()) : at_full_strength(asked_, before.held);
  if (slips.empty()) return held;
  LivingScene::Kept after = living_.keep_all();
  const double reached = t_;
  living_.go_back_to(std::move(before));
  t_ = t;
  report_ = counts;
  control_.set_trial(trial);
  if (go_slipping({held ? reached : tick.t, (held ? reached : tick.t) - t}, slips)) return true;
  // as strong as it must be, if that was possible
  if (why_ == kStopped || !held) return false;
  living_.go_back_to(std::move(after));
  t_ = reached;
  return true;
}

// The holds let go for this step, and take hold again of what they then find. False: all is as before.
bool Engine::go_slipping(const Tick& tick, const std::vector<Slip>& slips) {
  const std::vector<AskedHold> asked = asked_.holds;
  const double work = edited_work_;
  LivingScene::Kept before = living_.keep_all();
  LivingScene other(slipping(scene(), slips), living_.formulation());
  go_over_to(other);
  const bool taken = go(tick);
  if (taken) {
    const Targets found = living_.where_it_is();
    for (const Slip& slip : slips) asked_.holds[at(slip.hold)].position = found.holds[at(slip.hold)].position;
    slips_ = slips;
  }
  go_over_to(other);
  if (taken) return true;
  living_.go_back_to(std::move(before));
  asked_.holds = asked;
  edited_work_ = work;
  return false;
}

// One step.
bool Engine::take(const Tick& tick) {
  slips_.clear();
  if (!(asked_.is_bounded() ? go_by_hand(tick) : go(tick))) return false;
  ++report_.steps;
  turns_.follow(living_.held());
  note_events();
  for (const HoldSwitch& each : switches_at(scene(), t_, kSameInstant * simulation().step)) fix(each);
  if (has_clips(scene())) judge_clips(InMotion);
  if (may_break(scene())) judge_rupture();
  return true;
}

// The rod that is strained most beyond what it bears parts there; others follow from step to step.
void Engine::judge_rupture() {
  // who parts rods in its own state has judged their tension already, between steps too
  const bool by_tension = !whole_->supports(Feature::BreakingRings);
  if (const std::optional<Rupture> worst = worst_rupture(scene(), living_.pose(), by_tension)) part(*worst);
}

// The scene stays as it is; what was stored where the rod parts is spent.
void Engine::part(const Rupture& rupture) {
  Event event = broke_event(scene(), rupture, t_);
  const double length = living_.held().rod_length[at(rupture.rod)];
  if (living_.part(rupture.rod, rupture.use.s)) {
    events_.push_back(std::move(event));
    going_on_ = living_.events();  // it tells of it too
    return;
  }
  double share = rupture.use.s / length;
  Result<std::vector<Parting>> parted = with_cut(scene(), living_.model(), rupture.rod, share, partings_);
  event.from.s = share * length;
  if (!parted) {
    // told once: it goes on as if it bore more
    event.kind = EventKind::Told;
    event.why = "rod '" + event.object.name + "' should break, but cannot: " + parted.error().message;
    if (std::none_of(events_.begin(), events_.end(), [&](const Event& told) { return told.same(event); }))
      events_.push_back(std::move(event));
    return;
  }
  const double before = living_.pose().energy.balance();
  partings_ = std::move(*parted);
  events_.push_back(std::move(event));
  const double work = edited_work_;
  change_to(LivingScene(scene(), part_rods(whole_, partings_)));
  edited_work_ = work;
  broken_ += before - living_.pose().energy.balance();
}

// Clips that bear more than they can are pulled open, one after the other: the next has another load then. Open ones take
// hold of what has come near. Whether any did.
bool Engine::judge_clips(When when) {
  const Pose now = living_.pose();
  // as they are now: when one lets go or closes, those that hold nothing count as being where their rod is
  const std::vector<HoldTarget> seats = living_.held().holds;
  bool changed = false;
  const std::optional<Overload> over = worst_overload(scene(), now);
  if (over && !grips_[at(over->hold)].mouth) {
    events_.push_back(popped_event(scene(), *over, t_));
    Grip& grip = grips_[at(over->hold)];
    grip.popped = grip.near = true;
    switch_to({over->hold, {}});
    changed = true;
  }
  for (std::size_t h = 0; h < scene().holds.size(); ++h) {
    // before anything is referred to: a rod that is let go makes another scene of it
    if (grips_[h].mouth) changed |= push_in(static_cast<int>(h), push_into(scene(), now, h), when);
    const Hold& hold = scene().holds[h];
    if (!hold.clip || !hold.clip->capture || hold.holds_position()) continue;
    const RodPose& rod = now.rods[at(index_of(scene().rods, hold.rod))];
    const Nearest nearest = nearest_of(rod, seats[h].position);
    Grip& grip = grips_[h];
    if (nearest.distance > 2 * hold.clip->capture->radius) grip.near = false;
    if (!grip.near && is_caught(*hold.clip->capture, rod, nearest))
      changed |= close_clip(static_cast<int>(h), rod, nearest.s, seats[h].position, when);
  }
  return changed;
}

// The rod is held where it is, and led from there to the clip's seat; at rest it is there at once.
bool Engine::close_clip(int index, const RodPose& rod, double s, const Vec3& seat, When when) {
  Scene changed = scene();
  Hold& hold = changed.holds[at(index)];
  hold.at = {0, s};
  Fix fix{{true, true, true}, {}};
  if (hold.clip->capture->direction) {
    fix.orientation = kAllAxes;
    hold.orientation = rod::frame_at(rod, s);
  }
  hold.fix = fix;
  // where another hold has it already there is no room for this one, until the rod has gone away
  if (const std::optional<Error> refused = why_not(changed)) {
    grips_[at(index)].near = true;
    tell(EventKind::Told).why = "clip '" + hold.name + "' cannot close: " + refused->message;
    return false;
  }
  grips_[at(index)] = {};
  if (when == InMotion) grips_[at(index)].caught_at = t_;
  grips_[at(index)].caught_off = rod::position_at(rod, s) - seat;
  grips_[at(index)].mouth = hold.clip->insertion_force.has_value();
  if (!grips_[at(index)].mouth) tell_caught(hold, s, 0);
  change_to(LivingScene(std::move(changed), living_.formulation()));
  return true;
}

// A rod in the mouth of a clip snaps in when it is pushed hard enough, and is let go when it is pulled away.
bool Engine::push_in(int index, double push, When when) {
  constexpr double kPulledAway = 0.05;  // of the force that pushes it in
  const Hold& hold = scene().holds[at(index)];
  Grip& grip = grips_[at(index)];
  if (push >= *hold.clip->insertion_force) {
    grip.mouth = false;
    if (when == InMotion) grip.caught_at = t_;
    tell_caught(hold, hold.at.at(living_.pose().rods[at(index_of(scene().rods, hold.rod))].s.back()), push);
  } else if (push < -kPulledAway * *hold.clip->insertion_force) {
    grip.mouth = false;
    grip.near = true;
    switch_to({index, {}});
  }
  return !grips_[at(index)].mouth;
}

void Engine::tell_caught(const Hold& hold, double s, double push) {
  Event& event = tell(EventKind::Caught);
  event.object = {ObjectKind::Hold, hold.name};
  event.rod = hold.rod;
  event.from = {PlaceKind::Along, {}};
  event.from.s = s;
  event.value = push;
}

// Tries to get to an instant.
March Engine::march(const Tick& tick) {
  fill_wanted(tick.t, next_);
  const bool first = report_.failed_steps == 0;
  const March result = living_.march(next_, tick.dt, report_, watch_);
  if (first && report_.failed_steps > 0) tell(EventKind::StepDivided).why = result.why;
  return result;
}

// Takes over what a march has reached, unless it must not count.
bool Engine::accept(const March& march, double t) {
  if (march.stopped) {
    why_ = kStopped;
    return false;
  }
  if (!march.done) {
    why_ = "the step does not converge, however finely it is divided (" + std::string(march.why) +
           "): try a shorter `step`, or some `damping`";
    return false;
  }
  if (march.neglected_strain > kMostNeglectedStrain && judges_strain(scene())) {
    living_.undo();
    why_ = "this stepper neglects stretching, which would reach a strain of " + std::to_string(march.neglected_strain) +
           ": take `stepper: implicit`, or say `extensible: false` of the rods";
    return false;
  }
  report_.unconverged_steps += march.unconverged;
  report_.residual_left = std::max(report_.residual_left, march.residual_left);
  report_.smallest_step = report_.smallest_step > 0 ? std::min(report_.smallest_step, march.shortest) : march.shortest;
  report_.largest_step = std::max(report_.largest_step, march.longest);
  report_.neglected_strain = std::max(report_.neglected_strain, march.neglected_strain);
  t_ = t;
  living_.set_held(next_);
  return true;
}

// One step whose error is below the tolerance, of a length that the errors so far suggest.
bool Engine::adapt(double limit) {
  while (true) {
    const Tick tick = control_.next(simulation(), t_, limit);
    const March tried = march(tick);
    if (!tried.done || control_.judge(simulation(), tick, limit, tried.error)) return accept(tried, tick.t);
    living_.undo();
    ++report_.rejected_steps;
    if (control_.is_hopeless(simulation())) {
      why_ = "the error of a step stays above the tolerance, however short it is";
      return false;
    }
  }
}

void Engine::catch_up(const Scene& scene) {
  const double now = t_ + kSameInstant * scene.simulation.step;
  for (int h = 0; at(h) < scene.holds.size(); ++h) fix({h, fix_at(scene, h, now)});
}

void Engine::fix(const HoldSwitch& to) {
  if (scene().holds[at(to.hold)].fix == to.fix) return;
  switch_to(to);
  const Hold& switched = scene().holds[at(to.hold)];
  tell(switched_to(switched)).object = {ObjectKind::Hold, switched.name};
}

void Engine::switch_to(const HoldSwitch& to) {
  Scene changed = scene();
  switch_hold(changed, to, living_.held(), living_.where_it_is(), t_, grips_[at(to.hold)], asked_.holds[at(to.hold)]);
  change_to(LivingScene(std::move(changed), living_.formulation()));
}

void Engine::edit(const Scene& edited) {
  std::vector<Grip> grips(edited.holds.size());
  for (std::size_t h = 0; h < edited.holds.size(); ++h) {
    const int was = index_of(scene().holds, edited.holds[h].name);
    if (was < 0) continue;
    grips[h] = grips_[at(was)];
    // a clip that is opened does not take hold again of what still lies in it
    if (scene().holds[at(was)].holds_position() && !edited.holds[h].holds_position()) grips[h].near = true;
  }
  grips_ = std::move(grips);
  asked_ = asked_.carried(scene(), edited);
  if (edited.simulation.formulation != simulation().formulation) {
    whole_ = make_formulation(edited.simulation.formulation);
    // who parts rods in its own state takes over none of another's
    if (whole_->supports(Feature::BreakingRings)) partings_.clear();
  }
  change_to(LivingScene(edited, part_rods(whole_, partings_)));
}

// Goes on with an edit of the scene; grips and what is asked are already the new scene's.
void Engine::change_to(LivingScene changed) {
  slips_.clear();
  go_over_to(changed);
  control_.set_trial(std::min(control_.trial(), simulation().step));
  going_on_.clear();
  router_.begin(scene());
  turns_.begin(scene(), pose(), living_.held());
}

// The state goes over to another version of the scene; what that brings in counts as work.
void Engine::go_over_to(LivingScene& other) {
  const double before = pose().energy.balance();
  std::swap(living_, other);
  living_.carry_over(other, wanted());
  edited_work_ += pose().energy.balance() - before;
}

// What the model tells anew. That a thing goes on is told once.
void Engine::note_events() {
  std::vector<Event> now = living_.events();
  for (Event& event : now) {
    event.t = t_;
    if (std::none_of(going_on_.begin(), going_on_.end(), [&](const Event& before) { return before.same(event); }))
      events_.push_back(event);
  }
  going_on_ = std::move(now);
}

Pose Engine::pose() const {
  Pose pose = living_.pose();
  pose.energy.work += edited_work_;
  pose.energy.dissipated += broken_;
  for (std::size_t h = 0; h < grips_.size() && h < pose.holds.size(); ++h) pose.holds[h].popped = grips_[h].popped;
  for (const Slip& slip : slips_) pose.holds[at(slip.hold)].force = slip.force;
  return pose;
}

// A new event of the present instant, to be filled.
Event& Engine::tell(EventKind kind) {
  Event& event = events_.emplace_back();
  event.t = t_;
  event.kind = kind;
  return event;
}

std::vector<Event> Engine::take_events() {
  return std::exchange(events_, {});
}

}  // namespace filum::sim
