#include "formulations/chain/solve/chain_step.hpp"

#include "base/index.hpp"
#include "formulations/chain/chain_energy.hpp"
#include "formulations/chain/mechanism/chain_start.hpp"
#include "formulations/chain/mechanism/level_of_detail.hpp"
#include "formulations/chain/mechanism/pulls.hpp"
#include "formulations/chain/mechanism/recut.hpp"
#include "formulations/chain/mechanism/tension_stiffness.hpp"
#include "formulations/chain/reeving/winch.hpp"
#include "formulations/chain/solve/scene_loads.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::chain {

namespace {

constexpr int kMostRounds = 12;
constexpr int kMostPasses = 20;
constexpr int kMostReturns = 25;  // solves more in which links give way

// Elements that turn fast are followed until their gaps are known to this share of the energy that has moved, by so many
// more solves at most.
constexpr double kTurned = 1e-7;
constexpr int kMostTurns = 6;
constexpr double kNearer = 0.5;  // each, at least

// Sweeps that leave more than this of the system have not converged.
constexpr double kSwept = 1e-3;

}  // namespace

const Mechanism& ChainStepper::fit(const ChainState& state) {
  if (structure_ == state.structure)
    refit(model_, state, mechanism_);
  else
    lay_out(state);
  return mechanism_;
}

// The mechanism of another list of elements, and everything that has its size.
void ChainStepper::lay_out(const ChainState& state) {
  mechanism_ = make_mechanism(model_, state);
  structure_ = state.structure;
  set_.begin(static_cast<int>(mechanism_.parts.size()));
  links_.add_to(set_, mechanism_, static_cast<int>(model_.rods.size()));
  ropes_.add_to(set_, mechanism_, *model_.scene);
  wheels_.add_to(set_, mechanism_, model_, state);
  joints_.add_to(set_, mechanism_, model_);
  touches_.lay_out(model_, mechanism_, state);
  joined_ = set_.constraints.size();
  analyse();
  free_.lay_out(mechanism_);
  pull_.assign(state.pulls.size(), Mat3::Zero());
}

void ChainStepper::analyse() {
  if (model_.scene->simulation.chain.sweeps > 0)
    sweeps_.analyse(set_);
  else
    schur_.analyse(set_);
}

// Contacts of two parts that move come and go.
void ChainStepper::link_touches() {
  if (!touches_.relinked()) return;
  set_.cut_back(joined_);
  touches_.add_to(set_, static_cast<int>(model_.rods.size()));
  analyse();
}

// After elements have been cut anew: links that there were go on.
void ChainStepper::cut_anew(ChainState& state) {
  const Mechanism before = mechanism_;
  state.structure = structure_of(state.elements);
  fit(state);
  state.links = carried_links(before, state.links, mechanism_);
  if (!state.touches.empty()) state.touches = carried_touches(before, state.touches, mechanism_);
  make_memory(model_, mechanism_, state);
}

// Holds and bodies that are moved from outside arrive at their targets at an even rate, by less than half a turn a
// step.
void ChainStepper::set_given_motion(ChainState& state, const Targets& targets, double dt) const {
  auto lead = [dt](PartState& part, const Vec3& position, const Quat& orientation) {
    part.velocity = (position - part.position) / dt;
    part.spin = math::log_quat(orientation * part.orientation.conjugate()) / dt;
  };
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    if (!model_.bodies[b].moves)
      lead(state.parts[at(mechanism_.first_body) + b], targets.bodies[b].position, targets.bodies[b].orientation);
  for (std::size_t h = 0; h < targets.holds.size(); ++h) {
    lead(state.parts[at(mechanism_.first_hold) + h], targets.holds[h].position, wanted_section(targets.holds[h]));
    state.hold_turns[h] = targets.holds[h].turns;
  }
}

// Solves until every bounded row stands where it belongs. How often is limited: a step has a bounded cost, and a row on
// the wrong side of its bound is set right in the next step.
bool ChainStepper::solve_directly(Schur::Matrix matrix) {
  for (int round = 0; round < kMostRounds; ++round) {
    if (!schur_.solve_all(set_, free_.mobility, matrix)) return false;
    if (!schur_.revise(set_)) break;
  }
  return true;
}

