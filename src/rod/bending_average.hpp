// The bending force of a spline rod over a whole step in time, such that the work it does is the change of its energy.
//
// Of a round section that is straight at rest. With v = r′, a = r″ at a place, the energy is K q,
//
//     q = D/A − (G/A)²,      A = v·v,   D = a·a,   G = v·a,      K = EI w/(2 j)
//
// (w the weight of the place, j its rest speed: q = (κ j)²). Differences of products are means times differences, so with
// bars for the mean of the two ends of the step, m for its middle, c = mean(G/A) and i = mean(1/A),
//
//     Δq = g_A ΔA + g_D ΔD + g_G ΔG,      g_D = i,   g_G = −2 c i,   g_A = (2 c Ḡ − D̄)/(A0 A1),
//
// and because A, D and G are quadratic, ΔA = 2 v_m·Δv and so on: the forces
//
//     on v:  K (2 g_A v_m + g_G a_m),        on a:  K (2 g_D a_m + g_G v_m)
//
// do exactly the work K Δq. Only invariants enter, so angular momentum is kept too (a discrete gradient, [Gonzalez2000]).
// Moments at mid-step alone blow up for soft cables: |v_m| shrinks where nothing samples it, and 1/λ² grows.
#pragma once

#include <filum/types.hpp>

namespace filum::rod {

struct BendingAverage {
  Vec3 on_v = Vec3::Zero();
  Vec3 on_a = Vec3::Zero();
  double energy = 0;    // K q at the step's end
  Mat3 vv, va, av, aa;  // derivatives by the middle of the step
};

// (v0, a0) at the start, (v, a) in the middle.
inline BendingAverage bending_average(const Vec3& v0, const Vec3& a0, const Vec3& v, const Vec3& a, double K) {
  const Vec3 v1 = 2 * v - v0;
  const Vec3 a1 = 2 * a - a0;
  const double A0 = v0.squaredNorm(), A1 = v1.squaredNorm();
  const double D0 = a0.squaredNorm(), D1 = a1.squaredNorm();
  const double G0 = v0.dot(a0), G1 = v1.dot(a1);
  const double c = 0.5 * (G0 / A0 + G1 / A1);
  const double i = 0.5 * (1 / A0 + 1 / A1);
  const double mean_D = 0.5 * (D0 + D1), mean_G = 0.5 * (G0 + G1);
  const double g_D = i, g_G = -2 * c * i, g_A = (2 * c * mean_G - mean_D) / (A0 * A1);

  BendingAverage f;
  f.on_v = K * (2 * g_A * v + g_G * a);
  f.on_a = K * (2 * g_D * a + g_G * v);
  f.energy = K * (D1 / A1 - G1 * G1 / (A1 * A1));

  // by (v, a) in the middle: dA1 = 4 v1·dv, dD1 = 4 a1·da, dG1 = 2 (a1·dv + v1·da)
  const Vec3 c_v = (a1 - 2 * G1 / A1 * v1) / A1, c_a = v1 / A1;
  const Vec3 i_v = -2 / (A1 * A1) * v1;
  const Vec3 G_v = -2 * (i * c_v + c * i_v), G_a = -2 * i * c_a;
  const Vec3 A_v = (2 * (mean_G * c_v + c * a1)) / (A0 * A1) - 4 * g_A / A1 * v1;
  const Vec3 A_a = (2 * (mean_G * c_a + c * v1) - 2 * a1) / (A0 * A1);
  const Mat3 one = Mat3::Identity();
  f.vv = K * (2 * v * A_v.transpose() + a * G_v.transpose() + 2 * g_A * one);
  f.va = K * (2 * v * A_a.transpose() + a * G_a.transpose() + g_G * one);
  f.av = K * (2 * a * i_v.transpose() + v * G_v.transpose() + g_G * one);
  f.aa = K * (v * G_a.transpose() + 2 * g_D * one);
  return f;
}

}  // namespace filum::rod
