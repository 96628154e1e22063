#include "body/spin_inertia.hpp"

#include "math/rotation.hpp"

#include <cmath>

namespace filum::body {

namespace {

// Cayley's vector of a turn by 2w, and its derivative by w.
struct CayleyVector {
  Vec3 value;
  Mat3 by_w;
};
CayleyVector cayley_vector(const Vec3& w) {
  const double angle = w.norm();
  const double ratio = angle > 1e-4 ? std::tan(angle) / angle : 1 + angle * angle / 3;
  const double tangent = ratio * angle;
  CayleyVector out{2 * ratio * w, 2 * ratio * Mat3::Identity()};
  // along w the slope is 1 + tan²
  if (angle > 0) out.by_w += 2 * (1 + tangent * tangent - ratio) / (angle * angle) * w * w.transpose();
  return out;
}

}  // namespace

SpinInertia spin_inertia(const Mat3& inertia, const Mat3& start, const Mat3& now, const SpinScheme& scheme,
                         const Vec3& known_spin, const Vec3& known_momentum) {
  // the step's rotation from that of the unknown
  const Vec3 w = math::log_so3(now * start.transpose());
  const Vec3 turn = scheme.midpoint ? Vec3(2 * w) : w;
  const Mat3 end = scheme.midpoint ? Mat3(math::exp_so3(turn) * start) : now;
  const CayleyVector theta = scheme.midpoint ? cayley_vector(w) : CayleyVector{w, Mat3::Identity()};

  SpinInertia out;
  out.spin = scheme.spin_rate * (start.transpose() * theta.value) + known_spin;
  const Vec3 momentum = end * (inertia * out.spin);
  out.torque = scheme.momentum_rate * momentum - known_momentum;

  // δw = Jl⁻¹(w) δ; the momentum turns with the end rotation, by Jl(turn) δturn, and grows with the spin
  const Mat3 by_turn = -(scheme.midpoint ? 2.0 : 1.0) * math::skew(momentum) * math::left_jacobian(turn);
  const Mat3 by_spin = scheme.spin_rate * (end * inertia * start.transpose()) * theta.by_w;
  out.tangent = scheme.momentum_rate * (by_turn + by_spin) * math::left_jacobian_inverse(w);
  return out;
}

MeanArm mean_arm(const Mat3& start, const Mat3& middle, const Vec3& arm) {
  const Vec3 w = math::log_so3(middle * start.transpose());
  const Vec3 at_start = start * arm;
  const Vec3 at_end = math::exp_so3(2 * w) * at_start;
  return {0.5 * (at_start + at_end), -math::skew(at_end) * math::left_jacobian(2 * w) * math::left_jacobian_inverse(w)};
}

}  // namespace filum::body
