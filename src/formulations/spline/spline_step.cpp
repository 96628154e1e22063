#include "formulations/spline/spline_step.hpp"

#include "base/index.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/equilibrium_search.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/spline/spline_curve.hpp"
#include "formulations/spline/spline_explicit.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "formulations/spline/spline_system.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::spline {

namespace {

constexpr int kIterations = 25;
constexpr double kFlipDamping = 0.3;      // of stretch (rod/axial_average.hpp)
constexpr double kDrainBelow = 1.0 / 16;  // of the scene's step: a part that does not settle is damped
constexpr double kDrainFor = 1;           // of the scene's step: how long that goes on
constexpr double kLargestTurn = 2.5;      // in a step, rad: Cayley's vector has no half turn
constexpr int kMostSubsteps = 20000;      // of an explicit step
constexpr double kSettled = 1e-3;         // a step of Newton's that turns nothing by
                                          // more ends with the square of it, rad

}  // namespace

SplineStepper::SplineStepper(const SplineModel& model) : model_(model) {
  motion_.averaged = model.nodes.scene->simulation.integrator == Integrator::EnergyMomentum;
  motion_.stretch.resize(model.stretches.size());
  for (const Rod& rod : model.nodes.scene->rods) motion_.drag.push_back(rod.damping.mass);
  const bool symmetric = !motion_.averaged && model.nodes.bodies.empty();
  system_ = std::make_unique<System>(model, symmetric ? System::Symmetry::Conservative : System::Symmetry::None);
  if (model.nodes.scene->simulation.integrator == Integrator::RungeKutta)
    explicit_ = std::make_unique<ExplicitSteps>(model, *system_);
  rotor_turn_.assign(model.nodes.rotors.size(), Vec3::Zero());
}

SplineStepper::~SplineStepper() = default;

StepReport SplineStepper::step(SplineState& state, const Targets& targets, double dt) {
  if (explicit_) return step_explicitly(state, targets, dt);
  before_ = state;
  targets_ = targets;
  if (!turn_holds(targets, dt, state)) {
    StepReport report;
    report.why = "a hold turns by half a turn or more in one step";
    return report;
  }
  damp(state.drain_left > 0);
  drive_lengths(state);
  set_motion(state, dt);
  // loads as they are on average over the step, or at its end
  if (motion_.averaged) {
    for (std::size_t k = 0; k < targets_.force_scale.size(); ++k)
      targets_.force_scale[k] = 0.5 * (targets_.force_scale[k] + state.force_scale[k]);
    for (std::size_t k = 0; k < targets_.torque_scale.size(); ++k)
      targets_.torque_scale[k] = 0.5 * (targets_.torque_scale[k] + state.torque_scale[k]);
  }
  StepReport report = find_balance(state);
  const double whole = model_.nodes.scene->simulation.step;
  if (!report.usable && motion_.averaged && motion_.chi == 0 && dt < 1.5 * kDrainBelow * whole)
    report = try_damped(dt, report.iterations, state);
  if (!report.usable) return report;
  finish(state);
  state.drain_left = std::max(0.0, state.drain_left - dt);
  keep_accounts(targets, state);
  return report;
}

