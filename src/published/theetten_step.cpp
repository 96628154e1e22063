#include "published/theetten_step.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace filum::published {
namespace {

// q̈ and λ of [M −Lᵀ; L 0][q̈; λ] = [F; E]; ω = 1/h, the fastest that a step of h follows.
Eigen::VectorXd acceleration(const DynamicSpline& spline, const Eigen::VectorXd& q, const Eigen::VectorXd& v, double h,
                             Eigen::VectorXd& lambda) {
  const Eigen::LLT<Eigen::MatrixXd> mass(spline.mass());
  const Eigen::MatrixXd& rows = spline.rows();
  const Eigen::VectorXd free = mass.solve(spline.force(q, v));
  if (rows.rows() == 0) return free;
  const Eigen::MatrixXd mobile = mass.solve(rows.transpose());
  const Eigen::VectorXd asked = -2 / h * (rows * v) - (rows * q - spline.targets()) / (h * h);
  lambda = (rows * mobile).llt().solve(asked - rows * free);
  return free + mobile * lambda;
}

}  // namespace

Eigen::MatrixXd stiffness_by_differences(const DynamicSpline& spline, const Eigen::VectorXd& q) {
  const Eigen::VectorXd v = Eigen::VectorXd::Zero(q.size());
  const double scale = (spline.position(q, spline.basis().end()) - spline.position(q, spline.basis().begin())).norm();
  Eigen::MatrixXd stiffness(q.size(), q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const double step = i % 4 == 3 ? 1e-6 : 1e-7 * std::max(scale, 1e-6);
    Eigen::VectorXd ahead = q;
    Eigen::VectorXd behind = q;
    ahead[i] += step;
    behind[i] -= step;
    stiffness.col(i) = (spline.force(behind, v) - spline.force(ahead, v)) / (2 * step);
  }
  return stiffness;
}

double largest_step(const DynamicSpline& spline, const Eigen::VectorXd& q) {
  const Eigen::MatrixXd k = stiffness_by_differences(spline, q);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes((k + k.transpose()) / 2, spline.mass(),
                                                                        Eigen::EigenvaluesOnly);
  constexpr double kLimit = 2.785;
  return kLimit / std::sqrt(modes.eigenvalues().cwiseAbs().maxCoeff());
}

void step_runge_kutta_once(const DynamicSpline& spline, double h, SplineMotion& motion) {
  const auto rate = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    return acceleration(spline, q, v, h, motion.lambda);
  };
  const Eigen::VectorXd a1 = rate(motion.q, motion.v);
  const Eigen::VectorXd v2 = motion.v + h / 2 * a1;
  const Eigen::VectorXd a2 = rate(motion.q + h / 2 * motion.v, v2);
  const Eigen::VectorXd v3 = motion.v + h / 2 * a2;
  const Eigen::VectorXd a3 = rate(motion.q + h / 2 * v2, v3);
  const Eigen::VectorXd v4 = motion.v + h * a3;
  const Eigen::VectorXd a4 = rate(motion.q + h * v3, v4);
  motion.q += h / 6 * (motion.v + 2 * v2 + 2 * v3 + v4);
  motion.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
}

int step_runge_kutta(const DynamicSpline& spline, double h, SplineMotion& motion) {
  const int parts = std::max(1, static_cast<int>(std::ceil(h / largest_step(spline, motion.q))));
  for (int k = 0; k < parts; ++k) step_runge_kutta_once(spline, h / parts, motion);
  return parts;
}

// In forces: the rows are scaled by the mass over h², so that both halves weigh alike.
Eigen::VectorXd BroydenStep::residual(double h, const SplineMotion& motion, const Eigen::VectorXd& z) const {
  const Eigen::Index n = motion.q.size();
  const Eigen::VectorXd v = z.head(n);
  const Eigen::VectorXd q = motion.q + h * v;
  const Eigen::MatrixXd& rows = spline_.rows();
  Eigen::VectorXd residual(z.size());
  residual.head(n) = spline_.mass() * (v - motion.v) / h - spline_.force(q, v) - rows.transpose() * z.tail(rows.rows());
  const double heavy = spline_.mass().diagonal().head<3>().maxCoeff() / (h * h);
  residual.tail(rows.rows()) = heavy * (rows * q - spline_.targets());
  return residual;
}

void BroydenStep::make_inverse(double h, const SplineMotion& motion, const Eigen::VectorXd& z) {
  const Eigen::Index n = motion.q.size();
  const Eigen::MatrixXd& rows = spline_.rows();
  Eigen::MatrixXd slope = Eigen::MatrixXd::Zero(z.size(), z.size());
  slope.topLeftCorner(n, n) = spline_.mass() / h + h * stiffness_by_differences(spline_, motion.q + h * z.head(n));
  slope.topRightCorner(n, rows.rows()) = -rows.transpose();
  const double heavy = spline_.mass().diagonal().head<3>().maxCoeff() / (h * h);
  slope.bottomLeftCorner(rows.rows(), n) = heavy * h * rows;
  inverse_ = slope.partialPivLu().inverse();
}

int BroydenStep::step(double h, SplineMotion& motion) {
  constexpr int kMost = 60;
  constexpr int kPatience = 12;  // iterations that an inverse may take
  const Eigen::Index n = motion.q.size();
  Eigen::VectorXd z(n + spline_.rows().rows());
  z.head(n) = motion.v;
  z.tail(spline_.rows().rows()).setZero();
  if (motion.lambda.size() == spline_.rows().rows()) z.tail(motion.lambda.size()) = motion.lambda;
  if (inverse_.rows() != z.size()) make_inverse(h, motion, z);
  Eigen::VectorXd r = residual(h, motion, z);
  const double small = 1e-9 * std::max(1.0, spline_.force(motion.q, motion.v).norm());
  for (int iteration = 1; iteration <= kMost; ++iteration) {
    const Eigen::VectorXd move = -inverse_ * r;
    const Eigen::VectorXd next = residual(h, motion, z + move);
    if (!next.allFinite()) return 0;
    z += move;
    // B⁻¹ += (s − B⁻¹y) sᵀB⁻¹/(sᵀB⁻¹y)
    const Eigen::VectorXd gained = inverse_ * (next - r);
    const double whole = move.dot(gained);
    if (whole != 0) inverse_ += (move - gained) * (move.transpose() * inverse_).eval() / whole;
    r = next;
    if (r.norm() <= small) {
      motion.v = z.head(n);
      motion.q += h * motion.v;
      motion.lambda = z.tail(spline_.rows().rows());
      return iteration;
    }
    if (iteration % kPatience == 0) make_inverse(h, motion, z);
  }
  return 0;
}

}  // namespace filum::published
