#include "formulations/discrete/implicit_step.hpp"

#include "base/index.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/ledger.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"
#include "scene/layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace filum::discrete {

namespace {

constexpr double kLargestLead = 0.5;  // rad
constexpr double kSuddenTurn = 1.5;   // rad: what jumps so far in half a step is not thought to go on
// A turn in one step that round-off explains is not foreseen to go on: nothing would ever stop it.
constexpr double kRoundOffTurn = 1e-12;

class ImplicitStepper final : public RodStepper {
 public:
  ImplicitStepper(const ModelData& model, std::unique_ptr<BalanceFinder> finder)
      : model_(model), finder_(std::move(finder)), ledger_(model) {
    size_motion(model, motion_);
    rotor_turn_.resize(model.rotors.size(), Vec3::Zero());
    swings_.resize(model.rotors.size(), 0);
    for (const Tie& tie : model.ties)
      if (!tie.arm.isZero(0)) swings_[at(tie.rotor)] = 1;
  }

  StepReport step(RodState& state, const Targets& targets, double dt) override {
    targets_ = targets;
    if (!find_rotor_turns(state)) {
      StepReport report;
      report.why = "a hold turns by half a turn or more in one step";
      return report;
    }
    discrete::set_motion(model_, state, dt, motion_);
    look_at_strains(state);
    share_ = motion_.average_tension ? 0.5 : 1;
    blend_loads(state);
    predict(state);
    StepReport report = finder_->find(state, targets_, motion_);
    if (!report.usable) return report;
    if (turns_too_far(state)) {
      report.converged = report.usable = false;
      report.why = "something turns by more than a radian and a half within the step";
      return report;
    }
    // the ledger sees the state that was in balance, then it is carried to the end of the step
    const Internals internals = finder_->internals(state);
    ledger_.read(internals, motion_, state, targets_);
    report.error = finish(internals, state, targets);
    ledger_.enter(motion_, rotor_turn_, targets_, state);
    return report;
  }

 private:
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

  // Strains at the start, where damping or the work of driven lengths needs them, and, where flips are damped, what the
  // joints' way from the middle of the last step foresees for the middle of this one.
  void look_at_strains(const RodState& start) {
    bool driven = false;
    for (std::size_t r = 0; r < model_.rods.size(); ++r)
      driven = driven || targets_.rod_length[r] / model_.rods[r].mesh.length != start.length_factor[r];
    if (!driven && !model_.damped && motion_.foreseen_strain.empty()) return;
    measure_strains(model_, start, motion_.start_strain);
    // without a past nothing is foreseen, and nothing damped
    motion_.flip = start.last_step > 0 ? kJointFlipDamping : 0;
    const double ratio = start.last_step > 0 ? motion_.step / start.last_step : 0;
    for (std::size_t k = 0; k < motion_.foreseen_strain.size(); ++k)
      motion_.foreseen_strain[k] = motion_.start_strain[k] + ratio * (motion_.start_strain[k] - start.past_strain[k]);
  }

  // Loads as they are at the evaluated instant.
  void blend_loads(const RodState& start) {
    for (std::size_t k = 0; k < targets_.force_scale.size(); ++k)
      targets_.force_scale[k] += (1 - share_) * (start.force_scale[k] - targets_.force_scale[k]);
    for (std::size_t k = 0; k < targets_.torque_scale.size(); ++k)
      targets_.torque_scale[k] += (1 - share_) * (start.torque_scale[k] - targets_.torque_scale[k]);
  }

