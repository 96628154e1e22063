// From a linkage near an equilibrium to the equilibrium between the exact walls.
//
// Unknowns are the headings of the free links, so links keep their length. First an augmented Lagrangian (Powell,
// Hestenes, Rockafellar) with a damped Newton's method goes downhill and finds which nodes press on which wall; then
// Newton's method on the equations with just these contacts ends quadratically, taking up nodes that cross a wall and
// letting go nodes that a wall would have to hold. Multipliers of the rows are the forces of walls and tip.
#pragma once

#include "channel/wall_rows.hpp"

#include <string>
#include <vector>

namespace filum::channel {

struct Polished {
  bool converged = false;
  bool stable = false;  // a minimum to second order with the pressing contacts kept
  std::string why;
  Configuration configuration;
  std::vector<Row> rows;
  std::vector<double> force;  // multiplier of each row, scaled by EI/L²
  double kkt = 0;             // largest unbalanced moment of a link, EI/L
  double breach = 0;          // of the walls, scaled
  double off_tip = 0;         // of a pushed tip
  int iterations = 0;
};

// From a linkage's headings. If places are given for all nodes, as of a lattice whose links are not quite of equal
// length, the linkage is first tied to them and then let go.
Polished polish(const Passage& passage, const Beam& beam, const std::vector<double>& angles,
                const std::vector<Vec2>& ties = {});

// Forces on the nodes by rows, without the dead load.
std::vector<Vec2> node_forces(const Beam& beam, const std::vector<Row>& rows, const std::vector<double>& force);

}  // namespace filum::channel