// The energy that moves, or has moved, after the solve.
double ChainStepper::moving_energy(const ChainState& state) const {
  double moves = 0;
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p)
    if (mechanism_.parts[p].moves)
      moves += 0.5 * mechanism_.parts[p].mass * (free_.velocity[p] + set_.changes[p]).head<3>().squaredNorm();
  return std::max(moves, state.most_kinetic);
}

// After the solve: whether the ends of elements go round otherwise than it took them to, so that it is to be done again,
// with what it found. `before`: by how much they did the last time.
bool ChainStepper::turns_again(const ChainState& state, double dt, double energy, int turn, double& before) {
  const double missed = links_.missed_bows(set_, mechanism_, free_.velocity, dt) +
                        ropes_.missed_bows(set_, mechanism_, *model_.scene, state, free_.velocity, dt);
  if (missed <= kTurned * energy) return false;
  // where elements turn by a rad it leads nowhere
  turns_too_far_ = turn == kMostTurns || missed > kNearer * before;
  if (turns_too_far_) return false;
  before = missed;
  links_.foretell_again(set_);
  ropes_.foretell_again(set_, dt);
  return true;
}

// With the same factor.
bool ChainStepper::answer_turns(const ChainState& state, double dt) {
  turns_too_far_ = false;
  const double energy = moving_energy(state);
  double before = std::numeric_limits<double>::infinity();
  for (int turn = 0; turns_again(state, dt, energy, turn, before); ++turn)
    for (int round = 0; round < kMostRounds; ++round) {
      if (!schur_.solve(set_, free_.mobility, Schur::From::Here)) return false;
      if (!schur_.revise(set_)) break;
    }
  return true;
}

// By the scene's number of sweeps.
bool ChainStepper::solve_by_sweeps() {
  sweeps_.begin(set_);
  for (int sweep = 0; sweep < model_.scene->simulation.chain.sweeps; ++sweep)
    if (!sweeps_.sweep(set_, free_.mobility)) return false;
  residual_ = Sweeps::residual(set_);
  return std::isfinite(residual_);
}

bool ChainStepper::solve(ChainState& state, const Targets& targets, double dt, Turns turns) {
  const bool kept = turns == Turns::Kept;
  links_.fill(set_, mechanism_, model_, state, free_.velocity, dt, kept);
  ropes_.fill(set_, mechanism_, *model_.scene, state, free_.velocity, targets, dt, model_.variant.plain, kept);
  wheels_.fill(set_, mechanism_, model_, state, free_.velocity, dt);
  joints_.fill(set_, model_, state, free_.velocity, targets, dt);
  if (touches_.is_there()) touches_.fill(set_, free_.velocity);
  const bool by_sweeps = model_.scene->simulation.chain.sweeps > 0;
  set_.renew_bounds();
  schur_.keep_matrices(links_.give());
  for (int pass = 0;; ++pass) {
    const Schur::Matrix matrix = pass == 0 ? Schur::Matrix::New : Schur::Matrix::Softened;
    if (!(by_sweeps ? solve_by_sweeps() : solve_directly(matrix))) return false;
    if (!by_sweeps && turns == Turns::Answered && !answer_turns(state, dt)) return false;
    yields_too_far_ = links_.give_way(set_, mechanism_, model_, state, free_.velocity, dt);
    if (!yields_too_far_ || pass == kMostReturns) break;
  }
  Links::take_forces(set_, mechanism_, state, dt);
  wheels_.take(set_, model_, state, free_.velocity, dt);
  return true;
}

