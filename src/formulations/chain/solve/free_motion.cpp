#include "formulations/chain/solve/free_motion.hpp"

#include "base/index.hpp"
#include "formulations/chain/solve/scene_loads.hpp"
#include "math/rotation.hpp"

#include <cmath>

namespace filum::chain {

namespace {

// Turns an element that is pushed aside by so much in a step, rad: a straight rope under a push has no side to buckle
// to.
constexpr double kCrooked = 1e-9;

// A body's spin after its gyroscopic torque −ω × Iω has acted for a step, by one implicit iteration in its own frame:
// stable at any spin. [Catto2015]
Vec3 gyrate(const Vec3& inertia, const Vec3& spin, double dt) {
  // a point does not turn
  if (!(inertia.minCoeff() > 0)) return spin;
  const Vec3 momentum = inertia.cwiseProduct(spin);
  const Vec3 residual = dt * spin.cross(momentum);
  const Mat3 jacobian =
      Mat3(inertia.asDiagonal()) + dt * (math::skew(spin) * Mat3(inertia.asDiagonal()) - math::skew(momentum));
  return spin - jacobian.inverse() * residual;
}

// The same for a round bar, in closed form: what turns across the axis goes round it, against the bar's own spin.
Vec3 gyrate_bar(const Vec3& inertia, const Vec3& spin, double dt) {
  const double angle = -(1 - inertia[2] / inertia[0]) * spin[2] * dt;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * spin[0] - s * spin[1], s * spin[0] + c * spin[1], spin[2]};
}

Vec3 inverse(const Vec3& inertia) {
  Vec3 result = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (inertia[k] > 0) result[k] = 1 / inertia[k];
  return result;
}

}  // namespace

void FreeMotion::lay_out(const Mechanism& mechanism) {
  mobility.assign(mechanism.parts.size(), {});
  velocity.assign(mechanism.parts.size(), Vec6::Zero());
  tension.assign(mechanism.parts.size(), 0);
  span_turn_.assign(mechanism.spans.size(), {});
}

void FreeMotion::find(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                      const Targets& targets, double dt) {
  const bool plain = model.variant.plain;
  const bool grown = has_grown(state, dt);
  const auto elements = at(mechanism.first_body);
  if (!plain)
    for (std::size_t k = 0; k < mechanism.spans.size(); ++k)
      span_turn_[k] = span_turn(mechanism, mechanism.spans[k], state.parts);

  for (std::size_t p = 0; p < mechanism.parts.size(); ++p) {
    const Part& part = mechanism.parts[p];
    const PartState& now = state.parts[p];
    if (!part.moves) {
      velocity[p] << now.velocity, now.spin;
      continue;
    }
    const Vec3 force =
        targets.load * (part.mass * model.gravity + part.load) - part.air * now.velocity.norm() * now.velocity;
    const double slowed = 1 / (1 + part.drag * dt);
    mobility[p].coupled = nullptr;
    mobility[p].linear = slowed / part.mass;
    velocity[p].head<3>() = slowed * (now.velocity + (dt / part.mass) * force);

    // I ω + h² k ω_ref, with I + h² k, in the part's own axes
    const Mat3 axes = now.orientation.toRotationMatrix();
    const Vec3 spin = axes.transpose() * now.spin;
    const bool bar = p < elements;
    const Vec3 turned = bar ? gyrate_bar(part.inertia, spin, dt) : gyrate(part.inertia, spin, dt);
    Vec3 mass = part.inertia;
    Vec3 momentum = part.inertia.cwiseProduct(turned);
    if (bar && !plain && now.stiffness > 0) {
      const SpanTurn& turning = span_turn_[at(mechanism.span_of[p])];
      const double share = (grown ? 1 : kSpanShare) * turning.taut;
      const double k = dt * dt * now.stiffness;
      const Vec3 reference = share * (axes.transpose() * turning.spin) + (1 - share) * spin;
      mass.head<2>().array() += k;
      momentum.head<2>() += k * reference.head<2>();
    }
    if (bar && state.moving && tension[p] < 0) {
      const double phase = 2.4 * static_cast<double>(p);
      momentum.head<2>() += kCrooked / dt * mass.head<2>().cwiseProduct(Vec2(std::sin(phase), std::cos(phase)));
    }
    const Vec3 inverse_mass = slowed * inverse(mass);
    mobility[p].angular = axes * inverse_mass.asDiagonal() * axes.transpose();
    velocity[p].tail<3>() = axes * inverse_mass.cwiseProduct(momentum);
    if (bar || plain) continue;
    // a light body between heavy pulls
    const Mat3 added = added_inertia(mass, dt * dt * state.pulls[p - elements]);
    if (added.isZero(0)) continue;
    const Mat3 heavier = slowed * (Mat3(mass.asDiagonal()) + added).inverse();
    mobility[p].angular = axes * heavier * axes.transpose();
    velocity[p].tail<3>() = axes * heavier * (momentum + added * spin);
  }
  push_loads(mechanism, state, targets, dt, mobility, velocity);
}

}  // namespace filum::chain
