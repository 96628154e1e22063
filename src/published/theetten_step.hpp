// How Theetten's spline moves: the explicit Runge-Kutta of fourth order, and implicit Euler by Broyden's method.
//
// Holds are rows L q = p. RK4 asks L q̈ = −2ω L q̇ − ω² (L q − p) of them, so that what drifts comes back; implicit Euler
// has them at the end of the step:
//   M (v⁺ − v)/h = F(q + h v⁺, v⁺) + Lᵀλ,   L (q + h v⁺) = p.
//
// Reference: [Theetten2006, section 6]; of Broyden's method it gives the name alone. Here: his first, by Sherman and
// Morrison on the inverse, which is kept from step to step and made anew from differences when it no longer serves.
#pragma once

#include "published/theetten_spline.hpp"

namespace filum::published {

struct SplineMotion {
  Eigen::VectorXd q, v;
  Eigen::VectorXd lambda;  // of the rows: force on the spline
};

// −∂F/∂q by differences.
Eigen::MatrixXd stiffness_by_differences(const DynamicSpline& spline, const Eigen::VectorXd& q);

// 2.785/ω_max, beyond which RK4 blows up: where its amplification along the imaginary axis passes 1 is 2√2 = 2.828, less
// a little for what the stiffest wave gains from the others. Of the spline without its holds, which bounds it with them.
double largest_step(const DynamicSpline& spline, const Eigen::VectorXd& q);

// One step of h in as many parts as `largest_step` of its begin asks for; returns how many.
int step_runge_kutta(const DynamicSpline& spline, double h, SplineMotion& motion);
// One step without parts, stable or not.
void step_runge_kutta_once(const DynamicSpline& spline, double h, SplineMotion& motion);

class BroydenStep {
 public:
  explicit BroydenStep(const DynamicSpline& spline) : spline_(spline) {}

  // Iterations that it took; 0: it was not solved, and the motion is as before.
  int step(double h, SplineMotion& motion);

 private:
  [[nodiscard]] Eigen::VectorXd residual(double h, const SplineMotion& motion, const Eigen::VectorXd& z) const;
  void make_inverse(double h, const SplineMotion& motion, const Eigen::VectorXd& z);

  const DynamicSpline& spline_;
  Eigen::MatrixXd inverse_;  // of ∂residual/∂(v⁺, λ)
};

}  // namespace filum::published
