#include "formulations/chain/chain_energy.hpp"

#include "base/index.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

double of_links(const Mechanism& mechanism, const ChainState& state) {
  double elastic = 0;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    const Vec6& force = state.links[k].force;
    if (link.gap_compliance > 0)
      elastic += 0.5 * (link.gap_compliance * force.head<3>() - state.links[k].lag).squaredNorm() / link.gap_compliance;
    elastic += 0.5 * force.segment<2>(3).dot(link.turn_compliance.head<2>().cwiseProduct(force.segment<2>(3)));
    if (const double give = link.turn_compliance[2]; give > 0)
      elastic += 0.5 * std::pow(give * force[5] - state.links[k].twist_lag, 2) / give;
  }
  return elastic;
}

// Where a rod lies on a sheave: the lengths that its tension stretches and its torque twists.
double of_wheels(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  double elastic = 0;
  for (std::size_t e = 0; e < state.elements.size(); ++e)
    if (const int index = state.elements[e].wheel; index >= 0) {
      const WheelState& wheel = state.wheels[at(index)];
      const Stiffness& stiff = model.rods[at(state.elements[e].rod)].stiffness.front();
      const double give = mechanism.half_length[e] + mechanism.half_length[e + 1] +
                          model.wheels[at(index)].radius * std::max(0.0, wheel.angle);
      elastic += 0.5 * give * (wheel.tension * wheel.tension / stiff.EA + wheel.force[5] * wheel.force[5] / stiff.GJ);
    }
  return elastic;
}

}  // namespace

Energy energy_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  Energy energy;
  energy.elastic = of_links(mechanism, state) + of_wheels(model, mechanism, state);
  for (std::size_t r = 0; r < state.ropes.size(); ++r)
    if (const double stiffness = model.scene->ropes[r].stiffness; stiffness > 0)
      energy.elastic += 0.5 * state.ropes[r].tension * state.ropes[r].tension / stiffness;
  for (std::size_t p = 0; p < mechanism.parts.size(); ++p) {
    const Part& part = mechanism.parts[p];
    if (!part.moves) continue;
    const PartState& now = state.parts[p];
    const Vec3 spin = now.orientation.conjugate() * now.spin;
    energy.gravity -= part.mass * model.gravity.dot(now.position);
    energy.kinetic += 0.5 * part.mass * now.velocity.squaredNorm() + 0.5 * spin.dot(part.inertia.cwiseProduct(spin));
  }
  for (std::size_t w = 0; w < state.wheels.size(); ++w)
    energy.kinetic += 0.5 * model.wheels[w].inertia * std::pow(state.wheels[w].rate / model.wheels[w].radius, 2);
  energy.work = state.work;
  energy.dissipated = state.dissipated;
  return energy;
}

void note_loss(double before, const Energy& after, ChainState& state) {
  state.risen += after.balance() - before;
  if (state.risen >= 0) return;
  state.dissipated -= state.risen;
  state.risen = 0;
}

}  // namespace filum::chain
