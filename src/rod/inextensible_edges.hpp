// Edges that keep their lengths: the multipliers of |e| = l over one time step, by Picard's iteration [Wang2016,
// section 4.3, generalised to uneven node masses, held nodes and closed rods].
//
// Without the constraint edge i would become ē_i. A tension T_i pulls the two nodes of edge i together along the
// direction t_i that it had at the start of the step, and so moves the edges by
//
//     d_i(T) = σ [ w_{i+1} (T_{i+1} t_{i+1} − T_i t_i) − w_i (T_i t_i − T_{i−1} t_{i−1}) ],
//
// with w the inverse masses (one for each world axis, zero where the node is held) and σ what an impulse per mass and
// force moves. |ē_i + d_i|² = l_i² is solved with one factor of d frozen at its last value,
//
//     (2 ē_i + d_i(T_old)) · d_i(T) = l_i² − |ē_i|²,
//
// a tridiagonal system for T, cyclic for a closed chain. Each iteration gains a factor of about |d|/l, so a few are
// enough when T starts from that of the step before. Pulling along the old directions is what keeps the discrete
// angular momentum Σ m x^k × v^{k+1} exactly, converged or not.
#pragma once

#include "math/tridiagonal.hpp"

#include <filum/types.hpp>

#include <span>
#include <vector>

namespace filum::rod {

class InextensibleChain {
 public:
  struct Step {
    std::span<const Vec3> direction;     // t, per edge
    std::span<const Vec3> moved;         // ē, per edge
    std::span<const double> length;      // l, per edge
    std::span<const Vec3> inverse_mass;  // w, per node: one more than edges, or as many if closed
    double scale = 0;                    // σ
  };
  struct Outcome {
    bool converged = false;
    int iterations = 0;   // tridiagonal solves
    double residual = 0;  // largest ||e|/l − 1|
  };

  void resize(std::size_t edges, bool closed);

  // `tension` starts the iteration and holds the result; `edge` becomes ē + d. Does not allocate.
  Outcome solve(const Step& step, std::span<double> tension, std::span<Vec3> edge);

  // Tensions that keep the lengths at an instant: t_i · (u_i + d_i(T)) = 0, with `moved` the velocities u of the edges.
  // Linear, solved exactly.
  void solve_rates(const Step& step, std::span<double> tension);

 private:
  // Edges under the present tensions; returns the largest ||e|² / l² − 1|, NaN if something is not finite.
  double pull(const Step& step, std::span<const double> tension, std::span<Vec3> edge) const;
  void fill_matrix(const Step& step, std::span<const Vec3> edge);

  bool closed_ = false;
  math::Tridiagonal matrix_;
};

}  // namespace filum::rod
