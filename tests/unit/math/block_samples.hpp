// Block graphs and random matrices over them, with a dense copy to compare with.
#pragma once

#include <Eigen/Dense>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "math/block_graph.hpp"

namespace filum::math::samples {

struct Sample {
  std::string name;
  BlockGraph graph;
  std::vector<std::pair<int, int>> edges;

  void connect(int a, int b) {
    graph.connect(a, b);
    edges.emplace_back(a, b);
  }
};

inline Sample chain(int blocks, int size, int reach) {
  Sample s{"chain of " + std::to_string(blocks) + " x " + std::to_string(size),
           BlockGraph(std::vector<int>(blocks, size)),
           {}};
  for (int i = 0; i < blocks; ++i) {
    for (int k = 1; k <= reach && i + k < blocks; ++k) s.connect(i, i + k);
  }
  return s;
}

inline std::vector<int> random_sizes(int blocks, std::mt19937& engine) {
  std::vector<int> sizes(blocks);
  for (int& size : sizes) size = std::uniform_int_distribution<int>(1, 7)(engine);
  return sizes;
}

// Chain, ring, tree, tree with loops, chain with a border, random sparse: all with blocks of 1 to 7 rows.
inline std::vector<Sample> shapes(std::mt19937& engine) {
  const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); };
  const auto blank = [&](const char* name, int n) { return Sample{name, BlockGraph(random_sizes(n, engine)), {}}; };
  std::vector<Sample> all;
  all.push_back(blank("chain", 30));
  for (int i = 0; i + 1 < 30; ++i) all.back().connect(i, i + 1);
  all.push_back(blank("ring", 25));
  for (int i = 0; i < 25; ++i) all.back().connect(i, (i + 1) % 25), all.back().connect(i, (i + 2) % 25);
  all.push_back(blank("tree", 40));
  for (int i = 1; i < 40; ++i) all.back().connect(i, pick(i));
  all.push_back(blank("tree with loops", 40));
  for (int i = 1; i < 40; ++i) all.back().connect(i, pick(i));
  for (int i = 0; i < 8; ++i) all.back().connect(pick(40), pick(40));
  all.push_back(blank("chain and border", 30));
  for (int i = 1; i + 1 < 30; ++i) all.back().connect(i, i + 1), all.back().connect(0, i);
  all.push_back(blank("random sparse", 60));
  for (int i = 0; i < 110; ++i) all.back().connect(pick(60), pick(60));
  all.push_back(blank("no edges", 3));
  all.push_back(blank("one block", 1));
  for (int size : {1, 3, 4, 6, 7, 16}) all.push_back(chain(12, size, 2));
  return all;
}

// A random matrix over the graph; symmetric if asked for; `dominance` is added to the diagonal.
inline Eigen::MatrixXd random_matrix(const Sample& s, bool symmetric, double dominance, std::mt19937& engine) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(s.graph.rows(), s.graph.rows());
  const auto fill = [&](int p, int q) {
    for (int r = 0; r < s.graph.size(p); ++r) {
      for (int c = 0; c < s.graph.size(q); ++c) a(s.graph.first_row(p) + r, s.graph.first_row(q) + c) = entry(engine);
    }
  };
  for (int b = 0; b < s.graph.blocks(); ++b) fill(b, b);
  for (auto [p, q] : s.edges) fill(p, q), fill(q, p);
  if (symmetric) a = (0.5 * (a + a.transpose())).eval();
  a.diagonal().array() += dominance;
  return a;
}

// Writes the dense matrix into the solver's slots.
template <typename Solver>
void assemble(Solver& solver, const Sample& s, const Eigen::MatrixXd& a) {
  solver.set_zero();
  const auto put = [&](int p, int q) {
    const auto slot = solver.slot(p, q);
    for (int r = 0; r < s.graph.size(p); ++r) {
      for (int c = 0; c < s.graph.size(q); ++c) {
        solver.values()[slot.at(r, c)] = a(s.graph.first_row(p) + r, s.graph.first_row(q) + c);
      }
    }
  };
  for (int b = 0; b < s.graph.blocks(); ++b) put(b, b);
  for (auto [p, q] : s.edges) put(p, q), put(q, p);
}

inline std::vector<int> random_order(int blocks, std::mt19937& engine) {
  std::vector<int> order(blocks);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), engine);
  return order;
}

inline Eigen::VectorXd random_vector(int rows, std::mt19937& engine) {
  std::uniform_real_distribution<double> entry(-1, 1);
  return Eigen::VectorXd::NullaryExpr(rows, [&] { return entry(engine); });
}

}  // namespace filum::math::samples
