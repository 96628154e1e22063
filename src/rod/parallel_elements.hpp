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
//
// Written for numbers T: a double, or several strains of one law side by side (math/lanes.hpp), each with its own memory.
#pragma once

#include "math/lane_table.hpp"

#include <Eigen/Core>

#include <array>
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

// Nearer to its circle than this an element is on it: round-off decides nothing, and a state that rests on a circle has
// the elastic tangent.
inline constexpr double kOnCircle = 1e-13;

// Memories side by side.
template <class T>
using MemoryOf = std::array<const double*, math::kLanesOf<T>>;
template <class T>
using MemoryToWriteOf = std::array<double*, math::kLanesOf<T>>;

template <class Memory>
Memory moved(Memory memory, int by) {
  for (auto& lane : memory) lane += by;
  return memory;
}

// One element at the strain q.
template <int N, class T>
struct ElementOf {
  using Vector = Eigen::Matrix<T, N, 1>;
  Vector p;                  // as it is then
  T path;                    // likewise
  T step;                    // Δ
  T size;                    // |t|
  T limit;                   // X
  Vector direction;          // n, nil in lanes where it does not
  bool has_yielded = false;  // in some lane: ever, now included
  bool yields = false;       // in some lane: now

  template <class Memory>
  ElementOf(const ParallelElements& elements, std::size_t i, const Vector& q, const Memory& memory) {
    const auto remembered = [&](int c) {
      return math::gathered<math::NumberOf, T>([&](int lane) -> const double& {
        return memory[static_cast<std::size_t>(lane)][static_cast<int>(i) * (N + 1) + c];
      });
    };
    for (int c = 0; c < N; ++c) p[c] = remembered(c);
    path = remembered(N);
    limit = elements.corner[i] + elements.growth * path;
    const Vector trial = q - p;
    using std::sqrt;
    size = sqrt(T(trial.squaredNorm()));
    const auto beyond = size > T(limit + kOnCircle);
    yields = math::any(beyond);
    has_yielded = yields || math::any(path > T(0));
    if (!yields) return;
    step = math::select(beyond, T((size - limit) / T(1 + elements.growth)), T(0));
    size = math::select(beyond, size, T(1));
    for (int c = 0; c < N; ++c) direction[c] = math::select(beyond, T(trial[c] / size), T(0));
    p += step * direction;
    path += step;
  }
};

template <int N, class T>
struct PlasticReturnOf {
  using Vector = Eigen::Matrix<T, N, 1>;
  using Matrix = Eigen::Matrix<T, N, N>;
  Vector relief = Vector::Constant(T(0));     // Σ w_i p_i
  Matrix softening = Matrix::Constant(T(0));  // its derivative by q
  T energy = T(0);                            // what is stored, less the elastic ½ |q|²
  T spent = T(0);                             // in the increment: Σ w_i (X Δ + ½ η Δ²)
  bool yields = false;                        // an element does, in some lane
};

// Whether nothing of this memory has ever yielded, and does not at q: the element of the smallest corner yields first.
template <int N, class T, class Memory>
bool rests(const ParallelElements& elements, const Eigen::Matrix<T, N, 1>& q, const Memory& memory) {
  if (elements.empty()) return true;
  for (const double* lane : memory)
    if (lane[N] != 0) return false;
  return !math::any(q.squaredNorm() > T(elements.corner[0] * elements.corner[0]));
}

// From the memory at the start of an increment to the strain q at its end.
template <int N, class T>
PlasticReturnOf<N, T> plastic_return(const ParallelElements& elements, const Eigen::Matrix<T, N, 1>& q,
                                     const MemoryOf<T>& memory) {
  PlasticReturnOf<N, T> out;
  if (rests<N, T>(elements, q, memory)) return out;
  for (std::size_t i = 0; i < elements.share.size(); ++i) {
    const ElementOf<N, T> element(elements, i, q, memory);
    // nor have those of larger corners
    if (!element.has_yielded) break;
    const double w = elements.share[i];
    if (element.yields) {
      out.yields = true;
      const double hard = 1 + elements.growth;
      const T share = element.step / element.size;
      const T along = T(1 / hard) - share;
      out.spent += w * element.step * (element.limit + 0.5 * elements.growth * element.step);
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b)
          out.softening(a, b) += w * ((a == b ? share : T(0)) + along * element.direction[a] * element.direction[b]);
    }
    out.relief += T(w) * element.p;
    out.energy += 0.5 * w * element.p.squaredNorm();
  }
  out.energy -= q.dot(out.relief);
  return out;
}

// The end of an increment from strain q0 to q1: the memory goes along. `heat`: what was turned into it, the mean stress of
// each element on the way of its plastic strain, Σ w_i ½ (s0 + s1)·Δp_i. It is never negative, since |s0| ≤ X and Δp_i is
// along s1, |s1| ≥ X.
template <class T>
struct PlasticKeptOf {
  T heat = T(0);
  bool yields = false;  // in some lane
};
template <int N, class T>
PlasticKeptOf<T> plastic_keep(const ParallelElements& elements, const Eigen::Matrix<T, N, 1>& q0,
                              const Eigen::Matrix<T, N, 1>& q1, const MemoryToWriteOf<T>& memory) {
  PlasticKeptOf<T> kept;
  if (rests<N, T>(elements, q1, memory)) return kept;
  for (std::size_t i = 0; i < elements.share.size(); ++i) {
    const ElementOf<N, T> element(elements, i, q1, memory);
    if (!element.has_yielded) break;
    if (!element.yields) continue;
    kept.yields = true;
    const Eigen::Matrix<T, N, 1> change = element.step * element.direction;
    const Eigen::Matrix<T, N, 1> stresses = q0 + q1 - T(2) * element.p + change;
    kept.heat += 0.5 * elements.share[i] * stresses.dot(change);
    const auto remember = [&](int c, const T& value) {
      math::scatter<math::NumberOf, T>(value, math::kLanesOf<T>, [&](int lane) -> double& {
        return memory[static_cast<std::size_t>(lane)][static_cast<int>(i) * (N + 1) + c];
      });
    };
    for (int c = 0; c < N; ++c) remember(c, element.p[c]);
    remember(N, element.path);
  }
  return kept;
}

}  // namespace filum::rod
