#include "formulations/discrete/ledger.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/laid_rods.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/slider.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::discrete {

Ledger::Ledger(const ModelData& model) : model_(model) {
  hold_force_.resize(model.scene->holds.size(), Vec3::Zero());
  rotor_moment_.resize(model.rotors.size());
  tie_force_.resize(model.ties.size());
  follow_force_.resize(model.forces.size());
  hold_moment_.resize(model.scene->holds.size(), Vec3::Zero());
  hold_joints_.resize(model.scene->holds.size());
  strain_.resize(model.joints.size());
  for (std::size_t h = 0; h < hold_joints_.size(); ++h) {
    const int section = model.hold_section[h];
    if (section < 0 || model.hold_rotor[h] >= 0) continue;
    for (std::size_t k = 0; k < model.joints.size(); ++k)
      if (model.joints[k].left.section == section || model.joints[k].right.section == section)
        hold_joints_[h].push_back(static_cast<int>(k));
  }
}

void Ledger::read(const Internals& internals, const Motion& motion, const RodState& state, const Targets& targets) {
  for (std::size_t h = 0; h < hold_force_.size(); ++h)
    if (model_.hold_node[h] >= 0) hold_force_[h] = internals.node_force[at(model_.hold_node[h])];
  std::copy(internals.rotor_moment.begin(), internals.rotor_moment.end(), rotor_moment_.begin());
  std::copy(state.tie_force.begin(), state.tie_force.end(), tie_force_.begin());
  for (std::size_t k = 0; k < model_.forces.size(); ++k) {
    const PointLoad& load = model_.forces[k];
    follow_force_[k] = targets.load * targets.force_scale[at(load.index)] * load.value;
    if (!load.follow) continue;
    const Mat3& end = state.rotor[at(load.rotor)];
    follow_force_[k] =
        (motion.conserving ? Mat3(0.5 * (end + motion.start_rotor[at(load.rotor)])) : end) * follow_force_[k];
  }
  for (std::size_t h = 0; h < hold_joints_.size(); ++h) {
    hold_moment_[h].setZero();
    for (const int k : hold_joints_[h])
      hold_moment_[h] += (model_.joints[at(k)].right.is_edge() ? -1 : 1) *
                         joint_moment(model_, state, &motion, internals.strain[at(k)], k);
  }
  lost_ = model_.damped ? losses(internals, motion, state) : 0;
  drained_ = motion.conserving ? drain(internals, motion, state) : 0;
}

// What a step that damps flips took: the work of χ/4 K (Δs − Δs_before) and, of spins, (a − ½) J (ω1 − ω0)².
double Ledger::drain(const Internals& internals, const Motion& motion, const RodState& state) const {
  double sum = 0;
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    if (motion.joint_chi[k] == 0) continue;
    const Vec3 change = internals.strain[k].vector() - motion.start_strain[k];
    const Vec3 stiffness = joint_elasticity(model_, state, nullptr, static_cast<int>(k)).stiffness;
    sum += 0.25 * motion.joint_chi[k] * stiffness.cwiseProduct(change - motion.past_change[k]).dot(change);
  }
  if (motion.chi == 0 && motion.spin_share == 0.5) return sum;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const double change = internals.axial_change[j];
    const double energy = edge.axial_stiffness * edge.rest_length * state.length_factor[at(edge.rod)];
    sum += 0.25 * motion.chi * energy * (change - motion.start_edge[j].change) * change;
    if (edge.spin_inertia == 0 || motion.spin_share == 0.5) continue;
    const Mat3 back = motion.start_frame[j].transpose();
    const Vec3 mean = back * math::cayley_vector(state.frame[j] * back) / motion.step;
    const Vec3 gained = (mean - motion.own_spin(j)) / motion.spin_share;
    sum += (motion.spin_share - 0.5) * edge.inertia().dot(gained.cwiseAbs2());
  }
  return sum;
}