// In equal substeps, as few as are stable. Holds go evenly to where they are wanted.
StepReport SplineStepper::step_explicitly(SplineState& state, const Targets& targets, double dt) {
  StepReport report;
  const double longest = explicit_->longest(state, targets);
  const double count = longest > 0 ? std::ceil(dt / longest) : kMostSubsteps + 1;
  if (count > kMostSubsteps) {
    report.why = "runge-kutta would need more than 20 000 substeps";
    return report;
  }
  const SplineState start = state;
  before_ = state;
  if (!turn_holds(targets, dt, state)) {
    report.why = "a hold turns by half a turn or more in one step";
    return report;
  }
  const std::vector<Mat3> wanted = state.rotor;
  const std::vector<Vec3> turn = rotor_turn_;
  motion_.step = dt / count;
  Targets between = targets;
  for (int k = 1; k <= static_cast<int>(count); ++k) {
    before_ = state;
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      state.rotor[r] = math::exp_so3(k / count * turn[r]) * start.rotor[r];
      rotor_turn_[r] = turn[r] / count;
    }
    targets_between(start, targets, k / count, 1 / count, between);
    motion_.control = state.control;
    acting_length_ = state.length_factor;
    if (!explicit_->step(state, targets_, motion_.step)) {
      report.why = "the forces are no longer finite";
      return report;
    }
    keep_accounts(between, state);
    for (std::size_t node = 0; node < state.node_spin.size(); ++node)
      state.dissipated += motion_.drag[at(model_.curve[node].rod)] * model_.curve[node].spin_inertia * motion_.step *
                          state.node_spin[node] * state.node_spin[node];
  }
  state.rotor = wanted;
  state.moving = true;
  state.last_step = dt;
  report.converged = report.usable = true;
  report.iterations = static_cast<int>(count);
  return report;
}

// Where holds are after this share of a step, and into `targets_` the loads on average over the part before it.
void SplineStepper::targets_between(const SplineState& start, const Targets& targets, double share, double part,
                                    Targets& between) {
  for (const Grip& grip : model_.grips)
    for (int axis = 0; axis < 3 && grip.kind == GripKind::Place; ++axis)
      if (const int hold = model_.nodes.position_hold[at(grip.node)][at(axis)]; hold >= 0) {
        const double from = node_position(model_, start, grip.node)[axis];
        between.holds[at(hold)].position[axis] = from + share * (targets.holds[at(hold)].position[axis] - from);
      }
  targets_ = between;
  const auto mix = [&](const std::vector<double>& from, const std::vector<double>& to, std::vector<double>& end,
                       std::vector<double>& mean) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      end[k] = from[k] + share * (to[k] - from[k]);
      mean[k] = end[k] - 0.5 * part * (to[k] - from[k]);
    }
  };
  mix(start.force_scale, targets.force_scale, between.force_scale, targets_.force_scale);
  mix(start.torque_scale, targets.torque_scale, between.torque_scale, targets_.torque_scale);
}

// What flips from step to step, or not.
void SplineStepper::damp(bool flips) {
  motion_.chi = flips ? kFlipDamping : 0;
  motion_.spin_share = flips ? 1 : 0.5;
}

// A step that loses nothing keeps what it does not resolve, and where that is violent Newton does not settle. Then the
// run halves the step; where small parts of it do not settle either, what flips from step to step is damped for a while.
StepReport SplineStepper::try_damped(double dt, int iterations, SplineState& state) {
  state = before_;
  state.drain_left = kDrainFor * model_.nodes.scene->simulation.step;
  damp(true);
  turn_holds(targets_, dt, state);
  drive_lengths(state);
  set_motion(state, dt);
  StepReport report = find_balance(state);
  report.iterations += iterations;
  return report;
}

// Lengths that are driven, as they are on average over the step or at its end.
void SplineStepper::drive_lengths(SplineState& state) const {
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const double end = targets_.rod_length[r] / model_.nodes.rods[r].mesh.length;
    state.length_factor[r] = motion_.averaged ? 0.5 * (before_.length_factor[r] + end) : end;
  }
}

// The work of who drives them: a rod of another length is another spring, of other weight. Over an averaged step half of
// the change comes at its start and half at its end; otherwise by the trapezoidal rule.
double SplineStepper::length_work(const SplineState& end) {
  if (before_.length_factor == end.length_factor) return 0;
  const auto stored = [&](SplineState rods, const std::vector<double>& factor) {
    rods.length_factor = factor;
    const Balance balance = system_->evaluate(rods, targets_, System::Want::Residual);
    return balance.elastic + balance.gravity;
  };
  system_->set_motion(nullptr);
  system_->set_yield(System::Yield::Off);
  const auto change = [&](const SplineState& rods, const std::vector<double>& from, const std::vector<double>& to) {
    return stored(rods, to) - stored(rods, from);
  };
  if (motion_.averaged)
    return change(before_, before_.length_factor, acting_length_) + change(end, acting_length_, end.length_factor);
  return 0.5 * (change(before_, before_.length_factor, end.length_factor) +
                change(end, before_.length_factor, end.length_factor));
}

