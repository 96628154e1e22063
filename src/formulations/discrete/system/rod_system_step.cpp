// The rods in the balance of a step that keeps energy: edges and joints, whose forces and moments are means over the step.
//
// A joint's moment M (rod/joint_step.hpp) acts on the turns of its two sides. On an edge all moments together are a
// force and a torque about it (rod/edge_turn.hpp); a rotor takes them as they are. The tangent is the plain derivative by
// the state at the step's end, unsymmetric: δM = L_A w_A + L_B w_B, and w = W q of an edge, q = (δe, rest × δθ).
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/system/lay_step.hpp"
#include "formulations/discrete/system/scatter_edges.hpp"
#include "formulations/discrete/system/step_chunk.hpp"
#include "math/rotation.hpp"
#include "rod/edge_spin.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

namespace {

// A moment on an edge as (force, torque about it/rest).
template <class T>
rod::Mat43Of<T> edge_map(const rod::EdgeTurnOf<T>& turn, const T& per_rest) {
  rod::Mat43Of<T> map = rod::moment_map(turn);
  map.row(3) *= per_rest;
  return map;
}

}  // namespace

// A side of a joint that is done alone: an edge with how moments act on it, or a rotor, of which only the turn counts.
struct RodSystem::OddSide {
  rod::EdgeTurn turn;
  rod::Mat34 turning = rod::Mat34::Zero();
  rod::Mat43 map = rod::Mat43::Zero();
};

// Rows 1 to `count`: the edges from `first` on.
void RodSystem::begin_edges(const RodState& state, int first, int count) {
  StepChunk& chunk = *chunk_;
  const double length = state.length_factor[at(model_.edges[at(first)].rod)];
  math::in_lanes([&]<class T>() {
    for (int row = 1; row <= count; row += math::kLanesOf<T>) {
      const auto edge = [&](int lane) { return at(first + std::min(row + lane, count) - 1); };
      const auto number = [&](const auto& pick) {
        return math::gathered<math::NumberOf, T>([&](int i) -> const double& { return pick(edge(i)); });
      };
      const auto frame = math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return state.frame[edge(i)]; });
      const auto frame0 =
          math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return motion_->start_frame[edge(i)]; });
      EdgeRowOf<T> e;
      e.start = math::gathered<rod::AxialStartOf, T>(
          [&](int i) -> const rod::AxialStart& { return motion_->start_edge[edge(i)]; });
      e.edge = math::gathered<math::Vec3Of, T>([&](int i) -> const Vec3& { return state.edge[edge(i)]; });
      e.rest = length * number([&](std::size_t j) -> const double& { return model_.edges[j].rest_length; });
      e.stiffness = number([&](std::size_t j) -> const double& { return model_.edges[j].axial_stiffness; });
      e.viscosity = number([&](std::size_t j) -> const double& { return model_.edges[j].axial_viscosity; });
      e.spin_inertia = number([&](std::size_t j) -> const double& { return model_.edges[j].spin_inertia; });
      e.start_spin = number([&](std::size_t j) -> const double& { return motion_->start_spin[j]; });
      e.tension = number([&](std::size_t j) -> const double& { return state.tension[j]; });
      e.relief = e.softening = T(0);
      const rod::EdgeTurnOf<T> turn =
          rod::edge_turn(e.start.edge, e.start.length, frame0, e.edge, T(e.edge.norm()), frame);
      math::scatter<math::NumberOf, T>(turn.per_end, count - row + 1,
                                       [&](int i) -> double& { return per_length_[edge(i)]; });
      math::scatter<math::NumberOf, T>(turn.half_tan, count - row + 1,
                                       [&](int i) -> double& { return half_turn_[edge(i)]; });
      chunk.frame.store<T>(row, frame);
      chunk.edge.store<T>(row, e);
      chunk.turn.store<T>(row, turn);
      if (want_tangent_) chunk.map.store<T>(row, edge_map(turn, T(1.0 / e.rest)));
    }
  });
  if (edges_yield_ || !state.plastic.blank()) add_edge_yields(state, first, count);
  if (tilts_) add_section_spins(state, first, count);
}

// What yielding in tension takes from the edges in rows 1 to `count`: the mean of what it takes at the two ends of the step.
void RodSystem::add_edge_yields(const RodState& state, int first, int count) {
  for (int row = 1; row <= count; ++row) {
    const int index = first + row - 1;
    if (stretch_yields_[at(index)] == 0 && !edge_has_yielded(model_, state, index)) continue;
    const EdgeYield yield =
        edge_yield(model_, state, state.edge[at(index)].norm(), stretch_yields_[at(index)] != 0, index);
    EdgeRowOf<double> e = chunk_->edge.load<double>(row);
    e.relief = 0.5 * (yield.kept + yield.relief);
    if (yield_ == Yield::On) e.softening = 0.5 * yield.softening;
    chunk_->edge.store<double>(row, e);
  }
}

