// A system of a step to try things on: constraints at random on a few parts, and the same in dense matrices.
#pragma once

#include "formulations/chain/solve/schur.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <random>
#include <vector>

namespace filum::test {

using namespace filum::chain;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class SchurBench {
 public:
  explicit SchurBench(int parts) : mobility(at(parts)) {
    set.begin(parts);
    for (Mobility& each : mobility) {
      each.linear = 1 + 0.9 * number();
      Mat3 root;
      for (int k = 0; k < 9; ++k) root.data()[k] = number();
      each.angular = root * root.transpose() + 0.1 * Mat3::Identity();
    }
  }

  double number() { return std::uniform_real_distribution<double>(-1, 1)(engine_); }

  // Rows on some parts: like those of a joint, the first part against the others, and at random by a fifth. (Wholly
  // random ones, multiplied along a chain, leave nothing of sixteen digits.)
  int add(int rows, const std::vector<int>& parts, double softness, int group = 0) {
    const int index = set.add(rows, group);
    for (const int part : parts) {
      set.join(part, part != given);
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 6; ++c)
          set.incidences.back().rows(r, c) = 0.2 * number() + (r == c ? (part == parts.front() ? -1 : 1) : 0);
    }
    Constraint& constraint = set.constraints.back();
    for (int r = 0; r < rows; ++r) {
      constraint.right[r] = number();
      constraint.softness[r] = softness;
    }
    return index;
  }

  void analyse() { schur.analyse(set); }
  bool solve() { return schur.solve_all(set, mobility); }
  bool revise() { return schur.revise(set); }

  // J M⁻¹ Jᵀ + ε, all rows in the order of the constraints.
  [[nodiscard]] Matrix dense() const {
    const int rows = first_row(static_cast<int>(set.constraints.size()));
    Matrix jacobian = Matrix::Zero(rows, 6 * static_cast<int>(mobility.size()));
    Matrix inverse = Matrix::Zero(jacobian.cols(), jacobian.cols());
    for (std::size_t p = 0; p < mobility.size(); ++p) {
      if (static_cast<int>(p) == given) continue;
      const auto k = static_cast<Eigen::Index>(6 * p);
      inverse.block<3, 3>(k, k) = mobility[p].linear * Mat3::Identity();
      inverse.block<3, 3>(k + 3, k + 3) = mobility[p].angular;
    }
    for (const Incidence& incidence : set.incidences) {
      const int count = set.constraints[at(incidence.constraint)].rows;
      jacobian.block(first_row(incidence.constraint), 6 * incidence.part, count, 6) += incidence.rows.topRows(count);
    }
    Matrix result = jacobian * inverse * jacobian.transpose();
    for (std::size_t c = 0; c < set.constraints.size(); ++c)
      for (int r = 0; r < set.constraints[c].rows; ++r) {
        const int k = first_row(static_cast<int>(c)) + r;
        result(k, k) += set.constraints[c].softness[r];
      }
    return result;
  }

  [[nodiscard]] int first_row(int constraint) const {
    int row = 0;
    for (int c = 0; c < constraint; ++c) row += set.constraints[at(c)].rows;
    return row;
  }
  [[nodiscard]] Vector collect(Vec6 Constraint::*member) const {
    Vector list(first_row(static_cast<int>(set.constraints.size())));
    for (std::size_t c = 0; c < set.constraints.size(); ++c)
      for (int r = 0; r < set.constraints[c].rows; ++r)
        list[first_row(static_cast<int>(c)) + r] = (set.constraints[c].*member)[r];
    return list;
  }

  ConstraintSet set;
  Schur schur;
  std::vector<Mobility> mobility;
  int given = 0;  // the part whose motion is given

 private:
  std::mt19937 engine_{5};
};

}  // namespace filum::test
