#include "formulations/discrete/implicit_step.hpp"

#include "base/index.hpp"
#include "formulations/discrete/contact_memory.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/ledger.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/system/step_newton.hpp"
#include "math/rotation.hpp"
#include "math/small_angle.hpp"
#include "rod/edge.hpp"
#include "rod/joint.hpp"
#include "scene/body_mass.hpp"
#include "scene/layout.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace filum::discrete {

namespace {

// Residual at which a step is in balance; where it is a part of the scene's own, thousands of them add up, and so do those
// of a top that is to keep its angular momentum.
constexpr double kTolerance = 1e-8;
constexpr double kPartTolerance = 1e-10;
// Damping of flips, χ, and from which part of the scene's own step on a failed one is repeated with it: the shortest that
// there is. What a longer one would do well without is lost otherwise, nearly all of it in strips let go from an arc.
constexpr double kDrain = 0.3;
constexpr double kWhole = 2;  // with which a moment is that at the step's end
constexpr double kDrainBelow = 1.0 / 4096;
// Likewise of a step that is short because something spins fast.
constexpr double kDrainBelowSpins = 0.5;
// For how long it then goes on, in steps of the length that failed; where strands touch strands, in steps of the scene.
constexpr double kDrainSteps = 4;
constexpr double kDrainTouching = 1;
constexpr double kFarthest = 2.5;     // rad: Cayley's vector has no turn of π
constexpr double kOpposite = -0.8;    // cosine of the same
constexpr double kLargestLead = 0.5;  // rad
constexpr double kSuddenTurn = 1.5;   // rad: what jumps so far in a step is not thought to go on
// A turn in one step that round-off explains is not foreseen to go on: nothing would ever stop it.
constexpr double kRoundOffTurn = 1e-12;

class ImplicitStepper final : public RodStepper {
 public:
  explicit ImplicitStepper(const ModelData& model) : model_(model), ledger_(model) {
    // who only looks for equilibria never needs it
    if (model.scene->simulation.mode == Mode::Dynamics) prepare();
  }

  StepReport step(RodState& state, const Targets& targets, double dt) override {
    if (!newton_) prepare();
    targets_ = targets;
    if (!find_rotor_turns(state)) {
      StepReport report;
      report.why = "a hold turns by half a turn or more in one step";
      return report;
    }
    // drawn beyond yield it begins as if it had been bent there
    if (!model_.plasticity.empty() && !state.moving) {
      measure_strains(model_, state, motion_.start_strain);
      keep_plastic(model_, motion_.start_strain, nullptr, state);
    }
    set_motion(model_, state, targets_, dt, motion_);
    load_share_ = motion_.conserving ? 0.5 : 1;
    blend_loads(state);
    StepReport report = find(state);
    if (!report.usable) return model_.scene->simulation.iterations > 0 ? stand(report, state) : report;
    const Internals internals = newton_->internals();
    ledger_.read(internals, motion_, state, targets_);
    state.dissipated += keep_anchors(model_, &motion_.start_slide, state);
    if (!model_.plasticity.empty()) state.dissipated += keep_plastic(model_, internals.strain, &motion_, state);
    report.error = finish(internals, state, targets);
    newton_->end_contact(motion_, state);
    // moments of a step that keeps energy work on Cayley's vectors
    if (motion_.conserving)
      for (std::size_t r = 0; r < rotor_turn_.size(); ++r)
        rotor_turn_[r] = math::cayley_vector(state.rotor[r] * motion_.start_rotor[r].transpose());
    ledger_.enter(motion_, rotor_turn_, targets_, state);
    return goes_on_from_past(model_) && !touches_as_before(start_, state) ? strike(report, state, targets, dt) : report;
  }

