// The rods in the balance of one instant: at rest, and in steps whose integrator evaluates their end.
//
// Forces and moments are the gradient of an energy, and so the tangent is symmetric, but for rotary inertia: with W the
// rotation of an edge's frame by q = (δe, rest × δθ) and C the stiffness of a joint (rod/joint.hpp), an edge has
// Wᵀ (C_start + C_end) W and the couplings Wᵀ (½ [M]× − C) W with its neighbours.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/system/scatter_edges.hpp"
#include "formulations/discrete/system/step_chunk.hpp"
#include "math/rotation.hpp"
#include "rod/joint_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

namespace {

// Angles whose absolute value nothing determines (no orientation held anywhere on the rod) are kept by a spring to
// where they are, this share of the twist stiffness of an edge: at equilibrium it exerts no force.
constexpr double kSpinShift = 1e-8;

// What a joint does to its two sides.
template <class T>
struct JointActOf {
  T energy;
  math::Vec3Of<T> components;
  math::Vec3Of<T> moment;
};

template <class T>
JointActOf<T> joint_act(const rod::JointStrainOf<T>& strain, const rod::JointElasticityOf<T>& elasticity,
                        const math::Vec3Of<T>& relief) {
  const math::Vec3Of<T> excess = strain.vector() - elasticity.rest;
  JointActOf<T> act;
  act.components = elasticity.stiffness.cwiseProduct(excess);
  act.energy = 0.5 * excess.dot(act.components);
  act.components -= relief;
  act.moment = rod::joint_moment<T>(strain, act.components);
  return act;
}

// What yielding takes from a joint's stiffness.
template <class T>
void soften(const rod::JointStrainOf<T>& strain, const math::Mat3Of<T>& softening, math::Mat3Of<T>& stiffness) {
  const math::Mat3Of<T> gradient = rod::strain_gradient(strain);
  stiffness -= gradient * softening * gradient.transpose();
}

// Of the left side's rotation by the right side's.
template <class T>
math::Mat3Of<T> coupling_of(const math::Mat3Of<T>& stiffness, const math::Vec3Of<T>& moment) {
  return math::cross_matrix<T>(0.5 * moment) - stiffness;
}

// (δe, rest × δθ) → rotation of its frame.
rod::Mat34 turning_of(const ModelData& model, const RodState& state, int index) {
  const Edge& edge = model.edges[at(index)];
  rod::Mat34 turning = rod::turning(state.frame[at(index)].col(2), state.edge[at(index)].norm());
  turning.col(3) *= 1 / (edge.rest_length * state.length_factor[at(edge.rod)]);
  return turning;
}

}  // namespace

// Rows 1 to `count`: the edges from `first` on, and what stretches them.
void RodSystem::begin_instant_edges(const RodState& state, int first, int count, Balance& balance) {
  StepChunk& chunk = *chunk_;
  const int rod = model_.edges[at(first)].rod;
  const double factor = state.length_factor[at(rod)];
  const bool viscous = motion_ != nullptr && model_.damped;
  const bool spins = motion_ != nullptr && !motion_->angle_reference.empty();
  math::in_lanes([&]<class T>() {
    for (int row = 1; row <= count; row += math::kLanesOf<T>) {
      const auto edge = [&](int lane) { return at(first + std::min(row + lane, count) - 1); };
      const auto number = [&](const auto& pick) {
        return math::gathered<math::NumberOf, T>([&](int i) -> const double& { return pick(edge(i)); });
      };
      const auto frame = math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return state.frame[edge(i)]; });
      InstantEdgeOf<T> e;
      e.tangent = frame.col(2);
      e.length = math::gathered<math::Vec3Of, T>([&](int i) -> const Vec3& { return state.edge[edge(i)]; }).norm();
      e.per_length = 1.0 / e.length;
      e.rest = factor * number([&](std::size_t j) -> const double& { return model_.edges[j].rest_length; });
      e.per_rest = 1.0 / e.rest;
      const T stiffness = number([&](std::size_t j) -> const double& { return model_.edges[j].axial_stiffness; });
      const rod::StretchOf<T> stretch = rod::stretch(e.length, e.rest, stiffness);
      e.energy = stretch.energy;
      e.force = stretch.force;
      e.rate = stiffness * e.per_rest;
      if (viscous) {
        const T rate = number([&](std::size_t j) -> const double& { return model_.edges[j].axial_viscosity; }) *
                       e.per_rest / motion_->step;
        e.force +=
            rate * (e.length - number([&](std::size_t j) -> const double& { return motion_->start_edge[j].length; }));
        e.rate += rate;
      }
      e.tension = number([&](std::size_t j) -> const double& { return state.tension[j]; });
      e.torque = e.torque_rate = T(0);
      if (spins) {
        const T inertia =
            motion_->inertia * number([&](std::size_t j) -> const double& { return model_.edges[j].spin_inertia; });
        const T angle = rod::turn_between<T>(
            math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return motion_->start_frame[edge(i)]; }),
            frame);
        e.torque =
            inertia * (angle - number([&](std::size_t j) -> const double& { return motion_->angle_reference[j]; }));
        e.torque_rate = inertia * e.per_rest * e.per_rest;
      }
      if (model_.spin_free[at(rod)])
        e.torque_rate += kSpinShift * number([&](std::size_t j) -> const double& { return spin_stiffness_[j]; });
      math::scatter<math::NumberOf, T>(e.per_length, count - row + 1,
                                       [&](int i) -> double& { return per_length_[edge(i)]; });
      chunk.frame.store<T>(row, frame);
      chunk.instant.store<T>(row, e);
    }
  });
  if (!model_.plasticity.empty()) yield_instant_edges(state, first, count);
  for (int row = 1; row <= count; ++row) balance.elastic += chunk.instant.load<double>(row).energy;
  if (motion_ != nullptr && motion_->rotary) add_instant_spins(state, first, count);
}

