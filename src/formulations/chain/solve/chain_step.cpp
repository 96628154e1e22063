#include "formulations/chain/solve/chain_step.hpp"

#include "base/index.hpp"
#include "formulations/chain/chain_energy.hpp"
#include "formulations/chain/mechanism/level_of_detail.hpp"
#include "formulations/chain/mechanism/recut.hpp"
#include "formulations/chain/mechanism/row_weights.hpp"
#include "formulations/chain/reeving/winch.hpp"
#include "math/rotation.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

constexpr int kMostRounds = 12;
constexpr int kMostTouches = 6;
constexpr int kMostPasses = 20;

// Sweeps that leave more than this of the system have not converged.
constexpr double kSwept = 1e-3;

// Turns an element that is pushed aside by so much in a step, rad: a straight rope under a push has no side to buckle
// to.
constexpr double kCrooked = 1e-9;

// A body's spin after its gyroscopic torque −ω × Iω has acted for a step, by one implicit iteration in its own frame:
// stable at any spin. [Catto2015]
Vec3 gyrate(const Vec3& inertia, const Vec3& spin, double dt) {
  // a point does not turn
  if (!(inertia.minCoeff() > 0)) return spin;
  const Vec3 momentum = inertia.cwiseProduct(spin);
  const Vec3 residual = dt * spin.cross(momentum);
  const Mat3 jacobian =
      Mat3(inertia.asDiagonal()) + dt * (math::skew(spin) * Mat3(inertia.asDiagonal()) - math::skew(momentum));
  return spin - jacobian.inverse() * residual;
}

// The same for a round bar, in closed form: what turns across the axis goes round it, against the bar's own spin.
Vec3 gyrate_bar(const Vec3& inertia, const Vec3& spin, double dt) {
  const double angle = -(1 - inertia[2] / inertia[0]) * spin[2] * dt;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * spin[0] - s * spin[1], s * spin[0] + c * spin[1], spin[2]};
}

// A force or torque of the scene as it acts now, the part's share of it.
Vec3 acting(const PartLoad& load, const Mat3& axes, const Targets& targets, const std::vector<double>& scales) {
  return targets.load * scales[at(load.index)] * load.share * (load.follow ? Vec3(axes * load.value) : load.value);
}

Vec3 inverse(const Vec3& inertia) {
  Vec3 result = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (inertia[k] > 0) result[k] = 1 / inertia[k];
  return result;
}

}  // namespace

// Elements that have become longer or shorter, and the links that grip them.
void ChainStepper::refresh(const ChainState& state) {
  bool any = false;
  for (std::size_t e = 0; e < state.elements.size(); ++e) {
    const Element& now = state.elements[e];
    if (now.begin == elements_[e].begin && now.end == elements_[e].end &&
        state.length_factor[at(now.rod)] == lengths_[at(now.rod)])
      continue;
    any = true;
    mechanism_.parts[e] = element_part(model_, now, state.length_factor[at(now.rod)]);
    Span& span = mechanism_.spans[at(mechanism_.span_of[e])];
    span.length -= 2 * mechanism_.half_length[e];
    mechanism_.half_length[e] = half_length(model_, now, state.length_factor[at(now.rod)]);
    span.length += 2 * mechanism_.half_length[e];
  }
  if (!any) return;
  for (Link& link : mechanism_.links) fit_link(model_, state, link);
  elements_ = state.elements;
  lengths_ = state.length_factor;
}

