// Joints and edges of a model that yield or slip: what that takes from their elastic laws, and what they remember.
//
// RodState::plastic is the memory at the end of the last increment: an equilibrium that was found, a step that was taken.
// All evaluations of one increment begin from it; `keep_plastic` ends it.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_origin.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "rod/plastic_joint.hpp"

#include <span>
#include <vector>

namespace filum::discrete {

// A joint of a section that yields, at its rod's present length; several of one law side by side: `joint(lane)` is that of
// a lane.
template <class T, class Pick>
struct PlasticJointsOf {
  T factor;
  rod::PlasticJointOf<T> joint;
  rod::JointElasticityOf<T> elasticity;

  PlasticJointsOf(const ModelData& model, const RodState& state, const Pick& pick)
      : factor(math::gathered<math::NumberOf, T>(
            [&](int lane) -> const double& { return state.length_factor[at(model.joints[at(pick(lane))].rod)]; })),
        elasticity(math::gathered<rod::JointElasticityOf, T>(
            [&](int lane) -> const rod::JointElasticity& { return model.joints[at(pick(lane))].elasticity; })) {
    joint.law = &model.plasticity.laws[at(model.plasticity.joints[at(pick(0))].law)];
    joint.yield = factor * math::gathered<math::Vec3Of, T>(
                               [&](int lane) -> const Vec3& { return model.plasticity.joints[at(pick(lane))].yield; });
    joint.stiffness = elasticity.stiffness / factor;
  }
  [[nodiscard]] math::Vec3Of<T> excess(const math::Vec3Of<T>& strain) const {
    return strain - factor * elasticity.rest;
  }
};

// Joints `first` to `end` − 1 in runs that share a law or have none (−1): f(law, first of run, end of run).
template <class F>
void each_law(const ModelData& model, int first, int end, const F& f) {
  const auto law = [&](int k) { return model.plasticity.joints[at(k)].law; };
  for (int k = first; k < end;) {
    const int begin = k;
    while (k < end && law(k) == law(begin)) ++k;
    f(law(begin), begin, k);
  }
}

// Whether a joint or an edge has ever yielded; and whether an edge has not, nor does with that length squared.
[[nodiscard]] bool has_yielded(const ModelData& model, const RodState& state, int joint);
[[nodiscard]] bool edge_has_yielded(const ModelData& model, const RodState& state, int edge);
[[nodiscard]] bool edge_rests(const ModelData& model, const RodState& state, double squared_length, int edge);

// At the rod's present length; zero for a joint without a law. Where it may not yield, by its memory alone.
[[nodiscard]] rod::JointYield joint_yield(const ModelData& model, const RodState& state, const Vec3& strain, bool may,
                                          int joint);

// What the memory at the start of the increment takes from its moment.
[[nodiscard]] Vec3 kept_relief(const ModelData& model, const RodState& state, int joint);

// The same of an edge of that length. Iterates lengthen the edges that they turn by far more than first yield
// (system/rod_system.hpp): an edge yields only where it `may`, that is, where a balance without it was found beyond.
struct EdgeYield {
  double kept = 0;       // N: by the memory alone
  double relief = 0;     // N: to be taken from the tension
  double softening = 0;  // N per strain
  double energy = 0;     // stored, less the elastic, J
  double spent = 0;      // in the increment, J
  bool yields = false;
};
[[nodiscard]] EdgeYield edge_yield(const ModelData& model, const RodState& state, double length, bool may, int edge);

// What memory adds to the elastic energy of a joint at a strain, J. `factor`: the rod's length over the compiled one.
[[nodiscard]] double kept_energy(const ModelData& model, const rod::PlasticMemory& memory, const Vec3& strain,
                                 double factor, int joint);

// The end of an increment at these strains. Returns what was turned into heat since the start of the step, J; without a
// motion, 0.
double keep_plastic(const ModelData& model, std::span<const rod::JointStrain> strain, const Motion* motion,
                    RodState& state);
double keep_plastic(const ModelData& model, std::span<const Vec3> strain, const Motion* motion, RodState& state);

// An equilibrium at which a rod is strained by more yield strains than this beyond what it has ever been is none that a
// motion would have led to: rods that yield soften, and a search in one go finds them crumpled. Smaller steps follow.
inline constexpr double kMostJump = 4;
inline constexpr const char* kJumped = "a rod would be strained by several times its first yield in one go";
// How far rods have been strained at most, times first yield; 0 if none ever beyond it.
[[nodiscard]] double furthest_yield(const ModelData& model, const RodState& state);
// The end of an equilibrium's increment. False: it is such a jump, and nothing is kept of it.
template <class Strains>
[[nodiscard]] bool keep_unless_jumped(const ModelData& model, const Strains& strain, RodState& state) {
  const rod::PlasticMemory before = state.plastic;
  const double far = furthest_yield(model, state);
  keep_plastic(model, strain, nullptr, state);
  if (furthest_yield(model, state) <= far + kMostJump) return true;
  state.plastic = before;
  return false;
}

// The stretch of a law alone, as the twist of one that does not bend: what remembers a single strain is then a joint
// with that in its third component.
[[nodiscard]] rod::SectionPlasticity stretch_as_twist(const rod::SectionPlasticity& law);

// A place of a rod that remembers, seen along it: a joint at its node, an edge at its middle.
struct PlasticPiece {
  double s = 0;                                 // as a share of the rod
  const rod::SectionPlasticity* law = nullptr;  // null: elastic whatever happens
  int memory = 0;                               // where it begins
  Vec3 per_length = Vec3::Ones();  // strain of first yield per length: bends, twist; of an edge its stretch
};
[[nodiscard]] std::vector<PlasticPiece> joint_pieces(const ModelData& model, int rod);
[[nodiscard]] std::vector<PlasticPiece> edge_pieces(const ModelData& model, int rod);
// The edges of a rod as pieces that remember in that way.
[[nodiscard]] std::vector<PlasticPiece> edges_as_joints(const ModelData& model, int rod,
                                                        std::span<const rod::SectionPlasticity> stretch_laws);
// What pieces remember of bends and twist, added to those of other pieces that lie between them, in proportion. `same`:
// piece by piece. A law that lacks bends or twist takes and gives none.
void carry_plastic(std::span<const PlasticPiece> was, const std::vector<double>& old, std::span<const PlasticPiece> is,
                   bool same, std::vector<double>& now);

// What is remembered, carried over by arc length to a rod of another model.
void transfer_plastic(const ModelData& from, const RodState& from_state, const RodOrigin& origin, const ModelData& to,
                      int to_rod, RodState& to_state);

// Along a rod: what stays if it is let go (bends and twist, 1/m), and how far it is or has been strained, as a multiple
// of first yield.
struct PlasticSet {
  Vec3 strain = Vec3::Zero();
  double furthest = 0;
};
[[nodiscard]] PlasticSet plastic_set(const ModelData& model, const RodState& state, const Vec3& strain, int joint);
[[nodiscard]] double furthest_stretch(const ModelData& model, const RodState& state, int edge);
// Whether a rod has a part that yields; one that slips alone does not.
[[nodiscard]] bool may_yield(const ModelData& model, int rod);

}  // namespace filum::discrete
