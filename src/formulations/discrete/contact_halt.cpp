#include "formulations/discrete/contact_halt.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

ContactHalt::ContactHalt(const ModelData& model) : model_(model) {
  mobility_.assign(at(model.nodes), Vec3::Zero());
  for (std::size_t node = 0; node < mobility_.size(); ++node)
    for (int axis = 0; axis < 3; ++axis)
      if (model.position_hold[node][at(axis)] < 0 && model.node_mass[node] > 0)
        mobility_[node][axis] = 1 / model.node_mass[node];
  for (const Tie& tie : model.ties) {
    mobility_[at(tie.slave)].setZero();
    mobility_[at(tie.master)].setZero();
  }
}

// The nearest velocities in the metric of the masses, row after row until all are content.
void ContactHalt::halt(std::span<const HaltRow> rows, RodState& state) const {
  constexpr int kMost = 200;
  constexpr double kContent = 1e-12;  // of the largest change
  double largest = 0;
  for (int sweep = 0; sweep < kMost; ++sweep) {
    double worst = 0;
    for (const HaltRow& row : rows) worst = std::max(worst, halt_row(row, state));
    largest = std::max(largest, worst);
    if (worst <= kContent * largest) return;
  }
}

// An impulse that takes the speed of a row. Returns how much there was.
double ContactHalt::halt_row(const HaltRow& row, RodState& state) const {
  double speed = -row.along.dot(row.speed);
  double yields = 0;
  for (int k = 0; k < row.count; ++k) {
    const auto node = at(row.node[at(k)]);
    const double w = row.weight[at(k)];
    speed += w * row.along.dot(state.velocity[node]);
    yields += w * w * row.along.dot(mobility_[node].cwiseProduct(row.along));
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
  const double work = impulse * row.along.dot(row.speed);
  state.work += work;
  state.dissipated += work - gained;
  return std::abs(speed);
}

}  // namespace filum::discrete
