// Bases of cubic splines (item 1 of the checklist of Theetten's splines).
#include "rod/cubic_basis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace filum::rod::test_cubic_basis {

namespace {

// Uneven knots, some of them double or triple, ends fourfold.
CubicBasis uneven() {
  return CubicBasis::b_spline(std::vector<double>{0, 0, 0, 0, 0.4, 1.1, 1.1, 2, 2.2, 2.2, 2.2, 3, 3, 3, 3});
}

std::vector<double> some_weights(int points) {
  std::vector<double> weights;
  for (int i = 0; i < points; ++i) weights.push_back(1 + 0.8 * std::sin(1.7 * i));
  return weights;
}

std::vector<CubicBasis> all_kinds() {
  const CubicBasis odd = uneven();
  return {CubicBasis::catmull_rom(9), CubicBasis::b_spline(9), odd, odd.weighted(some_weights(odd.points()))};
}

Eigen::MatrixXd some_points(int points) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(points, 3, [&] { return normal(random); });
}

Eigen::RowVectorXd curve(const CubicBasis& basis, const Eigen::MatrixXd& control, double u, int order = 0) {
  const BasisAt at = basis.at(u);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(control.cols());
  for (int i = 0; i < 4; ++i)
    sum += at.derivative[static_cast<std::size_t>(order)][static_cast<std::size_t>(i)] * control.row(at.first + i);
  return sum;
}

double share(const CubicBasis& basis, double s) {
  return basis.begin() + s * (basis.end() - basis.begin());
}

}  // namespace

TEST_CASE("cubic basis: four functions that add to one, derivatives to the third as differences have them") {
  for (const CubicBasis& basis : all_kinds()) {
    const Eigen::MatrixXd control = some_points(basis.points());
    for (double s = 0.0137; s < 1; s += 0.0711) {
      const double u = share(basis, s);
      const BasisAt at = basis.at(u);
      for (std::size_t order = 0; order < 4; ++order) {
        double sum = 0;
        for (const double value : at.derivative[order]) sum += value;
        CHECK(sum == doctest::Approx(order == 0 ? 1 : 0).epsilon(1e-12).scale(1));
      }
      const double h = 1e-5;
      for (int order = 0; order < 3; ++order) {
        const Eigen::RowVectorXd difference =
            (curve(basis, control, u + h, order) - curve(basis, control, u - h, order)) / (2 * h);
        const Eigen::RowVectorXd exact = curve(basis, control, u, order + 1);
        CHECK((difference - exact).norm() <= 1e-6 * (1 + exact.norm()));
      }
    }
  }
}

TEST_CASE("cubic basis: Catmull-Rom goes through its points, B-splines do not") {
  const Eigen::MatrixXd control = some_points(9);
  for (int i = 0; i <= 6; ++i)
    CHECK((curve(CubicBasis::catmull_rom(9), control, i) - control.row(i + 1)).norm() < 1e-14);
  CHECK((curve(CubicBasis::b_spline(9), control, 3) - control.row(4)).norm() > 0.1);
}

TEST_CASE("cubic basis: NURBS of equal weights are B-splines, others are not") {
  const CubicBasis basis = uneven();
  const CubicBasis equal = basis.weighted(std::vector<double>(static_cast<std::size_t>(basis.points()), 3.5));
  const CubicBasis other = basis.weighted(some_weights(basis.points()));
  const Eigen::MatrixXd control = some_points(basis.points());
  for (double s = 0; s <= 1; s += 0.05) {
    const double u = share(basis, s);
    for (int order = 0; order < 4; ++order)
      CHECK((curve(equal, control, u, order) - curve(basis, control, u, order)).norm() <=
            1e-12 * (1 + curve(basis, control, u, order).norm()));
  }
  CHECK((curve(other, control, 1.5) - curve(basis, control, 1.5)).norm() > 1e-2);
}

// Two cubics whose weights 1, 1/3, 1/3, 1 make a half circle; each to the last digit, which no polynomial is.
TEST_CASE("cubic basis: NURBS draw a circle exactly") {
  const CubicBasis basis = CubicBasis::b_spline({0, 0, 0, 0, 1, 1, 1, 1}).weighted({1, 1.0 / 3, 1.0 / 3, 1});
  Eigen::MatrixXd control(4, 2);
  control << 1, 0, 1, 2, -1, 2, -1, 0;
  for (double u = 0; u <= 1; u += 0.125) CHECK(curve(basis, control, u).norm() == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("cubic basis: a knot more, or the same one three times, leaves the curve as it was") {
  for (const bool weighted : {false, true}) {
    const CubicBasis old = weighted ? uneven().weighted(some_weights(uneven().points())) : uneven();
    const Eigen::MatrixXd before = some_points(old.points());
    Eigen::MatrixXd control = before;
    CubicBasis basis = old;
    for (const double knot : {0.7, 1.1, 2.6, 2.6, 2.6, 0.05}) basis = basis.insert_knot(knot, control);
    CHECK(basis.points() == old.points() + 6);
    CHECK(control.rows() == basis.points());
    double most = 0;
    for (double u = 0; u <= 3; u += 0.01)
      for (int order = 0; order < 2; ++order)
        most = std::max(most, (curve(basis, control, u, order) - curve(old, before, u, order)).norm());
    CHECK(most < 1e-12);
    // a threefold knot is a point of the curve: there it may be cut
    const BasisAt at = basis.at(2.6);
    int whole = 0;
    for (const double value : at.derivative[0]) whole += std::abs(value - 1) < 1e-12;
    CHECK(whole == 1);
  }
}

}  // namespace filum::rod::test_cubic_basis
