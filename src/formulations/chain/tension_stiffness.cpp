#include "formulations/chain/tension_stiffness.hpp"

#include "base/index.hpp"

#include <algorithm>

namespace filum::chain {

namespace {

// Below the first share of its length a span is slack, above the second it is taut.
constexpr double kSlack = 0.6;
constexpr double kTaut = 0.95;

}  // namespace

void remember_tension(const Mechanism& mechanism, ChainState& state, std::span<double> scratch) {
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
    state.parts[p].stiffness = std::max({0.0, scratch[p], kMemory * state.parts[p].stiffness});
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
  turn.spin = line.cross(rate) / square;
  turn.taut = std::clamp((std::sqrt(square) / span.length - kSlack) / (kTaut - kSlack), 0.0, 1.0);
  return turn;
}

}  // namespace filum::chain
