#include "formulations/chain/chain_energy.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/link_yield.hpp"
#include "formulations/chain/reeving/wheels.hpp"
#include "rod/rope_lay.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// A link that has given way: at its strain at the step's end.
double of_yielded(const ModelData& model, const Link& link, const ChainState& state, const LinkState& memory) {
  if (memory.broken) return 0;
  Vec6 strain = memory.strain;
  strain.head<3>() += memory.lag;
  strain[5] += memory.twist_lag;
  return 0.5 * strain.dot(link_stiffness(link).cwiseProduct(strain)) +
         kept_energy(model, link, link_tangent(link, state), strain, memory.plastic);
}

double of_links(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  double elastic = 0;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (link.law >= 0 && has_yielded(state.links[k])) {
      elastic += of_yielded(model, link, state, state.links[k]);
      continue;
    }
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
      const double coupling = rod::lay_coupling(model.rods[at(state.elements[e].rod)].torque_factor, stiff);
      elastic += 0.5 * give *
                 (wheel.tension * wheel.tension / stiff.EA +
                  wheel.force[5] * wheel.force[5] / (stiff.GJ - coupling * coupling / stiff.EA));
    }
  return elastic;
}

// A wheel that turns, and the rope that lies on it, where that runs with it.
void add_wheel(const ModelData& model, const ChainState& state, int index, Energy& energy) {
  const Wheel& wheel = model.wheels[at(index)];
  const WheelState& memory = state.wheels[at(index)];
  energy.kinetic += 0.5 * wheel.inertia * std::pow(memory.rate / wheel.radius, 2);
  const double angle = std::max(0.0, memory.angle);
  const double mass = rope_on(model, wheel, angle);
  if (wheel.friction <= 0) energy.kinetic += 0.5 * mass * memory.rate * memory.rate;
  if (!(mass > 0)) return;
  std::size_t before = 0;
  while (before < state.elements.size() && state.elements[before].wheel != index) ++before;
  if (before == state.elements.size()) return;
  // its centre: (R/β) ∫ n dθ, n the way out of the wheel, which goes round with the rope
  const WheelPlace place = place_of(model, state, index);
  const Vec3 along = state.parts[before].orientation * Vec3::UnitZ();
  const Vec3 out = along.cross(place.axis);
  const Vec3 centre = place.centre + wheel.radius / angle * (std::sin(angle) * out + (1 - std::cos(angle)) * along);
  energy.gravity -= mass * model.gravity.dot(centre);
}

}  // namespace

Energy energy_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  Energy energy;
  energy.elastic = of_links(model, mechanism, state) + of_wheels(model, mechanism, state);
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
  for (std::size_t w = 0; w < state.wheels.size(); ++w) add_wheel(model, state, static_cast<int>(w), energy);
  energy.work = state.work;
  energy.dissipated = state.dissipated;
  return energy;
}

namespace {

// Over which time a loss is judged, s, and from which share of the energy that moved it is worth telling.
constexpr double kLossWindow = 30;
constexpr double kLossTold = 0.05;
// Likewise of what a step has made; swings ripple by one and a half per cent.
constexpr double kMadeTold = 0.02;
// A step that makes more than this share is too long. What has hardly begun to move is judged as if it had fallen for so
// long, s.
constexpr double kMadeMost = 0.005;
constexpr double kBegun = 0.5;

}  // namespace

void note_loss(double before, const Energy& after, double dt, ChainState& state) {
  state.most_kinetic = std::max(state.most_kinetic, after.kinetic);
  state.loss_time += dt;
  if (state.loss_time > kLossWindow) state.loss_time = state.loss = 0;
  state.risen += after.balance() - before;
  // what has only begun to move cannot be judged yet
  const bool moved = after.kinetic < 0.5 * state.most_kinetic;
  if (moved && state.risen > kMadeTold * state.most_kinetic)
    state.told_made = std::max(state.told_made, state.risen / state.most_kinetic);
  if (state.risen >= 0) return;
  state.dissipated -= state.risen;
  state.loss -= state.risen;
  if (moved && state.loss > kLossTold * state.most_kinetic)
    state.told_loss = std::max(state.told_loss, state.loss / state.most_kinetic);
  state.risen = 0;
}

bool makes_energy(const ModelData& model, const Mechanism& mechanism, const ChainState& state, double rise) {
  const double made = std::min(rise, state.risen);
  if (made <= kMadeMost * state.most_kinetic) return false;
  double mass = 0;
  for (const Part& part : mechanism.parts)
    if (part.moves) mass += part.mass;
  return made > kMadeMost * (state.most_kinetic + 0.5 * mass * model.gravity.squaredNorm() * kBegun * kBegun);
}

}  // namespace filum::chain
