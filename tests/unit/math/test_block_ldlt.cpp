// The symmetric block solver against dense algebra: solutions, inertia, saddle points, singular and broken input.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "block_samples.hpp"
#include "math/block_ldlt.hpp"

namespace filum::test_block_ldlt {

using namespace filum::math;
using samples::Sample;

namespace {

Inertia dense_inertia(const Eigen::MatrixXd& a) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues();
  Inertia inertia;
  for (double value : values) ++(value > 0 ? inertia.positive : inertia.negative);
  return inertia;
}

// Relative difference to the dense solution.
double error(const BlockLdlt& solver, const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = b;
  solver.solve(x.data());
  const Eigen::VectorXd reference = a.partialPivLu().solve(b);
  return (x - reference).norm() / reference.norm();
}

}  // namespace

TEST_CASE("block LDLT solves definite systems on every shape of graph, in any order") {
  std::mt19937 engine(1);
  for (const Sample& s : samples::shapes(engine)) {
    CAPTURE(s.name);
    // rows have at most a hundred or so entries of mean size 1/3: 60 makes them dominant
    const Eigen::MatrixXd a = samples::random_matrix(s, true, 60, engine);
    const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
    for (int trial = 0; trial < 5; ++trial) {
      BlockLdlt solver;
      if (trial == 0) solver.analyse(s.graph);
      if (trial > 0) solver.analyse(s.graph, samples::random_order(s.graph.blocks(), engine));
      samples::assemble(solver, s, a);
      REQUIRE(solver.factor());
      CHECK(error(solver, a, b) < 1e-13);
      CHECK(solver.inertia() == Inertia{s.graph.rows(), 0, 0});
      // a second round in the same memory
      samples::assemble(solver, s, -a);
      REQUIRE(solver.factor());
      CHECK(error(solver, -a, b) < 1e-13);
      CHECK(solver.inertia() == Inertia{0, s.graph.rows(), 0});
    }
  }
}

TEST_CASE("block LDLT counts the signs of the eigenvalues of indefinite systems") {
  std::mt19937 engine(2);
  for (int round = 0; round < 10; ++round) {
    for (const Sample& s : samples::shapes(engine)) {
      CAPTURE(s.name);
      const Eigen::MatrixXd a = samples::random_matrix(s, true, 0.3 * round, engine);
      const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
      BlockLdlt solver;
      solver.analyse(s.graph);
      samples::assemble(solver, s, a);
      REQUIRE(solver.factor());
      CHECK(solver.inertia() == dense_inertia(a));
      // pivots do not cross panels, so random blocks may grow: the condition of a leading part enters
      CHECK(error(solver, a, b) < 1e-8);
    }
  }
}

TEST_CASE("saddle points: multipliers inside the blocks of their unknowns") {
  std::mt19937 engine(3);
  for (int round = 0; round < 20; ++round) {
    // blocks of three unknowns and one multiplier that binds them to the next block, zero on the diagonal
    Sample s = samples::chain(20, 4, 1);
    Eigen::MatrixXd a = samples::random_matrix(s, true, 6, engine);
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 20; ++j) a(4 * i + 3, 4 * j + 3) = 0;
      if (i > 0) a.row(4 * i + 3).segment(4 * i - 4, 3).setZero(), a.col(4 * i + 3).segment(4 * i - 4, 3).setZero();
    }
    const Eigen::VectorXd b = samples::random_vector(80, engine);
    for (bool natural : {true, false}) {
      std::vector<int> order(20);
      std::iota(order.begin(), order.end(), 0);
      if (!natural) order = samples::random_order(20, engine);
      BlockLdlt solver;
      solver.analyse(s.graph, order);
      samples::assemble(solver, s, a);
      REQUIRE(solver.factor());
      CHECK(solver.inertia() == dense_inertia(a));
      CHECK(solver.inertia() == Inertia{60, 20, 0});
      CHECK(error(solver, a, b) < 1e-10);
    }
  }
}

TEST_CASE("saddle points: multipliers in blocks of their own, eliminated after their unknowns") {
  std::mt19937 engine(4);
  // six unknown blocks in a chain, five multiplier blocks between neighbours
  Sample s{"", BlockGraph({3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2}), {}};
  for (int i = 0; i < 5; ++i) s.connect(i, i + 1), s.connect(6 + i, i), s.connect(6 + i, i + 1);
  Eigen::MatrixXd a = samples::random_matrix(s, true, 5, engine);
  a.bottomRightCorner(10, 10).setZero();
  std::vector<int> order(11);
  std::iota(order.begin(), order.end(), 0);
  BlockLdlt solver;
  solver.analyse(s.graph, order);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  CHECK(solver.inertia() == Inertia{18, 10, 0});
  CHECK(error(solver, a, samples::random_vector(28, engine)) < 1e-12);

  // the last multiplier repeats the one before: one nil pivot, though all sizes are far from one
  s.connect(10, 3);
  s.connect(9, 5);
  a.row(18 + 9) = a.row(18 + 7);
  a.col(18 + 9) = a.col(18 + 7);
  a *= 1e-7;
  a.bottomRows(10) *= 1e9, a.rightCols(10) *= 1e9;
  solver.analyse(s.graph, order);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  CHECK(solver.inertia() == Inertia{18, 9, 1});
}

TEST_CASE("a hollow block needs 2x2 pivots") {
  const Sample s{"", BlockGraph({4}), {}};
  Eigen::MatrixXd a(4, 4);
  a << 0, 1, 0, 2, 1, 0, 3, 0, 0, 3, 0, 1, 2, 0, 1, 0;
  BlockLdlt solver;
  solver.analyse(s.graph);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  CHECK(solver.inertia() == Inertia{2, 2, 0});
  CHECK(error(solver, a, Eigen::Vector4d(1, -2, 3, 5)) < 1e-15);
}