// The rotary inertia of cross-sections about all their axes is a rigid body's (body/spin_inertia.hpp).
void RodSystem::add_section_spins(const RodState& state, int first, int count) {
  for (int row = 1; row <= count; ++row) {
    const auto j = at(first + row - 1);
    const Edge& edge = model_.edges[j];
    rod::EdgeSpin about;
    if (edge.tilts()) {
      const body::SpinInertia spin =
          body::spin_over_step(edge.inertia().asDiagonal(), motion_->start_frame[j], state.frame[j], motion_->step,
                               motion_->own_spin(j), motion_->spin_share);
      about = {spin.torque, spin.tangent};
    } else {
      about = rod::edge_spin(chunk_->turn.load<double>(row), rod::EdgeSpinLaw{edge.spin_inertia, motion_->start_spin[j],
                                                                              motion_->step, motion_->spin_share});
    }
    chunk_->spin.store<double>(row, about);
  }
}

// What yielding takes from a joint's law at the end of the step: the mean of that and of what it takes at its start, which
// its law has lost already. Returns by how much it grows with the strain at the step's end.
Mat3 RodSystem::relieve(const RodState& state, int joint, rod::StepLaw& law) {
  const rod::JointYield yield = joint_yield(model_, state, strain_[at(joint)].vector(), true, joint);
  law.base -= 0.5 * yield.relief;
  softens_[at(joint)] = yield.yields;
  return yield.yields && yield_ == Yield::On ? Mat3(0.5 * yield.softening) : Mat3::Zero();
}

// The laws of `count` joints from row `begin` on, where they may yield: several side by side.
void RodSystem::relieve_rows(const RodState& state, int begin, int count, int joint) {
  StepChunk& chunk = *chunk_;
  each_law(model_, joint, joint + count, [&](int yields, int first, int end) {
    math::in_lanes([&]<class T>() {
      for (int k = first; k < end; k += math::kLanesOf<T>) {
        const auto pick = [&](int lane) { return std::min(k + lane, end - 1); };
        const int row = begin + k - joint;
        rod::StepLawOf<T> law = math::gathered<rod::StepLawOf, T>(
            [&](int lane) -> const rod::StepLaw& { return step_law_[at(pick(lane))]; });
        math::Mat3Of<T> softening = math::Mat3Of<T>::Constant(T(0));
        if (yields >= 0) {
          const PlasticJointsOf<T, decltype(pick)> joints(model_, state, pick);
          rod::MemoryOf<T> memory;
          for (int lane = 0; lane < math::kLanesOf<T>; ++lane)
            memory[at(lane)] = state.plastic.at(model_.plasticity.joints[at(pick(lane))].memory);
          const rod::JointYieldOf<T> yield =
              rod::joint_yield<T>(joints.joint, joints.excess(chunk.strain.load<T>(row).vector()), memory);
          law.base -= T(0.5) * yield.relief;
          softening = T(0.5) * yield.softening;
        }
        std::array<double, math::kLanesOf<T>> soft;
        math::scatter<math::NumberOf, T>(T(softening.trace()), math::kLanesOf<T>,
                                         [&](int lane) -> double& { return soft[at(lane)]; });
        for (int lane = 0; lane < math::kLanesOf<T> && k + lane < end; ++lane)
          softens_[at(k + lane)] = soft[at(lane)] > 0;
        if (yield_ != Yield::On) softening = math::Mat3Of<T>::Constant(T(0));
        chunk.law.store<T>(row, law);
        chunk.softening.store<T>(row, softening);
      }
    });
  });
}

// What joints are made of in this step, less half of what those take that have yielded.
void RodSystem::find_step_laws(const RodState& state) {
  laws_found_ = true;
  step_law_.resize(model_.joints.size());
  has_yielded_.assign(model_.joints.size(), 0);
  for (std::size_t k = 0; k < step_law_.size(); ++k) {
    const int joint = static_cast<int>(k);
    has_yielded_[k] = !state.plastic.blank() && has_yielded(model_, state, joint);
    step_law_[k] = step_law(state, joint);
  }
}

rod::StepLaw RodSystem::step_law(const RodState& state, int joint) const {
  rod::StepLaw law = joint_step_law(model_, state, *motion_, joint);
  if (has_yielded_[at(joint)] != 0) law.base -= 0.5 * kept_relief(model_, state, joint);
  return law;
}