// What yielding in tension does to the edges in rows 1 to `count`.
void RodSystem::yield_instant_edges(const RodState& state, int first, int count) {
  for (int row = 1; row <= count; ++row) {
    const int index = first + row - 1;
    InstantEdgeOf<double> e = chunk_->instant.load<double>(row);
    const EdgeYield yield = edge_yield(model_, state, e.length, stretch_yields_[at(index)] != 0, index);
    e.force -= yield.relief;
    e.energy += yield.energy;
    spent_ += yield.spent;
    if (yield_ == Yield::On) e.rate -= yield.softening / e.rest;
    chunk_->instant.store<double>(row, e);
  }
}

// The rotary inertia of cross-sections about all their axes, at the step's end.
void RodSystem::add_instant_spins(const RodState& state, int first, int count) {
  for (int row = 1; row <= count; ++row) {
    const auto j = at(first + row - 1);
    const Mat3& start = motion_->start_frame[j];
    const Vec3 inertia = model_.edges[j].inertia();
    const Vec3 momentum = start * inertia.cwiseProduct(motion_->own_spin(j));
    const body::SpinInertia spin = body::spin_inertia(inertia.asDiagonal(), start, state.frame[j], motion_->spin,
                                                      Vec3::Zero(), motion_->spin.momentum_rate * momentum);
    // on increments in exponential coordinates the turning of the torque itself counts half, as for a dead torque
    chunk_->spin.store<double>(row, rod::EdgeSpin{spin.torque, spin.tangent + 0.5 * math::skew(spin.torque)});
  }
}

// Strains of `count` joints of two edges each, one after the other from row `begin` on, the first of them `joint`; and
// what they are made of, where that is not the same at every instant.
void RodSystem::measure_instant_joints(RodState& state, int begin, int count, int joint, Balance& balance) {
  StepChunk& chunk = *chunk_;
  math::in_lanes([&]<class T>() {
    for (int row = begin; row < begin + count; row += math::kLanesOf<T>) {
      const int left = begin + count - row;
      const auto k = [&](int lane) { return at(joint + row - begin + std::min(lane, left - 1)); };
      const rod::JointStrainOf<T> strain = rod::joint_strain<T>(
          chunk.frame.load<T>(row - 1), chunk.frame.load<T>(row),
          math::gathered<math::NumberOf, T>([&](int i) -> const double& { return state.twist[k(i)]; }));
      chunk.strain.store<T>(row, strain);
      math::scatter<rod::JointStrainOf, T>(strain, left, [&](int i) -> rod::JointStrain& { return strain_[k(i)]; });
      math::scatter<math::NumberOf, T>(strain.twist, left, [&](int i) -> double& { return state.twist[k(i)]; });
    }
  });
  for (int i = 0; elasticity_changes() && i < count; ++i)
    chunk.elasticity.store<double>(begin + i, joint_elasticity(model_, state, motion_, joint + i));
  for (int i = 0; !model_.plasticity.empty() && i < count; ++i) {
    const rod::JointYield yield = yield_instant_joint(state, joint + i, balance);
    chunk.relief.store<double>(begin + i, yield.relief);
    chunk.softening.store<double>(begin + i, yield.softening);
  }
}

// What yielding does to a joint, its softening nil where that is not to count.
rod::JointYield RodSystem::yield_instant_joint(const RodState& state, int joint, Balance& balance) {
  rod::JointYield yield = joint_yield(model_, state, strain_[at(joint)].vector(), yield_ != Yield::Off, joint);
  balance.elastic += yield.energy;
  spent_ += yield.spent;
  if (!yield.yields || yield_ != Yield::On) yield.softening.setZero();
  return yield;
}

