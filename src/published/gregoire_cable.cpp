#include "published/gregoire_cable.hpp"

#include "base/assert.hpp"
#include "base/index.hpp"
#include "math/dense.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::published {

namespace {

constexpr int point_at(int i) {
  return kUnknownsPerPoint * i;
}
constexpr int quaternion_at(int segment) {
  return kUnknownsPerPoint * segment + 3;
}

// Adds an element's gradient and Hessian at the unknowns `where`.
template <int N>
void add(const Term<N>& term, const std::array<int, N>& where, Evaluation& result) {
  result.energy += term.energy;
  for (int a = 0; a < N; ++a) {
    result.gradient[where[at(a)]] += term.gradient[a];
    for (int b = 0; b < N; ++b)
      if (where[at(a)] >= where[at(b)]) result.hessian.add(where[at(a)], where[at(b)], term.hessian(a, b));
  }
}

// A run of unknowns from `first` on, and two of them one after the other.
template <int N>
std::array<int, N> run_of(int first) {
  std::array<int, N> where{};
  for (int k = 0; k < N; ++k) where[at(k)] = first + k;
  return where;
}
template <int N>
std::array<int, 2 * N> runs_of(int first, int second) {
  std::array<int, 2 * N> where{};
  for (int k = 0; k < N; ++k) {
    where[at(k)] = first + k;
    where[at(N + k)] = second + k;
  }
  return where;
}

// An energy of (Δx, q) as one of the interleaved (x_i, q_i, x_{i+1}).
Term<10> of_points(const Term<7>& term) {
  Eigen::Matrix<double, 7, 10> map = Eigen::Matrix<double, 7, 10>::Zero();
  map.block<3, 3>(0, 0) = -Mat3::Identity();
  map.block<3, 3>(0, 7) = Mat3::Identity();
  map.block<4, 4>(3, 3) = Mat4::Identity();
  return {term.energy, map.transpose() * term.gradient, map.transpose() * term.hessian * map};
}

// All that one segment has: length, coherence, norm.
Term<10> segment_energy(NormEnergy of_norm, const CableConstants& constants, const CableState& state, int segment) {
  const Vec3 delta = state.delta(segment);
  const Vec4 q = state.quaternion(segment);
  Term<7> sum = coherence(delta, q, {constants.coherence, state.coherence_force[at(segment)]});
  const Term<3> stretch = length(delta, constants.rest_length, {constants.length, state.length_force[at(segment)]});
  const Spring unit_spring{constants.norm, state.norm_force[at(segment)]};
  const Term<4> unit = of_norm == NormEnergy::Inverse ? norm(q, unit_spring) : plain_norm(q, unit_spring);
  sum.energy += stretch.energy + unit.energy;
  sum.gradient.head<3>() += stretch.gradient;
  sum.gradient.tail<4>() += unit.gradient;
  sum.hessian.topLeftCorner<3, 3>() += stretch.hessian;
  sum.hessian.bottomRightCorner<4, 4>() += unit.hessian;
  return of_points(sum);
}

// [Gregoire2007, §3.3.6]: sphere (on a point) and cylinder (on a segment).
void add_handle(const CableDescription& description, const CableState& state, const Handle& handle,
                Evaluation& result) {
  const int i = handle.index;
  const bool on_point = handle.on == HandleOn::Point;

  // position: the point, or the middle of the segment
  if (on_point)
    add<3>(attachment<3>(state.point(i), handle.position, description.handle_position), run_of<3>(point_at(i)), result);
  else
    add<6>(mean_attachment<3>(state.point(i), state.point(i + 1), handle.position, description.handle_position),
           runs_of<3>(point_at(i), point_at(i + 1)), result);
  if (!handle.orientation) return;

  // orientation: the segment's own, or the mean of the two that meet; of ±q_H the nearer one
  const bool between = on_point && i > 0 && i < state.segments();
  const int segment = on_point ? std::clamp(between ? i - 1 : i, 0, state.segments() - 1) : i;
  const Vec4 q = state.quaternion(segment);
  const Vec4 target = q.dot(*handle.orientation) < 0 ? Vec4(-*handle.orientation) : *handle.orientation;
  if (between)
    add<8>(mean_attachment<4>(q, state.quaternion(i), target, description.handle_orientation),
           runs_of<4>(quaternion_at(segment), quaternion_at(i)), result);
  else
    add<4>(attachment<4>(q, target, description.handle_orientation), run_of<4>(quaternion_at(segment)), result);
}

}  // namespace