// Power times the step: drag on nodes, viscous joints and edges.
double Ledger::losses(const Internals& internals, const Motion& motion, const RodState& state) const {
  double power = 0;
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    const Vec3 v = motion.rate * (state.position[i] - motion.velocity_reference[i]);
    const double speed = v.norm();
    power += (model_.node_drag[i] + model_.node_air[i] * speed) * speed * speed;
  }
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Vec3 rate = (internals.strain[k].vector() - motion.start_strain[k]) / motion.step;
    power += rate.dot(model_.joints[k].viscosity.cwiseProduct(rate)) / state.length_factor[at(model_.joints[k].rod)];
  }
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
    const double rate = (state.edge[j].norm() - motion.start_edge[j].length) / (rest * motion.step);
    power += edge.axial_viscosity * rest * rate * rate;
  }
  return power * motion.step;
}

// A rod whose length is driven is another spring, of other weight: the work of who drives it is ∂E/∂f Δf, f its length
// as a share of the compiled one. Stretch, EA (L − l)²/2l of an edge, is exact where its tension is averaged over the
// step with the mean of the two rest lengths, and by the trapezoidal rule elsewhere; so are the joints,
// k (s − f s̄)²/2f. Weight, −f m g·x, is exact in the former case again.
double Ledger::length_work(const Motion& motion, const RodState& end, double load) {
  double work = 0;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    const auto rod = at(edge.rod);
    const double before = edge.rest_length * motion.start_length[rod];
    const double after = edge.rest_length * end.length_factor[rod];
    if (before == after) continue;
    const double first = motion.start_edge[j].length;
    const double last = end.edge[j].norm();
    if (motion.conserving) {
      const double mean = 0.5 * (before + after);
      const auto energy = [](double length, double rest) { return (length - rest) * (length - rest) / (2 * rest); };
      work += edge.axial_stiffness *
              (energy(last, after) - energy(last, mean) + energy(first, mean) - energy(first, before));
    } else {
      const auto slope = [](double length, double rest) { return 0.5 * (1 - length * length / (rest * rest)); };
      work += edge.axial_stiffness * 0.5 * (slope(first, before) + slope(last, after)) * (after - before);
    }
  }
  measure_strains(model_, end, strain_);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    const double before = motion.start_length[at(joint.rod)];
    const double after = end.length_factor[at(joint.rod)];
    // of a laid rope the lengths of its edges count with its twist, and rest with them
    const Vec3 rest = joint.elasticity.rest + Vec3(0, 0, joint.lay.sum());
    Vec3 first = motion.start_strain[k];
    Vec3& last = strain_[k];
    if (model_.laid) {
      first[2] += lay_turn(model_, joint, 0, [&](int edge) { return motion.start_edge[at(edge)].length; });
      last[2] += lay_turn(model_, joint, 0, [&](int edge) { return end.edge[at(edge)].norm(); });
    }
    const auto slope = [&](const Vec3& strain, double f) {
      const Vec3 squares = rest.cwiseAbs2() - strain.cwiseAbs2() / (f * f);
      return 0.5 * joint.elasticity.stiffness.dot(squares);
    };
    const auto energy = [&](const Vec3& strain, double f) {
      const Vec3 excess = strain - f * rest;
      return 0.5 / f * excess.dot(joint.elasticity.stiffness.cwiseProduct(excess));
    };
    const double mean = 0.5 * (before + after);
    if (before != after && !model_.plasticity.empty()) {
      const auto kept = [&](const rod::PlasticMemory& memory, const Vec3& strain, double f) {
        return kept_energy(model_, memory, strain, f, static_cast<int>(k));
      };
      work += kept(end.plastic, strain_[k], after) - kept(end.plastic, strain_[k], mean) +
              kept(motion.start_plastic, motion.start_strain[k], mean) -
              kept(motion.start_plastic, motion.start_strain[k], before);
    }
    if (motion.conserving)
      work += energy(last, after) - energy(last, mean) + energy(first, mean) - energy(first, before);
    else
      work += 0.5 * (slope(first, before) + slope(last, after)) * (after - before);
  }
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const double gained = end.length_factor[r] - motion.start_length[r];
    const RodRange& range = model_.rods[r];
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
      const Vec3 middle = 0.5 * (motion.start_position[at(node)] + end.position[at(node)]);
      work -= gained * load * model_.node_mass[at(node)] * model_.gravity.dot(middle);
    }
  }
  return work;
}