TEST_CASE("rows of different units do not disturb solution or inertia") {
  std::mt19937 engine(5);
  for (double dominance : {0.2, 40.0}) {
    const Sample s = samples::chain(15, 4, 2);
    const Eigen::MatrixXd a = samples::random_matrix(s, true, dominance, engine);
    // units of 1e-6 to 1e6 for the unknowns of each block
    Eigen::VectorXd unit(60);
    for (int i = 0; i < 60; ++i) unit[i] = std::pow(10.0, 4 * (i % 4) - 6);
    const Eigen::MatrixXd scaled = unit.asDiagonal() * a * unit.asDiagonal();
    const Eigen::VectorXd b = samples::random_vector(60, engine);
    BlockLdlt solver;
    solver.analyse(s.graph);
    samples::assemble(solver, s, scaled);
    REQUIRE(solver.factor());
    CHECK(solver.inertia() == dense_inertia(a));
    Eigen::VectorXd x = unit.cwiseProduct(b);
    solver.solve(x.data());
    const Eigen::VectorXd reference = a.partialPivLu().solve(b);
    CHECK((unit.cwiseProduct(x) - reference).norm() < 1e-9 * reference.norm());
  }
}

TEST_CASE("a singular matrix is reported and stays finite") {
  // free chain of springs: one rigid mode
  Sample s = samples::chain(50, 1, 1);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(50, 50);
  for (int i = 0; i < 49; ++i) a(i, i) += 1, a(i + 1, i + 1) += 1, a(i, i + 1) = a(i + 1, i) = -1;
  BlockLdlt solver;
  solver.analyse(s.graph);
  samples::assemble(solver, s, a);
  REQUIRE(solver.factor());
  CHECK(solver.inertia() == Inertia{49, 0, 1});
  Eigen::VectorXd x = Eigen::VectorXd::Ones(50);
  solver.solve(x.data());
  CHECK(x.allFinite());
  // nothing at all
  solver.set_zero();
  REQUIRE(solver.factor());
  CHECK(solver.inertia() == Inertia{0, 0, 50});
  x.setOnes();
  solver.solve(x.data());
  CHECK(x.allFinite());
}

TEST_CASE("numbers that are not finite are refused wherever they stand") {
  std::mt19937 engine(6);
  const Sample s = samples::chain(10, 3, 2);
  const Eigen::MatrixXd a = samples::random_matrix(s, true, 20, engine);
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (auto [row, column] : {std::pair{0, 0}, {29, 29}, {5, 4}, {8, 0}, {29, 26}, {14, 13}}) {
      Eigen::MatrixXd broken = a;
      broken(row, column) = broken(column, row) = bad;
      BlockLdlt solver;
      solver.analyse(s.graph);
      samples::assemble(solver, s, broken);
      CHECK_FALSE(solver.factor());
    }
  }
}

TEST_CASE("a free chain that hangs on a multiplier: round-off on its diagonal is no pivot") {
  // springs of stiffness k from node to node, nothing held; the last node shares its block with the multiplier that
  // ties it to a soft spring, whose block comes first
  constexpr int kNodes = 50;
  constexpr double kStiff = 1e5, kSoft = 0.1, kScale = 1e5;
  BlockGraph graph(std::vector<int>(kNodes, 1));
  const int slave = graph.add_block(2), master = graph.add_block(1);
  std::vector<int> order;
  for (int i = 0; i < kNodes; ++i) order.push_back(i);
  order.push_back(master);
  order.push_back(slave);
  for (int i = 0; i + 1 < kNodes; ++i) graph.connect(i, i + 1);
  graph.connect(kNodes - 1, slave);
  graph.connect(slave, master);
  BlockLdlt ldlt;
  ldlt.analyse(graph, order);
  ldlt.set_zero();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(graph.rows(), graph.rows());
  const auto add = [&](int a, int r, int b, int c, double value) {
    ldlt.values()[ldlt.slot(a, b).at(r, c)] += value;
    dense(graph.first_row(a) + r, graph.first_row(b) + c) += value;
    if (a != b || r != c) dense(graph.first_row(b) + c, graph.first_row(a) + r) += value;
  };
  for (int i = 0; i < kNodes; ++i) {
    const int next = i + 1 < kNodes ? i + 1 : slave;
    // uneven, so that the elimination leaves round-off and not an exact zero
    const double stiffness = kStiff * (1.3 + std::sin(1.7 * i));
    add(i, 0, i, 0, stiffness);
    add(next, 0, next, 0, stiffness);
    add(next, 0, i, 0, -stiffness);
  }
  add(master, 0, master, 0, kSoft);
  add(slave, 1, slave, 0, kScale);
  add(slave, 1, master, 0, -kScale);

  REQUIRE(ldlt.factor());
  CHECK(ldlt.inertia() == Inertia{kNodes + 2, 1, 0});
  Eigen::VectorXd x = Eigen::VectorXd::Zero(graph.rows());
  x[0] = 1;
  const Eigen::VectorXd exact = dense.fullPivLu().solve(x);
  ldlt.solve(x.data());
  // a force on the far end stretches the soft spring: all move by 1/kSoft; the condition, 1e6, takes its digits
  CHECK((x - exact).norm() < 1e-8 * exact.norm());
}

}  // namespace filum::test_block_ldlt
