// What a wall or a pushed tip asks of one node: c >= 0 for a wall, c = 0 for the tip, with derivatives.
#pragma once

#include "base/index.hpp"

#include <Eigen/Core>

#include <vector>

namespace filum::channel {

enum class RowKind { Left, Right, Wall, TipAlong, TipAcross };

template <class VectorType>
struct RowIn {
  using Vector = VectorType;
  using Matrix = Eigen::Matrix<double, Vector::RowsAtCompileTime, Vector::RowsAtCompileTime>;

  int node = 0;
  RowKind kind = RowKind::Wall;
  double value = 0;                     // c
  Vector gradient = Vector::Zero();     // of c by the node's position
  Matrix hessian = Matrix::Zero();
  Vector push = Vector::Zero();  // force on the node per unit of the multiplier: the gradient, and friction square to it
  Matrix turn = Matrix::Zero();  // of `push` by the node's position
  double give = 0;               // how far the wall gives per force; 0: rigid

  [[nodiscard]] bool wall() const { return kind != RowKind::TipAlong && kind != RowKind::TipAcross; }
};

// What a pushed tip is held by.
template <class Row>
Row tip_row(int node, RowKind kind, double value, const typename Row::Vector& gradient,
            const typename Row::Matrix& hessian) {
  Row row;
  row.node = node;
  row.kind = kind;
  row.value = value;
  row.gradient = row.push = gradient;
  row.hessian = row.turn = hessian;
  return row;
}

// Forces on the nodes by rows, without the dead load.
template <class Row>
std::vector<typename Row::Vector> node_forces(int nodes, const std::vector<Row>& rows,
                                              const std::vector<double>& force) {
  using Vector = typename Row::Vector;
  std::vector<Vector> forces(at(nodes), Vector(Vector::Zero()));
  for (std::size_t r = 0; r < rows.size(); ++r) forces[at(rows[r].node)] += force[r] * rows[r].push;
  return forces;
}

}  // namespace filum::channel
