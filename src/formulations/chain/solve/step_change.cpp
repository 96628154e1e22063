#include "formulations/chain/solve/step_change.hpp"

#include <algorithm>

namespace filum::chain {

void change_step(const ModelData& model, const Mechanism& mechanism, double dt, ChainState& state) {
  if (!state.moving || !(state.last_step > 0) || dt == state.last_step) return;
  const double share = 0.5 * (1 - dt / state.last_step);  // of the last step's gain in velocity
  double weights = 0;                                     // what they do in that time
  double gain = 0;                                        // of the kinetic energy
  for (std::size_t p = 0; p < mechanism.parts.size(); ++p) {
    const Part& part = mechanism.parts[p];
    if (!part.moves) continue;
    const PartState& now = state.parts[p];
    const auto kinetic = [&](const Vec3& velocity, const Vec3& turning) {
      const Vec3 spin = now.orientation.conjugate() * turning;
      return 0.5 * part.mass * velocity.squaredNorm() + 0.5 * spin.dot(part.inertia.cwiseProduct(spin));
    };
    weights += share * state.last_step * part.mass * model.gravity.dot(now.velocity);
    gain += kinetic(now.velocity + share * now.gained, now.spin + share * now.spun) - kinetic(now.velocity, now.spin);
  }
  if (!(weights * gain > 0)) return;
  const double answers = share * std::min(1.0, weights / gain);
  for (std::size_t p = 0; p < mechanism.parts.size(); ++p) {
    if (!mechanism.parts[p].moves) continue;
    state.parts[p].velocity += answers * state.parts[p].gained;
    state.parts[p].spin += answers * state.parts[p].spun;
  }
}

}  // namespace filum::chain