 private:
  void prepare() {
    newton_.emplace(model_);
    size_motion(model_, motion_);
    rotor_turn_.resize(model_.rotors.size(), Vec3::Zero());
    turn_.resize(model_.edges.size());
    turned_.resize(model_.edges.size());
    for (std::size_t k = 0; k < model_.joints.size(); ++k)
      if (turns_without_inertia(model_.joints[k].left) || turns_without_inertia(model_.joints[k].right))
        flipping_.push_back(static_cast<int>(k));
  }

  // A rule that goes on from its past has none across a blow: what stops would rebound, by what it had before. A step in which
  // something begins or ceases to touch is one of implicit Euler, and so is the next.
  StepReport strike(const StepReport& found, RodState& state, const Targets& targets, double dt) {
    if (start_.last_step == 0) {
      state.last_step = 0;
      return found;
    }
    state = start_;
    state.last_step = 0;
    StepReport report = step(state, targets, dt);
    report.iterations += found.iterations;
    return report;
  }

  // A section that may turn but has no inertia, where a load that follows or a torque acts: its moments balance in the mean
  // over each step, so that whatever they lack at the start of one they have too much at its end.
  [[nodiscard]] bool turns_without_inertia(const Side& side) const {
    if (side.is_edge()) return false;
    const Rotor& rotor = model_.rotors[at(model_.sections[at(side.section)].rotor)];
    return !rotor.spins() && !fixes_all(rotor.fixed);
  }

  // Without damping first. A step that fails is halved by who asked for it; where that has gone on for long, and the step
  // keeps energy, it is repeated with what flips from step to step damped: shorter steps would only resolve such motion,
  // and keep it for ever.
  StepReport find(RodState& state) {
    const double whole = model_.scene->simulation.step;
    // strands that touch strands would have their stiff motion flip from step to step, and rattle on each other for ever
    if (motion_.conserving && !state.rod_touch.list.empty()) state.drain_left = kDrainTouching * whole;
    if (!motion_.conserving || state.drain_left <= 0) {
      StepReport report = attempt(state, 0);
      if (!motion_.conserving || report.usable || !is_last_resort()) return report;
      state = start_;
      state.drain_left = kDrainSteps * motion_.step;
      const int before = report.iterations;
      report = attempt(state, kDrain);
      report.iterations += before;
      return report;
    }
    return attempt(state, kDrain);
  }

  // Whether the step has been halved for long.
  [[nodiscard]] bool is_last_resort() const {
    const double spins = longest_step_of_spins(model_, start_);
    return motion_.step < 1.5 * kDrainBelow * model_.scene->simulation.step &&
           (spins <= 0 || motion_.step < 1.5 * kDrainBelowSpins * spins);
  }

  StepReport attempt(RodState& state, double chi) {
    motion_.chi = chi;
    motion_.spin_share = chi > 0 ? 1 : 0.5;
    std::fill(motion_.joint_chi.begin(), motion_.joint_chi.end(), chi);
    if (motion_.conserving)
      for (const int k : flipping_) motion_.joint_chi[at(k)] = state.last_step > 0 ? kDrain : kWhole;
    start_ = state;
    predict(state);
    const Simulation& asked = model_.scene->simulation;
    const bool fine = motion_.conserving && (asked.rotary_inertia || motion_.step < 0.75 * asked.step);
    StepReport report = newton_->find(state, targets_, motion_, fine ? kPartTolerance : kTolerance);
    if (report.usable && turns_too_far(state)) {
      report.converged = report.usable = false;
      report.why = "something turns too far within the step";
    }
    return report;
  }

  // A step of bounded cost that leads nowhere is not taken: everything stays where it is, at half its speed. What it lacks
  // is left to the next, and the energy that this takes is drained.
  StepReport stand(const StepReport& tried, RodState& state) const {
    state = start_;
    const double before = kinetic_energy(model_, state);
    for (auto* list : {&state.velocity, &state.mean_velocity, &state.rotor_spin, &state.rotor_mean_spin})
      for (Vec3& v : *list) v *= 0.5;
    for (Vec2& tilt : state.edge_tilt) tilt *= 0.5;
    for (double& spin : state.edge_spin) spin *= 0.5;
    for (Vec3& trend : state.trend) trend.setZero();
    std::fill(state.edge_lead.begin(), state.edge_lead.end(), 0);
    state.drained += before - kinetic_energy(model_, state);
    state.last_step = 0;
    state.moving = true;
    StepReport report = tried;
    report.usable = true;
    report.residual = 1;
    return report;
  }

