// The system of a step against the same in dense matrices, down to rigid, redundant and bounded rows.
#include "formulations/chain/schur.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>

#include <random>

using namespace filum;
using namespace filum::chain;

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class Bench {
 public:
  explicit Bench(int parts) : mobility(at(parts)) {
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
  int add(int rows, const std::vector<int>& parts, double softness) {
    const int index = static_cast<int>(schur.constraints.size());
    Constraint constraint;
    constraint.rows = rows;
    constraint.first = static_cast<int>(schur.incidences.size());
    for (const int part : parts) {
      Incidence incidence{index, part, part != given, Mat6::Zero()};
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 6; ++c)
          incidence.rows(r, c) = 0.2 * number() + (r == c ? (part == parts.front() ? -1 : 1) : 0);
      schur.incidences.push_back(incidence);
    }
    constraint.last = static_cast<int>(schur.incidences.size());
    for (int r = 0; r < rows; ++r) {
      constraint.right[r] = number();
      constraint.softness[r] = softness;
    }
    schur.constraints.push_back(constraint);
    return index;
  }

  // J M⁻¹ Jᵀ + ε, all rows in the order of the constraints.
  [[nodiscard]] Matrix dense() const {
    const int rows = first_row(static_cast<int>(schur.constraints.size()));
    Matrix jacobian = Matrix::Zero(rows, 6 * static_cast<int>(mobility.size()));
    Matrix inverse = Matrix::Zero(jacobian.cols(), jacobian.cols());
    for (std::size_t p = 0; p < mobility.size(); ++p) {
      if (static_cast<int>(p) == given) continue;
      const auto k = static_cast<Eigen::Index>(6 * p);
      inverse.block<3, 3>(k, k) = mobility[p].linear * Mat3::Identity();
      inverse.block<3, 3>(k + 3, k + 3) = mobility[p].angular;
    }
    for (const Incidence& incidence : schur.incidences) {
      const int count = schur.constraints[at(incidence.constraint)].rows;
      jacobian.block(first_row(incidence.constraint), 6 * incidence.part, count, 6) += incidence.rows.topRows(count);
    }
    Matrix result = jacobian * inverse * jacobian.transpose();
    for (std::size_t c = 0; c < schur.constraints.size(); ++c)
      for (int r = 0; r < schur.constraints[c].rows; ++r) {
        const int k = first_row(static_cast<int>(c)) + r;
        result(k, k) += schur.constraints[c].softness[r];
      }
    return result;
  }

  [[nodiscard]] int first_row(int constraint) const {
    int row = 0;
    for (int c = 0; c < constraint; ++c) row += schur.constraints[at(c)].rows;
    return row;
  }
  [[nodiscard]] Vector collect(Vec6 Constraint::*member) const {
    Vector list(first_row(static_cast<int>(schur.constraints.size())));
    for (std::size_t c = 0; c < schur.constraints.size(); ++c)
      for (int r = 0; r < schur.constraints[c].rows; ++r)
        list[first_row(static_cast<int>(c)) + r] = (schur.constraints[c].*member)[r];
    return list;
  }

  void check_against_dense() {
    schur.analyse(static_cast<int>(mobility.size()));
    REQUIRE(schur.solve(mobility));
    const Vector expected = dense().partialPivLu().solve(collect(&Constraint::right));
    CHECK((collect(&Constraint::impulse) - expected).norm() < 1e-10 * expected.norm());
    // what the impulses do to the velocities answers every row
    Vector answer = collect(&Constraint::softness).cwiseProduct(collect(&Constraint::impulse));
    for (const Incidence& incidence : schur.incidences) {
      const int count = schur.constraints[at(incidence.constraint)].rows;
      if (incidence.moves)
        answer.segment(first_row(incidence.constraint), count) +=
            incidence.rows.topRows(count) * schur.change(incidence.part);
    }
    CHECK((answer - collect(&Constraint::right)).norm() < 1e-9 * answer.norm());
  }

  Schur schur;
  std::vector<Mobility> mobility;
  int given = 0;  // the part whose motion is given

 private:
  std::mt19937 engine_{5};
};

