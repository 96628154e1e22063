#include "formulations/discrete/integrator.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_lanes.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::discrete {

namespace {

// d/dt at the end of a step, from the end and two values before it: (p y1 − q y0 + s y₋₁)/h, h/h₋₁ = r.
struct Bdf2 {
  double p = 1;
  double q = 1;
  double s = 0;
  explicit Bdf2(double ratio) : p((1 + 2 * ratio) / (1 + ratio)), q(1 + ratio), s(ratio * ratio / (1 + ratio)) {}
};

// Newmark's and the two averaging parameters for a spectral radius ρ at infinite frequency.
struct GeneralisedAlpha {
  double mass;   // α_m
  double force;  // α_f
  double beta;
  double gamma;
  explicit GeneralisedAlpha(double rho)
      : mass((2 * rho - 1) / (rho + 1)),
        force(rho / (rho + 1)),
        beta(0.25 * (1 - mass + force) * (1 - mass + force)),
        gamma(0.5 - mass + force) {}
};

// Which rule a step follows: the scene's, or Euler's where that has no past yet.
Integrator rule(const ModelData& model, const RodState& start) {
  return goes_on_from_past(model) && start.last_step == 0 ? Integrator::ImplicitEuler
                                                          : model.scene->simulation.integrator;
}

Vec3 momentum(const ModelData& model, const Mat3& rotation, const Vec3& spin, std::size_t rotor) {
  return rotation * (model.rotors[rotor].inertia * spin);
}

// m (v1 − v0)/h with v1 = 2 (x1 − x0)/h − v0; drag by the mean velocity.
void set_conserving(const ModelData& model, const RodState& start, double h, Motion& motion) {
  motion.inertia = 2 / (h * h);
  motion.rate = 1 / h;
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    motion.reference[i] = start.position[i] + h * start.velocity[i];
    motion.velocity_reference[i] = start.position[i];
  }
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    if (!model.rotors[r].spins()) continue;
    motion.known_spin[r] = start.rotor_spin[r];
    motion.known_momentum[r] = momentum(model, start.rotor[r], start.rotor_spin[r], r) / h;
  }
}

void set_euler(const ModelData& model, const RodState& start, double h, Motion& motion) {
  motion.inertia = 1 / (h * h);
  motion.rate = 1 / h;
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    motion.reference[i] = start.position[i] + h * start.velocity[i];
    motion.velocity_reference[i] = start.position[i];
  }
  for (std::size_t j = 0; j < motion.angle_reference.size(); ++j) motion.angle_reference[j] = h * start.edge_spin[j];
  motion.spin = {1 / h, 1 / h};
  for (const FreeBody& body : model.bodies) {
    const auto r = at(body.rotor);
    motion.known_spin[r].setZero();
    motion.known_momentum[r] = momentum(model, start.rotor[r], start.rotor_spin[r], r) / h;
  }
}

void set_bdf2(const ModelData& model, const RodState& start, double h, Motion& motion) {
  const Bdf2 b(h / start.last_step);
  motion.inertia = b.p * b.p / (h * h);
  motion.rate = b.p / h;
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    const Vec3 x = (b.q * start.position[i] - b.s * start.past_position[i]) / b.p;
    motion.velocity_reference[i] = x;
    motion.reference[i] = x + h / (b.p * b.p) * (b.q * start.velocity[i] - b.s * start.past_velocity[i]);
  }
  motion.spin = {b.p / h, b.p / h};
  for (const FreeBody& body : model.bodies) {
    const auto r = at(body.rotor);
    const Vec3 back = math::log_so3(start.past_rotor[r] * start.rotor[r].transpose());
    motion.known_spin[r] = b.s / h * (start.rotor[r].transpose() * back);
    motion.known_momentum[r] = (b.q * momentum(model, start.rotor[r], start.rotor_spin[r], r) -
                                b.s * momentum(model, start.past_rotor[r], start.past_rotor_spin[r], r)) /
                               h;
  }
}

