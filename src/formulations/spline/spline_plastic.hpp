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

// What yield takes from its elastic law; where it may not yield, by its memory alone. Nothing where there is no law.
[[nodiscard]] rod::JointYield site_yield(const Site& site, const SplineState& state, bool may);

// The end of an increment. Returns what was turned into heat since `start`, J; null: 0.
double keep_plastic(const SplineModel& model, const SplineState* start, SplineState& state);

// How far rods have been strained at most, times first yield; 0 if none ever beyond it.
[[nodiscard]] double furthest_yield(const SplineModel& model, const SplineState& state);

// What stays of the strains of a site if it is let go, and how far it is or has been strained, times first yield.
[[nodiscard]] discrete::PlasticSet site_set(const Site& site, const SplineState& state);

// What a rod remembers, from a model in which it has other knots, by arc length.
void carry_memory(const SplineModel& from, int old_rod, const SplineState& old, const SplineModel& to, int rod,
                  SplineState& now);

// From and to what the nodes of the same knots remember.
void plastic_from_nodes(const SplineModel& model, const discrete::RodState& nodes, SplineState& state);
void plastic_to_nodes(const SplineModel& model, const SplineState& state, discrete::RodState& nodes);

}  // namespace filum::spline