// Held rotors to where they are wanted at the step's end, bodies to where they spin to. False if one turns too far to be
// told from its complement.
bool SplineStepper::turn_holds(const Targets& targets, double dt, SplineState& state) {
  for (std::size_t r = 0; r < model_.nodes.rotors.size(); ++r) {
    const discrete::Rotor& rotor = model_.nodes.rotors[r];
    rotor_turn_[r].setZero();
    if (rotor.body >= 0) state.rotor[r] = state.rotor[r] * math::exp_so3(dt * state.rotor_spin[r]);
    if (rotor.hold < 0 || rotor.hold_section < 0) continue;
    const HoldTarget& target = targets.holds[at(rotor.hold)];
    const Mat3 tilted = discrete::wanted_rotation(model_.nodes, rotor, target, state.rotor_turns[r]);
    const double tilt = math::log_so3(tilted * state.rotor_target[r].transpose()).norm();
    const double spin = 2 * math::kPi * std::abs(target.turns - state.rotor_turns[r]);
    if (tilt + spin >= math::kPi) return false;
    const Mat3 wanted = discrete::wanted_rotation(model_.nodes, rotor, target, target.turns);
    const Mat3 turn = wanted * state.rotor_target[r].transpose();
    rotor_turn_[r] = motion_.averaged ? math::cayley_vector(turn) : math::log_so3(turn);
    // a hinge keeps its own turn, about its world axis, on top of the target
    state.rotor[r] =
        fixes_all(rotor.fixed) ? wanted : Mat3(state.rotor[r] * state.rotor_target[r].transpose() * wanted);
    state.rotor_target[r] = wanted;
    state.rotor_turns[r] = target.turns;
  }
  return true;
}

void SplineStepper::set_motion(const SplineState& state, double dt) {
  motion_.step = dt;
  const double part = motion_.averaged ? 0.5 : 1;
  motion_.inertia = 1 / (part * part * dt * dt);
  motion_.rate = 1 / (part * dt);
  motion_.control = state.control;
  motion_.leg = state.leg;
  motion_.twist = state.twist;
  system_->begin_increment();
  motion_.rotor = before_.rotor;
  motion_.rotor_spin = before_.rotor_spin;
  motion_.node_spin = before_.node_spin;
  // damped without gain only if what is thought to go on does not grow with the step
  const double past = state.last_step > 0 ? std::min(1.0, dt / state.last_step) : 0;
  motion_.reference = state.control;
  for (std::size_t i = 0; i < state.control.size(); ++i) motion_.reference[i] += part * dt * state.velocity[i];
  for (std::size_t g = 0; g < model_.stretches.size(); ++g) {
    const StretchPoint& point = model_.stretches[g];
    rod::AxialStart& start = motion_.stretch[g];
    start.edge = leg_sum(state.leg, model_.segments[at(point.segment)].first, point.slope);
    start.length = start.edge.norm();
    start.change = past * state.strain_step[g];
  }
  system_->set_motion(&motion_);
}