// What is led has the velocity Δx/h that it is led with, not the 2 Δx/h − v0 by which its inertia enters the balance: the
// difference in its kinetic energy is the holds' work.
double Ledger::led_work(const Motion& motion, const RodState& end) const {
  double work = 0;
  for (std::size_t i = 0; i < end.position.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      if (model_.position_hold[i][at(axis)] < 0) continue;
      const double led = (end.position[i][axis] - motion.start_position[i][axis]) / motion.step;
      const double before = (motion.reference[i][axis] - motion.start_position[i][axis]) / motion.step;
      const double balanced = 2 * led - before;
      work += 0.5 * model_.node_mass[i] * (led * led - balanced * balanced);
    }
  return work;
}

void Ledger::enter(const Motion& motion, const std::vector<Vec3>& rotor_turn, const Targets& targets, RodState& end) {
  double work = 0;
  auto moved = [&](int node) { return Vec3(end.position[at(node)] - motion.start_position[at(node)]); };
  // holds
  for (std::size_t h = 0; h < model_.scene->holds.size(); ++h) {
    end.hold_force[h].setZero();
    end.hold_moment[h] = hold_moment_[h];
    const int node = model_.hold_node[h];
    // what a free body carries does no work on the whole
    if (model_.hold_carried[h] != 0) {
      const HoldPose carried = carried_hold(model_, end, static_cast<int>(h));
      end.hold_force[h] = carried.force;
      end.hold_moment[h] += carried.moment;
      continue;
    }
    if (node < 0) continue;  // a slider: below
    if (model_.hold_tie[h] >= 0) end.hold_force[h] = -tie_force_[at(model_.hold_tie[h])];
    for (int axis = 0; axis < 3; ++axis)
      if (model_.position_hold[at(node)][at(axis)] == static_cast<int>(h))
        end.hold_force[h][axis] = hold_force_[h][axis];
    work += model_.hold_tie[h] < 0 ? end.hold_force[h].dot(moved(node)) : 0;
    const int rotor = model_.hold_rotor[h];
    if (rotor < 0 || model_.rotors[at(rotor)].hold != static_cast<int>(h)) continue;
    for (int axis = 0; axis < 3; ++axis)
      if (model_.rotors[at(rotor)].fixed[at(axis)]) end.hold_moment[h][axis] = rotor_moment_[at(rotor)][axis];
    work += end.hold_moment[h].dot(rotor_turn[at(rotor)]);
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const Slider& slider = model_.sliders[k];
    if (slider.carried()) continue;
    const Vec3 force = -end.slide_force[k];
    end.hold_force[at(slider.hold)] += force;
    end.hold_moment[at(slider.hold)] +=
        (slider_target(slider, targets) - targets.holds[at(slider.hold)].position).cross(force);
    const RodRange& range = model_.rods[at(slider.rod)];
    work += force.dot(nodal_at(range.mesh, end.position, range.first_node, end.slide[k]) -
                      nodal_at(range.mesh, motion.start_position, range.first_node, motion.start_slide[k]));
  }
  // loads
  for (std::size_t k = 0; k < model_.forces.size(); ++k) work += follow_force_[k].dot(moved(model_.forces[k].node));
  for (const PointLoad& load : model_.torques) {
    const auto r = at(load.rotor);
    Vec3 torque = targets.load * targets.torque_scale[at(load.index)] * load.value;
    if (load.follow) torque = 0.5 * (motion.start_rotor[r] + end.rotor[r]) * torque;
    work +=
        torque.dot(motion.conserving ? rotor_turn[r] : math::log_so3(end.rotor[r] * motion.start_rotor[r].transpose()));
  }
  for (const LoadedNode& loaded : model_.loaded)
    work += targets.load * end.length_factor[at(loaded.rod)] * loaded.force.dot(moved(loaded.node));
  if (motion.conserving) work += led_work(motion, end);
  if (motion.start_length != end.length_factor) work += length_work(motion, end, targets.load);
  end.work += work;
  end.dissipated += lost_;
  end.drained += drained_;
}

}  // namespace filum::discrete