  // The rotation that every held rotor is asked for in this step. False if one is too large to be told from its
  // complement.
  bool find_rotor_turns(const RodState& start) {
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      rotor_turn_[r].setZero();
      const Rotor& rotor = model_.rotors[r];
      if (rotor.hold < 0 || rotor.hold_section < 0) continue;
      const HoldTarget& target = targets_.holds[at(rotor.hold)];
      const Mat3 tilted = wanted_rotation(model_, rotor, target, start.rotor_turns[r]);
      const double tilt = math::log_so3(tilted * start.rotor_target[r].transpose()).norm();
      const double spin = 2 * math::kPi * std::abs(target.turns - start.rotor_turns[r]);
      if (tilt + spin >= math::kPi) return false;
      const Mat3 wanted = wanted_rotation(model_, rotor, target, target.turns);
      rotor_turn_[r] = math::log_so3(wanted * start.rotor_target[r].transpose());
    }
    return true;
  }

  // Loads as they are at the evaluated instant.
  void blend_loads(const RodState& start) {
    for (std::size_t k = 0; k < targets_.force_scale.size(); ++k)
      targets_.force_scale[k] += (1 - load_share_) * (start.force_scale[k] - targets_.force_scale[k]);
    for (std::size_t k = 0; k < targets_.torque_scale.size(); ++k)
      targets_.torque_scale[k] += (1 - load_share_) * (start.torque_scale[k] - targets_.torque_scale[k]);
  }