  // From the start of the step to the state that Newton begins with: free flight, held things where they are led.
  void predict(RodState& trial) const {
    const double h = share_ * motion_.step;
    const double middle = 0.5 * (motion_.step + trial.last_step);
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      const double wanted = targets_.rod_length[r] / model_.rods[r].mesh.length;
      trial.length_factor[r] += share_ * (wanted - trial.length_factor[r]);
    }
    for (std::size_t i = 0; i < trial.position.size(); ++i) {
      trial.position[i] += h * (trial.mean_velocity[i] + middle * trial.trend[i]);
      for (int axis = 0; axis < 3; ++axis)
        if (const int hold = model_.position_hold[i][at(axis)]; hold >= 0) {
          const double from = motion_.start_position[i][axis];
          trial.position[i][axis] = from + share_ * (targets_.holds[at(hold)].position[axis] - from);
        }
    }
    // what had no inertia in the last step goes on turning
    const double onward = trial.last_step > 0 ? 2 * h / trial.last_step : 0;
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const Edge& edge = model_.edges[j];
      // an angle without inertia may change its pace at will: not far enough to lose count of turns
      const double lead = trial.edge_lead.empty() ? 0 : onward * trial.edge_lead[j];
      const double turn =
          edge.spin_inertia > 0 ? h * trial.edge_spin[j] : std::clamp(lead, -kLargestLead, kLargestLead);
      trial.edge[j] = trial.position[at(edge.b)] - trial.position[at(edge.a)];
      trial.frame[j] = rod::carried_frame(trial.frame[j], trial.edge[j], turn);
    }
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      const Rotor& rotor = model_.rotors[r];
      if (rotor.hold >= 0) {
        // a hinge keeps its own turn on top of the target
        const Mat3 own = trial.rotor[r] * trial.rotor_target[r].transpose();
        trial.rotor_target[r] = math::exp_so3(share_ * rotor_turn_[r]) * trial.rotor_target[r];
        trial.rotor[r] = own * trial.rotor_target[r];
      } else if (rotor.body >= 0) {
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
      const double turn = share_ * rotor_turn_[at(section.rotor)].dot(tangent);
      trial.twist[k] += joint.left.is_edge() ? turn : -turn;
    }
  }

  // A rotation from the start of the step that could not be told from its complement, or would soon not be.
  bool turns_too_far(const RodState& trial) const {
    constexpr double kFarthest = 1.5;
    for (const FreeBody& body : model_.bodies) {
      const Mat3 turn = trial.rotor[at(body.rotor)] * motion_.start_rotor[at(body.rotor)].transpose();
      if (math::log_so3(turn).norm() > kFarthest) return true;
    }
    if (motion_.angle_reference.empty()) return false;
    for (std::size_t j = 0; j < model_.edges.size(); ++j)
      if (model_.edges[j].spin_inertia > 0 &&
          (std::abs(motion_.angle_reference[j]) > kFarthest ||
           std::abs(angle_between(motion_.start_frame[j], trial.frame[j])) > kFarthest))
        return true;
    return false;
  }

  // From the state in balance to the end of the step. Returns the estimate of its error.
  double finish(const Internals& internals, RodState& state, const Targets& targets) {
    std::copy(internals.axial_force.begin(), internals.axial_force.end(), state.tension.begin());
    if (share_ < 1)
      finish_midpoint(internals, state);
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
      if (edge.spin_inertia == 0) continue;
      state.edge_spin[j] = motion_.rate * angle_between(motion_.start_frame[j], state.frame[j]);
    }
    for (const FreeBody& body : model_.bodies) end_body(body, state.rotor[at(body.rotor)], state);
  }

  void end_body(const FreeBody& body, const Mat3& evaluated, RodState& state) const {
    const auto r = at(body.rotor);
    if (!state.past_rotor_spin.empty()) state.past_rotor_spin[r] = state.rotor_spin[r];
    state.rotor_spin[r] = body::spin_inertia(model_.rotors[r].inertia, motion_.start_rotor[r], evaluated, motion_.spin,
                                             motion_.known_spin[r], motion_.known_momentum[r])
                              .spin;
    const Mat3 turn = evaluated * motion_.start_rotor[r].transpose();
    state.rotor[r] = math::nearest_rotation(share_ < 1 ? Mat3(turn * turn * motion_.start_rotor[r]) : evaluated);
  }

  void finish_midpoint(const Internals& internals, RodState& state) const {
    const double h = motion_.step;
    for (std::size_t r = 0; r < model_.rods.size(); ++r)
      state.length_factor[r] = targets_.rod_length[r] / model_.rods[r].mesh.length;
    for (std::size_t i = 0; i < state.position.size(); ++i) {
      state.position[i] = 2 * state.position[i] - motion_.start_position[i];
      for (int axis = 0; axis < 3; ++axis)
        if (const int hold = model_.position_hold[i][at(axis)]; hold >= 0)
          state.position[i][axis] = targets_.holds[at(hold)].position[axis];
    }
    for (std::size_t k = 0; k < model_.joints.size(); ++k) state.past_strain[k] = internals.strain[k].vector();
    // what has no inertia is foreseen from the middles of two steps; to double its way would make it ring
    const double span = 0.5 * (h + state.last_step);
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const Edge& edge = model_.edges[j];
      const double turned = angle_between(motion_.start_frame[j], state.frame[j]);
      state.edge[j] = state.position[at(edge.b)] - state.position[at(edge.a)];
      state.strain_rate[j] = internals.strain_rate[j];
      double ahead = turned;
      if (edge.spin_inertia == 0) {
        ahead = std::abs(turned) < kSuddenTurn ? 0.5 * h * (turned + state.edge_lead[j]) / span : 0;
        if (std::abs(ahead) < kRoundOffTurn) ahead = 0;
        state.edge_lead[j] = ahead;
      } else {
        state.edge_spin[j] = 4 / h * turned - state.edge_spin[j];
      }
      state.frame[j] = rod::carried_frame(state.frame[j], state.edge[j], ahead);
    }
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      const Rotor& rotor = model_.rotors[r];
      if (rotor.body >= 0) {
        end_body(model_.bodies[at(rotor.body)], Mat3(state.rotor[r]), state);
        continue;
      }
      const Mat3 own = state.rotor[r] * state.rotor_target[r].transpose();
      const Mat3 own_before = motion_.start_rotor[r] * motion_.start_target[r].transpose();
      const Vec3 turned = math::log_so3(own * own_before.transpose());
      const Vec3 ahead = swings_[r] != 0 ? turned : Vec3(0.5 * h / span * (turned + state.rotor_lead[r]));
      state.rotor_lead[r] = swings_[r] != 0 ? Vec3::Zero() : ahead;
      state.rotor_target[r] = math::nearest_rotation(math::exp_so3(rotor_turn_[r]) * motion_.start_target[r]);
      state.rotor[r] = math::nearest_rotation(math::exp_so3(ahead) * own * state.rotor_target[r]);
    }
  }

  const ModelData& model_;
  std::unique_ptr<BalanceFinder> finder_;
  Ledger ledger_;
  Motion motion_;
  Targets targets_;               // loads as they act at the evaluated instant
  double share_ = 1;              // of the step at which balance is asked for
  std::vector<Vec3> rotor_turn_;  // per rotor: what its hold asks for in this step
  std::vector<char> swings_;      // per rotor: something is tied to it at an arm
};

}  // namespace

std::unique_ptr<RodStepper> make_implicit_stepper(const ModelData& model, std::unique_ptr<BalanceFinder> finder) {
  return std::make_unique<ImplicitStepper>(model, std::move(finder));
}

namespace {

bool is_point(const Body& body) {
  return body.inertia ? body.inertia->isZero(0) : body.box.isZero(0);
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
    const bool wholly = hold.fix_position[0] && hold.fix_position[1] && hold.fix_position[2];
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