// `count` joints of two edges each, one after the other from row `begin` on, the first of them `joint`.
void RodSystem::add_joint_rows(RodState& state, int begin, int count, int joint) {
  StepChunk& chunk = *chunk_;
  const auto first = has_yielded_.begin() + joint;
  bool yields = std::any_of(first, first + count, [](char ever) { return ever != 0; });
  const bool may = !yields && !model_.plasticity.empty();
  const double per_length = 1 / state.length_factor[at(model_.joints[at(joint)].rod)];
  // strains, and whether they go beyond first yield
  math::in_lanes([&]<class T>() {
    for (int row = begin; row < begin + count; row += math::kLanesOf<T>) {
      const int left = begin + count - row;
      const auto k = [&](int lane) { return at(joint + row - begin + std::min(lane, left - 1)); };
      const T near = math::gathered<math::NumberOf, T>([&](int i) -> const double& { return state.twist[k(i)]; });
      const rod::JointStrainOf<T> strain =
          rod::joint_strain(chunk.frame.load<T>(row - 1), chunk.frame.load<T>(row), near);
      chunk.strain.store<T>(row, strain);
      math::scatter<rod::JointStrainOf, T>(strain, left, [&](int i) -> rod::JointStrain& { return strain_[k(i)]; });
      if (!may) continue;
      const auto gauge = math::gathered<rod::YieldGaugeOf, T>(
          [&](int i) -> const rod::YieldGauge& { return model_.plasticity.gauges[k(i)]; });
      const math::Vec3Of<T> strained = T(per_length) * strain.vector();
      yields = math::any(rod::yield_reach(gauge, strained) > T(rod::kRests)) || yields;
    }
  });
  for (int i = 0; i < count; ++i) {
    const auto k = at(joint + i);
    if (strain_[k].hold < 1) {
      rod::stay_on_side(motion_->joint_start[k].strain.head<2>(), state.twist[k], strain_[k]);
      chunk.strain.store<double>(begin + i, strain_[k]);
    }
    state.twist[k] = strain_[k].twist;
  }
  // what they are made of, where that changes from iteration to iteration
  for (int k = joint; model_.laid && k < joint + count; ++k) step_law_[at(k)] = step_law(state, k);
  if (yields)
    relieve_rows(state, begin, count, joint);
  else
    std::fill_n(softens_.begin() + joint, count, 0);
  // moments, and their derivatives
  const bool assumes = want_tangent_ && assumes_moments();
  math::in_lanes([&]<class T>() {
    for (int row = begin; row < begin + count; row += math::kLanesOf<T>) {
      const int left = begin + count - row;
      const auto k = [&](int lane) { return at(joint + row - begin + std::min(lane, left - 1)); };
      const auto start = math::gathered<rod::JointStepStartOf, T>(
          [&](int i) -> const rod::JointStepStart& { return motion_->joint_start[k(i)]; });
      const auto strain = chunk.strain.load<T>(row);
      const auto law =
          yields ? chunk.law.load<T>(row)
                 : math::gathered<rod::StepLawOf, T>([&](int i) -> const rod::StepLaw& { return step_law_[k(i)]; });
      const auto a = chunk.turn.load<T>(row - 1);
      const auto b = chunk.turn.load<T>(row);
      const rod::JointStepOf<T> step = rod::joint_step(start, strain, law, a.turn, b.turn);
      math::scatter<math::Vec3Of, T>(step.components, left, [&](int i) -> Vec3& { return acted_[k(i)]; });
      const rod::JointStepOf<T> assumed =
          assumes ? rod::with_components(step, math::gathered<math::Vec3Of, T>(
                                                   [&](int i) -> const Vec3& { return assumed_moment(state, k(i)); }))
                  : step;
      const EdgeEndOf<T> end{step.moment, step.moment.norm(), assumed.moment};
      chunk.at_end.store<T>(row - 1, end);
      chunk.at_start.store<T>(row, end);
      if (want_tangent_) {
        rod::JointStepTangentOf<T> t = rod::joint_step_tangent(start, strain, law, assumed);
        if (yields) rod::soften(step, chunk.softening.load<T>(row), t);
        const T rest_a = chunk.edge.load<T>(row - 1).rest;
        const T rest_b = chunk.edge.load<T>(row).rest;
        const math::Mat34Of<T> by_a = rod::times_turning(t.by_a, a.end_tangent, a.per_end, T(1.0 / rest_a));
        const math::Mat34Of<T> by_b = rod::times_turning(t.by_b, b.end_tangent, b.per_end, T(1.0 / rest_b));
        chunk.ab.store<T>(row, math::Mat4Of<T>(-chunk.map.load<T>(row - 1) * by_b));
        chunk.ba.store<T>(row, math::Mat4Of<T>(chunk.map.load<T>(row) * by_a));
        chunk.end_slope.store<T>(row - 1, by_a);
        chunk.start_slope.store<T>(row, by_b);
      }
    }
  });
  if (model_.laid) add_lay_rows(state, begin, count, joint);
}