  // From the start of the step to the state that Newton begins with: free flight, held things where they are led.
  void predict(RodState& trial) {
    const double h = motion_.step;
    const double middle = 0.5 * (motion_.step + trial.last_step);
    const double goes_on = trial.last_step > 0 ? std::min(1.0, h / trial.last_step) * trial.trend_goes_on : 0;
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      const double wanted = targets_.rod_length[r] / model_.rods[r].mesh.length;
      trial.length_factor[r] += load_share_ * (wanted - trial.length_factor[r]);
    }
    for (std::size_t i = 0; i < trial.position.size(); ++i) {
      trial.position[i] += h * (trial.mean_velocity[i] + middle * (trial.trend[i] + goes_on * trial.trend_change[i]));
      for (int axis = 0; axis < 3; ++axis)
        if (const int hold = model_.position_hold[i][at(axis)]; hold >= 0) {
          trial.position[i][axis] = targets_.holds[at(hold)].position[axis];
        }
    }
    // what had no inertia in the last step goes on turning
    const double onward = trial.last_step > 0 ? h / trial.last_step : 0;
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const Edge& edge = model_.edges[j];
      // an angle without inertia may change its pace at will: not far enough to lose count of turns
      const double lead = trial.edge_lead.empty() ? 0 : onward * trial.edge_lead[j];
      turn_[j] = edge.spin_inertia > 0 && !motion_.conserving ? h * trial.edge_spin[j]
                                                              : std::clamp(lead, -kLargestLead, kLargestLead);
      trial.edge[j] = trial.position[at(edge.b)] - trial.position[at(edge.a)];
    }
    rod::carry_frames(trial.frame, trial.edge, turn_);
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      const Rotor& rotor = model_.rotors[r];
      if (rotor.hold >= 0) {
        // a hinge keeps its own turn on top of the target
        const Mat3 own = trial.rotor[r] * trial.rotor_target[r].transpose();
        trial.rotor_target[r] = math::exp_so3(rotor_turn_[r]) * trial.rotor_target[r];
        trial.rotor[r] = own * trial.rotor_target[r];
      } else if (rotor.spins()) {
        trial.rotor[r] = trial.rotor[r] * math::exp_so3(h * trial.rotor_mean_spin[r]);
      } else if (!trial.rotor_lead.empty()) {
        trial.rotor[r] = math::exp_so3(onward * trial.rotor_lead[r]) * trial.rotor[r];
      }
    }
    spread_twists(trial);
  }

  // A held section that turns about the rod winds up the joint next to it.
  void spread_twists(RodState& trial) const {
    for (std::size_t k = 0; k < model_.joints.size(); ++k) {
      const Joint& joint = model_.joints[k];
      if (joint.left.is_edge() && joint.right.is_edge()) continue;
      const discrete::Section& section = model_.sections[at(std::max(joint.left.section, joint.right.section))];
      const Vec3 tangent = trial.rotor[at(section.rotor)] * section.base.col(2);
      const double turn = rotor_turn_[at(section.rotor)].dot(tangent);
      trial.twist[k] += joint.left.is_edge() ? turn : -turn;
    }
  }

  // A rotation from the start of the step that could not be told from its complement, or would soon not be.
  bool turns_too_far(const RodState& trial) {
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      if (!model_.rotors[r].spins()) continue;
      const Mat3 turn = trial.rotor[r] * motion_.start_rotor[r].transpose();
      if (math::log_so3(turn).norm() > kFarthest) return true;
    }
    // a section may have gone all the way round: only its joint's twist has counted that
    for (std::size_t k = 0; motion_.conserving && k < trial.twist.size(); ++k)
      if (std::abs(trial.twist[k] - start_.twist[k]) > kFarthest && !is_folded(start_, k) && !is_folded(trial, k))
        return true;
    if (!motion_.conserving && !motion_.rotary && motion_.angle_reference.empty()) return false;
    if (motion_.conserving)
      rod::turns_of_halves(newton_->internals().half_turn, turned_);
    else
      rod::find_turns(motion_.start_frame, trial.frame, turned_);
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      if (model_.edges[j].spin_inertia == 0) continue;
      if (trial.frame[j].col(2).dot(motion_.start_frame[j].col(2)) < kOpposite) return true;
      if (!(std::abs(turned_[j]) <= kFarthest)) return true;  // no number: half a turn
    }
    return false;
  }

  // Past a fold any twist may be counted (rod/joint.hpp).
  [[nodiscard]] bool is_folded(const RodState& state, std::size_t k) const {
    const Joint& joint = model_.joints[k];
    return rod::joint_strain(side_frame(model_, state, joint.left, joint.offset),
                             side_frame(model_, state, joint.right, 0), state.twist[k])
               .hold < 1;
  }

  // From the state in balance to the end of the step. Returns the estimate of its error.
  double finish(const Internals& internals, RodState& state, const Targets& targets) {
    std::copy(internals.axial_force.begin(), internals.axial_force.end(), state.tension.begin());
    if (motion_.conserving)
      finish_conserving(internals, state);
    else
      finish_spins(state);
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      const Rotor& rotor = model_.rotors[r];
      if (rotor.hold < 0) continue;
      state.rotor_turns[r] = targets.holds[at(rotor.hold)].turns;
    }
    std::copy(targets.force_scale.begin(), targets.force_scale.end(), state.force_scale.begin());
    std::copy(targets.torque_scale.begin(), targets.torque_scale.end(), state.torque_scale.begin());
    state.moving = true;
    return finish_velocities(model_, motion_, state);
  }

  // Integrators that end where they evaluate: only spins are left to be told.
  void finish_spins(RodState& state) const {
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const Edge& edge = model_.edges[j];
      state.edge[j] = state.position[at(edge.b)] - state.position[at(edge.a)];
      if (motion_.rotary) {
        const Mat3 back = motion_.start_frame[j].transpose();
        set_spin(motion_.spin.spin_rate * (back * math::log_so3(state.frame[j] * back)), j, state);
      } else if (edge.spin_inertia > 0) {
        state.edge_spin[j] = motion_.rate * rod::turn_between<double>(motion_.start_frame[j], state.frame[j]);
      }
    }
    for (const FreeBody& body : model_.bodies) end_body(body, state.rotor[at(body.rotor)], state);
  }

  static void set_spin(const Vec3& own, std::size_t edge, RodState& state) {
    state.edge_tilt[edge] = own.head<2>();
    state.edge_spin[edge] = own[2];
  }

  void end_body(const FreeBody& body, const Mat3& evaluated, RodState& state) const {
    const auto r = at(body.rotor);
    if (!state.past_rotor_spin.empty()) state.past_rotor_spin[r] = state.rotor_spin[r];
    state.rotor_spin[r] = body::spin_inertia(model_.rotors[r].inertia, motion_.start_rotor[r], evaluated, motion_.spin,
                                             motion_.known_spin[r], motion_.known_momentum[r])
                              .spin;
    state.rotor[r] = math::nearest_rotation(evaluated);
  }

  void finish_conserving(const Internals& internals, RodState& state) {
    const double h = motion_.step;
    for (std::size_t r = 0; r < model_.rods.size(); ++r)
      state.length_factor[r] = targets_.rod_length[r] / model_.rods[r].mesh.length;
    const bool drains = motion_.chi > 0;
    state.drain_left = std::max(0.0, state.drain_left - h);
    for (std::size_t k = 0; k < model_.joints.size(); ++k)
      state.strain_change[k] =
          motion_.joint_chi[k] > 0 ? Vec3(internals.strain[k].vector() - motion_.start_strain[k]) : Vec3::Zero();
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const Edge& edge = model_.edges[j];
      const double turned = turned_[j];
      state.axial_change[j] = drains ? internals.axial_change[j] : 0;
      state.edge_lead[j] = std::abs(turned) < kSuddenTurn && std::abs(turned) > kRoundOffTurn ? turned : 0;
      const double a = motion_.spin_share;
      if (edge.tilts()) {
        const Mat3 back = motion_.start_frame[j].transpose();
        const Vec3 mean = back * math::cayley_vector(state.frame[j] * back) / h;
        set_spin((mean - (1 - a) * motion_.own_spin(j)) / a, j, state);
      } else if (edge.spin_inertia > 0) {
        state.edge_spin[j] = (2 / h * internals.half_turn[j] - (1 - a) * state.edge_spin[j]) / a;
      }
    }
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      const Rotor& rotor = model_.rotors[r];
      if (rotor.spins())
        state.rotor_spin[r] =
            body::spin_over_step(rotor.inertia, motion_.start_rotor[r], state.rotor[r], h, motion_.known_spin[r]).spin;
      if (rotor.body < 0) {
        const Mat3 own = state.rotor[r] * state.rotor_target[r].transpose();
        const Mat3 own_before = motion_.start_rotor[r] * motion_.start_target[r].transpose();
        state.rotor_lead[r] = math::log_so3(own * own_before.transpose());
        state.rotor_target[r] = math::nearest_rotation(state.rotor_target[r]);
      }
      state.rotor[r] = math::nearest_rotation(state.rotor[r]);
    }
  }

  const ModelData& model_;
  std::optional<StepNewton> newton_;
  Ledger ledger_;
  Motion motion_;
  Targets targets_;               // loads as they act at the evaluated instant
  RodState start_;                // for a second try
  std::vector<int> flipping_;     // joints on sections that turn without inertia
  double load_share_ = 1;         // of the step's end in the loads that act
  std::vector<double> turn_;      // per edge: by which its frame is turned about it
  std::vector<double> turned_;    // per edge: by which it has turned about itself in this step
  std::vector<Vec3> rotor_turn_;  // per rotor: what its hold asks for in this step
};

