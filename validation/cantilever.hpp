// Reference for a cantilever of any kind: the extensible Kirchhoff rod as an ordinary differential equation.
//
// Independent of the rest of Filum: no mesh, no energy. With the unstretched arc length s, the material frame R
// (columns d1, d2, d3), dead loads F at the tip and q per unstretched length (Antman, Nonlinear Problems of Elasticity,
// 2nd ed., ch. VIII, without shear):
//
//     n(s) = F + (L − s) q,                    the force of the part beyond s on the part before
//     x' = (1 + ε) d3,      ε = n·d3 / EA
//     R' = R [k]×,          k = k̄ + (m1/EI1, m2/EI2, m3/GJ),   m = Rᵀ M
//     M' = −x' × n,         M(L) = 0
//
// The force is known beforehand, so only the frame at the tip is sought: it is integrated back to the clamp by the
// classical Runge-Kutta method of fourth order, and Newton's method on the three angles by which the frame misses the
// clamp, the loads raised in steps. Going back from the tip, neighbouring solutions come together rather than apart,
// so slender rods are no harder.
#pragma once

#include <filum/types.hpp>

namespace filum::validation {

struct Cantilever {
  double length = 1;
  double EA = 1;
  Vec2 EI = Vec2::Ones();
  double GJ = 1;
  Vec3 rest = Vec3::Zero();       // k̄: about d1, d2, d3, 1/m
  Mat3 frame = Mat3::Identity();  // at the clamp, columns d1, d2, d3
  Vec3 tip_force = Vec3::Zero();
  Vec3 load = Vec3::Zero();  // q, N/m
};

struct CantileverSolution {
  Vec3 tip = Vec3::Zero();           // relative to the clamp
  Mat3 frame = Mat3::Identity();     // at the tip
  Vec3 clamp_moment = Vec3::Zero();  // M(0), world
};

// To about 1e-11 of the length; not a number if Newton does not settle.
CantileverSolution integrate(const Cantilever& rod);

}  // namespace filum::validation
