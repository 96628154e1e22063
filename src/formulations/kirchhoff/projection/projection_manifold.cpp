#include "formulations/kirchhoff/projection/projection_manifold.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

constexpr int kMostIterations = 50;
// After more iterations than this the way was long and the multipliers are measured again.
constexpr int kFewIterations = 3;
// Largest relative error of an edge's length, and of a tie as a share of the model's size.
constexpr double kStretchTolerance = 1e-10;
// Edges whose row is left out are only looked at: held points know their distance no better.
constexpr double kHeldTolerance = 1e-6;
// A pivot below this share of its diagonal is round-off: its row depends on those before.
constexpr double kRedundant = 1e-13;

}  // namespace

Manifold::Manifold(const ModelData& model) : model_(model) {
  for (int node = 0; node < model.nodes; ++node) {
    Vec3 inverse = Vec3::Constant(1 / model.node_mass[at(node)]);
    for (int axis = 0; axis < 3; ++axis)
      if (at(node) < model.position_hold.size() && model.position_hold[at(node)][at(axis)] >= 0) inverse[axis] = 0;
    inverse_mass_.push_back(inverse);
  }
  for (const Rotor& rotor : model.rotors) {
    const bool turns = rotor.body >= 0 && rotor.inertia.determinant() > 0;
    inverse_inertia_.push_back(turns ? Mat3(rotor.inertia.inverse()) : Mat3::Zero());
  }
  turned_inverse_.resize(model.rotors.size());
  for (const Edge& edge : model.edges)
    dropped_.push_back(inverse_mass_[at(edge.a)].isZero(0) && inverse_mass_[at(edge.b)].isZero(0) ? 1 : 0);
  for (const RodRange& range : model.rods) {
    matrix_.emplace_back();
    matrix_.back().resize(at(range.mesh.edges()), range.mesh.closed);
  }
  gradient_.assign(model.edges.size(), Vec3::Zero());
  multiplier_.assign(model.edges.size(), 0);
  edge_pull_.assign(model.edges.size(), 0);
  push_.assign(at(model.nodes), Vec3::Zero());
  rotor_impulse_.assign(model.rotors.size(), Vec3::Zero());
  tie_pull_.assign(model.ties.size(), Vec3::Zero());
  tied_.assign(model.rods.size(), 0);
  find_borders();
}

// Which edges end at the node of each tie. An edge between two nodes of one body keeps its length anyhow.
void Manifold::find_borders() {
  border_.resize(model_.ties.size());
  std::vector<int> body_of(at(model_.nodes), -1);
  for (const Tie& tie : model_.ties) body_of[at(tie.slave)] = tie.master;
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const Edge& edge = model_.edges[j];
    if (body_of[at(edge.a)] >= 0 && body_of[at(edge.a)] == body_of[at(edge.b)]) dropped_[j] = 1;
    for (std::size_t k = 0; k < model_.ties.size(); ++k) {
      const int slave = model_.ties[k].slave;
      if (edge.a != slave && edge.b != slave) continue;
      Border& border = border_[k];
      const int place = border.edge[0] < 0 ? 0 : 1;
      border.rod = edge.rod;
      border.edge[place] = static_cast<int>(j) - model_.rods[at(edge.rod)].first_edge;
      border.sign[place] = edge.b == slave ? 1 : -1;
      tied_[at(edge.rod)] = 1;
      any_tied_ = true;
    }
  }
  for (Border& border : border_)
    for (auto& column : border.column) column.resize(at(model_.rods[at(border.rod)].mesh.edges()));
  dense_.assign(9 * border_.size() * border_.size(), 0);
  border_multiplier_.assign(3 * border_.size(), 0);
}

Manifold::Outcome Manifold::project(std::vector<Vec3>& position, std::vector<Mat3>& rotor) {
  for (Vec3& push : push_) push.setZero();
  for (Vec3& impulse : rotor_impulse_) impulse.setZero();
  for (double& pull : edge_pull_) pull = 0;
  for (Vec3& pull : tie_pull_) pull.setZero();

  Outcome all{true, 0, 0};
  auto take = [&](const Outcome& one) {
    all.converged = all.converged && one.converged;
    all.iterations = std::max(all.iterations, one.iterations);
    all.stretch = std::max(all.stretch, one.stretch);
  };
  for (std::size_t r = 0; r < model_.rods.size(); ++r)
    if (tied_[r] == 0) take(project_rod(static_cast<int>(r), position));
  if (any_tied_) take(project_tied(position, rotor));
  return all;
}

