#include "bench/block_ldlt.hpp"

#include "bench/yardstick.hpp"
#include "math/block_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace filum::bench {
namespace {

constexpr int kSize = 4;   // unknowns of a node: position and twist
constexpr int kReach = 2;  // bending couples a node with the second next

// The yardstick's numbers, as blocks.
class Chain {
 public:
  explicit Chain(int nodes) : x_(std::size_t(kSize) * nodes) {
    math::BlockGraph graph(std::vector<int>(nodes, kSize));
    for (int node = 0; node < nodes; ++node)
      for (int other = node + 1; other <= std::min(node + kReach, nodes - 1); ++other) graph.connect(node, other);
    solver_.analyse(graph);
    fill(nodes);
  }

  void reset() {
    std::copy(matrix_.begin(), matrix_.end(), solver_.values());
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = std::sin(0.1 * static_cast<double>(i));
  }

  // A chain that cannot be factored leaves its right-hand side, which the hash shows.
  void run() {
    if (solver_.factor()) solver_.solve(x_.data());
  }

  [[nodiscard]] std::uint64_t hash() const { return hash_of(x_); }

 private:
  // Assembled once through the slots and kept, so that a reset is a copy.
  void fill(int nodes) {
    solver_.set_zero();
    double* const values = solver_.values();
    for (int node = 0; node < nodes; ++node)
      for (int other = node; other <= std::min(node + kReach, nodes - 1); ++other) {
        const math::Slot slot = solver_.slot(other, node);
        for (int row = 0; row < kSize; ++row)
          for (int column = 0; column < kSize; ++column) {
            const int i = kSize * node + column;
            const int d = kSize * other + row - i;
            if (d < 0 || d > Yardstick::kHalfBand) continue;
            values[slot.at(row, column)] = d == 0 ? 8.0 : -0.3 / (1 + d) * std::cos(i + 3.0 * d);
          }
      }
    // the solver replaces its values by the factor
    matrix_.assign(values, values + solver_.pattern().values());
  }

  math::BlockLdlt solver_;
  std::vector<double> matrix_;
  std::vector<double> x_;
};

}  // namespace

Bench block_ldlt_chain(int nodes) {
  // a chain is to run at banded speed: no slower than the plain banded factorisation it replaces
  return {.name = "block-ldlt-chain-" + std::to_string(nodes), .per = "node", .target = 1, .make = [nodes] {
            const auto chain = std::make_shared<Chain>(nodes);
            return Work{.reset = [chain] { chain->reset(); },
                        .run = [chain] { chain->run(); },
                        .hash = [chain] { return chain->hash(); },
                        .units = static_cast<double>(nodes)};
          }};
}

}  // namespace filum::bench