const Mechanism& ChainStepper::mechanism(const ChainState& state) {
  if (structure_ == state.structure) {
    refresh(state);
    return mechanism_;
  }
  mechanism_ = make_mechanism(model_, state);
  structure_ = state.structure;
  elements_ = state.elements;
  lengths_ = state.length_factor;
  const std::size_t parts = mechanism_.parts.size();
  schur_.constraints.clear();
  schur_.incidences.clear();
  gap_.assign(mechanism_.links.size(), Vec3::Zero());
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    Constraint constraint;
    constraint.rows = link.rows();
    constraint.group = group_of(link, state.elements, static_cast<int>(model_.rods.size()));
    constraint.first = static_cast<int>(schur_.incidences.size());
    for (const int part : {link.a, link.b})
      schur_.incidences.push_back({static_cast<int>(k), part, mechanism_.parts[at(part)].moves, Mat6::Zero()});
    constraint.last = static_cast<int>(schur_.incidences.size());
    schur_.constraints.push_back(constraint);
  }
  ropes_.add_to(schur_, mechanism_, model_.scene);
  wheels_.add_to(schur_, mechanism_, model_, state);
  std::vector<Vec2> outlines;
  for (const Element& element : state.elements) {
    const RodData& rod = model_.rods[at(element.rod)];
    outlines.push_back(rod.stiffness[at(rod.element_at(0.5 * (element.begin + element.end)))].outline);
  }
  ground_.lay_out(mechanism_, model_.scene, outlines);
  if (model_.scene.simulation.chain.sweeps > 0)
    sweeps_.analyse(schur_, static_cast<int>(parts));
  else
    schur_.analyse(static_cast<int>(parts));
  mobility_.assign(parts, {});
  velocity_.assign(parts, Vec6::Zero());
  tension_.assign(parts, 0);
  pull_.assign(model_.bodies.size(), Mat3::Zero());
  span_turn_.assign(mechanism_.spans.size(), {});
  return mechanism_;
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

// Masses with their geometric stiffness, and where the parts would go if nothing joined them.
void ChainStepper::find_free_motion(const ChainState& state, const Targets& targets, double dt) {
  const bool plain = model_.variant.plain;
  const auto elements = at(mechanism_.first_body);
  if (!plain)
    for (std::size_t k = 0; k < mechanism_.spans.size(); ++k)
      span_turn_[k] = span_turn(mechanism_, mechanism_.spans[k], state.parts);

  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p) {
    const Part& part = mechanism_.parts[p];
    const PartState& now = state.parts[p];
    if (!part.moves) {
      velocity_[p] << now.velocity, now.spin;
      continue;
    }
    const Vec3 force =
        targets.load * (part.mass * model_.scene.gravity + part.load) - part.air * now.velocity.norm() * now.velocity;
    const double slowed = 1 / (1 + part.drag * dt);
    mobility_[p].coupled = nullptr;
    mobility_[p].linear = slowed / part.mass;
    velocity_[p].head<3>() = slowed * (now.velocity + (dt / part.mass) * force);

    // I ω + h² k ω_ref, with I + h² k, in the part's own axes
    const Mat3 axes = now.orientation.toRotationMatrix();
    const Vec3 spin = axes.transpose() * now.spin;
    const bool bar = p < elements;
    const Vec3 turned = bar ? gyrate_bar(part.inertia, spin, dt) : gyrate(part.inertia, spin, dt);
    Vec3 mass = part.inertia;
    Vec3 momentum = part.inertia.cwiseProduct(turned);
    if (bar && !plain && now.stiffness > 0) {
      const SpanTurn& span = span_turn_[at(mechanism_.span_of[p])];
      const double share = kSpanShare * span.taut;
      const double k = dt * dt * now.stiffness;
      const Vec3 reference = share * (axes.transpose() * span.spin) + (1 - share) * spin;
      mass.head<2>().array() += k;
      momentum.head<2>() += k * reference.head<2>();
    }
    if (bar && state.moving && tension_[p] < 0) {
      const double phase = 2.4 * static_cast<double>(p);
      momentum.head<2>() += kCrooked / dt * mass.head<2>().cwiseProduct(Vec2(std::sin(phase), std::cos(phase)));
    }
    const Vec3 inverse_mass = slowed * inverse(mass);
    mobility_[p].angular = axes * inverse_mass.asDiagonal() * axes.transpose();
    velocity_[p].tail<3>() = axes * inverse_mass.cwiseProduct(momentum);
    if (bar || plain) continue;
    // a light body between heavy pulls
    const Mat3 added = added_inertia(mass, dt * dt * state.pulls[p - elements]);
    if (added.isZero(0)) continue;
    const Mat3 heavier = slowed * (Mat3(mass.asDiagonal()) + added).inverse();
    mobility_[p].angular = axes * heavier * axes.transpose();
    velocity_[p].tail<3>() = axes * heavier * (momentum + added * spin);
  }

  // the scene's forces and torques
  for (const PartLoad& load : mechanism_.forces) {
    const Mat3 axes = state.parts[at(load.part)].orientation.toRotationMatrix();
    const Vec3 impulse = dt * acting(load, axes, targets, targets.force_scale);
    const Vec6 both = (Vec6() << impulse, (axes * load.arm).cross(impulse)).finished();
    velocity_[at(load.part)] += mobility_[at(load.part)].times(both);
  }
  for (const PartLoad& load : mechanism_.torques) {
    const Mat3 axes = state.parts[at(load.part)].orientation.toRotationMatrix();
    const Vec3 impulse = dt * acting(load, axes, targets, targets.torque_scale);
    velocity_[at(load.part)] += mobility_[at(load.part)].times((Vec6() << Vec3::Zero(), impulse).finished());
  }
}