// Rows `begin` to `last`: their forces, and what they and their joints are in the matrix. Row 1 is the edge `first`.
void RodSystem::end_edges(int first, int begin, int last) {
  StepChunk& chunk = *chunk_;
  math::in_lanes([&]<class T>() {
    for (int row = begin; row <= last; row += math::kLanesOf<T>) {
      const EdgeRowOf<T> e = chunk.edge.load<T>(row);
      const rod::EdgeTurnOf<T> turn = chunk.turn.load<T>(row);
      const EdgeEndOf<T> at_start = chunk.at_start.load<T>(row);
      const EdgeEndOf<T> at_end = chunk.at_end.load<T>(row);
      rod::AxialAverageOf<T> average = rod::axial_average(
          e.start, e.edge, rod::AxialStepLawOf<T>{e.rest, e.stiffness, e.viscosity, motion_->chi, motion_->step});
      average.force -= e.relief;
      average.rate -= e.softening / e.rest;
      const auto edge = [&](int lane) { return at(first + std::min(row + lane, last) - 1); };
      if (model_.laid)
        average.force += math::gathered<math::NumberOf, T>([&](int i) -> const double& { return lay_pull_[edge(i)]; });
      const rod::EdgeSpinOf<T> spin =
          tilts_ ? chunk.spin.load<T>(row)
                 : rod::edge_spin(
                       turn, rod::EdgeSpinLawOf<T>{e.spin_inertia, e.start_spin, motion_->step, motion_->spin_share});
      const math::Vec3Of<T> moment = at_start.moment - at_end.moment + spin.torque;
      const math::Vec4Of<T> turning = rod::moment_on_edge(turn, moment);
      const math::Vec3Of<T> shear(turning[0], turning[1], turning[2]);
      EdgeForceOf<T> f;
      f.force = average.force * average.direction + shear;
      f.size = math::magnitude(average.force) + shear.norm();
      f.torque = turning[3];
      f.row = -turning[3] / e.rest;
      f.moment_size = at_start.size + at_end.size;
      f.spin_size = spin.torque.norm();
      f.axial = average.force;
      f.slope = average.rate * average.end_tangent;
      f.change = average.change;
      math::scatter<EdgeForceOf, T>(f, last - row + 1,
                                    [&](int i) -> EdgeForceOf<double>& { return chunk.force[at(row + i)]; });
      if (!want_tangent_) continue;

      // on (δe, rest × δθ)
      const T per_rest = 1.0 / e.rest;
      const math::Vec3Of<T> assumed = at_start.assumed - at_end.assumed + spin.torque;
      math::Mat4Of<T> h = rod::moment_map_derivative(turn, assumed);
      h.row(3) *= per_rest;
      h.col(3) *= per_rest;
      const math::Mat34Of<T> slope = chunk.start_slope.load<T>(row) - chunk.end_slope.load<T>(row) +
                                     rod::times_turning(spin.by_rotation, turn.end_tangent, turn.per_end, per_rest);
      h += chunk.map.load<T>(row) * slope;
      const math::Mat3Of<T> axial = rod::axial_average_stiffness(average, e.tension);
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) h(r, c) += axial(r, c);
      if (model_.laid)
        h += math::gathered<math::Mat4Of, T>([&](int i) -> const rod::Mat4& { return lay_own_[edge(i)]; });
      const EdgeBlocks<T> blocks(h, chunk.ab.load<T>(row), chunk.ba.load<T>(row), chunk.ab.load<T>(row + 1),
                                 chunk.ba.load<T>(row + 1));
      scatter_edges<T>(blocks, first + row - 1, std::min(math::kLanesOf<T>, last - row + 1));
    }
  });
  for (int row = begin; row <= last; ++row) add_edge_force(first + row - 1, chunk.force[at(row)]);
}

