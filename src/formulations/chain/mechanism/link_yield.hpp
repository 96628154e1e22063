// A link of a rod that yields or slips: what that takes from its elastic law, and what it remembers.
//
// The elastic law λ = −K φ of a link becomes λ = −(K φ − R(φ)): R is what parallel elements have given way
// (rod/plastic_joint.hpp), of bends and twist as in every joint of the other formulations, and of the gap along the rod.
// LinkState::plastic is the memory at the end of the last increment: of bends and twist first, then of stretch; all
// evaluations of a step or of an equilibrium begin from it. LinkState::strain is the φ that it was kept at.
#pragma once

#include "formulations/chain/mechanism/mechanism.hpp"
#include "formulations/discrete/plastic_rods.hpp"

#include <vector>

namespace filum::chain {

// The share of a softening that a tangent has at most: perfect plasticity leaves no stiffness at all.
inline constexpr double kMostSoftened = 1 - 1e-7;
// Strains of first yield by which an iteration leads a link at most: the tangent beyond a corner knows nothing of the
// side that it came from.
inline constexpr double kMostYield = 3;

struct LinkYield {
  Vec6 relief = Vec6::Zero();     // R: three of the gap, N, three of the turn, N·m
  Mat6 softening = Mat6::Zero();  // its derivative by φ
  bool yields = false;
};

// 1/ε; zero where there is no give.
[[nodiscard]] Vec6 link_stiffness(const Link& link);

// Which way a rod goes at a link.
[[nodiscard]] Vec3 link_tangent(const Link& link, const ChainState& state);

// Numbers that a link remembers.
[[nodiscard]] int link_memory(const ModelData& model, const Link& link);

// At the strain φ of its rows, from the memory at the start of the increment; where it may not yield, by that alone.
[[nodiscard]] LinkYield link_yield(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain,
                                   const rod::PlasticMemory& memory, bool may);

// What memory adds to the elastic energy ½ φᵀ K φ, J.
[[nodiscard]] double kept_energy(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain,
                                 const rod::PlasticMemory& memory);

// The end of an increment at this strain. Returns what was turned into heat since the last one, J.
double keep_yield(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain, LinkState& state);

// Whether it ever did; and whether it never did, nor does at this strain, told at a glance.
[[nodiscard]] inline bool has_yielded(const LinkState& state) {
  return !state.plastic.blank();
}
[[nodiscard]] bool link_rests(const ModelData& model, const Link& link, const Vec6& strain, const LinkState& state);

// How far links have been strained at most, times first yield; 0 if none ever beyond it.
[[nodiscard]] double furthest_yield(const ModelData& model, const Mechanism& mechanism, const ChainState& state);

// What stays if it is let go, per length, and how far it is or has been strained, as a multiple of first yield.
struct LinkSet {
  discrete::PlasticSet turn;
  double stretch = 0;
};
[[nodiscard]] LinkSet link_set(const ModelData& model, const Link& link, const Vec3& tangent, const LinkState& state);

// Memory of the right size for all links that lack it.
void make_memory(const ModelData& model, const Mechanism& mechanism, ChainState& state);

// What a rod remembers, carried over by arc length: from links of another chain, from and to discrete rods.
void carry_yield(const ModelData& from, const Mechanism& from_mechanism, const ChainState& from_state, int from_rod,
                 const ModelData& to, const Mechanism& to_mechanism, ChainState& to_state, int to_rod);
void yield_from_nodes(const discrete::ModelData& rods, const discrete::RodState& nodes, const ModelData& model,
                      const Mechanism& mechanism, ChainState& state);
void yield_to_nodes(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                    const discrete::ModelData& rods, discrete::RodState& nodes);

}  // namespace filum::chain