CableConstants scaled_constants(const CableDescription& description) {
  const double n = description.points;
  const double length = description.length;
  FILUM_ASSERT(description.points >= 3);
  CableConstants constants;
  constants.rest_length = length / (n - 1);
  constants.length = description.length_penalty * (n - 1) / length;
  constants.norm = description.norm_penalty * length / (n - 1);
  constants.coherence = description.coherence_penalty * length / (n - 1);
  constants.joint = {description.stiffness * length / (n - 2), description.rest_strain, constants.rest_length};
  constants.weight = description.line_density * length / n * description.gravity;
  return constants;
}

CableState start_along(std::span<const Vec3> points) {
  const int n = static_cast<int>(points.size());
  CableState state;
  state.x.resize(kUnknownsPerPoint * n - 4);
  state.length_force.assign(at(n - 1), 0);
  state.norm_force.assign(at(n - 1), 0);
  state.coherence_force.assign(at(n - 1), Vec3::Zero());
  for (int i = 0; i < n; ++i) state.x.segment<3>(point_at(i)) = points[at(i)];

  // each quaternion is the one before, turned as the segments turn
  Vec3 along = Vec3::UnitY();
  Quat q = Quat::Identity();
  for (int i = 0; i + 1 < n; ++i) {
    const Vec3 next = state.delta(i).normalized();
    q = (math::smallest_turn(along, next) * q).normalized();
    state.x.segment<4>(quaternion_at(i)) = math::to_vec4(q);
    along = next;
  }
  return state;
}

CableState start_straight(const CableDescription& description, const Vec3& from, const Vec3& along) {
  std::vector<Vec3> points;
  const double step = description.length / (description.points - 1);
  for (int i = 0; i < description.points; ++i) points.push_back(from + i * step * along.normalized());
  return start_along(points);
}

void evaluate(const Cable& cable, const CableState& state, Evaluation& result) {
  const CableConstants constants = scaled_constants(cable.description);
  const int unknowns = static_cast<int>(state.x.size());
  if (result.hessian.rows() != unknowns) result.hessian = BandMatrix(unknowns, kHalfBand);
  result.energy = 0;
  result.gradient.setZero(unknowns);
  result.hessian.set_zero();

  for (int i = 0; i < state.points(); ++i)
    add<3>(weight(state.point(i), constants.weight), run_of<3>(point_at(i)), result);
  for (int i = 0; i < state.segments(); ++i)
    add<10>(segment_energy(cable.description.norm_energy, constants, state, i), run_of<10>(point_at(i)), result);
  for (int i = 0; i + 1 < state.segments(); ++i)
    add<8>(bending(state.quaternion(i), state.quaternion(i + 1), constants.joint),
           runs_of<4>(quaternion_at(i), quaternion_at(i + 1)), result);
  for (const Handle& handle : cable.handles) add_handle(cable.description, state, handle, result);
}

ConstraintErrors constraint_errors(const Cable& cable, const CableState& state) {
  const double rest = scaled_constants(cable.description).rest_length;
  ConstraintErrors errors;
  for (int i = 0; i < state.segments(); ++i) {
    const double l = state.delta(i).norm();
    const Vec4 q = state.quaternion(i);
    errors.length = std::max(errors.length, std::abs(l - rest) / rest);
    errors.coherence = std::max(errors.coherence, (state.delta(i) / l - turned_reference(q)).norm());
    errors.norm = std::max(errors.norm, std::abs(q.norm() - 1));
    errors.whole_length += (l - rest) / cable.description.length;
  }
  return errors;
}

// f += α k C [Gregoire2007, ch. 4].
void grow_integral_forces(const Cable& cable, const IntegralShares& shares, CableState& state) {
  const CableConstants constants = scaled_constants(cable.description);
  for (int i = 0; i < state.segments(); ++i) {
    const double l = state.delta(i).norm();
    const Vec4 q = state.quaternion(i);
    state.length_force[at(i)] += shares.length * constants.length * (l - constants.rest_length);
    state.coherence_force[at(i)] += shares.coherence * constants.coherence * (state.delta(i) / l - turned_reference(q));
    const double off = cable.description.norm_energy == NormEnergy::Inverse ? 1 / q.norm() - 1 : q.norm() - 1;
    state.norm_force[at(i)] += shares.norm * constants.norm * off;
  }
}

void predict(const Vec3& translation, const Vec3& rotation, CableState& state) {
  const int segments = state.segments();
  for (int i = 0; i <= segments; ++i)
    state.x.segment<3>(point_at(i)) += static_cast<double>(i) / segments * translation;
  // segment i turns by i/(n − 2) of the whole
  for (int i = 0; i < segments; ++i) {
    const Quat turn = math::exp_quat(static_cast<double>(i) / (segments - 1) * rotation);
    state.x.segment<4>(quaternion_at(i)) = math::quat_left(turn) * state.quaternion(i);
  }
}

}  // namespace filum::published
