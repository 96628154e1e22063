// What motion adds to the balance of spline rods at the instant, or over the step, that an integrator asks for.
#pragma once

#include "rod/axial_average.hpp"

#include <filum/types.hpp>

#include <vector>

namespace filum::spline {

struct SplineMotion {
  double step = 0;              // h
  bool averaged = false;        // over the step; otherwise at its end
  double inertia = 0;           // c of c M (x − x̂), 1/s²
  double rate = 0;              // κ of v = κ (x − x0), 1/s
  double chi = 0;               // of the averaged tension
  double spin_share = 0.5;      // of averaged spins (rod/edge_spin.hpp)
  std::vector<Vec3> reference;  // x̂ per control point
  // the start of the step
  std::vector<Vec3> control;
  std::vector<Vec3> leg;
  std::vector<double> twist;
  std::vector<Mat3> rotor;               // per rotor
  std::vector<Vec3> rotor_spin;          // per rotor: of those with inertia, own frame
  std::vector<double> node_spin;         // per node, about its tangent
  std::vector<rod::AxialStart> stretch;  // per stretch point
  std::vector<double> drag;              // per rod: Rayleigh's α, 1/s
};

}  // namespace filum::spline
