#include "formulations/discrete/contact_halt.hpp"

#include "base/index.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace filum::discrete {

ContactHalt::ContactHalt(const ModelData& model) : model_(model) {
  mobility_.assign(at(model.nodes), Vec3::Zero());
  for (std::size_t node = 0; node < mobility_.size(); ++node)
    for (int axis = 0; axis < 3; ++axis)
      if (model.position_hold[node][at(axis)] < 0 && model.node_mass[node] > 0)
        mobility_[node][axis] = 1 / model.node_mass[node];
  turning_.assign(model.rotors.size(), Mat3::Zero());
  for (std::size_t k = 0; k < model.ties.size(); ++k) {
    const Tie& tie = model.ties[k];
    if (model.rotors[at(tie.rotor)].body >= 0) {
      body_ties_.push_back(static_cast<int>(k));
      continue;
    }
    mobility_[at(tie.slave)].setZero();
    mobility_[at(tie.master)].setZero();
  }
  for (const Edge& edge : model.edges) spinning_.push_back(edge.spin_inertia > 0 ? 1 / edge.spin_inertia : 0);
  for (const FreeBody& body : model.bodies) {
    const Mat3& inertia = model.rotors[at(body.rotor)].inertia;
    if (inertia.determinant() > 0) turning_[at(body.rotor)] = inertia.inverse();
  }
}

// The nearest velocities in the metric of the masses, row after row until all are content.
void ContactHalt::halt(std::span<const HaltRow> rows, RodState& state) {
  constexpr int kMost = 200;
  constexpr int kMostOfBodies = 2000;  // in a stack what one gives up another gets
  constexpr double kContent = 1e-12;   // of the largest change
  constexpr double kNoSpeed = 1e-13;   // sizes of the model a second, of bodies
  if (rows.empty()) return;
  add_ties(state);
  const bool bodies = std::any_of(rows.begin(), rows.end(), [](const HaltRow& row) { return row.turns > 0; });
  double largest = 0;
  for (int sweep = 0; sweep < (bodies ? kMostOfBodies : kMost); ++sweep) {
    double worst = 0;
    for (const HaltRow& row : rows) worst = std::max(worst, halt_row(row, state));
    for (const HaltRow& row : tie_rows_) worst = std::max(worst, halt_row(row, state));
    largest = std::max(largest, worst);
    if (worst <= kContent * largest || (bodies && worst <= kNoSpeed * model_.size)) return;
  }
}

// A rod that is tied to a free body goes on moving with it.
void ContactHalt::add_ties(const RodState& state) {
  tie_rows_.clear();
  for (const int k : body_ties_) {
    const Tie& tie = model_.ties[at(k)];
    HaltRow row;
    row.count = 2;
    row.node = {tie.slave, tie.master};
    row.weight = {1, -1};
    row.turns = 1;
    row.turn[0] = {tie.rotor, Vec3::Zero(), -state.rotor[at(tie.rotor)] * tie.arm, true};
    for (int axis = 0; axis < 3; ++axis) {
      row.along = Vec3::Unit(axis);
      tie_rows_.push_back(row);
    }
  }
}

// ω × r · along with ω = t × (v_b − v_a)/|e| + spin t.
ContactHalt::FrameLever ContactHalt::frame_lever(const HaltRow& row, const RodState& state) {
  FrameLever lever;
  for (int f = 0; f < row.frames; ++f) {
    const auto j = at(row.frame[at(f)].edge);
    const Vec3 t = state.frame[j].col(2);
    const Vec3 moment = row.frame[at(f)].end.cross(row.along);
    lever.about[at(f)] = moment.dot(t);
    lever.tilt[at(f)] = moment.cross(t) / state.edge[j].norm();
  }
  return lever;
}

