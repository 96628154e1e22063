// The yardstick: a plain scalar banded Cholesky, factor and solve, in microseconds per node.
//
// 2000 nodes with 4 unknowns each and half-bandwidth 10: the matrix of an elastic rod, without any cleverness. A time
// divided by this figure, taken in the same run, can be compared across machines.
#pragma once

#include <span>
#include <vector>

namespace filum::bench {

class Yardstick {
 public:
  static constexpr int kNodes = 2000;
  static constexpr int kUnknowns = 4 * kNodes;
  static constexpr int kHalfBand = 10;

  Yardstick();

  // Fills in the matrix and the right-hand side (not timed).
  void reset();
  // Factors and solves.
  void run();
  // reset() and run(): microseconds per node of the run.
  double sample();

  [[nodiscard]] std::span<const double> solution() const { return x_; }

 private:
  std::vector<double> matrix_;  // row j holds the diagonal and the kHalfBand entries below it
  std::vector<double> a_;       // its factor
  std::vector<double> x_;
};

}  // namespace filum::bench
