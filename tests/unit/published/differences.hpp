// Derivatives by five-point differences, to hold closed forms against.
#pragma once

#include <Eigen/Core>

#include <functional>

namespace filum::test {

// Of fourth order: with h = 1e-3 and numbers of order one, truncation and round-off are both some 1e-12.
template <int N, class Function>
Eigen::Matrix<double, N, 1> gradient_of(const Function& f, const Eigen::Matrix<double, N, 1>& x, double h = 1e-3) {
  Eigen::Matrix<double, N, 1> gradient(x.size());
  for (int i = 0; i < x.size(); ++i) {
    auto at = [&](double step) {
      Eigen::Matrix<double, N, 1> moved = x;
      moved[i] += step;
      return f(moved);
    };
    gradient[i] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return gradient;
}

// Columns are the differences of a gradient.
template <int N, class Gradient>
Eigen::Matrix<double, N, N> hessian_of(const Gradient& g, const Eigen::Matrix<double, N, 1>& x, double h = 1e-3) {
  Eigen::Matrix<double, N, N> hessian(x.size(), x.size());
  for (int i = 0; i < x.size(); ++i) {
    auto at = [&](double step) -> Eigen::Matrix<double, N, 1> {
      Eigen::Matrix<double, N, 1> moved = x;
      moved[i] += step;
      return g(moved);
    };
    hessian.col(i) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return hessian;
}

}  // namespace filum::test
