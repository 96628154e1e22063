// Plasticity and slip of one strain, or of two that share a circle: elastic-plastic elements in parallel.
//
// All strains here are shares of a reference strain (the one of first yield, or of slip), all stresses shares of the
// elastic stress there, so that the elastic law is the identity. Element i bears the share w_i of the stiffness; its
// plastic strain p_i is a vector of N components, its stress q − p_i stays within a circle of radius x_i + η a_i, where
// a_i is the path that p_i has gone. What no element has is elastic for ever:
//
//     stress = q − Σ w_i p_i.
//
// One element is linear kinematic hardening, η > 0 isotropic, Σ w_i = 1 and η = 0 perfect plasticity. Several follow a
// curve corner by corner and obey Masing's rule: a branch is the first loading twice as large [Iwan1967; Masing1926].
// Fibres of a bent section are such elements too, so that its moment curve is one of theirs (rod/backbone.hpp).
//
// The return to the circle is implicit: with t = q − p_i and n = t/|t|, if |t| > x_i + η a_i =: X [SimoHughes1998]
//
//     Δ = (|t| − X)/(1 + η),    p_i ← p_i + Δ n,    a_i ← a_i + Δ,    ∂p_i/∂q = Δ/|t| (1 − n nᵀ) + n nᵀ/(1 + η).
//
// It is the minimum over p_i of ½ w_i |q − p_i|² + w_i (X Δ + ½ η Δ²), whose derivative by q is the stress: equilibria of
// an increment have an energy.
#pragma once

#include <Eigen/Core>

#include <cmath>
#include <vector>

namespace filum::rod {

struct ParallelElements {
  std::vector<double> share;   // w_i > 0
  std::vector<double> corner;  // x_i, rising
  double growth = 0;           // η

  [[nodiscard]] bool empty() const { return share.empty(); }
  // Numbers that N components leave behind: p_i and a_i of each element in turn.
  [[nodiscard]] int memory(int components) const { return static_cast<int>(share.size()) * (components + 1); }
};

template <int N>
struct PlasticReturn {
  Eigen::Matrix<double, N, 1> relief = Eigen::Matrix<double, N, 1>::Zero();     // Σ w_i p_i
  Eigen::Matrix<double, N, N> softening = Eigen::Matrix<double, N, N>::Zero();  // its derivative by q
  double energy = 0;    // what is stored, less the elastic ½ |q|²
  double spent = 0;     // in the increment: Σ w_i (X Δ + ½ η Δ²)
  bool yields = false;  // an element does
};

// Nearer to its circle than this an element is on it: round-off decides nothing, and a state that rests on a circle has
// the elastic tangent.
inline constexpr double kOnCircle = 1e-13;

// From the memory at the start of an increment to the strain q at its end. `after`: the new memory, or null.
template <int N>
PlasticReturn<N> plastic_return(const ParallelElements& elements, const Eigen::Matrix<double, N, 1>& q,
                                const double* memory, double* after) {
  using Vector = Eigen::Matrix<double, N, 1>;
  PlasticReturn<N> out;
  // the element of the smallest corner yields first: while it never has, none has
  if (elements.empty()) return out;
  if (memory[N] == 0 && q.squaredNorm() <= elements.corner[0] * elements.corner[0]) {
    if (after != nullptr)
      for (int k = 0; k < elements.memory(N); ++k) after[k] = memory[k];
    return out;
  }
  for (std::size_t i = 0; i < elements.share.size(); ++i) {
    const double* own = memory + i * (N + 1);
    Vector p = Eigen::Map<const Vector>(own);
    double path = own[N];
    const double w = elements.share[i];
    const double limit = elements.corner[i] + elements.growth * path;
    const Vector trial = q - p;
    const double size = trial.norm();
    if (size > limit + kOnCircle) {
      out.yields = true;
      const double hard = 1 + elements.growth;
      const double step = (size - limit) / hard;
      const Vector n = trial / size;
      p += step * n;
      path += step;
      out.spent += w * step * (limit + 0.5 * elements.growth * step);
      out.softening +=
          w * (step / size * Eigen::Matrix<double, N, N>::Identity() + (1 / hard - step / size) * n * n.transpose());
    }
    out.relief += w * p;
    out.energy += 0.5 * w * p.squaredNorm();
    if (after == nullptr) continue;
    Eigen::Map<Vector>(after + i * (N + 1)) = p;
    after[i * (N + 1) + N] = path;
  }
  out.energy -= q.dot(out.relief);
  return out;
}

// What an increment from strain q0 to q1 turned into heat: the mean stress of each element on the way of its plastic
// strain, Σ w_i ½ (s0 + s1)·Δp_i. It is never negative, since |s0| ≤ X and Δp_i is along s1, |s1| ≥ X.
template <int N>
double plastic_loss(const ParallelElements& elements, const Eigen::Matrix<double, N, 1>& q0,
                    const Eigen::Matrix<double, N, 1>& q1, const double* before, const double* after) {
  using Vector = Eigen::Matrix<double, N, 1>;
  double loss = 0;
  for (std::size_t i = 0; i < elements.share.size(); ++i) {
    if (before[i * (N + 1) + N] == after[i * (N + 1) + N]) continue;
    const Eigen::Map<const Vector> p0(before + i * (N + 1)), p1(after + i * (N + 1));
    loss += 0.5 * elements.share[i] * (q0 - p0 + q1 - p1).dot(p1 - p0);
  }
  return loss;
}

}  // namespace filum::rod