// Rows and right-hand sides of the links.
void ChainStepper::fill_rows(ChainState& state, double dt) {
  const JointForm form = model_.variant.joint;
  const bool plain = model_.variant.plain;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Link& link = mechanism_.links[k];
    Constraint& constraint = schur_.constraints[k];
    LinkRows rows = link_rows(link, form, state.parts[at(link.a)], state.parts[at(link.b)], state.links[k].twist);
    state.links[k].twist = rows.twist;
    gap_[k] = rows.value.head<3>();
    Vec6 right = -(rows.by_a * velocity_[at(link.a)] + rows.by_b * velocity_[at(link.b)]);
    const Vec3 gap_rate = rows.gap_rate(state.parts[at(link.a)], state.parts[at(link.b)]);
    const RowWeights stretch = plain ? RowWeights{} : row_weights(rows.value.head<3>().norm(), dt * gap_rate.norm());
    Vec6 softness;
    for (int r = 0; r < 6; ++r) {
      const bool gap = r < 3;
      const double damping = gap ? link.gap_damping : link.turn_damping[r - 3];
      const double compliance = gap ? link.gap_compliance : link.turn_compliance[r - 3];
      const double ahead = (gap ? stretch.now : 1) * dt + damping;
      right[r] -= (rows.value[r] - (gap ? stretch.before * dt * gap_rate[r] : 0)) / ahead;
      // a row that is not there has an equation of its own
      const bool there = !state.links[k].broken && (rows.by_b.row(r).any() || rows.by_a.row(r).any());
      softness[r] = there ? compliance / (dt * ahead) : 1;
      if (!there) right[r] = 0;
    }
    if (state.links[k].broken) {
      rows.by_a.setZero();
      rows.by_b.setZero();
    }
    const int shift = link.first_row();
    Incidence& a = schur_.incidences[at(constraint.first)];
    Incidence& b = schur_.incidences[at(constraint.first) + 1];
    a.arm = state.parts[at(link.a)].orientation * link.arm_a;
    b.arm = state.parts[at(link.b)].orientation * link.arm_b;
    if (shift == 0) {
      a.rows = rows.by_a;
      b.rows = rows.by_b;
      constraint.right = right;
      constraint.softness = softness;
    } else {
      a.rows.topRows<3>() = rows.by_a.bottomRows<3>();
      b.rows.topRows<3>() = rows.by_b.bottomRows<3>();
      constraint.right.head<3>() = right.tail<3>();
      constraint.softness.head<3>() = softness.tail<3>();
    }
  }
}