// A joint that joins an edge to a section, or closes a ring.
void RodSystem::add_odd_joint(RodState& state, int index) {
  const Joint& joint = model_.joints[at(index)];
  rod::JointStrain& strain = strain_[at(index)];
  strain = rod::joint_strain(side_frame(model_, state, joint.left, joint.offset),
                             side_frame(model_, state, joint.right, 0), state.twist[at(index)]);
  rod::stay_on_side(motion_->joint_start[at(index)].strain.head<2>(), state.twist[at(index)], strain);
  state.twist[at(index)] = strain.twist;
  const OddSide a = odd_side(state, joint.left);
  const OddSide b = odd_side(state, joint.right);
  const rod::JointStepStart& start = motion_->joint_start[at(index)];
  const bool yields = !model_.plasticity.empty();
  if (model_.laid) step_law_[at(index)] = step_law(state, index);
  rod::StepLaw law = step_law_[at(index)];
  const Mat3 softening = yields ? relieve(state, index, law) : Mat3::Zero();
  const rod::JointStep step = rod::joint_step(start, strain, law, a.turn.turn, b.turn.turn);
  const double size = step.moment.norm();
  acted_[at(index)] = step.components;
  const rod::JointStep assumed =
      want_tangent_ && assumes_moments() ? rod::with_components(step, assumed_moment(state, at(index))) : step;
  const bool laid = !joint.lay.isZero(0);
  const LayStep lay = laid ? lay_step(state, step, index) : LayStep{};
  std::array<rod::Mat34, 2> slopes{rod::Mat34::Zero(), rod::Mat34::Zero()};
  if (want_tangent_) {
    rod::JointStepTangent t = rod::joint_step_tangent(start, strain, law, assumed);
    if (yields) rod::soften(step, softening, t);
    slopes = {t.by_a * a.turning, t.by_b * b.turning};
    const bool plain = joint.left.is_edge() && joint.right.is_edge();
    if (plain) {
      for (const int i : {0, 1}) slopes[at(i)] += lay.edge[at(i)].moment;
      scatter_coupling(joint, -a.map * slopes[1] + lay.edge[0].force * lay.edge[1].torque.transpose(),
                       b.map * slopes[0] + lay.edge[1].force * lay.edge[0].torque.transpose());
    } else {
      scatter_conserving_side(joint, t, joint.left.is_edge() ? a : b);
      if (laid) scatter_lay_rotor(joint, lay);
      for (const int i : {0, 1}) slopes[at(i)] += lay.edge[at(i)].moment;
    }
  }
  for (const bool right : {false, true}) {
    const Side& side = right ? joint.right : joint.left;
    if (side.is_edge()) {
      const auto odd = at((right ? odd_start_ : odd_finish_)[at(side.edge)]);
      chunk_->odd_ends[odd] = {step.moment, size, assumed.moment};
      chunk_->odd_slopes[odd] = slopes[right ? 1 : 0];
    } else {
      const int rotor = model_.sections[at(side.section)].rotor;
      rotor_moment_[at(rotor)] += (right ? 1 : -1) * step.moment;
      rotor_moment_sum_[at(rotor)] += size;
    }
  }
}

RodSystem::OddSide RodSystem::odd_side(const RodState& state, const Side& side) const {
  OddSide odd;
  if (!side.is_edge()) {
    odd.turn.turn = rotor_turn_[at(model_.sections[at(side.section)].rotor)];
    return odd;
  }
  const auto j = at(side.edge);
  const double length = state.edge[j].norm();
  const double rest = model_.edges[j].rest_length * state.length_factor[at(model_.edges[j].rod)];
  odd.turn = rod::edge_turn(motion_->start_edge[j].edge, motion_->start_edge[j].length, motion_->start_frame[j],
                            state.edge[j], length, state.frame[j]);
  odd.turning = rod::turning(state.frame[j].col(2), length);
  odd.turning.col(3) *= 1 / rest;
  odd.map = edge_map(odd.turn, 1 / rest);
  return odd;
}

// A section's rotor takes the place of one edge.
void RodSystem::scatter_conserving_side(const Joint& joint, const rod::JointStepTangent& t, const OddSide& e) {
  const bool edge_left = joint.left.is_edge();
  const int rotor = model_.sections[at(edge_left ? joint.right.section : joint.left.section)].rotor;
  const double sign = edge_left ? -1 : 1;  // of the moment on the edge
  const rod::Mat34 by_edge = (edge_left ? t.by_a : t.by_b) * e.turning;
  const int block = rotor_block(rotor);
  if (block < 0) return;
  const Mat3 by_rotor = (edge_left ? t.by_b : t.by_a) / arm_;
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(-sign / arm_ * by_rotor));
  // rows of the edge by the rotor's columns, and back
  scatter_rotor(joint, sign * e.map * by_rotor, -sign / arm_ * by_edge);
}

}  // namespace filum::discrete
