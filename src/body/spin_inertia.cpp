#include "body/spin_inertia.hpp"

#include "math/rotation.hpp"

namespace filum::body {

SpinInertia spin_inertia(const Mat3& inertia, const Mat3& start, const Mat3& end, const SpinScheme& scheme,
                         const Vec3& known_spin, const Vec3& known_momentum) {
  const Vec3 turn = math::log_so3(end * start.transpose());
  SpinInertia out;
  out.spin = scheme.spin_rate * (start.transpose() * turn) + known_spin;
  const Vec3 momentum = end * (inertia * out.spin);
  out.torque = scheme.momentum_rate * momentum - known_momentum;
  // the momentum turns with the end rotation and grows with the spin, δturn = Jl⁻¹ δ
  const Mat3 by_spin = scheme.spin_rate * (end * inertia * start.transpose()) * math::left_jacobian_inverse(turn);
  out.tangent = scheme.momentum_rate * (by_spin - math::skew(momentum));
  return out;
}

SpinInertia spin_over_step(const Mat3& inertia, const Mat3& start, const Mat3& end, double step, const Vec3& start_spin,
                           double share) {
  const Vec3 turn = math::cayley_vector(end * start.transpose());
  SpinInertia out;
  out.spin = (start.transpose() * turn / step - (1 - share) * start_spin) / share;
  const Vec3 momentum = end * (inertia * out.spin);
  out.torque = (momentum - start * (inertia * start_spin)) / step;
  const Mat3 by_spin = 1 / (share * step) * (end * inertia * start.transpose()) * math::cayley_derivative(turn);
  out.tangent = (by_spin - math::skew(momentum)) / step;
  return out;
}

}  // namespace filum::body