// Gradients, right-hand side and matrix of a rod's edges. Returns the largest error of a length.
double Manifold::measure(int rod, const std::vector<Vec3>& position) {
  const RodRange& range = model_.rods[at(rod)];
  math::Tridiagonal& m = matrix_[at(rod)];
  const int edges = range.mesh.edges();
  double worst = 0;
  for (int i = 0; i < edges; ++i) {
    const auto j = at(range.first_edge + i);
    const Edge& edge = model_.edges[j];
    const Vec3 e = position[at(edge.b)] - position[at(edge.a)];
    const double length = edge.rest_length;
    const double slope = 1 / length;
    // |e|/l − 1 to first order; C is the same times l
    const double stretch = 0.5 * (e.squaredNorm() / (length * length) - 1);
    const bool dropped = dropped_[j] != 0;
    worst = std::max(worst, std::abs(stretch) * (dropped ? kStretchTolerance / kHeldTolerance : 1));
    gradient_[j] = dropped ? Vec3::Zero() : Vec3(slope * e);
    const Vec3& g = gradient_[j];
    multiplier_[j] = dropped ? 0 : -stretch * length * length * slope;
    m.diagonal[at(i)] = dropped ? 1 : g.cwiseAbs2().dot(inverse_mass_[at(edge.a)] + inverse_mass_[at(edge.b)]);
    if (i == 0) continue;
    m.lower[at(i)] = m.upper[at(i - 1)] = -g.cwiseProduct(inverse_mass_[at(edge.a)]).dot(gradient_[j - 1]);
  }
  if (range.mesh.closed) {
    const auto first = at(range.first_edge);
    const auto last = at(range.first_edge + edges - 1);
    const Vec3& w = inverse_mass_[at(model_.edges[first].a)];
    m.lower[0] = m.upper[at(edges - 1)] = -gradient_[first].cwiseProduct(w).dot(gradient_[last]);
  }
  return worst;
}

// x += M⁻¹Jᵀλ.
void Manifold::move_nodes(int rod, std::vector<Vec3>& position) {
  const RodRange& range = model_.rods[at(rod)];
  for (int j = range.first_edge; j < range.first_edge + range.mesh.edges(); ++j) {
    const Edge& edge = model_.edges[at(j)];
    const Vec3 push = multiplier_[at(j)] * gradient_[at(j)];
    push_[at(edge.a)] -= push;
    push_[at(edge.b)] += push;
    position[at(edge.a)] -= inverse_mass_[at(edge.a)].cwiseProduct(push);
    position[at(edge.b)] += inverse_mass_[at(edge.b)].cwiseProduct(push);
    edge_pull_[at(j)] -= multiplier_[at(j)] * gradient_[at(j)].norm();
  }
}

Manifold::Outcome Manifold::project_rod(int rod, std::vector<Vec3>& position) {
  const RodRange& range = model_.rods[at(rod)];
  const std::span<double> multiplier(multiplier_.data() + range.first_edge, at(range.mesh.edges()));
  Outcome outcome;
  for (;; ++outcome.iterations) {
    outcome.stretch = measure(rod, position);
    outcome.converged = outcome.stretch <= kStretchTolerance;
    const bool acted = outcome.iterations > 0;
    if ((outcome.converged && acted) || outcome.iterations == kMostIterations || !std::isfinite(outcome.stretch)) {
      if (outcome.converged && outcome.iterations > kFewIterations) refit(rod);
      return outcome;
    }
    matrix_[at(rod)].factor_semidefinite(kRedundant);
    matrix_[at(rod)].solve(multiplier);
    move_nodes(rod, position);
  }
}

