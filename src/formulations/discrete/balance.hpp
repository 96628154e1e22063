// How well the forces of a state balance, and what energy it has.
#pragma once

namespace filum::discrete {

struct Balance {
  double elastic = 0;
  double potential = 0;   // of gravity, dead forces and distributed forces
  double gravity = 0;     // its gravity part alone
  double residual = 0;    // largest nodal |Σ forces| / largest nodal Σ|element forces|; moments likewise
  double floor = 0;       // what round-off alone leaves of it
  double moment = 0;      // the residual of moments alone
  double moment_floor = 0;
  double constraint = 0;  // largest violation of a constraint, share of the model's size
  bool settled = true;    // contacts are as the balance wants them
  double sunk = 0;        // Σ of how deep rods are in obstacles, m
  bool finite = true;

  [[nodiscard]] double energy() const { return elastic + potential; }
};

}  // namespace filum::discrete