// As `measure_instant_joints`: moments and, if wanted, stiffnesses.
void RodSystem::add_instant_joints(RodState& state, int begin, int count, int joint, Balance& balance) {
  StepChunk& chunk = *chunk_;
  measure_instant_joints(state, begin, count, joint, balance);
  const bool yields = !model_.plasticity.empty();
  const bool changes = elasticity_changes();
  const double factor = state.length_factor[at(model_.joints[at(joint)].rod)];
  math::in_lanes([&]<class T>() {
    for (int row = begin; row < begin + count; row += math::kLanesOf<T>) {
      const int left = begin + count - row;
      rod::JointElasticityOf<T> elasticity;
      if (changes) {
        elasticity = chunk.elasticity.load<T>(row);
      } else {
        elasticity = math::gathered<rod::JointElasticityOf, T>([&](int i) -> const rod::JointElasticity& {
          return model_.joints[at(joint + row - begin + std::min(i, left - 1))].elasticity;
        });
        elasticity.stiffness *= T(1 / factor);
        elasticity.rest *= T(factor);
      }
      const auto strain = chunk.strain.load<T>(row);
      const JointActOf<T> act = joint_act<T>(
          strain, elasticity, yields ? chunk.relief.load<T>(row) : math::Vec3Of<T>(math::Vec3Of<T>::Zero()));
      const EdgeEndOf<T> end{act.moment, act.moment.norm(), act.moment};
      chunk.energy.store<T>(row, act.energy);
      chunk.at_end.store<T>(row - 1, end);
      chunk.at_start.store<T>(row, end);
      if (!want_tangent_) continue;
      math::Mat3Of<T> stiffness = rod::joint_stiffness<T>(strain, elasticity, act.components);
      if (yields) soften<T>(strain, chunk.softening.load<T>(row), stiffness);
      const auto a = chunk.instant.load<T>(row - 1);
      const auto b = chunk.instant.load<T>(row);
      const math::Mat34Of<T> by_b =
          rod::times_turning<T>(coupling_of<T>(stiffness, act.moment), b.tangent, b.per_length, b.per_rest);
      chunk.end_stiffness.store<T>(row - 1, stiffness);
      chunk.start_stiffness.store<T>(row, stiffness);
      chunk.ab.store<T>(row, rod::turning_transposed_times<T>(a.tangent, a.per_length, a.per_rest, by_b));
    }
  });
  for (int row = begin; row < begin + count; ++row) balance.elastic += chunk.energy.load<double>(row);
  for (int i = 0; model_.laid && i < count; ++i) {
    if (model_.joints[at(joint + i)].lay.isZero(0)) continue;
    chunk.ab.store<double>(begin + i, chunk.ab.load<double>(begin + i) + add_lay(state, joint + i));
  }
}

// Rows `begin` to `last`: their forces, and what they and their joints are in the matrix. Row 1 is the edge `first`.
void RodSystem::end_instant_edges(int first, int begin, int last) {
  StepChunk& chunk = *chunk_;
  const bool spins = motion_ != nullptr && motion_->rotary;
  math::in_lanes([&]<class T>() {
    for (int row = begin; row <= last; row += math::kLanesOf<T>) {
      const auto e = chunk.instant.load<T>(row);
      const auto at_start = chunk.at_start.load<T>(row);
      const auto at_end = chunk.at_end.load<T>(row);
      const auto edge = [&](int lane) { return at(first + std::min(row + lane, last) - 1); };
      math::Vec3Of<T> moment = at_start.moment - at_end.moment;
      rod::EdgeSpinOf<T> spin;
      if (spins) {
        spin = chunk.spin.load<T>(row);
        moment += spin.torque;
      }
      EdgeForceOf<T> f;
      f.axial = e.force;
      T rate = e.rate;
      if (model_.laid) {
        f.axial += math::gathered<math::NumberOf, T>([&](int i) -> const double& { return lay_pull_[edge(i)]; });
        rate += math::gathered<math::NumberOf, T>([&](int i) -> const double& { return lay_rate_[edge(i)]; });
      }
      const math::Vec3Of<T> shear = e.per_length * moment.cross(e.tangent);
      f.force = f.axial * e.tangent + shear;
      f.size = math::magnitude(f.axial) + shear.norm();
      f.torque = moment.dot(e.tangent) + e.torque;
      f.row = -f.torque * e.per_rest;
      f.moment_size = at_start.size + at_end.size;
      f.spin_size = math::magnitude(e.torque);
      if (spins) f.moment_size += spin.torque.norm();
      f.slope = rate * e.tangent;
      f.change = T(0);
      math::scatter<EdgeForceOf, T>(f, last - row + 1,
                                    [&](int i) -> EdgeForceOf<double>& { return chunk.force[at(row + i)]; });
      if (!want_tangent_) continue;

      // on (δe, rest × δθ)
      math::Mat4Of<T> h = rod::turning_stiffness<T>(e.tangent, e.length, moment);
      for (int i = 0; i < 3; ++i) h(i, 3) = h(3, i) = h(i, 3) * e.per_rest;
      math::Mat3Of<T> stiffness = chunk.start_stiffness.load<T>(row) + chunk.end_stiffness.load<T>(row);
      if (spins) stiffness += spin.by_rotation;
      h += rod::turning_transposed_times<T>(e.tangent, e.per_length, e.per_rest,
                                            rod::times_turning<T>(stiffness, e.tangent, e.per_length, e.per_rest));
      h(3, 3) += e.torque_rate;
      const math::Mat3Of<T> stretch =
          rod::stretch_stiffness<T>(e.tangent, e.length, T(1), e.rate, true_tension_ ? f.axial : e.tension);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) h(r, c) += stretch(r, c);
      if (model_.laid)
        h += math::gathered<math::Mat4Of, T>([&](int i) -> const rod::Mat4& { return lay_own_[edge(i)]; });
      const math::Mat4Of<T> left = chunk.ab.load<T>(row), right = chunk.ab.load<T>(row + 1);
      const EdgeBlocks<T> blocks(h, left, left.transpose(), right, right.transpose());
      scatter_edges<T>(blocks, first + row - 1, std::min(math::kLanesOf<T>, last - row + 1));
    }
  });
  for (int row = begin; row <= last; ++row) add_edge_force(first + row - 1, chunk.force[at(row)]);
}

