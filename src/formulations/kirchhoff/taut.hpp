// Taut rods, for steppers that know no stretching: how fast tension makes them vibrate, and whether they can move.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

#include <span>
#include <vector>

namespace filum::kirchhoff {

// Tension T makes a string of the nodes, of stiffness T/l across each edge. With each node's mass shared evenly among
// its edges the fastest single edge bounds the fastest mode (Irons and Treharne): ω² ≤ max T (1/m_a + 1/m_b)/l, which
// is 4T/(ml) and exact for a long uniform rod.
class StringRate {
 public:
  explicit StringRate(const discrete::ModelData& model);

  // Bound of ω² over a range of edges under these tensions, 1/s²; pushes count for nothing.
  [[nodiscard]] double fastest(std::span<const double> tension, int first_edge, int edges) const;

 private:
  std::vector<double> per_tension_;  // per edge: (1/m_a + 1/m_b)/l with shared masses
};

// Whether a rod lies straight between two held nodes as far apart as it is long there, or farther: without stretching
// it has no way to move.
bool has_tight_rod(const discrete::ModelData& model, std::span<const Vec3> position);

// Why such a rod is given up, and what helps.
inline constexpr const char* kTightRod =
    "a rod is stretched tight between two holds and an inextensible one has no way to move: give it slack, or take the "
    "stepper 'implicit'";

}  // namespace filum::kirchhoff