// The same with what touches: again until that is in balance too, and then, where elements turn fast, with what they do.
bool ChainStepper::solve_touching(ChainState& state, const Targets& targets, double dt) {
  if (!touches_.is_there()) return solve(state, targets, dt, Turns::Answered);
  touches_.begin(model_, mechanism_, state, free_.velocity, dt);
  untouched_mobility_ = free_.mobility;
  untouched_velocity_ = free_.velocity;
  turns_too_far_ = false;
  double before = std::numeric_limits<double>::infinity();
  for (int turn = 0;; ++turn) {
    do {
      free_.mobility = untouched_mobility_;
      free_.velocity = untouched_velocity_;
      link_touches();
      touches_.press(free_.mobility, free_.velocity);
      if (!solve(state, targets, dt, turn == 0 ? Turns::Foretold : Turns::Kept)) return false;
    } while (!touches_.settle(model_, mechanism_, state, free_.velocity, set_));
    if (model_.scene->simulation.chain.sweeps > 0 || !turns_again(state, dt, moving_energy(state), turn, before))
      return true;
    touches_.go_on_anew();
  }
}

// Velocities after the solve, and the work done from outside.
void ChainStepper::account(ChainState& state, const Targets& targets, double dt) {
  std::vector<Vec6>& velocity = free_.velocity;
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p)
    if (mechanism_.parts[p].moves) velocity[p] += set_.changes[p];
  links_.take_lags(set_, mechanism_, model_, state, velocity, dt);
  // what moves a part whose motion is given works against the force on it
  for (const Incidence& incidence : set_.incidences) {
    if (incidence.moves) continue;
    const Constraint& constraint = set_.constraints[at(incidence.constraint)];
    for (int r = 0; r < constraint.rows; ++r)
      state.work -= constraint.impulse[r] * incidence.rows.row(r).dot(velocity[at(incidence.part)]);
  }
  for (const WheelState& wheel : state.wheels) state.dissipated += wheel.lost;
  touches_.take(mechanism_, state, velocity);
  ropes_.take(set_, mechanism_, *model_.scene, state, velocity, targets, dt);
  joints_.take(set_, model_, state, velocity, targets, dt);
  take_loads(mechanism_, targets, dt, velocity, state);
}

void ChainStepper::move(ChainState& state, double dt) const {
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    PartState& part = state.parts[p];
    part.velocity = free_.velocity[p].head<3>();
    part.spin = free_.velocity[p].tail<3>();
    part.position += dt * part.velocity;
    part.orientation = (math::exp_quat(dt * part.spin) * part.orientation).normalized();
  }
}

void ChainStepper::bring_to_rest(ChainState& state, const Targets& targets) {
  set_lengths(state, targets);
  fit(state);
  // what has not moved yet keeps the velocities that it is to begin with
  for (PartState& part : state.parts) {
    if (!state.moving) break;
    part.velocity.setZero();
    part.spin.setZero();
  }
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    if (model_.bodies[b].moves) continue;
    PartState& part = state.parts[at(mechanism_.first_body) + b];
    part.position = targets.bodies[b].position;
    part.orientation = targets.bodies[b].orientation;
  }
  // whole turns of a hold go into the twist of the link beside it
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    if (link.hold < 0 || model_.grips[at(link.hold)].body >= 0) continue;
    const double turned = targets.holds[at(link.hold)].turns - state.hold_turns[at(link.hold)];
    state.links[k].twist += 2 * math::kPi * (link.b >= mechanism_.first_body ? turned : -turned);
  }
  for (std::size_t h = 0; h < targets.holds.size(); ++h) {
    PartState& part = state.parts[at(mechanism_.first_hold) + h];
    part.position = targets.holds[h].position;
    part.orientation = wanted_section(targets.holds[h]);
    state.hold_turns[h] = targets.holds[h].turns;
  }
  state.force_scale = targets.force_scale;
  state.torque_scale = targets.torque_scale;
  state.load = targets.load;
}

// A rod that is wound or runs over a sheave changes its length there and nowhere else.
void ChainStepper::set_lengths(ChainState& state, const Targets& targets) const {
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    auto runs = [&](const auto& thing) { return at(thing.rod) == r; };
    if (std::any_of(model_.reels.begin(), model_.reels.end(), runs) ||
        std::any_of(model_.wheels.begin(), model_.wheels.end(), runs))
      continue;
    state.length_factor[r] = targets.rod_length[r] / model_.rods[r].length;
  }
}

