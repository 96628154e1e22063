// Kept plain on purpose: no blocking, no vector code by hand. Compiled with -O3 in every build type
// (bench/CMakeLists.txt).
#include "bench/yardstick.hpp"

#include "bench/processor_time.hpp"

#include <algorithm>
#include <cmath>

namespace filum::bench {

namespace {

constexpr int kN = Yardstick::kUnknowns;
constexpr int kB = Yardstick::kHalfBand;
constexpr int kRow = kB + 1;

}  // namespace

Yardstick::Yardstick() : matrix_(std::size_t{kN} * kRow), a_(matrix_.size()), x_(kN) {
  // diagonally dominant, so that the factor exists: 8 against twice the sum of the band
  for (int i = 0; i < kN; ++i)
    for (int d = 0; d <= kB; ++d) matrix_[i * kRow + d] = d ? -0.3 / (1 + d) * std::cos(i + 3.0 * d) : 8.0;
}

void Yardstick::reset() {
  a_ = matrix_;
  for (int i = 0; i < kN; ++i) x_[i] = std::sin(0.1 * i);
}

void Yardstick::run() {
  double* const a = a_.data();
  double* const x = x_.data();

  // factor, column by column
  for (int j = 0; j < kN; ++j) {
    double* column = &a[j * kRow];
    const double pivot = std::sqrt(column[0]);
    const int m = std::min(kB, kN - 1 - j);
    column[0] = pivot;
    for (int d = 1; d <= m; ++d) column[d] /= pivot;
    for (int d = 1; d <= m; ++d) {
      double* other = &a[(j + d) * kRow];
      for (int e = d; e <= m; ++e) other[e - d] -= column[d] * column[e];
    }
  }

  // forward
  for (int j = 0; j < kN; ++j) {
    x[j] /= a[j * kRow];
    const int m = std::min(kB, kN - 1 - j);
    for (int d = 1; d <= m; ++d) x[j + d] -= a[j * kRow + d] * x[j];
  }

  // backward
  for (int j = kN - 1; j >= 0; --j) {
    const int m = std::min(kB, kN - 1 - j);
    double sum = x[j];
    for (int d = 1; d <= m; ++d) sum -= a[j * kRow + d] * x[j + d];
    x[j] = sum / a[j * kRow];
  }
}

double Yardstick::sample() {
  reset();
  return processor_microseconds_of([this] { run(); }) / kNodes;
}

}  // namespace filum::bench