class ImplicitScheme final : public StepScheme {
 public:
  explicit ImplicitScheme(const ModelData& model) : model_(model) {}
  [[nodiscard]] std::unique_ptr<RodStepper> stepper() const override {
    return std::make_unique<ImplicitStepper>(model_);
  }
  void prepare(RodState& state) const override { give_past(model_, state); }

 private:
  const ModelData& model_;
};

}  // namespace

std::unique_ptr<StepScheme> make_implicit_scheme(const ModelData& model) {
  return std::make_unique<ImplicitScheme>(model);
}

namespace {

bool is_point(const Body& body) {
  return scene::rigid_body(body).inertia.isZero(0);
}

// Whether a hold grips a body elsewhere than at its centre.
bool is_beside(const Scene& scene, const Hold& hold, const Body& body) {
  const scene::RodLayout layout(scene.rods[at(index_of(scene.rods, hold.rod))]);
  const Vec3 place = hold.position.value_or(layout.at(hold.at.at(layout.length())).position);
  return (place - body.position).norm() > 1e-9 * layout.length();
}

}  // namespace

std::vector<scene::Problem> implicit_refusals(const Scene& scene) {
  std::vector<scene::Problem> refusals;
  const Integrator integrator = scene.simulation.integrator;
  const bool simple = integrator == Integrator::EnergyMomentum || integrator == Integrator::ImplicitEuler;
  if (scene.simulation.rotary_inertia && !simple)
    refusals.push_back({{"simulation", "rotary_inertia"},
                        "not yet supported: rotary inertia with this "
                        "integrator; energy-momentum and implicit-euler "
                        "have it"});
  for (const Body& body : scene.bodies)
    if (body.motion == BodyMotion::Free && integrator == Integrator::GeneralisedAlpha)
      refusals.push_back({{"bodies", body.name, "motion"},
                          "not yet supported: a free body with generalised-alpha (body '" + body.name + "')"});
  for (const Body& body : scene.bodies) {
    if (body.motion != BodyMotion::Free || !is_point(body)) continue;
    if (!body.spin.isZero(0))
      refusals.push_back({{"bodies", body.name, "spin"},
                          "body '" + body.name + "' has no inertia: give it one, or a box, for it to spin"});
    for (std::size_t k = 0; k < scene.torques.size(); ++k)
      if (scene.torques[k].body == body.name)
        refusals.push_back({{"torques", std::to_string(k), "body"},
                            "body '" + body.name +
                                "' has no inertia: give it one, or a box, for "
                                "a torque to act on"});
    for (std::size_t h = 0; h < scene.holds.size(); ++h)
      if (scene.holds[h].body == body.name && scene.holds[h].slide && scene.holds[h].holds_orientation())
        refusals.push_back({{"holds", std::to_string(h), "body"},
                            "hold '" + scene.holds[h].name + "' turns body '" + body.name +
                                "' as the rod slides through it, and the body has no inertia: give it one, or a box"});
    for (std::size_t h = 0; h < scene.holds.size(); ++h)
      if (scene.holds[h].body == body.name && scene.holds[h].holds_position() && is_beside(scene, scene.holds[h], body))
        refusals.push_back({{"holds", std::to_string(h), "body"},
                            "hold '" + scene.holds[h].name + "' is beside the centre of body '" + body.name +
                                "', which has no inertia: give it one, or a "
                                "box, or hold it at its centre"});
  }
  return refusals;
}

std::vector<scene::Problem> slider_refusals(const Scene& scene) {
  std::vector<scene::Problem> refusals;
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const Hold& hold = scene.holds[h];
    const bool wholly = fixes_all(hold.fix.position);
    if (hold.slide && !wholly)
      refusals.push_back(
          {{"holds", std::to_string(h), "fix"},
           "hold '" + hold.name +
               "' slides and leaves an axis free: it has no mass, so it has equilibria but no motion; fix "
               "the position on all axes"});
  }
  return refusals;
}

}  // namespace filum::discrete
