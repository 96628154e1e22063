// Stepper `projection`: inextensible rods by symplectic Euler and fast manifold projection [Bergou2008;
// Kirsch2012, ch. 6 and 7, with the corrections of docs/theory/projection.md].
//
// One step of length h:
//   forces of bending, twist, weight and loads at the old state  →  v* = v + hF/m,  x* = x + h v*
//   projection of x* onto the rods of constant length            →  x⁺,  v⁺ = v* + (x⁺ − x*)/h = (x⁺ − x)/h
//   sections turn with their holds and bodies, frames go along, twist settles
//
// Bodies fly freely under the moments of their sections and are then drawn back by their ties. The multipliers of the
// projection over h² are the mean axial forces of the step. First order in h, loses energy, which is entered as drained;
// stable below longest_step().
#include "base/index.hpp"
#include "body/rigid_body.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "formulations/kirchhoff/penalty_contact.hpp"
#include "formulations/kirchhoff/projection/projection_forces.hpp"
#include "formulations/kirchhoff/projection/projection_limits.hpp"
#include "formulations/kirchhoff/projection/projection_manifold.hpp"
#include "formulations/kirchhoff/projection/projection_twist.hpp"
#include "formulations/kirchhoff/taut.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// A state whose edges are off by more than this is put right before it moves: shapes as drawn, equilibria that stretch.
constexpr double kLoose = 1e-9;
// Rods that would stretch by more than this must say that they are not meant to.
constexpr double kLargestStrain = 1e-3;
// Share of 1/ω, ω of a taut rod as a string, that a step may last. One pull along the directions of x* takes h²ω² of a
// sideways motion: all of it at 1, and beyond 4/3 it grows from step to step.
constexpr double kTautShare = 0.9;

class ProjectionStepper final : public RodStepper {
 public:
  explicit ProjectionStepper(const ModelData& model)
      : model_(model),
        forces_(model),
        manifold_(model),
        twist_(model),
        contact_(model),
        position_(model.start_position),
        slowed_velocity_(at(model.nodes), Vec3::Zero()),
        outside_(at(model.nodes), Vec3::Zero()),
        contact_force_(at(model.nodes), Vec3::Zero()),
        rotor_(model.rotors.size(), Mat3::Identity()),
        rotor_turn_(model.rotors.size(), Vec3::Zero()),
        rotor_torque_(model.rotors.size(), Vec3::Zero()),
        momentum_(model.bodies.size(), Vec3::Zero()) {
    for (std::size_t r = 0; r < model.rods.size(); ++r) add_wave_time(static_cast<int>(r));
  }

  [[nodiscard]] std::optional<double> elastic_energy(const RodState& state) override { return forces_.energy(state); }

  StepReport step(RodState& state, const Targets& targets, double dt) override {
    StepReport report;
    if (!put_right(state, dt, report) || !foresee_holds(state, targets, report)) return report;
    forces_.evaluate(state);
    state.dissipated += dt * forces_.dissipation();
    add_loads(state, targets);
    find_contact(state, targets, dt);
    kick_and_drift(state, targets, dt);
    if (!fly_bodies(state, dt, report)) return report;

    const Manifold::Outcome outcome = manifold_.project(position_, rotor_);
    report.iterations = outcome.iterations;
    report.residual = outcome.stretch;
    if (!outcome.converged) {
      report.why = has_tight_rod(model_, position_)
                       ? kTightRod
                       : "the rods cannot keep their lengths: a blow or a pull too hard for this step";
      return report;
    }
    state.drained -= finish_velocities(state, dt);
    take_reactions(state, targets, dt);
    start_ = state.position;
    take_over(state, targets, dt);
    if (!settle_contact(state, dt, report)) return report;
    if (!twist_.settle(state, rotor_turn_, dt)) {
      report.why = "the angles of least twist energy were not found";
      return report;
    }
    state.dissipated += twist_.dissipated();
    judge(state, dt, report);
    return report;
  }

 private:
  // The time that a stretch wave takes through a rod and back.
  void add_wave_time(int rod) {
    const RodRange& range = model_.rods[at(rod)];
    double time = 0;
    for (int j = range.first_edge; j < range.first_edge + range.mesh.edges(); ++j) {
      const Edge& edge = model_.edges[at(j)];
      time += 2 * std::sqrt(edge.mass * edge.rest_length / edge.axial_stiffness);
    }
    wave_time_.push_back(time);
  }