// Solves until every bounded row stands where it belongs. How often is limited: a step has a bounded cost, and a row on
// the wrong side of its bound is set right in the next step.
bool ChainStepper::solve_directly(const ChainState& state) {
  for (int round = 0; round < kMostRounds; ++round) {
    if (!schur_.solve(mobility_)) return false;
    const bool rope_moved = ropes_.renew_bounds(schur_, mechanism_);
    const bool wheel_moved = wheels_.renew_bounds(schur_, model_, state);
    if (!schur_.revise() && !rope_moved && !wheel_moved) break;
  }
  return true;
}

// By the scene's number of sweeps.
bool ChainStepper::solve_by_sweeps(const ChainState& state) {
  sweeps_.begin(schur_);
  for (int sweep = 0; sweep < model_.scene.simulation.chain.sweeps; ++sweep) {
    if (sweep > 0) {
      ropes_.renew_bounds(schur_, mechanism_);
      wheels_.renew_bounds(schur_, model_, state);
    }
    if (!sweeps_.sweep(schur_, mobility_)) return false;
  }
  residual_ = Sweeps::residual(schur_);
  return std::isfinite(residual_);
}

bool ChainStepper::solve(ChainState& state, const Targets& targets, double dt) {
  fill_rows(state, dt);
  ropes_.fill(schur_, mechanism_, model_.scene, state, velocity_, targets, dt);
  wheels_.fill(schur_, mechanism_, model_, state, velocity_, dt);
  const bool by_sweeps = model_.scene.simulation.chain.sweeps > 0;
  if (!(by_sweeps ? solve_by_sweeps(state) : solve_directly(state))) return false;
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    const Constraint& constraint = schur_.constraints[k];
    Vec6& force = state.links[k].force;
    force.setZero();
    for (int r = 0; r < constraint.rows; ++r) force[r + mechanism_.links[k].first_row()] = constraint.impulse[r] / dt;
  }
  wheels_.take(schur_, model_, state, velocity_, dt);
  return true;
}

// The same with parts that touch the ground: again where one would be pulled down.
bool ChainStepper::solve_touching(ChainState& state, const Targets& targets, double dt) {
  if (!ground_.is_there()) return solve(state, targets, dt);
  ground_.find(mechanism_, model_.scene, state, velocity_, dt);
  for (int round = 0; round < kMostTouches; ++round) {
    free_mobility_ = mobility_;
    free_velocity_ = velocity_;
    const bool last = round + 1 == kMostTouches;
    ground_.press(model_.scene, state, mobility_, velocity_, dt, last);
    if (!solve(state, targets, dt)) return false;
    if (last || !ground_.let_go(model_.scene, state, velocity_, schur_, dt)) break;
    mobility_ = free_mobility_;
    velocity_ = free_velocity_;
  }
  return true;
}

// Velocities after the solve, and the work done from outside.
void ChainStepper::account(ChainState& state, const Targets& targets, double dt) {
  for (std::size_t p = 0; p < mechanism_.parts.size(); ++p)
    if (mechanism_.parts[p].moves) velocity_[p] += schur_.change(static_cast<int>(p));
  // the gap at the end, φ + h J v⁺, beyond −ελ
  for (std::size_t k = 0; k < mechanism_.links.size(); ++k) {
    LinkState& link = state.links[k];
    link.lag.setZero();
    if (!mechanism_.links[k].has_gap() || link.broken) continue;
    link.lag = gap_[k] + mechanism_.links[k].gap_compliance * link.force.head<3>();
    const int first = schur_.constraints[k].first;
    for (const int i : {first, first + 1})
      link.lag += dt * schur_.incidences[at(i)].rows.topRows<3>() * velocity_[at(schur_.incidences[at(i)].part)];
  }
  // what moves a part whose motion is given works against the force on it
  for (const Incidence& incidence : schur_.incidences) {
    if (incidence.moves) continue;
    const Constraint& constraint = schur_.constraints[at(incidence.constraint)];
    for (int r = 0; r < constraint.rows; ++r)
      state.work -= constraint.impulse[r] * incidence.rows.row(r).dot(velocity_[at(incidence.part)]);
  }
  for (const WheelState& wheel : state.wheels) state.dissipated += wheel.lost;
  ground_.take(state, velocity_, dt);
  ropes_.take(schur_, mechanism_, model_.scene, state, velocity_, targets, dt);
  for (const PartLoad& load : mechanism_.forces) {
    const auto p = at(load.part);
    const Mat3 axes = state.parts[p].orientation.toRotationMatrix();
    const Vec3 force = acting(load, axes, targets, targets.force_scale);
    state.work += dt * force.dot(velocity_[p].head<3>() + velocity_[p].tail<3>().cross(axes * load.arm));
  }
  for (const PartLoad& load : mechanism_.torques) {
    const auto p = at(load.part);
    const Mat3 axes = state.parts[p].orientation.toRotationMatrix();
    const Vec3 torque = acting(load, axes, targets, targets.torque_scale);
    state.work += dt * torque.dot(velocity_[p].tail<3>());
  }
}