// The same of a row of a flat rod, all of whose nodes have weights of their own on each axis.
double ContactHalt::halt_flat_row(const HaltRow& row, RodState& state) const {
  constexpr int kNodes = ContactTerm::kMost + 2 * ContactTerm::kFrames;
  const FrameLever lever = frame_lever(row, state);
  std::array<int, kNodes> node{};
  std::array<Vec3, kNodes> weight;
  int count = 0;
  const auto add = [&](int of, const Vec3& w) {
    for (int k = 0; k < count; ++k)
      if (node[at(k)] == of) return void(weight[at(k)] += w);
    node[at(count)] = of;
    weight[at(count++)] = w;
  };
  for (int k = 0; k < row.count; ++k) add(row.node[at(k)], row.weight[at(k)] * row.along);
  for (int f = 0; f < row.frames; ++f) {
    const Edge& edge = model_.edges[at(row.frame[at(f)].edge)];
    add(edge.a, -lever.tilt[at(f)]);
    add(edge.b, lever.tilt[at(f)]);
  }
  // speed, and what an impulse makes of it
  double speed = -row.along.dot(row.speed);
  double yields = 0;
  for (int k = 0; k < count; ++k) {
    speed += weight[at(k)].dot(state.velocity[at(node[at(k)])]);
    yields += weight[at(k)].dot(mobility_[at(node[at(k)])].cwiseProduct(weight[at(k)]));
  }
  for (int f = 0; f < row.frames; ++f) {
    const auto j = at(row.frame[at(f)].edge);
    speed += lever.about[at(f)] * state.edge_spin[j];
    yields += lever.about[at(f)] * lever.about[at(f)] * spinning_[j];
  }
  std::array<Vec3, ContactTerm::kTurns> lift;
  for (int t = 0; t < row.turns; ++t) {
    const auto r = at(row.turn[at(t)].rotor);
    lift[at(t)] = state.rotor[r].transpose() * row.turn[at(t)].end.cross(row.along);
    speed += lift[at(t)].dot(state.rotor_spin[r]);
    yields += lift[at(t)].dot(turning_[r] * lift[at(t)]);
  }
  if (!(yields > 0) || speed == 0) return 0;
  const double impulse = -speed / yields;
  // an impulse does itself times the mean of the speeds before and after it
  for (int k = 0; k < count; ++k)
    state.velocity[at(node[at(k)])] += impulse * mobility_[at(node[at(k)])].cwiseProduct(weight[at(k)]);
  for (int f = 0; f < row.frames; ++f) {
    const auto j = at(row.frame[at(f)].edge);
    state.edge_spin[j] += impulse * lever.about[at(f)] * spinning_[j];
  }
  for (int t = 0; t < row.turns; ++t) {
    const auto r = at(row.turn[at(t)].rotor);
    state.rotor_spin[r] += impulse * (turning_[r] * lift[at(t)]);
  }
  const double work = impulse * row.along.dot(row.speed);
  const double gained = impulse * (speed + row.along.dot(row.speed) + 0.5 * impulse * yields);
  state.work += work;
  state.dissipated += work - gained;
  return std::abs(speed);
}

// An impulse that takes the speed of a row. Returns how much there was.
double ContactHalt::halt_row(const HaltRow& row, RodState& state) const {
  if (row.frames > 0) return halt_flat_row(row, state);
  double speed = -row.along.dot(row.speed);
  double yields = 0;
  for (int k = 0; k < row.count; ++k) {
    const auto node = at(row.node[at(k)]);
    const double w = row.weight[at(k)];
    speed += w * row.along.dot(state.velocity[node]);
    yields += w * w * row.along.dot(mobility_[node].cwiseProduct(row.along));
  }
  // of a turn: ω × e · along = ω · (e × along), as the rotor sees it
  std::array<Vec3, ContactTerm::kTurns> lift;
  for (int t = 0; t < row.turns; ++t) {
    const auto r = at(row.turn[at(t)].rotor);
    lift[at(t)] = state.rotor[r].transpose() * row.turn[at(t)].end.cross(row.along);
    speed += lift[at(t)].dot(state.rotor_spin[r]);
    yields += lift[at(t)].dot(turning_[r] * lift[at(t)]);
  }
  if (!(yields > 0) || speed == 0) return 0;
  const double impulse = -speed / yields;
  double gained = 0;
  for (int k = 0; k < row.count; ++k) {
    const auto node = at(row.node[at(k)]);
    const Vec3 change = row.weight[at(k)] * impulse * mobility_[node].cwiseProduct(row.along);
    gained += model_.node_mass[node] * change.dot(state.velocity[node] + 0.5 * change);
    state.velocity[node] += change;
  }
  for (int t = 0; t < row.turns; ++t) {
    const auto r = at(row.turn[at(t)].rotor);
    const Vec3 change = impulse * (turning_[r] * lift[at(t)]);
    gained += change.dot(model_.rotors[r].inertia * (state.rotor_spin[r] + 0.5 * change));
    state.rotor_spin[r] += change;
  }
  const double work = impulse * row.along.dot(row.speed);
  state.work += work;
  state.dissipated += work - gained;
  return std::abs(speed);
}

}  // namespace filum::discrete