  // Edges of the right length to begin with, without any velocity from that.
  bool put_right(RodState& state, double dt, StepReport& report) {
    double worst = 0;
    for (std::size_t j = 0; j < model_.edges.size(); ++j)
      worst = std::max(worst, std::abs(state.edge[j].norm() / model_.edges[j].rest_length - 1));
    if (worst <= kLoose) return true;
    for (Vec3& turn : rotor_turn_) turn.setZero();
    if (!manifold_.project(state.position, state.rotor).converged) {
      report.why = has_tight_rod(model_, state.position)
                       ? kTightRod
                       : "the rods cannot be laid with their own lengths between their holds";
      return false;
    }
    rebuild_edges(state);
    twist_.settle(state, rotor_turn_, dt);
    return true;
  }

  void rebuild_edges(RodState& state) const {
    for (std::size_t j = 0; j < model_.edges.size(); ++j)
      state.edge[j] = state.position[at(model_.edges[j].b)] - state.position[at(model_.edges[j].a)];
  }

  // Where the held rotors will be, and by which rotation vector they get there. Half a turn could be either way.
  bool foresee_holds(const RodState& state, const Targets& targets, StepReport& report) {
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      const Rotor& rotor = model_.rotors[r];
      rotor_[r] = state.rotor[r];
      rotor_turn_[r].setZero();
      if (rotor.hold < 0 || rotor.hold_section < 0) continue;
      const HoldTarget& target = targets.holds[at(rotor.hold)];
      const Mat3& base = model_.sections[at(rotor.hold_section)].base;
      auto spun = [](double turns) {
        return Eigen::AngleAxisd(2 * std::numbers::pi * turns, Vec3::UnitZ()).toRotationMatrix();
      };
      // the turns about d3 are known unwrapped, the rest is the shortest way
      const Mat3 before = state.rotor[r] * base * spun(-state.rotor_turns[r]);
      const Mat3 after = target.orientation.toRotationMatrix();
      const Vec3 swing = math::log_so3(after * before.transpose());
      const double spin = 2 * std::numbers::pi * (target.turns - state.rotor_turns[r]);
      if (swing.norm() + std::abs(spin) >= std::numbers::pi) {
        report.why = "a hold turned by half a turn or more in one step";
        return false;
      }
      rotor_turn_[r] = swing + spin * after.col(2);
      rotor_[r] = after * spun(target.turns) * base.transpose();
    }
    return true;
  }

  // Loads other than weight, which do work, and what acts on the rotors.
  void add_loads(const RodState& state, const Targets& targets) {
    for (std::size_t i = 0; i < outside_.size(); ++i) outside_[i] = targets.load * model_.distributed[i];
    for (const PointLoad& load : model_.forces)
      outside_[at(load.node)] += targets.load * targets.force_scale[at(load.index)] * load.value;
    for (Vec3& torque : rotor_torque_) torque.setZero();
    for (const PointLoad& load : model_.torques) {
      const Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
      rotor_torque_[at(load.rotor)] += load.follow ? Vec3(state.rotor[at(load.rotor)] * torque) : torque;
    }
  }

  void find_contact(const RodState& state, const Targets& targets, double dt) {
    if (contact_.empty()) return;
    contact_.find(state, targets, dt);
    std::fill(contact_force_.begin(), contact_force_.end(), Vec3::Zero());
    contact_.add_forces(contact_force_);
  }

  bool settle_contact(RodState& state, double dt, StepReport& report) {
    if (contact_.empty()) return true;
    if (contact_.leads_through(state, start_)) {
      report.why = "something would go through something else within the step";
      return false;
    }
    contact_.account(
        dt, [&](int node) -> Vec3 { return 0.5 * (slowed_velocity_[at(node)] + state.velocity[at(node)]); }, state);
    contact_.remember(dt, start_, state);
    return true;
  }

  [[nodiscard]] Vec3 node_force(int node, double load) const {
    return forces_.node_force(node) + outside_[at(node)] + contact_force_[at(node)] +
           load * model_.node_mass[at(node)] * model_.gravity;
  }

  // v* and x*. Drag of the mass and of the air slows the old velocity, v/(1 + h c/m): stable for any step, and nothing
  // of it is left at rest.
  void kick_and_drift(RodState& state, const Targets& targets, double dt) {
    for (int node = 0; node < model_.nodes; ++node) {
      const auto i = at(node);
      const double mass = model_.node_mass[i];
      Vec3& v = state.velocity[i];
      if (model_.damped) {
        const double slowing = dt / mass * (model_.node_drag[i] + model_.node_air[i] * v.norm());
        const double before = v.squaredNorm();
        v /= 1 + slowing;
        state.dissipated += 0.5 * mass * (before - v.squaredNorm());
      }
      slowed_velocity_[i] = v;
      v += dt / mass * node_force(node, targets.load);
      position_[i] = state.position[i] + dt * v;
      // held coordinates go where they are told
      for (int axis = 0; axis < 3; ++axis)
        if (const int hold = model_.position_hold[i][at(axis)]; hold >= 0) {
          position_[i][axis] = targets.holds[at(hold)].position[axis];
          v[axis] = (position_[i][axis] - state.position[i][axis]) / dt;
        }
    }
  }

  // Free flight of the bodies' orientations under the moments of their sections.
  bool fly_bodies(const RodState& state, double dt, StepReport& report) {
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const int r = model_.bodies[b].rotor;
      const Rotor& rotor = model_.rotors[at(r)];
      if (!(rotor.inertia.determinant() > 0)) continue;
      Vec3 torque = rotor_torque_[at(r)];
      for (std::size_t k = 0; k < model_.sections.size(); ++k)
        if (model_.sections[k].rotor == r) torque -= forces_.section_moment(static_cast<int>(k));

      const Quat axes = model_.scene->bodies[at(model_.bodies[b].body)].orientation;
      const Mat3 inertia = axes.toRotationMatrix().transpose() * rotor.inertia * axes.toRotationMatrix();
      const body::RigidBody rigid{model_.node_mass[at(model_.bodies[b].node)], inertia.diagonal()};
      body::State flight;
      flight.orientation = Quat(state.rotor[at(r)]) * axes;
      flight.angular_momentum = state.rotor[at(r)] * rotor.inertia * state.rotor_spin[at(r)] + dt * torque;
      if (dt * body::spin(rigid, flight).norm() >= std::numbers::pi) {
        report.why = "a body turned by half a turn or more in one step";
        return false;
      }
      body::step(rigid, flight, Vec3::Zero(), Vec3::Zero(), dt);
      rotor_[at(r)] = (flight.orientation * axes.conjugate()).normalized().toRotationMatrix();
      momentum_[b] = flight.angular_momentum;
    }
    return true;
  }

  // v⁺ = v* + (x⁺ − x*)/h, from the moves themselves: differences of positions would lose digits.
  //
  // Returns the work of what keeps lengths and ties, f = (pushes)/h², which should be nil. Symplectic Euler on its own
  // keeps H̃ = H + ½h F·v, F the forces at the old state; of a step with F and f the balance of H̃ is h f·(v + v⁺)/2.
  double finish_velocities(RodState& state, double dt) {
    double work = 0;
    for (int node = 0; node < model_.nodes; ++node) {
      Vec3& v = state.velocity[at(node)];
      const Vec3& push = manifold_.push(node);
      v += manifold_.inverse_mass(node).cwiseProduct(push) / dt;
      work += 0.5 / dt * push.dot(slowed_velocity_[at(node)] + v);
    }
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      if (model_.rotors[r].body < 0) state.rotor_spin[r] = rotor_[r].transpose() * rotor_turn_[r] / dt;
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      const auto r = at(model_.bodies[b].rotor);
      const Mat3& inertia = model_.rotors[r].inertia;
      if (!(inertia.determinant() > 0)) continue;
      const Vec3 impulse = manifold_.rotor_impulse(model_.bodies[b].rotor) / dt;
      const Vec3 before = state.rotor[r] * state.rotor_spin[r];
      momentum_[b] += impulse;
      state.rotor_spin[r] = inertia.inverse() * (rotor_[r].transpose() * momentum_[b]);
      rotor_turn_[r] = math::log_so3(rotor_[r] * state.rotor[r].transpose());
      work += 0.5 * impulse.dot(before + rotor_[r] * state.rotor_spin[r]);
    }
    return work;
  }

  // Axial forces, what the holds did, and the work of everything outside.
  void take_reactions(RodState& state, const Targets& targets, double dt) {
    for (std::size_t j = 0; j < model_.edges.size(); ++j)
      state.tension[j] = manifold_.edge_pull(static_cast<int>(j)) / (dt * dt);
    for (std::size_t k = 0; k < model_.ties.size(); ++k)
      state.tie_force[k] = manifold_.tie_pull(static_cast<int>(k)) / (dt * dt);
    for (std::size_t i = 0; i < outside_.size(); ++i) state.work += outside_[i].dot(position_[i] - state.position[i]);
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) state.work += rotor_torque_[r].dot(rotor_turn_[r]);
    for (std::size_t h = 0; h < model_.hold_node.size(); ++h) {
      const int section = model_.hold_section[h];
      state.hold_force[h] = hold_force(state, targets.load, static_cast<int>(h), dt);
      state.hold_moment[h] = section >= 0 ? forces_.section_moment(section) : Vec3::Zero();
      // a hold on a free body does no work from outside
      const int rotor = section >= 0 ? model_.sections[at(section)].rotor : -1;
      if (rotor >= 0 && model_.rotors[at(rotor)].hold == static_cast<int>(h))
        state.work += state.hold_moment[h].dot(rotor_turn_[at(rotor)]);
      if (model_.hold_tie[h] < 0)
        state.work +=
            state.hold_force[h].dot(position_[at(model_.hold_node[h])] - state.position[at(model_.hold_node[h])]);
    }
  }

  // What was missing to the change of momentum of the held node, along the axes that the hold fixes.
  [[nodiscard]] Vec3 hold_force(const RodState& state, double load, int hold, double dt) const {
    if (const int tie = model_.hold_tie[at(hold)]; tie >= 0) return -state.tie_force[at(tie)];
    const int node = model_.hold_node[at(hold)];
    const Vec3& v = state.velocity[at(node)];
    Vec3 force = model_.node_mass[at(node)] / dt * (v - slowed_velocity_[at(node)]) - node_force(node, load) -
                 manifold_.push(node) / (dt * dt);
    for (int axis = 0; axis < 3; ++axis)
      if (model_.position_hold[at(node)][at(axis)] != hold) force[axis] = 0;
    return force;
  }

  void take_over(RodState& state, const Targets& targets, double dt) {
    state.position = position_;
    rebuild_edges(state);
    for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
      state.rotor[r] = rotor_[r];
      if (const int hold = model_.rotors[r].hold; hold >= 0) {
        state.rotor_target[r] = rotor_[r];
        state.rotor_turns[r] = targets.holds[at(hold)].turns;
      }
    }
    state.force_scale = targets.force_scale;
    state.torque_scale = targets.torque_scale;
    state.moving = true;
    state.last_step = dt;
  }

  // How far the rods would have stretched. Blows shorter than a stretch wave's way through a rod and back are spread
  // over that time: a rod that stretches spreads them, too.
  void judge(RodState& state, double dt, StepReport& report) const {
    bool too_far = false;
    for (std::size_t j = 0; j < model_.edges.size(); ++j) {
      const Edge& edge = model_.edges[j];
      double& mean = state.mean_tension[j];
      mean += (state.tension[j] - mean) * dt / (dt + wave_time_[at(edge.rod)]);
      const double strain = std::abs(mean) / edge.axial_stiffness;
      report.neglected_strain = std::max(report.neglected_strain, strain);
      too_far = too_far || !(strain <= kLargestStrain || !model_.scene->rods[at(edge.rod)].extensible);
    }
    report.converged = report.usable = !too_far;
    if (too_far)
      report.why =
          "a rod that may stretch would have done so by more than 0.1 %: take the stepper 'implicit', or say "
          "extensible: false";
  }

  const ModelData& model_;
  BinormalForces forces_;
  Manifold manifold_;
  QuasiStaticTwist twist_;
  PenaltyContact contact_;
  std::vector<double> wave_time_;  // per rod

  // of the step being taken
  std::vector<Vec3> position_;         // x*, then x⁺
  std::vector<Vec3> slowed_velocity_;  // by drag, before any other force
  std::vector<Vec3> outside_;          // per node: loads other than weight
  std::vector<Vec3> contact_force_;    // per node
  std::vector<Vec3> start_;            // per node: where it was
  std::vector<Mat3> rotor_;
  std::vector<Vec3> rotor_turn_;    // rotation vectors of the step
  std::vector<Vec3> rotor_torque_;  // loads
  std::vector<Vec3> momentum_;      // per body: angular
};

