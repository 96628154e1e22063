// Elimination orders and symbolic analysis: fill, speed of growth, slots, no allocation in the numeric phase.
#include <doctest/doctest.h>

#include <algorithm>

#include "block_samples.hpp"
#include "math/block_ldlt.hpp"
#include "math/block_lu.hpp"
#include "unit/count_allocations.hpp"

namespace filum::test_block_pattern {

using namespace filum::math;
using samples::Sample;

namespace {

std::ptrdiff_t fill(const Sample& s, std::span<const int> order) {
  return BlockPattern(s.graph, order).lower_blocks() -
         static_cast<std::ptrdiff_t>(s.graph.adjacency().index.size() / 2);
}

bool is_permutation_of_all(std::vector<int> order, int blocks) {
  std::sort(order.begin(), order.end());
  for (int i = 0; i < blocks; ++i) {
    if (order[i] != i) return false;
  }
  return static_cast<int>(order.size()) == blocks;
}

}  // namespace

TEST_CASE("connecting twice, both ways or to itself changes nothing") {
  BlockGraph graph({2, 3, 1});
  graph.connect(0, 2);
  graph.connect(2, 0);
  graph.connect(0, 2);
  graph.connect(1, 1);
  const auto adjacency = graph.adjacency();
  CHECK(adjacency.index == std::vector<int>{2, 0});
  CHECK(graph.rows() == 6);
  CHECK(graph.first_row(2) == 5);
}

TEST_CASE("minimum degree gives no fill on chains and trees and follows a chain") {
  std::mt19937 engine(1);
  const Sample band = samples::chain(1000, 4, 2);
  std::vector<int> natural(1000);
  std::iota(natural.begin(), natural.end(), 0);
  CHECK(minimum_degree_order(band.graph) == natural);
  CHECK(fill(band, natural) == 0);

  Sample tree{"", BlockGraph(samples::random_sizes(2000, engine)), {}};
  for (int i = 1; i < 2000; ++i) tree.connect(i, std::uniform_int_distribution<int>(0, i - 1)(engine));
  CHECK(fill(tree, minimum_degree_order(tree.graph)) == 0);
  // leaves to root, children have higher numbers here
  std::vector<int> order(2000);
  std::iota(order.rbegin(), order.rend(), 0);
  CHECK(fill(tree, order) == 0);
  // root first is bad, so the count can fail
  std::reverse(order.begin(), order.end());
  CHECK(fill(tree, order) > 1000);
}

TEST_CASE("rings and borders keep their fill linear") {
  const int n = 5000;
  Sample ring{"", BlockGraph(std::vector<int>(n, 4)), {}};
  for (int i = 0; i < n; ++i) ring.connect(i, (i + 1) % n), ring.connect(i, (i + 2) % n);
  const auto order = minimum_degree_order(ring.graph);
  CHECK(is_permutation_of_all(order, n));
  // the two blocks where the ring is cut are reached by all others: two more each
  CHECK(fill(ring, order) <= 2 * n);

  Sample border = samples::chain(n, 3, 1);
  for (int extra = 0; extra < 3; ++extra) {
    const int b = border.graph.add_block(2);
    for (int i = 0; i < n; ++i) border.connect(b, i);
  }
  const auto border_order = minimum_degree_order(border.graph);
  CHECK(is_permutation_of_all(border_order, n + 3));
  CHECK(fill(border, border_order) <= 3);
}

TEST_CASE("minimum degree orders every sample completely and beats a random order") {
  std::mt19937 engine(2);
  for (const Sample& s : samples::shapes(engine)) {
    CAPTURE(s.name);
    const auto order = minimum_degree_order(s.graph);
    CHECK(is_permutation_of_all(order, s.graph.blocks()));
    CHECK(order == minimum_degree_order(s.graph));
    CHECK(fill(s, order) <= fill(s, samples::random_order(s.graph.blocks(), engine)));
  }
}

TEST_CASE("slots of different blocks never overlap") {
  std::mt19937 engine(3);
  for (const Sample& s : samples::shapes(engine)) {
    BlockLdlt ldlt;
    BlockLu lu;
    ldlt.analyse(s.graph);
    lu.analyse(s.graph);
    std::vector<int> used_ldlt(ldlt.pattern().values(), 0), used_lu(2 * lu.pattern().values(), 0);
    const auto touch = [&](std::vector<int>& used, const Slot& slot, int a, int b) {
      for (int r = 0; r < s.graph.size(a); ++r) {
        for (int c = 0; c < s.graph.size(b); ++c) ++used.at(slot.at(r, c));
      }
    };
    const auto adjacency = s.graph.adjacency();
    for (int a = 0; a < s.graph.blocks(); ++a) {
      touch(used_ldlt, ldlt.slot(a, a), a, a);
      touch(used_lu, lu.slot(a, a), a, a);
      for (int b : adjacency.of(a)) {
        touch(used_lu, lu.slot(a, b), a, b);
        if (a < b) touch(used_ldlt, ldlt.slot(a, b), a, b);
        // the mirror names the same numbers
        CHECK(ldlt.slot(a, b).at(0, s.graph.size(b) - 1) == ldlt.slot(b, a).at(s.graph.size(b) - 1, 0));
      }
    }
    CHECK(*std::max_element(used_ldlt.begin(), used_ldlt.end()) == 1);
    CHECK(*std::max_element(used_lu.begin(), used_lu.end()) == 1);
  }
}

TEST_CASE("the numeric phase does not allocate") {
  std::mt19937 engine(4);
  for (const Sample& s : samples::shapes(engine)) {
    const Eigen::MatrixXd a = samples::random_matrix(s, true, 0.5, engine);
    Eigen::VectorXd x = samples::random_vector(s.graph.rows(), engine);
    BlockLdlt ldlt;
    BlockLu lu;
    ldlt.analyse(s.graph);
    lu.analyse(s.graph);
    const long before = g_allocations;
    samples::assemble(ldlt, s, a);
    samples::assemble(lu, s, a);
    const bool done = ldlt.factor() && lu.factor();
    ldlt.solve(x.data());
    lu.solve(x.data());
    const long after = g_allocations;
    CHECK(done);
    CHECK(after == before);
  }
  CHECK(g_allocations > 0);
}

TEST_CASE("a chain of 100 000 blocks solves to rounding") {
  const int n = 100000;
  const Sample s = samples::chain(n, 4, 2);
  BlockLdlt solver;
  solver.analyse(s.graph);
  // diagonal 8, neighbours a rank-full pattern of size 0.3 / distance
  const auto entry = [](int row, int column) { return -0.3 / (1 + std::abs(row - column)) * std::cos(row + column); };
  const auto value = [&](int row, int column) { return row == column ? 8.0 : entry(row, column); };
  solver.set_zero();
  std::vector<double> b(4 * n, 0.0), x(4 * n), product(4 * n, 0.0);
  for (int i = 0; i < 4 * n; ++i) x[i] = b[i] = std::sin(0.1 * i);
  const auto each = [&](auto&& f) {
    for (int i = 0; i < n; ++i) {
      for (int j = std::max(0, i - 2); j <= i; ++j) f(i, j);
    }
  };
  each([&](int i, int j) {
    const Slot slot = solver.slot(i, j);
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) solver.values()[slot.at(r, c)] = value(4 * i + r, 4 * j + c);
    }
  });
  REQUIRE(solver.factor());
  solver.solve(x.data());
  each([&](int i, int j) {
    for (int r = 4 * i; r < 4 * i + 4; ++r) {
      for (int c = 4 * j; c < 4 * j + 4; ++c) {
        product[r] += value(r, c) * x[c];
        if (i != j) product[c] += value(r, c) * x[r];
      }
    }
  });
  double residual = 0;
  for (int i = 0; i < 4 * n; ++i) residual = std::max(residual, std::abs(product[i] - b[i]));
  // well conditioned, right-hand side of size one
  CHECK(residual < 1e-14);
}

