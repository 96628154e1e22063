#include "rod/cubic_basis.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::rod {
namespace {

// Of a polynomial c0 + c1 t + c2 t² + c3 t³ the value and three derivatives.
std::array<double, 4> of_cubic(const std::array<double, 4>& c, double t) {
  return {c[0] + t * (c[1] + t * (c[2] + t * c[3])), c[1] + t * (2 * c[2] + 3 * t * c[3]), 2 * c[2] + 6 * t * c[3],
          6 * c[3]};
}

// Tangents at a point are half the way between its neighbours.
BasisAt catmull_rom_at(int points, double u) {
  BasisAt basis;
  basis.first = std::clamp(static_cast<int>(std::floor(u)), 0, points - 4);
  constexpr std::array<std::array<double, 4>, 4> kCubic = {
      {{0, -0.5, 1, -0.5}, {1, 0, -2.5, 1.5}, {0, 0.5, 2, -1.5}, {0, 0, -0.5, 0.5}}};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = of_cubic(kCubic[i], u - basis.first);
    for (std::size_t order = 0; order < 4; ++order) basis.derivative[order][i] = value[order];
  }
  return basis;
}

// A B-spline and its derivatives from those of one degree less [Cox, de Boor]:
//   N_{i,p} = (u − t_i)/(t_{i+p} − t_i) N_{i,p−1} + (t_{i+p+1} − u)/(t_{i+p+1} − t_{i+1}) N_{i+1,p−1},
//   N_{i,p}^(k) = p (N_{i,p−1}^(k−1)/(t_{i+p} − t_i) − N_{i+1,p−1}^(k−1)/(t_{i+p+1} − t_{i+1})),  0/0 = 0.
BasisAt b_spline_at(const std::vector<double>& t, int span, double u) {
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  // [function from span − p on][order], of the degree p at hand
  std::array<std::array<double, 4>, 4> n{};
  n[0][0] = 1;
  for (int p = 1; p <= 3; ++p) {
    std::array<std::array<double, 4>, 4> next{};
    for (int j = 0; j <= p; ++j) {
      const int i = span - p + j;
      const double left = t[at(i + p)] - t[at(i)];
      const double right = t[at(i + p + 1)] - t[at(i + 1)];
      // in the last degree's numbering function i is j − 1, and i + 1 is j
      const std::array<double, 4> none{};
      const auto& low = j > 0 ? n[at(j - 1)] : none;
      const auto& high = j < p ? n[at(j)] : none;
      next[at(j)][0] = share((u - t[at(i)]) * low[0], left) + share((t[at(i + p + 1)] - u) * high[0], right);
      for (std::size_t k = 1; k < 4; ++k) next[at(j)][k] = p * (share(low[k - 1], left) - share(high[k - 1], right));
    }
    n = next;
  }
  BasisAt basis;
  basis.first = span - 3;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t order = 0; order < 4; ++order) basis.derivative[order][i] = n[i][order];
  return basis;
}

}  // namespace

// R_i = w_i N_i/W, W = Σ w N; of w_i N_i = R_i W the derivatives give those of R one after the other.
void make_rational(BasisAt& basis, const std::vector<double>& weights) {
  std::array<double, 4> sum{};
  for (std::size_t order = 0; order < 4; ++order)
    for (std::size_t i = 0; i < 4; ++i) {
      basis.derivative[order][i] *= weights[at(basis.first) + i];
      sum[order] += basis.derivative[order][i];
    }
  constexpr double kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  for (std::size_t order = 0; order < 4; ++order)
    for (std::size_t i = 0; i < 4; ++i) {
      double& value = basis.derivative[order][i];
      for (std::size_t k = 1; k <= order; ++k) value -= kBinomial[order][k] * sum[k] * basis.derivative[order - k][i];
      value /= sum[0];
    }
}

CubicBasis CubicBasis::catmull_rom(int points) {
  CubicBasis basis;
  basis.points_ = points;
  return basis;
}

CubicBasis CubicBasis::b_spline(int points) {
  std::vector<double> knots;
  for (int i = 0; i < points + 4; ++i) knots.push_back(i - 3);
  return b_spline(std::move(knots));
}

CubicBasis CubicBasis::b_spline(std::vector<double> knots) {
  CubicBasis basis;
  basis.points_ = static_cast<int>(knots.size()) - 4;
  basis.knots_ = std::move(knots);
  return basis;
}

CubicBasis CubicBasis::clamped(int points) {
  std::vector<double> knots;
  for (int i = 0; i < points + 4; ++i) knots.push_back(std::clamp(i - 3, 0, points - 3));
  return b_spline(std::move(knots));
}

CubicBasis CubicBasis::weighted(std::vector<double> weights) const {
  CubicBasis basis = *this;
  basis.weights_ = std::move(weights);
  return basis;
}

double CubicBasis::begin() const {
  return knots_.empty() ? 0 : knots_[3];
}

double CubicBasis::end() const {
  return knots_.empty() ? points_ - 3 : knots_[filum::at(points_)];
}

std::vector<double> CubicBasis::breaks() const {
  std::vector<double> breaks = {begin()};
  for (int i = 1; knots_.empty() && i <= points_ - 3; ++i) breaks.push_back(i);
  for (const double knot : knots_)
    if (knot > breaks.back() && knot <= end()) breaks.push_back(knot);
  return breaks;
}

int CubicBasis::span_of(double u) const {
  // the last that begins at or before u and is not empty
  const auto last = std::upper_bound(knots_.begin() + 3, knots_.begin() + points_, u);
  int span = static_cast<int>(last - knots_.begin()) - 1;
  while (span > 3 && knots_[filum::at(span)] == knots_[filum::at(span + 1)]) --span;
  return std::max(span, 3);
}

BasisAt CubicBasis::at(double u) const {
  if (knots_.empty()) return catmull_rom_at(points_, u);
  BasisAt basis = b_spline_at(knots_, span_of(u), u);
  if (!weights_.empty()) make_rational(basis, weights_);
  return basis;
}

// New points lie between two old ones each: P'_i = a_i P_i + (1 − a_i) P_{i−1}, a_i = (u − t_i)/(t_{i+3} − t_i) for the
// three points before the span [Boehm]. With weights that holds for (w P, w).
CubicBasis CubicBasis::insert_knot(double u, Eigen::MatrixXd& control) const {
  const int span = span_of(u);
  const Eigen::Index columns = control.cols();
  Eigen::MatrixXd old(control.rows(), columns + 1);
  old << control, Eigen::VectorXd::Ones(control.rows());
  for (int i = 0; !weights_.empty() && i < old.rows(); ++i) old.row(i) *= weights_[filum::at(i)];
  Eigen::MatrixXd made(old.rows() + 1, columns + 1);
  for (int i = 0; i < made.rows(); ++i) {
    const double share = i <= span - 3 ? 1
                         : i > span    ? 0
                                       : (u - knots_[filum::at(i)]) / (knots_[filum::at(i + 3)] - knots_[filum::at(i)]);
    made.row(i).setZero();
    if (share > 0) made.row(i) += share * old.row(i);
    if (share < 1) made.row(i) += (1 - share) * old.row(i - 1);
  }
  CubicBasis basis = *this;
  basis.points_ += 1;
  basis.knots_.insert(basis.knots_.begin() + span + 1, u);
  basis.weights_.clear();
  for (int i = 0; !weights_.empty() && i < made.rows(); ++i) {
    basis.weights_.push_back(made(i, columns));
    made.row(i) /= made(i, columns);
  }
  control = made.leftCols(columns);
  return basis;
}

}  // namespace filum::rod
