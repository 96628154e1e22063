// What the walls and a pushed tip ask of the nodes: c >= 0 for a wall, c = 0 for the tip, with derivatives.
#pragma once

#include "channel/beam.hpp"

#include <vector>

namespace filum::channel {

enum class RowKind { Left, Right, TipAlong, TipAcross };

struct Row {
  int node = 0;
  RowKind kind = RowKind::Left;
  double value = 0;
  Vec2 gradient = Vec2::Zero();  // by the node's position
  Eigen::Matrix2d hessian = Eigen::Matrix2d::Zero();

  [[nodiscard]] bool wall() const { return kind == RowKind::Left || kind == RowKind::Right; }
};

// A linkage in the channel. The places remember in which piece each node was, so that it is found again.
struct Configuration {
  std::vector<double> angles;
  std::vector<Vec2> nodes;
  std::vector<Place> places;
};

Configuration configure(const Passage& passage, const Beam& beam, std::vector<double> angles);
void move_to(const Passage& passage, const Beam& beam, const std::vector<double>& angles, Configuration& configuration);

// Left and right wall of nodes 1 … N in turn, then the tip's. Always the same number in the same order.
std::vector<Row> make_rows(const Passage& passage, const Beam& beam, const Configuration& configuration);

}  // namespace filum::channel
