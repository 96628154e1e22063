// The same system of a step by block Gauss-Seidel: groups of constraints take turns, each solved directly with the
// others' impulses as they stand.
//
// Groups are those of [Servin2007, section VI and algorithm 1]: a rod with all its joints and with what
// ties it to bodies, holds, drums and sheaves, so that the load and the hook are the rod's own end bodies; and, last,
// all that couples: massless ropes and junctions of rods. A body on two rods belongs to both. For group g a sweep
// solves
//
//     S_gg δ_g = r_g,    r_g = b_g − ε_g μ_g − J_g Δv,    μ_g += δ_g,    Δv += M̃⁻¹ J_gᵀ δ_g,
//
// which is the published S_gg μ_g = b_g − Σ S_gk μ_k without the blocks S_gk: the velocities carry them. S is symmetric
// and positive definite, so that every sweep brings the impulses nearer (in the norm of S). They begin at zero: sweeps
// that stop short then pull too little, and the next step sees the gap. (From the impulses of the step before, what is
// wrong in them adds up: few sweeps throw the load about.) Rows with bounds are settled within their group each time.
// S_gg is factored once a step, and again where a bound is reached or left.
#pragma once

#include "formulations/chain/solve/schur.hpp"

#include <span>
#include <vector>

namespace filum::chain {

class Sweeps {
 public:
  // Once the lists say who meets whom: groups by their numbers. The only call that allocates.
  void analyse(const ConstraintSet& set);

  // Rows, right-hand sides or masses are new: no impulses yet.
  void begin(ConstraintSet& set);

  // One turn of every group. False: a number that is not finite.
  [[nodiscard]] bool sweep(ConstraintSet& set, std::span<const Mobility> mobility);

  // What the sweeps have left, over what there was to be done: |b − S μ| / |b|, of the rows that no bound keeps.
  [[nodiscard]] static double residual(const ConstraintSet& set);

  [[nodiscard]] int groups() const { return static_cast<int>(groups_.size()); }

 private:
  std::vector<Schur> groups_;
};

}  // namespace filum::chain