StepReport SplineStepper::find_balance(SplineState& state) {
  // free flight to the middle of the step; at its end frames would have to go along, and Newton takes them there
  if (motion_.averaged) {
    state.control = motion_.reference;
    for (const RodSpline& rod : model_.rods)
      for (int i = rod.first_control; i + 1 < rod.first_control + rod.knots.controls(); ++i)
        state.leg[at(i)] += 0.5 * motion_.step * (state.velocity[at(i + 1)] - state.velocity[at(i)]);
  }
  StepReport report;
  report.why = "Newton did not settle";
  double rotation = 0;
  for (int iteration = 0; iteration <= kIterations; ++iteration) {
    // rods that have yielded go on as foreseen; those that never did begin as if they never would
    system_->set_yield(iteration == 0 && state.plastic.blank() ? System::Yield::Elastic : System::Yield::On);
    const Balance balance = system_->evaluate(state, targets_, System::Want::NewtonTangent);
    report.residual = balance.residual;
    if (!balance.finite) {
      report.why = "the forces are no longer finite";
      return report;
    }
    system_->release_stops(state);
    if (discrete::balanced(balance) && rotation < kSettled && !system_->find_stretched(state)) {
      if (motion_.averaged && system_->step_turn() > kLargestTurn) {
        report.why = "something turns by nearly half a turn in one step";
        return report;
      }
      report.converged = report.usable = true;
      report.why = "";
      return report;
    }
    if (iteration == kIterations || !system_->solve(0)) return report;
    ++report.iterations;
    rotation = system_->largest_rotation(state);
    system_->advance(state, std::min(1.0, discrete::search::kLargestRotation / rotation));
  }
  return report;
}

void SplineStepper::finish(SplineState& state) {
  const double part = motion_.averaged ? 2 : 1;
  acting_length_ = state.length_factor;
  for (std::size_t r = 0; r < model_.rods.size(); ++r)
    state.length_factor[r] = targets_.rod_length[r] / model_.nodes.rods[r].mesh.length;
  if (motion_.averaged) {
    system_->advance_to_end(state);
    for (std::size_t node = 0; node < state.node_spin.size(); ++node)
      state.node_spin[node] = system_->end_spin(static_cast<int>(node));
  }
  // v1 = 2 (x1 − x0)/h − v0 over the step, (x1 − x0)/h at its end
  for (std::size_t i = 0; i < state.control.size(); ++i) {
    const Vec3 mean = (state.control[i] - motion_.control[i]) / motion_.step;
    state.velocity[i] = part * mean - (part - 1) * before_.velocity[i];
  }
  for (const discrete::FreeBody& body : model_.nodes.bodies) {
    const auto r = at(body.rotor);
    if (model_.nodes.rotors[r].inertia.isZero(0)) continue;
    state.rotor_spin[r] = system_->body_spin(state, body.rotor).spin;
    state.rotor[r] = math::nearest_rotation(state.rotor[r]);
  }
  for (std::size_t g = 0; g < state.strain_step.size(); ++g)
    state.strain_step[g] = motion_.chi > 0 ? system_->strain_change(static_cast<int>(g)) : 0;
  resynchronise(model_, state);
  state.dissipated +=
      keep_plastic(model_, &before_, state, motion_.averaged ? system_->bends_beyond() : std::vector<char>{});
  state.dissipated += discrete::keep_anchors(model_.nodes, &before_.slide, state);
  state.moving = true;
  state.last_step = motion_.step;
}

// A rotor as it acts on what follows it.
Mat3 SplineStepper::acting(const SplineState& end, int rotor) const {
  return motion_.averaged ? Mat3(0.5 * (before_.rotor[at(rotor)] + end.rotor[at(rotor)])) : end.rotor[at(rotor)];
}