void set_generalised_alpha(const ModelData& model, const RodState& start, double h, Motion& motion) {
  const GeneralisedAlpha g(model.scene->simulation.spectral_radius);
  motion.inertia = (1 - g.mass) / ((1 - g.force) * g.beta * h * h);
  motion.rate = g.gamma / (g.beta * h);
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    const Vec3& mean = start.mean_acceleration[i];
    // Newmark's position with no new acceleration, then what the average takes from the past
    const Vec3 x = start.position[i] + h * start.velocity[i] + h * h * (0.5 - g.beta) * mean;
    motion.reference[i] = x - g.beta * h * h / (1 - g.mass) * (g.mass * mean - g.force * start.acceleration[i]);
    motion.velocity_reference[i] = x - (start.velocity[i] + h * (1 - g.gamma) * mean) / motion.rate;
  }
}

}  // namespace

bool goes_on_from_past(const ModelData& model) {
  const Integrator wanted = model.scene->simulation.integrator;
  return wanted == Integrator::Bdf2 || wanted == Integrator::GeneralisedAlpha;
}

double longest_step_of_spins(const ModelData& model, const RodState& state) {
  constexpr double kMostSpin = 0.5;  // rad
  double fastest = 0;
  for (const FreeBody& body : model.bodies) fastest = std::max(fastest, state.rotor_spin[at(body.rotor)].norm());
  if (state.edge_lead.empty() || state.last_step == 0 || model.scene->simulation.iterations > 0)
    return fastest > 0 ? kMostSpin / fastest : 0;
  // edges also spin in waves that come and go, in which they need not be followed: the mean over a rod counts
  for (const RodRange& rod : model.rods) {
    const auto first = state.edge_lead.begin() + rod.first_edge;
    const double sum = std::accumulate(first, first + rod.mesh.edges(), 0.0);
    fastest = std::max(fastest, std::abs(sum) / (rod.mesh.edges() * state.last_step));
  }
  return fastest > 0 ? kMostSpin / fastest : 0;
}

void size_motion(const ModelData& model, Motion& motion) {
  motion.conserving = model.scene->simulation.integrator == Integrator::EnergyMomentum;
  motion.reference.resize(at(model.nodes));
  motion.velocity_reference.resize(at(model.nodes));
  motion.start_position.resize(at(model.nodes));
  motion.start_frame.resize(model.edges.size());
  motion.start_edge.resize(model.edges.size());
  motion.start_rotor.resize(model.rotors.size());
  motion.start_target.resize(model.rotors.size());
  motion.start_slide.resize(model.sliders.size());
  motion.start_length.resize(model.rods.size());
  motion.start_strain.resize(model.joints.size(), Vec3::Zero());
  motion.known_spin.resize(model.rotors.size(), Vec3::Zero());
  motion.known_momentum.resize(model.rotors.size(), Vec3::Zero());
  motion.start_spin.resize(model.edges.size(), 0);
  motion.start_tilt.resize(model.edges.size(), Vec2::Zero());
  motion.rotary = model.scene->simulation.rotary_inertia && !motion.conserving;
  const auto spins = [](const Edge& edge) { return edge.spin_inertia > 0; };
  if (!motion.conserving && !motion.rotary && std::any_of(model.edges.begin(), model.edges.end(), spins))
    motion.angle_reference.resize(model.edges.size());
  if (!motion.conserving) return;
  motion.joint_start.resize(model.joints.size());
  motion.past_change.resize(model.joints.size(), Vec3::Zero());
  motion.joint_chi.resize(model.joints.size(), 0);
}