// A joint that joins an edge to a section, or closes a ring.
void RodSystem::add_odd_instant_joint(RodState& state, int index, Balance& balance) {
  const Joint& joint = model_.joints[at(index)];
  rod::JointStrain& strain = strain_[at(index)];
  strain = rod::joint_strain(side_frame(model_, state, joint.left, joint.offset),
                             side_frame(model_, state, joint.right, 0), state.twist[at(index)]);
  state.twist[at(index)] = strain.twist;
  const rod::JointElasticity elasticity = joint_elasticity(model_, state, motion_, index);
  rod::JointYield yield;
  if (!model_.plasticity.empty()) yield = yield_instant_joint(state, index, balance);
  const JointActOf<double> act = joint_act<double>(strain, elasticity, yield.relief);
  balance.elastic += act.energy;
  Mat3 stiffness = Mat3::Zero();
  if (want_tangent_) {
    stiffness = rod::joint_stiffness(strain, elasticity, act.components);
    soften<double>(strain, yield.softening, stiffness);
    scatter_odd_instant(state, joint, stiffness, coupling_of<double>(stiffness, act.moment));
  }
  if (!joint.lay.isZero(0)) {
    const rod::Mat4 lay = add_lay(state, index);
    if (want_tangent_ && joint.left.is_edge() && joint.right.is_edge()) scatter_coupling(joint, lay, lay.transpose());
  }
  const double size = act.moment.norm();
  for (const bool right : {false, true}) {
    const Side& side = right ? joint.right : joint.left;
    if (side.is_edge()) {
      const auto odd = at((right ? odd_start_ : odd_finish_)[at(side.edge)]);
      chunk_->odd_ends[odd] = {act.moment, size, act.moment};
      chunk_->odd_stiffness[odd] = stiffness;
    } else {
      const int rotor = model_.sections[at(side.section)].rotor;
      rotor_moment_[at(rotor)] += (right ? 1 : -1) * act.moment;
      rotor_moment_sum_[at(rotor)] += size;
    }
  }
}

// `coupling`: of the left side's rotation by the right side's. Their own stiffness edges have from the joint.
void RodSystem::scatter_odd_instant(const RodState& state, const Joint& joint, const Mat3& stiffness,
                                    const Mat3& coupling) {
  const bool left = joint.left.is_edge();
  if (left && joint.right.is_edge()) {
    const rod::Mat4 h =
        turning_of(model_, state, joint.left.edge).transpose() * coupling * turning_of(model_, state, joint.right.edge);
    return scatter_coupling(joint, h, h.transpose());
  }
  // a section's rotor takes the place of one edge
  const int block = rotor_block(model_.sections[at(left ? joint.right.section : joint.left.section)].rotor);
  if (block < 0) return;
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(stiffness / (arm_ * arm_)));
  const Mat3 toward = left ? coupling : Mat3(coupling.transpose());
  const rod::Mat43 h = turning_of(model_, state, left ? joint.left.edge : joint.right.edge).transpose() * toward / arm_;
  scatter_rotor(joint, h, h.transpose());
}

}  // namespace filum::discrete