// After a long way the multipliers are those that, in the directions of its end, would have led there straight: what
// was added up on the way pulled in directions that had no time to act. Moves stay what they were.
void Manifold::refit(int rod) {
  const RodRange& range = model_.rods[at(rod)];
  const int first = range.first_edge;
  const int end = first + range.mesh.edges();
  auto move = [&](int node) { return Vec3(inverse_mass_[at(node)].cwiseProduct(push_[at(node)])); };
  for (int j = first; j < end; ++j)
    multiplier_[at(j)] = gradient_[at(j)].dot(move(model_.edges[at(j)].b) - move(model_.edges[at(j)].a));
  matrix_[at(rod)].factor_semidefinite(kRedundant);
  matrix_[at(rod)].solve({multiplier_.data() + first, at(range.mesh.edges())});
  auto is_held = [&](int node, int axis) { return inverse_mass_[at(node)][axis] == 0; };
  for (int j = first; j < end; ++j)
    for (const int node : {model_.edges[at(j)].a, model_.edges[at(j)].b})
      for (int axis = 0; axis < 3; ++axis)
        if (is_held(node, axis)) push_[at(node)][axis] = 0;
  for (int j = first; j < end; ++j) {
    const Edge& edge = model_.edges[at(j)];
    const Vec3 push = multiplier_[at(j)] * gradient_[at(j)];
    for (int axis = 0; axis < 3; ++axis) {
      if (is_held(edge.a, axis)) push_[at(edge.a)][axis] -= push[axis];
      if (is_held(edge.b, axis)) push_[at(edge.b)][axis] += push[axis];
    }
    edge_pull_[at(j)] = -multiplier_[at(j)] * gradient_[at(j)].norm();
  }
}

// The border's entry in row `edge[k]`: J_edge M⁻¹ J_tieᵀ, with ∂C_tie/∂x_node = −1.
double Manifold::Border::entry(int k, int axis, const std::vector<Vec3>& gradient, int first_edge,
                               const Vec3& w) const {
  return edge[k] < 0 ? 0 : -sign[k] * gradient[at(first_edge + edge[k])][axis] * w[axis];
}

double Manifold::tie_gap(const std::vector<Vec3>& position, const std::vector<Mat3>& rotor) const {
  double worst = 0;
  for (const Tie& tie : model_.ties) {
    const Vec3 gap = position[at(tie.master)] + rotor[at(tie.rotor)] * tie.arm - position[at(tie.slave)];
    worst = std::max(worst, gap.norm() / model_.size);
  }
  return worst;
}

Manifold::Outcome Manifold::project_tied(std::vector<Vec3>& position, std::vector<Mat3>& rotor) {
  Outcome outcome;
  for (;; ++outcome.iterations) {
    outcome.stretch = tie_gap(position, rotor);
    for (std::size_t r = 0; r < model_.rods.size(); ++r)
      if (tied_[r] != 0) outcome.stretch = std::max(outcome.stretch, measure(static_cast<int>(r), position));
    outcome.converged = outcome.stretch <= kStretchTolerance;
    const bool acted = outcome.iterations > 0;
    if ((outcome.converged && acted) || outcome.iterations == kMostIterations || !std::isfinite(outcome.stretch))
      return outcome;
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      if (tied_[r] == 0) continue;
      const RodRange& range = model_.rods[r];
      matrix_[r].factor_semidefinite(kRedundant);
      matrix_[r].solve({multiplier_.data() + range.first_edge, at(range.mesh.edges())});
    }
    solve_borders(position, rotor);
    for (std::size_t r = 0; r < model_.rods.size(); ++r)
      if (tied_[r] != 0) move_nodes(static_cast<int>(r), position);
    move_bodies(position, rotor);
  }
}

// With λ0 = −T⁻¹C already in the edges' multipliers: S μ = −C_tie − Bᵀλ0, then λ = λ0 − T⁻¹B μ.
void Manifold::solve_borders(const std::vector<Vec3>& position, const std::vector<Mat3>& rotor) {
  for (std::size_t r = 0; r < model_.rotors.size(); ++r)
    turned_inverse_[r] = rotor[r] * inverse_inertia_[r] * rotor[r].transpose();
  for (std::size_t k = 0; k < border_.size(); ++k) {
    Border& border = border_[k];
    const Tie& tie = model_.ties[k];
    const int first_edge = model_.rods[at(border.rod)].first_edge;
    const Vec3& w = inverse_mass_[at(tie.slave)];
    border.arm = rotor[at(tie.rotor)] * tie.arm;
    const Vec3 gap = position[at(tie.master)] + border.arm - position[at(tie.slave)];
    for (int axis = 0; axis < 3; ++axis) {
      double right = -gap[axis];
      std::vector<double>& column = border.column[axis];
      std::fill(column.begin(), column.end(), 0.0);
      for (int end = 0; end < 2; ++end) {
        if (border.edge[end] < 0) continue;
        const double entry = border.entry(end, axis, gradient_, first_edge, w);
        column[at(border.edge[end])] += entry;
        right -= entry * multiplier_[at(first_edge + border.edge[end])];
      }
      border_multiplier_[3 * k + at(axis)] = right;
      matrix_[at(border.rod)].solve(column);
    }
  }
  add_border_products();
  solve_dense();
  for (std::size_t k = 0; k < border_.size(); ++k) {
    const RodRange& range = model_.rods[at(border_[k].rod)];
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < range.mesh.edges(); ++i)
        multiplier_[at(range.first_edge + i)] -= border_[k].column[axis][at(i)] * border_multiplier_[3 * k + at(axis)];
  }
}