// What holds and forces did in this step, and what damping took.
void SplineStepper::keep_accounts(const Targets& targets, SplineState& end) {
  for (const discrete::PointLoad& load : model_.nodes.forces) {
    Vec3 force = targets_.load * targets_.force_scale[at(load.index)] * load.value;
    if (load.follow) force = acting(end, load.rotor) * force;
    end.work += force.dot(node_position(model_, end, load.node) - node_position(model_, before_, load.node));
  }
  for (const discrete::PointLoad& load : model_.nodes.torques) {
    Vec3 torque = targets_.load * targets_.torque_scale[at(load.index)] * load.value;
    if (load.follow) torque = acting(end, load.rotor) * torque;
    const Mat3 turn = end.rotor[at(load.rotor)] * before_.rotor[at(load.rotor)].transpose();
    end.work += torque.dot(motion_.averaged ? math::cayley_vector(turn) : math::log_so3(turn));
  }
  for (const Segment& segment : model_.segments) {
    const double alpha = motion_.drag[at(segment.rod)];
    if (alpha == 0) continue;
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q)
        end.dissipated += alpha / motion_.step * segment.mass[at(p)][at(q)] *
                          (end.control[at(segment.first + p)] - motion_.control[at(segment.first + p)])
                              .dot(end.control[at(segment.first + q)] - motion_.control[at(segment.first + q)]);
  }
  for (std::size_t node = 0; motion_.averaged && node < end.node_spin.size(); ++node) {
    const NodeCurve& curve = model_.curve[node];
    const double turn = system_->turn_work(static_cast<int>(node));
    end.dissipated += motion_.drag[at(curve.rod)] * curve.spin_inertia / motion_.step * turn * turn;
  }
  for (std::size_t k = 0; k < model_.grips.size(); ++k) {
    const Grip& grip = model_.grips[k];
    if (grip.kind == GripKind::Place)
      end.work -= end.grip[k].dot(node_position(model_, end, grip.node) - node_position(model_, before_, grip.node));
  }
  for (int k = 0; k < static_cast<int>(end.slide_force.size()); ++k)
    end.work -=
        end.slide_force[at(k)].dot(slider_point(model_, end, end, k) - slider_point(model_, before_, before_, k));
  for (std::size_t r = 0; r < rotor_turn_.size(); ++r)
    end.work += system_->rotor_moment(static_cast<int>(r)).dot(rotor_turn_[r]);
  // distributed forces have no potential of their own in the energy
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodSpline& rod = model_.rods[r];
    for (auto i = at(rod.first_control); i < at(rod.first_control + rod.knots.controls()); ++i)
      end.work += targets_.load * acting_length_[r] * model_.control_load[i].dot(end.control[i] - before_.control[i]);
  }
  if (motion_.averaged && motion_.chi > 0) end.drained += drain(end);
  end.work += length_work(end);
  end.force_scale = targets.force_scale;
  end.torque_scale = targets.torque_scale;
}

// What a step that damps flips took: the work of χ/4 EA (Δε − Δε_before) and, of spins, (a − ½) J (ω1 − ω0)².
double SplineStepper::drain(const SplineState& end) const {
  double sum = 0;
  for (std::size_t g = 0; g < model_.stretches.size(); ++g) {
    const StretchPoint& point = model_.stretches[g];
    const Segment& segment = model_.segments[at(point.segment)];
    const double stock = point.weight * point.rest_speed * acting_length_[at(segment.rod)];
    const double change = end.strain_step[g];
    sum += 0.25 * motion_.chi * segment.axial * stock * (change - motion_.stretch[g].change) * change;
  }
  for (std::size_t node = 0; node < end.node_spin.size(); ++node) {
    const double gained = end.node_spin[node] - motion_.node_spin[node];
    sum += (motion_.spin_share - 0.5) * model_.curve[node].spin_inertia * gained * gained;
  }
  return sum;
}

double SplineStepper::kinetic(const SplineState& state) const {
  double energy = 0;
  for (const Segment& segment : model_.segments)
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q)
        energy += 0.5 * segment.mass[at(p)][at(q)] *
                  state.velocity[at(segment.first + p)].dot(state.velocity[at(segment.first + q)]);
  for (std::size_t node = 0; node < state.node_spin.size(); ++node) {
    const NodeCurve& curve = model_.curve[node];
    energy += 0.5 * curve.spin_inertia * state.node_spin[node] * state.node_spin[node];
  }
  for (const discrete::FreeBody& body : model_.nodes.bodies) {
    const int control = model_.curve[at(body.node)].first;
    const Vec3& spin = state.rotor_spin[at(body.rotor)];
    energy += 0.5 * model_.control_mass[at(control)] * state.velocity[at(control)].squaredNorm() +
              0.5 * spin.dot(model_.nodes.rotors[at(body.rotor)].inertia * spin);
  }
  return energy;
}

}  // namespace filum::spline
