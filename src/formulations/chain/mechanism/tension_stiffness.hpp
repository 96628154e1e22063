// The geometric stiffness of tensioned parts, with memory: what lets a step of 1/60 s carry loads far beyond a rope's
// own weight.
//
// A force f on a part at the arm ρ resists the part's turning by the stiffness f·ρ across ρ: an element under the
// tension T, of length ℓ, swings against its neighbours at ω² = 12 T/(m ℓ), far above the step's rate, and a step that
// does not know of it diverges. The step therefore turns the part with the inertia
//
//     I + h² k (1 − u uᵀ)      against     I ω + h² k (1 − u uᵀ) ω_ref,
//
// k = Σ f·ρ over its two ends, as the last step had it, but not less than 0.9 of what it was before (a slack rope that
// snaps taut is remembered as having been taut). The term vanishes in rest and in steady swing: it adds no stiffness
// that statics would see. ω_ref is the part's own spin for the most part, and for the rest the rate at which its whole
// span turns: that of the line between the places that the span is tied at. What an element does against its span is
// damped, what the span does is not. A slack span, whose ends are nearer to each other than it is long, has no line to
// follow: its elements refer to themselves.
//
// A body has the same from all that pulls at it, H = Σ (f·ρ) 1 − ½(fρᵀ + ρfᵀ). Most are so heavy that the step follows
// them well enough; one that turns too fast for it (h²H > I: a light hook between a load and its ropes) is given as
// much inertia as makes h²H equal to it, in those directions only.
#pragma once

#include "formulations/chain/mechanism/constraint.hpp"
#include "formulations/chain/mechanism/mechanism.hpp"

#include <span>
#include <vector>

namespace filum::chain {

// Of the reference rate, the share of the span's; the rest is the part's own.
inline constexpr double kSpanShare = 0.2;

// How much of the stiffness is remembered after a step of the usual length, or of another: memory lasts as long.
inline constexpr double kMemory = 0.9;
[[nodiscard]] double memory_over(double dt, double usual);

// A step that is longer than the last one by more than this factor finds waves of the rope that only the short ones
// could follow, and would make energy of them. It follows the spans alone, and stretch by backward Euler.
inline constexpr double kGrown = 1.5;
[[nodiscard]] inline bool has_grown(const ChainState& state, double dt) {
  return state.last_step > 0 && dt > kGrown * state.last_step;
}

// Renews k of the elements from the forces of the last step, of which `memory` is kept. `scratch`: one number per part.
void remember_tension(const Mechanism& mechanism, ChainState& state, double memory, std::span<double> scratch);

// Renews H of the bodies from the impulses of a solve, in their own axes. `scratch`: one matrix per body.
void remember_pulls(const Mechanism& mechanism, const ConstraintSet& solved, double dt, double memory,
                    std::span<Mat3> scratch, ChainState& state);

// What a body of these principal inertias is given in addition; `stiffness` is h²H in its axes.
[[nodiscard]] Mat3 added_inertia(const Vec3& inertia, const Mat3& stiffness);

// The rate at which the line between a span's ends turns, and how far it is one to follow: 1 taut, 0 slack.
struct SpanTurn {
  Vec3 spin = Vec3::Zero();
  double taut = 0;
  double chord = 0;   // between its ends, m
  double growth = 0;  // of that, m/s
};
[[nodiscard]] SpanTurn span_turn(const Mechanism& mechanism, const Span& span, std::span<const PartState> parts);

}  // namespace filum::chain