TEST_CASE("the panels of a rod lie in a chain but for its end, and are solved as any others") {
  std::mt19937 engine(7);
  const Sample s = samples::chain(12, 4, 2);
  std::vector<int> order(12);
  std::iota(order.begin(), order.end(), 0);
  const auto check = [&]<class Solver>(Solver solver, const Eigen::MatrixXd& a, double tolerance) {
    solver.analyse(s.graph, order);
    int in_chain = 0;
    for (const auto& panel : solver.pattern().panels()) in_chain += panel.in_chain ? 1 : 0;
    CHECK(in_chain == 8);  // the next two of the last four are not all as high
    samples::assemble(solver, s, a);
    const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
    Eigen::VectorXd x = b;
    REQUIRE(solver.factor_and_solve(x.data()));
    CHECK((a * x - b).norm() < tolerance * b.norm());
  };
  // round-off; without dominance rows are exchanged inside panels alone, which loses digits
  for (const auto& [diagonal, tolerance] : {std::pair{60.0, 1e-14}, std::pair{0.0, 1e-9}}) {
    check(BlockLu(), samples::random_matrix(s, false, diagonal, engine), tolerance);
    check(BlockLdlt(), samples::random_matrix(s, true, diagonal, engine), tolerance);
  }
}

TEST_CASE("chains that do not wait for each other are eliminated side by side, and others are not") {
  std::mt19937 engine(8);
  constexpr int kNodes = 40;
  const Sample rod = samples::chain(kNodes, 4, 2);
  std::vector<int> natural(kNodes);
  std::iota(natural.begin(), natural.end(), 0);
  // from both ends
  std::vector<int> ends;
  for (int node = kNodes - 1; node > 22; --node) ends.push_back(node);
  for (int node = 0; node <= 22; ++node) ends.push_back(node);
  // a block of another size in between: what comes after it waits for what came before
  std::vector<int> sizes(kNodes, 4);
  sizes[20] = 3;
  Sample interrupted{"interrupted", BlockGraph(sizes), {}};
  for (int node = 0; node < kNodes; ++node)
    for (int other = node + 1; other <= std::min(node + 2, kNodes - 1); ++other) interrupted.connect(node, other);

  const auto check = [&]<class Solver>(Solver solver, const Sample& s, std::span<const int> order, bool twins,
                                       double diagonal, double tolerance) {
    solver.analyse(s.graph, order);
    std::vector<int> met(solver.pattern().panels().size(), 0);
    int side_by_side = 0;
    for (const auto& stretch : solver.pattern().stretches())
      for (int k = 0; k < stretch.count; ++k) {
        ++met[stretch.first + k];
        if (stretch.twin < 0) continue;
        ++met[stretch.twin + k];
        ++side_by_side;
      }
    CHECK(std::all_of(met.begin(), met.end(), [](int times) { return times == 1; }));
    CHECK((side_by_side > 10) == twins);
    const Eigen::MatrixXd a = samples::random_matrix(s, std::is_same_v<Solver, BlockLdlt>, diagonal, engine);
    samples::assemble(solver, s, a);
    const Eigen::VectorXd b = samples::random_vector(s.graph.rows(), engine);
    Eigen::VectorXd x = b;
    REQUIRE(solver.factor_and_solve(x.data()));
    CHECK((a * x - b).norm() < tolerance * b.norm());
    // with the factor that is there
    Eigen::VectorXd again = b;
    solver.solve(again.data());
    CHECK(again == x);
  };
  // without dominance squares are pivoted: then one after the other
  for (const auto& [diagonal, tolerance] : {std::pair{60.0, 1e-14}, std::pair{0.0, 1e-8}}) {
    check(BlockLu(), rod, ends, true, diagonal, tolerance);
    check(BlockLdlt(), rod, ends, true, diagonal, tolerance);
    check(BlockLu(), rod, natural, false, diagonal, tolerance);
    check(BlockLu(), interrupted, natural, false, diagonal, tolerance);
    check(BlockLdlt(), interrupted, natural, false, diagonal, tolerance);
  }
}

}  // namespace filum::test_block_pattern