class ProjectionScheme final : public StepScheme {
 public:
  explicit ProjectionScheme(const ModelData& model)
      : model_(model), string_(model), longest_step_(longest_explicit_step(model)) {
    if (!PenaltyContact(model).empty()) longest_step_ *= PenaltyContact::kStepShare;
  }

  [[nodiscard]] std::unique_ptr<RodStepper> stepper() const override {
    return std::make_unique<ProjectionStepper>(model_);
  }

  [[nodiscard]] double longest_step() const override { return longest_step_; }

  [[nodiscard]] double longest_step_from(const RodState& state) const override {
    const double rate = string_.fastest(state.mean_tension, 0, static_cast<int>(model_.edges.size()));
    const double taut = rate > 0 ? kTautShare / std::sqrt(rate) : longest_step_;
    return longest_step_ > 0 ? std::min(longest_step_, taut) : taut;
  }

  void prepare(RodState& state) const override {
    if (state.mean_tension.size() != model_.edges.size()) state.mean_tension.assign(model_.edges.size(), 0);
    if (state.past_strain.size() != model_.joints.size()) remember_strains(model_, state);
  }

 private:
  const ModelData& model_;
  StringRate string_;
  double longest_step_ = 0;
};

}  // namespace

std::unique_ptr<StepScheme> make_projection_scheme(const ModelData& model) {
  return std::make_unique<ProjectionScheme>(model);
}

}  // namespace filum::kirchhoff