// A rod breaks at the joint that bears most, once that is more than it can: one a step, and what it held is free.
void ChainStepper::break_overloaded(ChainState& state) const {
  int worst = -1;
  double most = 1;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    if (link.rod < 0 || !link.has_gap()) continue;
    const auto& limit = model_.scene->rods[at(link.rod)].limits.breaking_tension;
    if (!limit || state.links[k].force.head<3>().norm() <= most * *limit) continue;
    most = state.links[k].force.head<3>().norm() / *limit;
    worst = static_cast<int>(k);
  }
  if (worst < 0) return;
  state.links[at(worst)].broken = true;
  state.links[at(worst)].force.setZero();
}

// Winds what winches wind, and finds how many elements are enough.
void ChainStepper::cut(ChainState& state, const Targets& targets, double dt) {
  set_lengths(state, targets);
  if (wind(model_, state, targets, dt))
    cut_anew(state);
  else
    refit(model_, state, mechanism_);
  set_given_motion(state, targets, dt);
  if (model_.scene->simulation.chain.detail <= 0) return;
  for (int pass = 0; pass < kMostPasses && adapt_detail(model_, mechanism_, state, dt); ++pass) cut_anew(state);
  if (state.moving) ++state.merged_last;
}

StepReport ChainStepper::step(ChainState& state, const Targets& targets, double dt) {
  StepReport report;
  report.iterations = std::max(1, model_.scene->simulation.chain.sweeps);
  fit(state);
  const double balance = energy_of(model_, mechanism_, state).balance();
  cut(state, targets, dt);
  wheels_.begin(state);
  Ropes::tie(mechanism_, targets, state);
  const double memory = memory_over(dt, model_.scene->simulation.step);
  // the first step knows of no tension yet: it is asked for once before it is used
  const int passes = state.moving || model_.variant.plain ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass) {
    if (pass > 0 || state.moving) remember_tension(mechanism_, state, memory, free_.tension);
    free_.find(model_, mechanism_, state, targets, dt);
    Wheels::weigh(mechanism_, model_, state, dt, free_.mobility, free_.velocity);
    BodyJoints::drive(mechanism_, model_, state, targets, dt, free_.mobility, free_.velocity);
    if (!solve_touching(state, targets, dt)) {
      report.why = "the forces of the chain are not finite";
      return report;
    }
    remember_pulls(mechanism_, set_, dt, memory, pull_, state);
  }
  account(state, targets, dt);
  report.blow = note_pulls(mechanism_, model_.gravity.norm(), dt, state, !state.moving);
  break_overloaded(state);
  read_winches(mechanism_, state, dt);
  if (touches_.is_there() && touches_.missed()) {
    report.why = "something would go through something else";
    return report;
  }
  move(state, dt);
  if (touches_.is_there() && touches_.went_through(model_, mechanism_, state)) {
    report.why = "something has gone into something else";
    return report;
  }
  if (const char* trouble = Wheels::trouble(model_, state); trouble != nullptr) {
    report.why = trouble;
    return report;
  }
  if (Wheels::recut(model_, state))
    cut_anew(state);
  else
    refit(model_, state, mechanism_);
  const Energy after = energy_of(model_, mechanism_, state);
  note_loss(balance, after, dt, state);
  report.made = state.most_kinetic > 0 ? state.risen / state.most_kinetic : 0;
  report.coarse = state.moving && !model_.variant.plain &&
                  (turns_too_far_ || yields_too_far_ || (touches_.is_there() && touches_.unsettled()) ||
                   makes_energy(model_, mechanism_, state, after.balance() - balance));
  if (!model_.variant.plain) note_whips(mechanism_, model_.scene->simulation.step, dt, state);
  state.moving = true;
  state.last_step = dt;
  state.force_scale = targets.force_scale;
  state.torque_scale = targets.torque_scale;
  state.load = targets.load;

  for (const PartState& part : state.parts)
    if (!part.position.allFinite() || !part.spin.allFinite()) {
      report.why = "a part of the chain has flown off";
      return report;
    }
  report.residual = residual_;
  report.converged = residual_ <= kSwept;
  report.usable = true;
  return report;
}

}  // namespace filum::chain