// S = D − Bᵀ T⁻¹ B, with D = J_tie M⁻¹ J_tieᵀ.
void Manifold::add_border_products() {
  const std::size_t size = 3 * border_.size();
  for (std::size_t k = 0; k < border_.size(); ++k)
    for (std::size_t l = 0; l < border_.size(); ++l) {
      const Tie& a = model_.ties[k];
      const Tie& b = model_.ties[l];
      Mat3 block = Mat3::Zero();
      if (a.slave == b.slave) block.diagonal() += inverse_mass_[at(a.slave)];
      if (a.master == b.master) {
        block.diagonal() += inverse_mass_[at(a.master)];
        block -= math::skew(border_[k].arm) * turned_inverse_[at(a.rotor)] * math::skew(border_[l].arm);
      }
      if (border_[k].rod == border_[l].rod) {
        const int first_edge = model_.rods[at(border_[k].rod)].first_edge;
        for (int row = 0; row < 3; ++row)
          for (int end = 0; end < 2; ++end) {
            if (border_[k].edge[end] < 0) continue;
            const double entry = border_[k].entry(end, row, gradient_, first_edge, inverse_mass_[at(a.slave)]);
            for (int column = 0; column < 3; ++column)
              block(row, column) -= entry * border_[l].column[column][at(border_[k].edge[end])];
          }
      }
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          dense_[(3 * k + at(row)) * size + 3 * l + at(column)] = block(row, column);
    }
}

// Elimination of the small symmetric border; rows that depend on others get no multiplier.
void Manifold::solve_dense() {
  const std::size_t n = border_multiplier_.size();
  auto m = [&](std::size_t row, std::size_t column) -> double& { return dense_[row * n + column]; };
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, m(i, i));
  auto& x = border_multiplier_;
  for (std::size_t q = 0; q < n; ++q) {
    const bool depends = m(q, q) <= kRedundant * largest;
    m(q, q) = depends ? 0 : 1 / m(q, q);
    for (std::size_t i = q + 1; i < n; ++i) {
      const double factor = m(i, q) * m(q, q);
      for (std::size_t c = q + 1; c < n; ++c) m(i, c) -= factor * m(q, c);
      x[i] -= factor * x[q];
    }
  }
  for (std::size_t q = n; q-- > 0;) {
    for (std::size_t c = q + 1; c < n; ++c) x[q] -= m(q, c) * x[c];
    x[q] *= m(q, q);
  }
}

void Manifold::move_bodies(std::vector<Vec3>& position, std::vector<Mat3>& rotor) {
  for (std::size_t k = 0; k < border_.size(); ++k) {
    const Tie& tie = model_.ties[k];
    const Vec3 mu(border_multiplier_[3 * k], border_multiplier_[3 * k + 1], border_multiplier_[3 * k + 2]);
    auto push = [&](int node, const Vec3& impulse) {
      push_[at(node)] += impulse;
      position[at(node)] += inverse_mass_[at(node)].cwiseProduct(impulse);
    };
    push(tie.slave, -mu);
    push(tie.master, mu);
    tie_pull_[k] += mu;
    rotor_impulse_[at(tie.rotor)] += border_[k].arm.cross(mu);
  }
  // each rotor once, by all of its ties
  for (const FreeBody& body : model_.bodies) {
    Vec3 impulse = Vec3::Zero();
    for (std::size_t k = 0; k < border_.size(); ++k)
      if (model_.ties[k].rotor == body.rotor)
        impulse += border_[k].arm.cross(
            Vec3(border_multiplier_[3 * k], border_multiplier_[3 * k + 1], border_multiplier_[3 * k + 2]));
    const Vec3 turn = turned_inverse_[at(body.rotor)] * impulse;
    if (!turn.isZero(0)) rotor[at(body.rotor)] = math::exp_so3(turn) * rotor[at(body.rotor)];
  }
}

}  // namespace filum::kirchhoff