void give_past(const ModelData& model, RodState& state) {
  const Integrator wanted = model.scene->simulation.integrator;
  state.past_position.assign(wanted == Integrator::Bdf2 ? state.position.size() : 0, Vec3::Zero());
  state.past_velocity.assign(state.past_position.size(), Vec3::Zero());
  state.past_rotor.assign(wanted == Integrator::Bdf2 ? state.rotor.size() : 0, Mat3::Identity());
  state.past_rotor_spin.assign(state.past_rotor.size(), Vec3::Zero());
  state.mean_acceleration.assign(wanted == Integrator::GeneralisedAlpha ? state.position.size() : 0, Vec3::Zero());
  state.acceleration.assign(state.mean_acceleration.size(), Vec3::Zero());
  state.mean_velocity = state.velocity;
  state.trend.assign(state.position.size(), Vec3::Zero());
  state.trend_change.assign(state.position.size(), Vec3::Zero());
  state.trend_goes_on = 0;
  state.rotor_mean_spin = state.rotor_spin;
  const bool averaged = wanted == Integrator::EnergyMomentum;
  state.edge_lead.assign(averaged ? state.edge.size() : 0, 0);
  state.rotor_lead.assign(averaged ? state.rotor.size() : 0, Vec3::Zero());
  state.axial_change.assign(averaged ? state.edge.size() : 0, 0);
  state.strain_change.assign(averaged ? model.joints.size() : 0, Vec3::Zero());
  state.joint_moment.assign(averaged ? model.joints.size() : 0, Vec3::Zero());
  state.past_strain.clear();
  state.last_step = 0;
}

namespace {

// Strains at the start, where moments are averaged or damping or the work of driven lengths asks for them.
void look_at_strains(const ModelData& model, const RodState& start, const Targets& targets, Motion& motion) {
  bool driven = false;
  for (std::size_t r = 0; r < model.rods.size(); ++r)
    driven = driven || targets.rod_length[r] / model.rods[r].mesh.length != start.length_factor[r];
  if (driven) motion.start_plastic = start.plastic;
  if (!motion.conserving) {
    if (driven || model.damped || !model.plasticity.empty()) measure_strains(model, start, motion.start_strain);
    return;
  }
  const int joints = static_cast<int>(model.joints.size());
  math::in_lanes([&]<class T>() {
    for (int first = 0; first < joints; first += math::kLanesOf<T>) {
      const rod::JointStrainOf<T> strain = joint_strains<T>(model, start, first, joints - 1);
      math::scatter<rod::JointStepStartOf, T>(
          {strain.vector(), rod::strain_gradient(strain)}, joints - first,
          [&](int i) -> rod::JointStepStart& { return motion.joint_start[at(first + i)]; });
      math::scatter<math::Vec3Of, T>(strain.vector(), joints - first,
                                     [&](int i) -> Vec3& { return motion.start_strain[at(first + i)]; });
    }
  });
}

}  // namespace

void set_motion(const ModelData& model, const RodState& start, const Targets& targets, double step, Motion& motion) {
  look_at_strains(model, start, targets, motion);
  motion.step = step;
  // flips are damped without gain only if what is thought to go on does not grow with the step
  const double share = start.last_step > 0 ? std::min(1.0, step / start.last_step) : 0;
  for (std::size_t j = 0; j < start.edge.size(); ++j)
    motion.start_edge[j] = {start.edge[j], start.edge[j].norm(), motion.conserving ? share * start.axial_change[j] : 0};
  for (std::size_t k = 0; k < motion.past_change.size(); ++k) motion.past_change[k] = share * start.strain_change[k];
  std::copy(start.position.begin(), start.position.end(), motion.start_position.begin());
  std::copy(start.frame.begin(), start.frame.end(), motion.start_frame.begin());
  std::copy(start.edge_spin.begin(), start.edge_spin.end(), motion.start_spin.begin());
  std::copy(start.edge_tilt.begin(), start.edge_tilt.end(), motion.start_tilt.begin());
  std::copy(start.rotor.begin(), start.rotor.end(), motion.start_rotor.begin());
  std::copy(start.rotor_target.begin(), start.rotor_target.end(), motion.start_target.begin());
  std::copy(start.slide.begin(), start.slide.end(), motion.start_slide.begin());
  std::copy(start.length_factor.begin(), start.length_factor.end(), motion.start_length.begin());
  switch (rule(model, start)) {
    case Integrator::EnergyMomentum:
      return set_conserving(model, start, step, motion);
    case Integrator::ImplicitEuler:
      return set_euler(model, start, step, motion);
    case Integrator::Bdf2:
      return set_bdf2(model, start, step, motion);
    case Integrator::GeneralisedAlpha:
      return set_generalised_alpha(model, start, step, motion);
    case Integrator::RungeKutta:
      break;  // refused: only the formulation spline has it
  }
}

