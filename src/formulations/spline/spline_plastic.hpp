// Where spline rods yield or slip: what that takes from their elastic laws, and what they remember.
//
// Bends are remembered at the bend points, twist by segments, stretch at the stretch points: each a «site» with a law of
// its own, of the kind that a joint of the discrete rods has (rod/plastic_joint.hpp). A site of twist or stretch has its
// one strain as the third component. SplineState::plastic is the memory at the end of the last increment, an equilibrium
// that was found or a step that was taken; all evaluations of one increment begin from it.
#pragma once

#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"
#include "rod/plastic_joint.hpp"

#include <cmath>

namespace filum::spline {

// `law` is null where it is elastic whatever happens. Strains: curvatures, 1/m; the twist of the whole segment, rad;
// stretch.
struct Site {
  rod::PlasticJoint joint;
  int memory = 0;
  double weight = 1;           // m: what its energies per length stand for; 1 for twist
  Vec3 excess = Vec3::Zero();  // strain beyond that at rest
};
[[nodiscard]] Site bend_site(const SplineModel& model, const SplineState& state, int point);
[[nodiscard]] Site twist_site(const SplineModel& model, const SplineState& state, int segment);
[[nodiscard]] Site stretch_site(const SplineModel& model, const SplineState& state, int point);
// The same with a strain that the caller knows.
[[nodiscard]] Site bend_site(const SplineModel& model, const SplineState& state, int point, const Vec2& excess);
[[nodiscard]] Site twist_site(const SplineModel& model, const SplineState& state, int segment, double excess);
[[nodiscard]] Site stretch_site(const SplineModel& model, const SplineState& state, int point, double excess);

// With these legs: how far a stretch point is strained, and how far at most a bend point is bent.
[[nodiscard]] double stretch_excess(const SplineModel& model, const SplineState& state, const std::vector<Vec3>& leg,
                                    int point);
[[nodiscard]] double bend_size(const SplineModel& model, const SplineState& state, const std::vector<Vec3>& leg,
                               int point);

// Whether a site of a rod with a law has never yielded and does not at this strain (of bends: of this size at most): most
// sites of most rods, told at a glance. What such a site takes is nothing, to the last bit.
[[nodiscard]] inline bool bend_rests(const SplineModel& model, const SplineState& state, int point, double excess) {
  const rod::SectionPlasticity& law =
      model.memory.bend[static_cast<std::size_t>(model.segments[static_cast<std::size_t>(point / kBendPoints)].law)];
  if (law.bend.empty()) return true;
  const int place = model.memory.bend_place[static_cast<std::size_t>(point)];
  const bool never = state.plastic.blank() || !rod::has_yielded(law, state.plastic.at(place));
  return never && excess <= law.bend.corner[0] * law.bend_yield.minCoeff();
}
[[nodiscard]] inline bool line_rests(const rod::SectionPlasticity& law, const rod::PlasticMemory& memory, int place,
                                     double excess, double first) {
  const bool never = memory.blank() || !rod::has_yielded(law, memory.at(place));
  return law.twist.empty() || (never && std::abs(excess) <= law.twist.corner[0] * first);
}
[[nodiscard]] inline bool twist_rests(const SplineModel& model, const SplineState& state, int index, double excess) {
  const Segment& segment = model.segments[static_cast<std::size_t>(index)];
  const rod::SectionPlasticity& law = model.memory.twist[static_cast<std::size_t>(segment.law)];
  const double first = state.length_factor[static_cast<std::size_t>(segment.rod)] * segment.width * law.twist_yield;
  return line_rests(law, state.plastic, model.memory.twist_place[static_cast<std::size_t>(index)], excess, first);
}
[[nodiscard]] inline bool stretch_rests(const SplineModel& model, const SplineState& state, int index, double excess) {
  const Segment& segment =
      model.segments[static_cast<std::size_t>(model.stretches[static_cast<std::size_t>(index)].segment)];
  const rod::SectionPlasticity& law = model.memory.stretch[static_cast<std::size_t>(segment.law)];
  return line_rests(law, state.plastic, model.memory.stretch_place[static_cast<std::size_t>(index)], excess,
                    law.twist_yield);
}

// What yield takes from its elastic law; where it may not yield, by its memory alone. Nothing where there is no law.
[[nodiscard]] rod::JointYield site_yield(const Site& site, const SplineState& state, bool may);

// The end of an increment. Returns what was turned into heat since `start`, J; null: 0. `bends`: per segment, whether it may
// yield in bending now; empty: all may.
double keep_plastic(const SplineModel& model, const SplineState* start, SplineState& state,
                    const std::vector<char>& bends = {});

// How far rods have been strained at most, times first yield; 0 if none ever beyond it.
[[nodiscard]] double furthest_yield(const SplineModel& model, const SplineState& state);

// What stays of the strains of a site if it is let go, and how far it is or has been strained, times first yield.
[[nodiscard]] discrete::PlasticSet site_set(const Site& site, const SplineState& state);

// What a rod remembers, from a model in which it has other knots, by arc length.
void carry_memory(const SplineModel& from, int old_rod, const SplineState& old, const SplineModel& to, int rod,
                  SplineState& state);

// From and to what the nodes of the same knots remember.
void plastic_from_nodes(const SplineModel& model, const discrete::RodState& nodes, SplineState& state);
void plastic_to_nodes(const SplineModel& model, const SplineState& state, discrete::RodState& nodes);

}  // namespace filum::spline
