#include "math/eliminate.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace filum::math {

bool eliminate(std::span<double> matrix, std::span<double> right) {
  const std::size_t count = right.size();
  auto a = [&](std::size_t i, std::size_t j) -> double& { return matrix[i + j * count]; };
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < count; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    if (!(std::abs(a(pivot, k)) > 0) || !std::isfinite(a(pivot, k))) return false;
    if (pivot != k) {
      for (std::size_t j = k; j < count; ++j) std::swap(a(k, j), a(pivot, j));
      std::swap(right[k], right[pivot]);
    }
    for (std::size_t i = k + 1; i < count; ++i) {
      const double share = a(i, k) / a(k, k);
      for (std::size_t j = k + 1; j < count; ++j) a(i, j) -= share * a(k, j);
      right[i] -= share * right[k];
    }
  }
  for (std::size_t k = count; k-- > 0;) {
    for (std::size_t j = k + 1; j < count; ++j) right[k] -= a(k, j) * right[j];
    right[k] /= a(k, k);
  }
  return true;
}

}  // namespace filum::math