namespace {

// generalised-α: the acceleration at the end of the step and the averaged one beside it.
void finish_accelerations(const GeneralisedAlpha& g, const Vec3& gained, double h, Vec3& acceleration, Vec3& mean) {
  const Vec3 before = mean;
  mean = gained / (g.gamma * h) - (1 - g.gamma) / g.gamma * before;
  acceleration = ((1 - g.mass) * mean + g.mass * before - g.force * acceleration) / (1 - g.force);
}

}  // namespace

double finish_velocities(const ModelData& model, const Motion& motion, RodState& end) {
  const double h = motion.step;
  const Integrator by = rule(model, end);
  const GeneralisedAlpha g(model.scene->simulation.spectral_radius);
  const double between = end.last_step > 0 ? 1 / (0.5 * (h + end.last_step)) : 0;
  double sum = 0;
  double mass = 0;
  double again = 0;  // how much of the change before came again in this step
  double before_that = 0;
  for (std::size_t i = 0; i < end.position.size(); ++i) {
    const Vec3 moved = end.position[i] - motion.start_position[i];
    const Vec3 before = end.velocity[i];
    Vec3& velocity = end.velocity[i];
    velocity = by == Integrator::EnergyMomentum ? Vec3(2 / h * moved - before)
                                                : Vec3(motion.rate * (end.position[i] - motion.velocity_reference[i]));
    // what is led along has the velocity it was led with
    for (int axis = 0; axis < 3; ++axis)
      if (model.position_hold[i][at(axis)] >= 0) velocity[axis] = moved[axis] / h;
    if (!end.past_velocity.empty()) end.past_velocity[i] = before;
    // mean velocities are smooth even where a stiff motion flips from step to step: the next step begins with them
    const Vec3 mean_velocity = 1 / h * moved;
    const Vec3 trend = between * (mean_velocity - end.mean_velocity[i]);
    const Vec3 change = trend - end.trend[i];
    again += model.node_mass[i] * change.dot(end.trend_change[i]);
    before_that += model.node_mass[i] * end.trend_change[i].squaredNorm();
    end.trend_change[i] = change;
    sum += model.node_mass[i] * change.squaredNorm();
    mass += model.node_mass[i];
    end.mean_velocity[i] = mean_velocity;
    end.trend[i] = trend;
    if (end.acceleration.empty()) continue;
    if (by == Integrator::GeneralisedAlpha)
      finish_accelerations(g, velocity - before, h, end.acceleration[i], end.mean_acceleration[i]);
    else
      end.acceleration[i] = end.mean_acceleration[i] = (velocity - before) / h;
  }
  for (std::size_t r = 0; r < model.rotors.size(); ++r) {
    if (!model.rotors[r].spins()) continue;
    const Mat3 back = motion.start_rotor[r].transpose();
    end.rotor_mean_spin[r] = back * math::log_so3(end.rotor[r] * back) / h;
  }
  if (!end.past_position.empty()) {
    std::copy(motion.start_position.begin(), motion.start_position.end(), end.past_position.begin());
    std::copy(motion.start_rotor.begin(), motion.start_rotor.end(), end.past_rotor.begin());
  }
  end.trend_goes_on = again > 0 ? std::min(1.0, again / before_that) : 0;
  end.last_step = h;
  // of a second-order rule: h³/12 times the rate of the acceleration, in the mean over the mass
  return h * h / 12 * std::sqrt(sum / mass) / model.size;
}

}  // namespace filum::discrete
