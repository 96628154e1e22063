#include "math/panel_kernels.hpp"

namespace filum::math::panel {

void permute(double* z, int n, const unsigned char* order) {
  double old[kMaxBlockSize];
  for (int q = 0; q < n; ++q) old[q] = z[q];
  for (int q = 0; q < n; ++q) z[q] = old[order[q]];
}

void permute_back(double* z, int n, const unsigned char* order) {
  double old[kMaxBlockSize];
  for (int q = 0; q < n; ++q) old[q] = z[q];
  for (int q = 0; q < n; ++q) z[order[q]] = old[q];
}

void permute_columns(double* below, int ld, int rows, int n, const unsigned char* order) {
  double row[kMaxBlockSize];
  for (int i = 0; i < rows; ++i) {
    for (int q = 0; q < n; ++q) row[q] = below[i + std::ptrdiff_t{order[q]} * ld];
    for (int q = 0; q < n; ++q) below[i + std::ptrdiff_t{q} * ld] = row[q];
  }
}

}  // namespace filum::math::panel
