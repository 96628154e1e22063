// Contacts of flat rods in the balance: points beside the centre line, carried by the frames of edges (rod/edge_arm.hpp).
//
// The point y = Σ w_k x_k + Σ r_f moves by J_p on the rows of node p (its position and the angle of the edge that it
// starts), its force acts there as G_p f; G = Jᵀ but in a step that keeps energy. With S the stiffness of the contact
// blocks are G_p S J_q, and those of the curvature of r_f by the unknowns of its edge besides.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"
#include "rod/edge_arm.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

struct RodSystem::OutlineBlocks {
  // two edges have three nodes; a free body that holds off has one more
  static constexpr int kNodes = 5;
  int count = 0;
  std::array<int, kNodes> node{};
  std::array<int, kNodes> rows{};  // 3, or 4 where the angle of an edge counts
  std::array<rod::Mat43, kNodes> push{};
  std::array<rod::Mat34, kNodes> move{};
  std::array<std::array<rod::Mat4, kNodes>, kNodes> bend{};

  int of(int which) {
    for (int k = 0; k < count; ++k)
      if (node[at(k)] == which) return k;
    const auto k = at(count);
    node[k] = which;
    rows[k] = 3;
    push[k].setZero();
    move[k].setZero();
    for (std::size_t q = 0; q < kNodes; ++q) {
      bend[k][q].setZero();
      bend[q][k].setZero();
    }
    return count++;
  }
};

RodSystem::OutlineBlocks RodSystem::outline_blocks(const ContactTerm& touch, const RodState& state) const {
  OutlineBlocks blocks;
  for (int k = 0; k < touch.count; ++k) {
    const auto p = at(blocks.of(touch.node[at(k)]));
    blocks.push[p].topRows<3>().diagonal().array() += touch.weight[at(k)];
    blocks.move[p].leftCols<3>().diagonal().array() += touch.weight[at(k)];
  }
  for (int f = 0; f < touch.frames; ++f) {
    const ContactFrame& frame = touch.frame[at(f)];
    const auto j = at(frame.edge);
    const Edge& edge = model_.edges[j];
    const double per_rest = 1 / (edge.rest_length * state.length_factor[at(edge.rod)]);
    const Vec3 t = state.frame[j].col(2);
    const double length = state.edge[j].norm();
    rod::Mat34 move = rod::arm_moves(frame.end, t, length);
    rod::Mat43 push = move.transpose();
    rod::Mat4 bend;
    if (conserving()) {
      const rod::AxialStart& start = motion_->start_edge[j];
      const rod::EdgeTurn turn = rod::edge_turn<double>(start.edge, start.length, motion_->start_frame[j],
                                                        state.edge[j], length, state.frame[j]);
      push = rod::arm_pushes(turn, frame.arm);
      bend = rod::arm_step_stiffness(turn, frame.arm, move, touch.force);
    } else {
      bend = rod::arm_stiffness(frame.end, t, length, touch.force);
    }
    // on rest × δθ
    move.col(3) *= per_rest;
    push.row(3) *= per_rest;
    bend.row(3) *= per_rest;
    bend.col(3) *= per_rest;
    const auto a = at(blocks.of(edge.a));
    const auto b = at(blocks.of(edge.b));
    blocks.rows[a] = 4;
    // e = x_b − x_a
    const Eigen::DiagonalMatrix<double, 4> at_a(-1, -1, -1, 1);
    const Eigen::DiagonalMatrix<double, 4> at_b(1, 1, 1, 0);
    blocks.push[a] += at_a * push;
    blocks.push[b] += at_b * push;
    blocks.move[a] += move * at_a;
    blocks.move[b] += move * at_b;
    blocks.bend[a][a] += at_a * bend * at_a;
    blocks.bend[a][b] += at_a * bend * at_b;
    blocks.bend[b][a] += at_b * bend * at_a;
    blocks.bend[b][b] += at_b * bend * at_b;
  }
  return blocks;
}

void RodSystem::add_outline_contact(const ContactTerm& touch, const RodState& state) {
  const OutlineBlocks blocks = outline_blocks(touch, state);
  for (int p = 0; p < blocks.count; ++p) {
    const auto node = at(blocks.node[at(p)]);
    const rod::Vec4 force = blocks.push[at(p)] * touch.force;
    node_force_[node] -= force.head<3>();
    node_force_sum_[node] += force.head<3>().norm();
    if (blocks.rows[at(p)] > 3) step_[at(node_row_[node] + 3)] += force[3];
  }
  for (int f = 0; f < touch.frames; ++f)
    largest_.moment_sum = std::max(largest_.moment_sum, touch.frame[at(f)].arm.cross(touch.force).norm());
  if (want_tangent_) {
    using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;
    const auto block = [&](int p, int q) -> Block {
      const rod::Mat4 whole = blocks.push[at(p)] * touch.stiffness * blocks.move[at(q)] + blocks.bend[at(p)][at(q)];
      return whole.topLeftCorner(blocks.rows[at(p)], blocks.rows[at(q)]);
    };
    for (int p = 0; p < blocks.count; ++p)
      for (int q = 0; q <= p; ++q) {
        const Tangent::Pair slots = tangent_.pair(blocks.node[at(p)], blocks.node[at(q)]);
        if (p == q)
          tangent_.add_diagonal(slots, block(p, p));
        else if (symmetric_)
          tangent_.add(slots, block(p, q));
        else
          tangent_.add_split(slots, block(p, q), block(q, p));
      }
  }
  if (touch.turns > 0) add_outline_turn(touch, blocks);
}

// The free body that holds it off: as of a contact on the centre line, with J and G for weights.
void RodSystem::add_outline_turn(const ContactTerm& touch, const OutlineBlocks& blocks) {
  const ContactTurn& turn = touch.turn[0];
  const Vec3 moment = turn.arm.cross(touch.force);
  rotor_moment_[at(turn.rotor)] -= moment;
  rotor_moment_sum_[at(turn.rotor)] += moment.norm();
  const int block = rotor_block(turn.rotor);
  if (!want_tangent_ || block < 0) return;
  const double c = touch.share;
  const Mat3 lift = math::skew(turn.arm);
  const Mat3 column = c * math::skew(touch.end_force) - touch.stiffness * math::skew(turn.end);
  for (int q = 0; q < blocks.count; ++q) {
    const Eigen::Matrix<double, Eigen::Dynamic, 3, 0, 4, 3> by_turn =
        (blocks.push[at(q)] * column / arm_).topRows(blocks.rows[at(q)]);
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 4> row =
        ((lift * touch.stiffness - c * math::skew(touch.force)) * blocks.move[at(q)] / arm_)
            .leftCols(blocks.rows[at(q)]);
    const Tangent::Pair slots = tangent_.pair(blocks.node[at(q)], block);
    if (symmetric_)
      tangent_.add(slots, by_turn);
    else
      tangent_.add_split(slots, by_turn, row);
  }
  Mat3 own = lift * column;
  if (!conserving()) own += 0.5 * math::skew(moment);
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(own / (arm_ * arm_)));
}

// What is left unbalanced about edges, contacts included.
void RodSystem::measure_torques(const RodState& state) {
  for (const Edge& edge : model_.edges) {
    const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
    largest_.moment = std::max(largest_.moment, rest * std::abs(step_[at(node_row_[at(edge.a)] + 3)]));
  }
}

}  // namespace filum::discrete
