#include "formulations/chain/mechanism/tension_stiffness.hpp"

#include "base/index.hpp"
#include "math/dense.hpp"

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

// Below the first share of its length a span is slack, above the second it is taut.
constexpr double kSlack = 0.6;
constexpr double kTaut = 0.95;

}  // namespace

double memory_over(double dt, double usual) {
  return std::pow(kMemory, std::min(1.0, dt / usual));
}

void remember_tension(const Mechanism& mechanism, ChainState& state, double memory, std::span<double> scratch) {
  // Σ f·ρ over what pulls at each part
  std::fill(scratch.begin(), scratch.end(), 0.0);
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (!link.has_gap()) continue;
    const Vec3 force = state.links[k].force.head<3>();
    scratch[at(link.a)] -= force.dot(state.parts[at(link.a)].orientation * link.arm_a);
    scratch[at(link.b)] += force.dot(state.parts[at(link.b)].orientation * link.arm_b);
  }
  for (std::size_t e = 0; e < state.elements.size(); ++e)
    if (const int wheel = state.elements[e].wheel; wheel >= 0) {
      const WheelState& pulls = state.wheels[at(wheel)];
      scratch[e] += pulls.tension * mechanism.half_length[e];
      scratch[e + 1] += (pulls.tension + pulls.friction) * mechanism.half_length[e + 1];
    }
  for (std::size_t p = 0; p < mechanism.span_of.size(); ++p)
    state.parts[p].stiffness = std::max({0.0, scratch[p], memory * state.parts[p].stiffness});
}

void remember_pulls(const Mechanism& mechanism, const ConstraintSet& solved, double dt, double memory,
                    std::span<Mat3> scratch, ChainState& state) {
  std::fill(scratch.begin(), scratch.end(), Mat3::Zero());
  for (const Incidence& incidence : solved.incidences) {
    if (!incidence.moves || incidence.part < mechanism.first_body) continue;
    const Constraint& constraint = solved.constraints[at(incidence.constraint)];
    Vec3 force = Vec3::Zero();
    for (int r = 0; r < constraint.rows; ++r)
      force += constraint.impulse[r] / dt * incidence.rows.row(r).head<3>().transpose();
    const Mat3 product = force * incidence.arm.transpose();
    scratch[at(incidence.part - mechanism.first_body)] +=
        force.dot(incidence.arm) * Mat3::Identity() - 0.5 * (product + product.transpose());
  }
  for (std::size_t b = 0; b < state.pulls.size(); ++b) {
    const Mat3 axes = state.parts[at(mechanism.first_body) + b].orientation.toRotationMatrix();
    const Mat3 now = axes.transpose() * scratch[b] * axes;
    if (now.trace() >= memory * state.pulls[b].trace())
      state.pulls[b] = now;
    else
      state.pulls[b] *= memory;
  }
}

Mat3 added_inertia(const Vec3& inertia, const Mat3& stiffness) {
  // a point does not turn
  if (!(inertia.minCoeff() > 0)) return Mat3::Zero();
  const Vec3 root = inertia.cwiseSqrt();
  const Mat3 ratio = root.cwiseInverse().asDiagonal() * stiffness * root.cwiseInverse().asDiagonal();
  // most bodies are far from it: the trace of the squares bounds all ratios
  if (!(ratio.squaredNorm() > 1)) return Mat3::Zero();
  const math::SymmetricEigen3 found = math::symmetric_eigen(ratio);
  const Vec3 beyond = (found.values.array() - 1).max(0.0);
  const Mat3 scaled = root.asDiagonal() * found.vectors;
  return scaled * beyond.asDiagonal() * scaled.transpose();
}

SpanTurn span_turn(const Mechanism& mechanism, const Span& span, std::span<const PartState> parts) {
  // the line between its ends, and how fast they move
  const PartState& first = parts[at(span.first)];
  const PartState& last = parts[at(span.last)];
  const Vec3 start = first.orientation * Vec3(0, 0, -mechanism.half_length[at(span.first)]);
  const Vec3 end = last.orientation * Vec3(0, 0, mechanism.half_length[at(span.last)]);
  const Vec3 line = (last.position - first.position) + (end - start);
  const Vec3 rate = (last.velocity - first.velocity) + last.spin.cross(end) - first.spin.cross(start);
  const double square = line.squaredNorm();
  SpanTurn turn;
  if (!(square > 0)) return turn;
  turn.chord = std::sqrt(square);
  turn.growth = line.dot(rate) / turn.chord;
  turn.spin = line.cross(rate) / square;
  turn.taut = std::clamp((std::sqrt(square) / span.length - kSlack) / (kTaut - kSlack), 0.0, 1.0);
  return turn;
}

}  // namespace filum::chain
