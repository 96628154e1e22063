#include "sim/live/living_scene.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"
#include "sim/drivers.hpp"
#include "sim/live/hold_switches.hpp"
#include "sim/statics/load_stepping.hpp"
#include "sim/statics/other_unknowns.hpp"

#include <filum/edit.hpp>

#include <algorithm>
#include <utility>

namespace filum::sim {

namespace {

// The scene with rods of these lengths, where they have others.
Scene with_lengths(Scene scene, const std::vector<double>& lengths) {
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    if (lengths[r] > 0 && lengths[r] != scene::rod_length(scene.rods[r]))
      (void)edit::set_length(scene, scene.rods[r].name, lengths[r]);
  return scene;
}

// `found`, but for holds, bodies and lengths that the old scene had: those are where `last` has them.
Targets still_held(const Scene& old, const Targets& last, const Scene& scene, const Targets& found) {
  Targets now = found;
  now.load = last.load;
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    if (const int was = index_of(old.rods, scene.rods[r].name);
        was >= 0 && scene.rods[r].length == old.rods[at(was)].length)
      now.rod_length[r] = last.rod_length[at(was)];
  for (std::size_t k = 0; k < scene.ropes.size(); ++k)
    if (const int was = index_of(old.ropes, scene.ropes[k].name);
        was >= 0 && scene.ropes[k].length == old.ropes[at(was)].length)
      now.rope_length[k] = last.rope_length[at(was)];
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    if (const int was = index_of(old.bodies, scene.bodies[b].name); was >= 0) now.bodies[b] = last.bodies[at(was)];
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const int was = index_of(old.holds, scene.holds[h].name);
    if (was < 0) continue;
    const Hold& before = old.holds[at(was)];
    const Hold& after = scene.holds[h];
    if (before.rod != after.rod || before.at != after.at || before.body != after.body) continue;
    const HoldTarget& held = last.holds[at(was)];
    for (int axis = 0; axis < 3; ++axis)
      if (before.fix.position[at(axis)]) now.holds[h].position[axis] = held.position[axis];
    if (before.holds_orientation() && !gains_any(before.fix.orientation, after.fix.orientation)) {
      now.holds[h].orientation = held.orientation;
      now.holds[h].turns = held.turns;
    }
  }
  return now;
}

}  // namespace

LivingScene::LivingScene(Scene scene, std::shared_ptr<const Formulation> formulation)
    : formulation_(std::move(formulation)),
      scene_(std::move(scene)),
      model_(formulation_->compile(scene_)),
      workspace_(model_->workspace()),
      resting_(resting_targets(scene_)),
      held_(resting_) {
  compiled_lengths_ = resting_.rod_length;
}

LivingScene::LivingScene(Scene scene, std::shared_ptr<const Formulation> formulation,
                         std::vector<double> compiled_lengths)
    : formulation_(std::move(formulation)),
      scene_(std::move(scene)),
      compiled_lengths_(std::move(compiled_lengths)),
      model_(formulation_->compile(with_lengths(scene_, compiled_lengths_))),
      workspace_(model_->workspace()),
      resting_(resting_targets(scene_)),
      held_(resting_) {}

// A model is compiled, not copied: the state goes over to it as it is, for the scene says how long its rods are now.
LivingScene LivingScene::copy_as(const Scene& other) const {
  LivingScene copy(other, formulation_);
  copy.held_ = held_;
  copy.held_.rod_length = copy.resting_.rod_length;
  copy.state_ = copy.model_->carry_over(*model_, *state_, copy.held_);
  copy.drawn_ = drawn_;
  copy.edited_ = edited_;
  return copy;
}

void LivingScene::start(const Targets& targets) {
  laid_.reset();
  begun_.clear();
  held_ = targets;
  state_ = model_->start(held_);
  drawn_ = true;
  edited_ = false;
}

SolveReport LivingScene::find_equilibrium(const Targets& targets, const Progress& progress) {
  laid_.reset();
  held_ = targets;
  Equilibrium found = sim::find_equilibrium(*model_, *workspace_, scene_, resting_, held_, progress);
  state_ = std::move(found.state);
  begun_ = std::move(found.events);
  drawn_ = drawn_ && !found.report.converged;
  edited_ = edited_ && !found.report.converged;
  return found.report;
}

void LivingScene::carry_over(const LivingScene& from, const Targets& wanted) {
  laid_.reset();
  begun_.clear();
  drawn_ = from.drawn_;
  edited_ = true;
  Targets last = from.held_;
  last.bodies = from.where_it_is().bodies;
  // holds that were there are where they were; others are found where the carried state has them
  held_ = still_held(from.scene_, last, scene_, wanted);
  state_ = model_->carry_over(*from.model_, *from.state_, held_);
  if (!state_) state_ = model_->start(held_);
  held_ = still_held(from.scene_, last, scene_, where_it_is());
}

SolveReport LivingScene::follow(const Targets& next, const Progress& progress) {
  laid_.reset();
  SolveReport report = follow_equilibrium(*model_, *workspace_, scene_, state_,
                                          edited_ ? Begins::Edited : Begins::InBalance, held_, next, progress);
  if (!report.converged) return report;
  held_ = next;
  drawn_ = edited_ = false;
  return report;
}

SolveReport LivingScene::lay(const Targets& next, const Progress& progress) {
  if (laid_)
    if (std::optional<SolveReport> report = lay_part(next, progress)) return *report;
  SolveReport report =
      drawn_ && searches_in_positions(*formulation_, scene_) ? lay_first(next, progress) : follow(next, progress);
  if (report.converged && report.stable != false) laid_ = Laid{report.stable, islands(scene_), nullptr};
  return report;
}