Bench chain_of(int joints, double softness) {
  Bench bench(joints + 1);
  for (int k = 0; k < joints; ++k) bench.add(6, {k, k + 1}, softness);
  return bench;
}

}  // namespace

TEST_CASE("a chain's impulses are those of a dense solve, soft and rigid") {
  for (const double softness : {0.3, 1e-6, 0.0}) {
    CAPTURE(softness);
    // every part but the held one has six freedoms: six rows a joint leave rigid rows independent
    chain_of(20, softness).check_against_dense();
  }
}

TEST_CASE("graphs with branches, loops and rows over many parts are solved alike") {
  Bench bench(12);
  for (int k = 0; k < 8; ++k) bench.add(k % 3 == 0 ? 3 : 6, {k, k + 1}, 0.2);
  bench.add(6, {3, 9}, 0.1);      // a branch
  bench.add(3, {9, 10}, 0);       //
  bench.add(3, {8, 1}, 0.01);     // a loop
  bench.add(1, {0, 4, 11}, 0);    // a rope
  bench.add(1, {11, 5, 5}, 0.4);  // one that passes the same part twice
  bench.check_against_dense();
}

TEST_CASE("rows that depend on others are noticed, and the rest is answered") {
  Bench bench = chain_of(4, 0);
  // the same joint once more
  Constraint twin = bench.schur.constraints[2];
  const int first = static_cast<int>(bench.schur.incidences.size());
  for (int i = twin.first; i < twin.last; ++i) {
    Incidence copy = bench.schur.incidences[at(i)];
    copy.constraint = 4;
    bench.schur.incidences.push_back(copy);
  }
  twin.first = first;
  twin.last = first + 2;
  bench.schur.constraints.push_back(twin);
  bench.schur.analyse(5);
  REQUIRE(bench.schur.solve(bench.mobility));
  CHECK(bench.schur.redundant() == 6);
  const Vector answer = bench.dense() * bench.collect(&Constraint::impulse);
  // half of the digits: a pivot counts as zero there
  CHECK((answer - bench.collect(&Constraint::right)).norm() < 1e-7 * answer.norm());
}

TEST_CASE("bounded rows end between their bounds or on them, each on the right side") {
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(trial);
    Bench bench(12);
    for (int k = 0; k < trial; ++k) bench.number();
    for (int k = 0; k < 8; ++k) bench.add(6, {k, k + 1}, 0.5);
    std::vector<int> bounded;
    for (int k = 0; k < 4; ++k) {
      bounded.push_back(bench.add(1, {2 * k + 1, 9, 10}, 0.05));
      Constraint& row = bench.schur.constraints[at(bounded.back())];
      row.lowest = k % 2 == 0 ? -std::numeric_limits<double>::infinity() : -0.2;
      row.highest = k % 2 == 0 ? 0 : 0.1;
      row.right[0] *= 5;
    }
    bench.schur.analyse(12);
    int rounds = 0;
    do REQUIRE(bench.schur.solve(bench.mobility));
    while (bench.schur.revise() && ++rounds < 20);
    REQUIRE(rounds < 20);

    const Vector impulse = bench.collect(&Constraint::impulse);
    const Vector missing = bench.collect(&Constraint::right) - bench.dense() * impulse;
    for (std::size_t c = 0; c < bench.schur.constraints.size(); ++c) {
      const Constraint& row = bench.schur.constraints[c];
      const int k = bench.first_row(static_cast<int>(c));
      for (int r = 0; r < row.rows; ++r)
        if (row.bound == Bound::Free) CHECK(std::abs(missing[k + r]) < 1e-9);
      if (row.bound == Bound::High) CHECK((impulse[k] == row.highest && missing[k] >= 0));
      if (row.bound == Bound::Low) CHECK((impulse[k] == row.lowest && missing[k] <= 0));
      if (row.rows == 1) CHECK((impulse[k] >= row.lowest && impulse[k] <= row.highest));
    }
  }
}
