#include "math/dense_pivot.hpp"

#include <algorithm>
#include <utility>

namespace filum::math {

namespace {

constexpr int kCapacity = kMaxBlockSize;

// Symmetric pivoted elimination of one square, in a full local copy: columns that are done hold L, the rest is the
// Schur complement, both triangles.
class BunchParlett {
 public:
  BunchParlett(const double* square, int ld, int n, const double* scale) : n_(n) {
    for (int q = 0; q < n; ++q) {
      for (int i = q; i < n; ++i) {
        w_[i][q] = w_[q][i] = square[i + std::ptrdiff_t{q} * ld];
        largest_ = std::max(largest_, std::abs(w_[i][q]));
        finite_ = finite_ && std::isfinite(w_[i][q]);
      }
      scale_[q] = std::max(scale[q], std::abs(w_[q][q]));
      order_[q] = static_cast<unsigned char>(q);
    }
    equilibrate();
  }

  bool finite() const { return finite_; }

  void run(double* inverse, double* inverse_off, Inertia& inertia) {
    for (int k = 0; k < n_;) {
      inverse_off[k] = 0;
      if (choose(k)) {
        double pivot = w_[k][k];
        const bool nil = is_nil(pivot, scale_[k]);
        if (nil) pivot = replacement(pivot, scale_[k]);
        ++(nil ? inertia.zero : pivot > 0 ? inertia.positive : inertia.negative);
        inverse[k] = 1 / pivot;
        eliminate_one(k, inverse[k]);
        k += 1;
      } else {
        // the off-diagonal dominates, so the determinant is negative: one eigenvalue of each sign
        const double a = w_[k][k], b = w_[k + 1][k], c = w_[k + 1][k + 1];
        const double determinant = a * c - b * b;
        ++inertia.positive, ++inertia.negative;
        inverse[k] = c / determinant;
        inverse[k + 1] = a / determinant;
        inverse_off[k] = -b / determinant;
        inverse_off[k + 1] = 0;
        eliminate_two(k, inverse[k], inverse_off[k], inverse[k + 1]);
        k += 2;
      }
    }
  }

  void write(double* square, int ld, unsigned char* order) const {
    for (int q = 0; q < n_; ++q) {
      order[q] = order_[q];
      for (int i = q + 1; i < n_; ++i) {
        square[i + std::ptrdiff_t{q} * ld] = square[q + std::ptrdiff_t{i} * ld] = w_[i][q];
      }
    }
  }

 private:
  // Factors s with |s_i a_ij s_j| <= 1: one over the root of the largest number in the row. The whole row, because a
  // diagonal that is only round-off (a free part hanging on a multiplier) must not be scaled up into a pivot.
  void equilibrate() {
    for (int i = 0; i < n_; ++i) {
      double size = 0;
      for (int j = 0; j < n_; ++j) size = std::max(size, std::abs(w_[i][j]));
      weight_[i] = size > 0 ? 1 / std::sqrt(size) : 1;
    }
  }

  bool is_nil(double pivot, double scale) const { return !(std::abs(pivot) > kNilPivot * scale); }

  double replacement(double pivot, double scale) const {
    const double size = scale > 0 ? scale : largest_ > 0 ? largest_ : 1;
    return std::copysign(kNilPivot * size, pivot);
  }

  // Brings the next pivot to place k (and k + 1); true for a 1x1 pivot.
  bool choose(int k) {
    int row = k, r = k, s = k;
    double diagonal = -1, off = -1;
    for (int i = k; i < n_; ++i) {
      const double size = std::abs(w_[i][i]) * weight_[i] * weight_[i];
      if (size > diagonal) diagonal = size, row = i;
      for (int j = k; j < i; ++j) {
        const double candidate = std::abs(w_[i][j]) * weight_[i] * weight_[j];
        if (candidate > off) off = candidate, r = j, s = i;
      }
    }
    // the bound that balances the growth of a 1x1 and a 2x2 step
    const double alpha = (1 + std::sqrt(17.0)) / 8;
    const bool one = diagonal >= alpha * off || is_nil(w_[s][r], std::sqrt(scale_[r] * scale_[s]));
    if (one) {
      exchange(k, row);
    } else {
      exchange(k, r);
      exchange(k + 1, s);
    }
    return one;
  }

