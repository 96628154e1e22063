// The unsymmetric block solver against dense algebra.
#include <doctest/doctest.h>

#include <limits>

#include "block_samples.hpp"
#include "math/block_lu.hpp"

namespace filum::test_block_lu {

using namespace filum::math;
using samples::Sample;

namespace {

double error(const BlockLu& solver, const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = b;
  solver.solve(x.data());
  const Eigen::VectorXd reference = a.partialPivLu().solve(b);
  return (x - reference).norm() / reference.norm();
}

}  // namespace

TEST_CASE("block LU solves unsymmetric systems on every shape of graph, in any order") {
  std::mt19937 engine(1);
  for (const Sample& s : samples::shapes(engine)) {
    CAPTURE(s.name);
    const Eigen::MatrixXd dominant = samples::random_matrix(s, false, 60, engine);
    const Eigen::MatrixXd wild = samples::random_matrix(s, false, 0, engine);
    const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
    for (int trial = 0; trial < 5; ++trial) {
      BlockLu solver;
      if (trial == 0) solver.analyse(s.graph);
      if (trial > 0) solver.analyse(s.graph, samples::random_order(s.graph.blocks(), engine));
      samples::assemble(solver, s, dominant);
      REQUIRE(solver.factor());
      CHECK_FALSE(solver.singular());
      CHECK(error(solver, dominant, b) < 1e-13);
      // no dominance: rows are exchanged inside panels, but not across, so leading parts may be ill-conditioned
      samples::assemble(solver, s, wild);
      REQUIRE(solver.factor());
      CHECK(error(solver, wild, b) < 1e-6);
    }
  }
}

TEST_CASE("block LU in one go is the factor and the solve, to the last bit") {
  std::mt19937 engine(4);
  for (const Sample& s : samples::shapes(engine)) {
    CAPTURE(s.name);
    // some rows of the second matrix are exchanged
    for (const double diagonal : {60.0, 0.0}) {
      const Eigen::MatrixXd a = samples::random_matrix(s, false, diagonal, engine);
      const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
      BlockLu solver;
      solver.analyse(s.graph);
      samples::assemble(solver, s, a);
      REQUIRE(solver.factor());
      Eigen::VectorXd apart = b;
      solver.solve(apart.data());
      samples::assemble(solver, s, a);
      Eigen::VectorXd together = b;
      REQUIRE(solver.factor_and_solve(together.data()));
      CHECK(apart == together);
    }
  }
}

TEST_CASE("block LU keeps its digits in definite blocks that are far from dominated by their diagonals") {
  std::mt19937 engine(5);
  // a stiff direction askew to the axes, as of a rod's tension, and a little that is not symmetric
  const Sample s = samples::chain(20, 4, 1);
  Eigen::MatrixXd a = 0.01 * samples::random_matrix(s, false, 0, engine);
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector4d t = Eigen::Vector4d(0.02, 1, -0.3, 0.1).normalized();
    a.block<4, 4>(4 * i, 4 * i) += 1e4 * t * t.transpose() + Eigen::Matrix4d::Identity();
  }
  BlockLu solver;
  solver.analyse(s.graph);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  // the condition is 1e4
  CHECK(error(solver, a, samples::random_vector(80, engine)) < 1e-11);
}

TEST_CASE("block LU exchanges rows inside a block") {
  std::mt19937 engine(2);
  // every diagonal entry is zero, the block itself is a permutation
  const Sample s = samples::chain(20, 3, 1);
  Eigen::MatrixXd a = 0.1 * samples::random_matrix(s, false, 0, engine);
  for (int i = 0; i < 20; ++i) {
    a.block<3, 3>(3 * i, 3 * i) << 0, 2, 0, 0, 0, -1, 3, 0, 0;
  }
  BlockLu solver;
  solver.analyse(s.graph);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  CHECK_FALSE(solver.singular());
  CHECK(error(solver, a, samples::random_vector(60, engine)) < 1e-14);
}

TEST_CASE("block LU reports singular and broken matrices") {
  Sample s = samples::chain(30, 2, 1);
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(60, 60);
  a.row(17).setZero();
  BlockLu solver;
  solver.analyse(s.graph);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  CHECK(solver.singular());
  Eigen::VectorXd x = Eigen::VectorXd::Ones(60);
  solver.solve(x.data());
  CHECK(x.allFinite());

  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (auto [row, column] : {std::pair{0, 0}, {0, 2}, {59, 59}, {34, 33}, {33, 35}}) {
      std::mt19937 engine(3);
      Eigen::MatrixXd broken = samples::random_matrix(s, false, 9, engine);
      broken(row, column) = bad;
      samples::assemble(solver, s, broken);
      CHECK_FALSE(solver.factor());
    }
  }
}

}  // namespace filum::test_block_lu