void ChainStepper::move(ChainState& state, double dt) const {
  for (std::size_t p = 0; p < state.parts.size(); ++p) {
    PartState& part = state.parts[p];
    part.velocity = velocity_[p].head<3>();
    part.spin = velocity_[p].tail<3>();
    part.position += dt * part.velocity;
    part.orientation = (math::exp_quat(dt * part.spin) * part.orientation).normalized();
  }
}

void ChainStepper::bring_to_rest(ChainState& state, const Targets& targets) {
  set_lengths(state, targets);
  mechanism(state);
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
    const auto& limit = model_.scene.rods[at(link.rod)].limits.breaking_tension;
    if (!limit || state.links[k].force.head<3>().norm() <= most * *limit) continue;
    most = state.links[k].force.head<3>().norm() / *limit;
    worst = static_cast<int>(k);
  }
  if (worst < 0) return;
  state.links[at(worst)].broken = true;
  state.links[at(worst)].force.setZero();
}

// The mechanism of elements that have been cut anew; links that there were go on.
void ChainStepper::recut(ChainState& state, bool changed) {
  if (changed) {
    const Mechanism before = mechanism_;
    state.structure = structure_of(state.elements);
    state.links = carried_links(before, state.links, mechanism(state));
  }
  mechanism(state);
}

StepReport ChainStepper::step(ChainState& state, const Targets& targets, double dt) {
  StepReport report;
  report.iterations = std::max(1, model_.scene.simulation.chain.sweeps);
  const double balance = energy_of(model_, mechanism(state), state).balance();
  set_lengths(state, targets);
  mechanism(state);
  recut(state, wind(model_, state, targets, dt));
  set_given_motion(state, targets, dt);
  if (model_.scene.simulation.chain.detail > 0) {
    for (int pass = 0; pass < kMostPasses && adapt_detail(model_, mechanism_, state, dt); ++pass) recut(state, true);
    if (state.moving) ++state.merged_last;
  }
  // the first step knows of no tension yet: it is asked for once before it is used
  const int passes = state.moving || model_.variant.plain ? 1 : 2;
  for (int pass = 0; pass < passes; ++pass) {
    if (pass > 0 || state.moving) remember_tension(mechanism_, state, tension_);
    find_free_motion(state, targets, dt);
    if (!solve_touching(state, targets, dt)) {
      report.why = "the forces of the chain are not finite";
      return report;
    }
    remember_pulls(mechanism_, schur_, dt, pull_, state);
  }
  account(state, targets, dt);
  break_overloaded(state);
  read_winches(mechanism_, state, dt);
  move(state, dt);
  if (const char* trouble = Wheels::trouble(model_, state); trouble != nullptr) {
    report.why = trouble;
    return report;
  }
  recut(state, Wheels::recut(model_, state));
  note_loss(balance, energy_of(model_, mechanism_, state), state);
  state.moving = true;
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