// Against obstacles what is drawn comes to rest without friction first: nothing has rubbed yet, and it is far from any
// balance.
SolveReport LivingScene::lay_first(const Targets& next, const Progress& progress) {
  const Targets drawn = held_;
  SolveReport first = find_equilibrium(drawn, progress);
  if (!first.converged) return first;
  SolveReport report = follow(next, progress);
  report.iterations += first.iterations;
  return report;
}

// The islands that have to move, if they are not all of them. Nothing: the whole has to be asked.
std::optional<SolveReport> LivingScene::lay_part(const Targets& next, const Progress& progress) {
  const std::vector<char> rods = stirred(scene_, laid_->islands, held_, next);
  const auto count = std::count(rods.begin(), rods.end(), char{1});
  if (count == 0 || at(static_cast<int>(count)) == rods.size()) return std::nullopt;
  if ((laid_->part == nullptr || laid_->part->rods != rods) && !take_part(rods)) return std::nullopt;
  Part& moving = *laid_->part;
  SolveReport report = follow_equilibrium(*moving.model, *moving.workspace, moving.part.scene, moving.state,
                                          Begins::InBalance, moving.part.of(held_), moving.part.of(next), progress);
  if (report.stopped) {
    laid_->part.reset();
    return report;
  }
  // where it is lost or about to leave, the whole may know more
  if (!report.converged || report.stable == false) return std::nullopt;
  if (!model_->take_over(*state_, *moving.model, *moving.state)) return std::nullopt;
  held_ = next;
  if (!laid_->stable) report.stable.reset();
  return report;
}

// Compiles these islands and puts them into the state that they are in. False: there is no such model.
bool LivingScene::take_part(const std::vector<char>& rods) {
  auto part = std::make_unique<Part>();
  part->rods = rods;
  part->part = part_of(with_lengths(scene_, compiled_lengths_), rods);
  part->model = formulation_->compile(part->part.scene);
  part->workspace = part->model->workspace();
  part->state = part->model->carry_over(*model_, *state_, part->part.of(held_));
  if (part->state == nullptr) return false;
  laid_->part = std::move(part);
  return true;
}

SolveReport LivingScene::settle(const Targets& next, const Progress& progress) {
  Targets targets = next;
  targets.rod_length = resting_.rod_length;
  std::unique_ptr<State> before = keep();
  SolveReport report = follow(targets, progress);
  if (!report.converged) state_ = std::move(before);
  return report;
}

std::vector<Event> LivingScene::events() const {
  std::vector<Event> list = model_->events(*state_);
  list.insert(list.end(), begun_.begin(), begun_.end());
  return list;
}

SolveReport LivingScene::nudge(const Progress& progress) {
  laid_.reset();
  return model_->nudge(*workspace_, *state_, held_, progress);
}

std::vector<NaturalMode> LivingScene::modes(int count, const Progress& progress) const {
  return model_->modes(*workspace_, *state_, held_, count, progress);
}

March LivingScene::march(const Targets& next, double dt, RunReport& counts, const Progress& progress) {
  laid_.reset();
  drawn_ = false;
  if (!marcher_) marcher_ = std::make_unique<Marcher>(*model_, *workspace_, *state_, held_);
  return marcher_->march(*state_, held_, next, dt, counts, progress);
}

Status LivingScene::set_lengths(std::vector<PartLength>& parts) {
  Scene scene = scene_;
  Targets resting = resting_;
  bool in_parts = false;
  // from the last to the first: what lies before a part stays where it is
  std::vector<PartLength*> order;
  for (PartLength& each : parts) order.push_back(&each);
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->part.from > b->part.from; });
  for (const PartLength* each : order) {
    const Rod& rod = scene_.rods[at(each->rod)];
    in_parts = in_parts || !scene::is_whole(rod, each->part);
    if (Status done = edit::set_length_between(scene, rod.name, {0, each->part.from}, {0, each->part.to}, each->length);
        !done)
      return done;
    resting.rod_length[at(each->rod)] = *scene.rods[at(each->rod)].length;
  }
  // what lies beyond a part has moved on
  std::vector<double> shift(scene_.rods.size(), 0);
  for (auto each = order.rbegin(); each != order.rend(); ++each) {
    scene::Part& part = (*each)->part;
    const double change = (*each)->length - part.length();
    part.from += shift[at((*each)->rod)];
    part.to = part.from + (*each)->length;
    shift[at((*each)->rod)] += change;
  }
  laid_.reset();
  if (in_parts) {
    *this = copy_as(scene);
  } else {
    scene_ = std::move(scene);
    resting_ = std::move(resting);
  }
  return Done{};
}

LivingScene::Kept LivingScene::keep_all() const {
  return {scene_, compiled_lengths_, model_, keep(), resting_, held_};
}

void LivingScene::go_back_to(Kept kept) {
  laid_.reset();
  if (model_ != kept.model) {
    marcher_.reset();
    workspace_ = kept.model->workspace();
  }
  scene_ = std::move(kept.scene);
  compiled_lengths_ = std::move(kept.compiled_lengths);
  model_ = std::move(kept.model);
  state_ = std::move(kept.state);
  resting_ = std::move(kept.resting);
  held_ = std::move(kept.held);
}

bool LivingScene::unpack(std::span<const double> values, const Targets& targets) {
  std::unique_ptr<State> state = model_->unpack(values, targets);
  if (!state) return false;
  laid_.reset();
  drawn_ = edited_ = false;
  state_ = std::move(state);
  held_ = targets;
  return true;
}

}  // namespace filum::sim