  void exchange(int a, int b) {
    if (a == b) return;
    // rows of L move along; what stands above the columns that are done is not used any more
    for (int j = 0; j < n_; ++j) std::swap(w_[a][j], w_[b][j]);
    for (int i = 0; i < n_; ++i) std::swap(w_[i][a], w_[i][b]);
    std::swap(weight_[a], weight_[b]);
    std::swap(scale_[a], scale_[b]);
    std::swap(order_[a], order_[b]);
  }

  void eliminate_one(int k, double inverse) {
    for (int i = k + 1; i < n_; ++i) {
      const double l = w_[i][k] * inverse;
      scale_[i] = std::max(scale_[i], std::abs(l * w_[i][k]));
      for (int j = k + 1; j < n_; ++j) w_[i][j] -= l * w_[k][j];
      w_[i][k] = l;
    }
  }

  void eliminate_two(int k, double d1, double off, double d2) {
    for (int i = k + 2; i < n_; ++i) {
      const double l1 = w_[i][k] * d1 + w_[i][k + 1] * off, l2 = w_[i][k] * off + w_[i][k + 1] * d2;
      scale_[i] = std::max(scale_[i], std::abs(l1 * w_[i][k]) + std::abs(l2 * w_[i][k + 1]));
      for (int j = k + 2; j < n_; ++j) w_[i][j] -= l1 * w_[k][j] + l2 * w_[k + 1][j];
      w_[i][k] = l1;
      w_[i][k + 1] = l2;
    }
    w_[k + 1][k] = 0;
  }

  int n_;
  bool finite_ = true;
  double largest_ = 0;
  double w_[kCapacity][kCapacity], weight_[kCapacity], scale_[kCapacity];
  unsigned char order_[kCapacity];
};

}  // namespace

bool pivoted_ldlt(double* square, int ld, int n, const double* scale, double* inverse, double* inverse_off,
                  unsigned char* order, Inertia& inertia) {
  BunchParlett elimination(square, ld, n, scale);
  if (!elimination.finite()) return false;
  elimination.run(inverse, inverse_off, inertia);
  elimination.write(square, ld, order);
  return true;
}

int pivoted_lu(double* square, int ld, int n, const double* scale, double* inverse, unsigned char* order) {
  const auto at = [&](int i, int j) -> double& { return square[i + std::ptrdiff_t{j} * ld]; };
  // thresholds from the columns as they were and as they are now
  double limit[kCapacity];
  for (int q = 0; q < n; ++q) {
    double size = scale[q];
    for (int i = 0; i < n; ++i) {
      if (!std::isfinite(at(i, q))) return -1;
      size = std::max(size, std::abs(at(i, q)));
    }
    limit[q] = kNilPivot * size;
    order[q] = static_cast<unsigned char>(q);
  }
  int nil = 0;
  for (int q = 0; q < n; ++q) {
    // the largest entry of the column comes to the diagonal
    int best = q;
    for (int i = q + 1; i < n; ++i) {
      if (std::abs(at(i, q)) > std::abs(at(best, q))) best = i;
    }
    if (best != q) {
      for (int j = 0; j < n; ++j) std::swap(at(q, j), at(best, j));
      std::swap(order[q], order[best]);
    }
    double pivot = at(q, q);
    if (!(std::abs(pivot) > limit[q])) {
      pivot = std::copysign(limit[q] > 0 ? limit[q] : kNilPivot, pivot);
      ++nil;
    }
    inverse[q] = 1 / pivot;
    for (int i = q + 1; i < n; ++i) at(i, q) *= inverse[q];
    for (int j = q + 1; j < n; ++j) {
      for (int i = q + 1; i < n; ++i) at(i, j) -= at(i, q) * at(q, j);
      at(q, j) *= inverse[q];
    }
  }
  return nil;
}

}  // namespace filum::math
