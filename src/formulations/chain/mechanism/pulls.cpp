#include "formulations/chain/mechanism/pulls.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/tension_stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::chain {

namespace {

// A slack span that comes to be straight within so many usual steps, by a way that is more than this share of its length,
// is whipped. Steps are short then, and as long after it is straight, but not less than the time in s: a blow is to be over
// before they grow.
constexpr double kLoose = 0.005;
constexpr double kWhipSteps = 3;
constexpr double kWhipTime = 0.05;

// A record that is broken by this share of itself in one step is a blow's.
constexpr double kSuddenRecord = 0.1;
// A closer look that finds less more than this share was not worth mentioning.
constexpr double kJerk = 0.05;

// The rod's pull across a link, > 0 in tension: its force on b is against the tangent there.
double pull_of(const Mechanism& mechanism, const ChainState& state, std::size_t k) {
  const Link& link = mechanism.links[k];
  const bool by_a = link.a < mechanism.first_body && link.side_a > 0;
  if (!by_a && !(link.b < mechanism.first_body && link.side_b < 0)) return 0;
  const PartState& element = state.parts[at(by_a ? link.a : link.b)];
  return -state.links[k].force.head<3>().dot(element.orientation * Vec3::UnitZ());
}

// Slack: what is left of the usual pull beyond the rope's own weight. Usual is its mean over a second of being taut:
// single snaps may be a hundred times as hard. Taut again: after as long with five times as much.
constexpr double kSlackShare = 0.01;
constexpr double kTautShare = 0.05;
constexpr double kTautTime = 1;  // s

void note_slack(PeakPull& peak, double pull, double weight, double dt, bool began) {
  const bool bears = peak.usual > 2 * weight;
  const bool taut = pull > kTautShare * peak.usual + weight;
  peak.taut_for = taut ? std::min(kTautTime, peak.taut_for + dt) : 0;
  if (!peak.slack)
    peak.slack = bears && pull <= kSlackShare * peak.usual + weight;
  else if (peak.taut_for >= kTautTime * (1 - 1e-9))
    peak.slack = false;
  if (began) peak.usual = pull;
  if (taut || !bears) peak.usual += std::min(1.0, dt / kTautTime) * (pull - peak.usual);
}

bool note(PeakPull& peak, double pull, double weight, double dt, bool began) {
  note_slack(peak, pull, weight, dt, began);
  const bool blow = !began && peak.settled && pull > (1 + kSuddenRecord) * peak.at_steps;
  // a rope that is drawn unstretched with its load comes to bear it at once: that is the drawing's, no blow
  peak.settled = peak.settled || pull <= (began ? 0 : peak.at_steps);
  peak.at_steps = std::max(peak.at_steps, pull);
  peak.tension = std::max(peak.tension, pull);
  return blow;
}

void take(PeakPull& peak, const PeakPull& looked) {
  if (!(looked.tension > peak.tension)) return;
  peak.jerked = looked.tension > (1 + kJerk) * peak.tension;
  peak.tension = looked.tension;
  peak.arc = looked.arc;
}

// Whether something is tied to the end of an element, or to its beginning (side −1), beyond which the span ends.
bool is_tied(const Mechanism& mechanism, const ChainState& state, int element, int side) {
  const int wheel_before = side > 0 ? element : element - 1;
  if (wheel_before >= 0 && state.elements[at(wheel_before)].wheel >= 0) return true;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (state.links[k].broken || !link.has_gap()) continue;
    if ((link.a == element && link.side_a == side) || (link.b == element && link.side_b == side)) return true;
  }
  return false;
}

bool breaks_at(const Mechanism& mechanism, const ChainState& state, int rod, std::size_t k) {
  return mechanism.links[k].rod == rod && state.links[k].broken;
}

// The link of a rod that is nearest to a place.
std::size_t link_at(const Mechanism& mechanism, int rod, double arc) {
  std::size_t nearest = mechanism.links.size();
  double least = std::numeric_limits<double>::max();
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (link.rod != rod || !link.has_gap() || std::abs(link.arc - arc) >= least) continue;
    least = std::abs(link.arc - arc);
    nearest = k;
  }
  return nearest;
}

}  // namespace

bool note_pulls(const Mechanism& mechanism, double gravity, double dt, ChainState& state, bool began) {
  // where each rod bears most
  bool blow = false;
  for (std::size_t r = 0; r < state.peaks.size(); ++r) {
    PeakPull& peak = state.peaks[r];
    peak.jerked = false;
    double most = 0;
    double arc = peak.arc;
    for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
      const Link& link = mechanism.links[k];
      if (at(link.rod) != r || !link.has_gap() || state.links[k].broken) continue;
      const double pull = pull_of(mechanism, state, k);
      if (pull <= most) continue;
      most = pull;
      arc = link.arc;
    }
    if (most > peak.tension) peak.arc = arc;
    double weight = 0;
    for (std::size_t e = 0; e < state.elements.size(); ++e)
      if (at(state.elements[e].rod) == r) weight += gravity * mechanism.parts[e].mass;
    blow = note(peak, most, weight, dt, began) || blow;
    for (std::size_t k = 0; k < mechanism.links.size(); ++k)
      if (at(mechanism.links[k].rod) == r && state.links[k].broken) peak.slack = false;
  }
  for (RopeState& rope : state.ropes) {
    rope.peak.jerked = false;
    blow = note(rope.peak, rope.tension, 0, dt, began) || blow;
    rope.peak.slack = rope.peak.slack && !rope.broken && rope.tied;
  }
  return blow;
}

void note_whips(const Mechanism& mechanism, double step, double dt, ChainState& state) {
  state.whip = std::max(0.0, state.whip - dt);
  for (const Span& span : mechanism.spans) {
    if (span.first == span.last) continue;
    const SpanTurn turn = span_turn(mechanism, span, state.parts);
    const double missing = span.length - turn.chord;
    const double reach = kWhipSteps * step * turn.growth;
    // an end that is free is not caught
    if (missing > 0 && reach > std::max(missing, kLoose * span.length) && is_tied(mechanism, state, span.first, -1) &&
        is_tied(mechanism, state, span.last, 1))
      state.whip = std::max(kWhipTime, kWhipSteps * step);
  }
}

double sum_of_peaks(const ChainState& state) {
  double sum = 0;
  for (const PeakPull& peak : state.peaks) sum += peak.tension;
  for (const RopeState& rope : state.ropes) sum += rope.peak.tension;
  return sum;
}

void take_peaks(const Mechanism& mechanism, ChainState& state, const Mechanism& looked_mechanism,
                const ChainState& looked) {
  for (std::size_t r = 0; r < state.peaks.size(); ++r) {
    take(state.peaks[r], looked.peaks[r]);
    const int rod = static_cast<int>(r);
    bool broken = false;
    for (std::size_t k = 0; k < mechanism.links.size(); ++k) broken = broken || breaks_at(mechanism, state, rod, k);
    if (broken) continue;
    for (std::size_t k = 0; k < looked_mechanism.links.size(); ++k) {
      if (!breaks_at(looked_mechanism, looked, rod, k)) continue;
      LinkState& link = state.links[link_at(mechanism, rod, looked_mechanism.links[k].arc)];
      link.broken = true;
      link.force.setZero();
      break;
    }
  }
  for (std::size_t r = 0; r < state.ropes.size(); ++r) {
    take(state.ropes[r].peak, looked.ropes[r].peak);
    state.ropes[r].broken = state.ropes[r].broken || looked.ropes[r].broken;
  }
}

}  // namespace filum::chain
