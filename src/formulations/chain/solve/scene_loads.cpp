#include "formulations/chain/solve/scene_loads.hpp"

#include "base/index.hpp"

namespace filum::chain {

namespace {

// A force or torque of the scene as it acts now, the part's share of it.
Vec3 acting(const PartLoad& load, const Mat3& axes, const Targets& targets, const std::vector<double>& scales) {
  return targets.load * scales[at(load.index)] * load.share * (load.follow ? Vec3(axes * load.value) : load.value);
}

}  // namespace

void push_loads(const Mechanism& mechanism, const ChainState& state, const Targets& targets, double dt,
                std::span<const Mobility> mobility, std::span<Vec6> velocity) {
  for (const PartLoad& load : mechanism.forces) {
    const Mat3 axes = state.parts[at(load.part)].orientation.toRotationMatrix();
    const Vec3 impulse = dt * acting(load, axes, targets, targets.force_scale);
    const Vec6 both = (Vec6() << impulse, (axes * load.arm).cross(impulse)).finished();
    velocity[at(load.part)] += mobility[at(load.part)].times(both);
  }
  for (const PartLoad& load : mechanism.torques) {
    const Mat3 axes = state.parts[at(load.part)].orientation.toRotationMatrix();
    const Vec3 impulse = dt * acting(load, axes, targets, targets.torque_scale);
    velocity[at(load.part)] += mobility[at(load.part)].times((Vec6() << Vec3::Zero(), impulse).finished());
  }
}

void take_loads(const Mechanism& mechanism, const Targets& targets, double dt, std::span<const Vec6> velocity,
                ChainState& state) {
  for (const PartLoad& load : mechanism.forces) {
    const auto p = at(load.part);
    const Mat3 axes = state.parts[p].orientation.toRotationMatrix();
    const Vec3 force = acting(load, axes, targets, targets.force_scale);
    state.work += dt * force.dot(velocity[p].head<3>() + velocity[p].tail<3>().cross(axes * load.arm));
  }
  for (const PartLoad& load : mechanism.torques) {
    const auto p = at(load.part);
    const Mat3 axes = state.parts[p].orientation.toRotationMatrix();
    const Vec3 torque = acting(load, axes, targets, targets.torque_scale);
    state.work += dt * torque.dot(velocity[p].tail<3>());
  }
}

}  // namespace filum::chain
