// The rods in the balance, in one pass along each.
//
// A rod is taken stretch by stretch, edges and joints of two edges several side by side (math/lanes.hpp); the few joints
// that join something else come first, one by one. What an edge gathers goes into the matrix at once, while it is in the
// cache. Forces and moments are those of one instant (rod_system_instant.cpp) or, in a step that keeps energy, means over
// it (rod_system_step.cpp).
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/system/step_chunk.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

void RodSystem::add_rod(int rod, RodState& state, const Targets& targets, Want want, Balance& balance) {
  const RodRange& range = model_.rods[at(rod)];
  const int edges = range.mesh.edges();
  const bool averaged = conserving();
  true_tension_ = want == Want::TrueTangent;
  // a rod of another length is more or less of the same stock
  const Vec3 gravity = targets.load * state.length_factor[at(rod)] * model_.gravity;
  if (averaged && !laws_found_) find_step_laws(state);
  for (int i = 0; i < range.mesh.nodes(); ++i) add_node(state, range.first_node + i, gravity, balance);
  if (model_.laid)
    for (int j = range.first_edge; j < range.first_edge + edges; ++j) {
      lay_pull_[at(j)] = lay_rate_[at(j)] = 0;
      lay_own_[at(j)].setZero();
    }
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    if (in_row_[at(k)] != 0) continue;
    if (averaged)
      add_odd_joint(state, k);
    else
      add_odd_instant_joint(state, k, balance);
  }
  for (int done = 0; done < edges;) {
    const int count = std::min(StepChunk::kEdges, edges - done);
    const int first = range.first_edge + done;
    // the last edge waits for the joint at its end
    const bool ends = done + count == edges;
    const int begin = done > 0 ? 0 : 1;
    const int last = ends ? count : count - 1;
    if (averaged) {
      begin_edges(state, first, count);
      add_joints(state, first, count, balance);
      end_edges(first, begin, last);
      chunk_->carry(count);
    } else {
      begin_instant_edges(state, first, count, balance);
      add_joints(state, first, count, balance);
      end_instant_edges(first, begin, last);
      chunk_->carry_instant(count);
    }
    done += count;
  }
}

// A node's own weight and inertia.
void RodSystem::add_node(const RodState& state, int node, const Vec3& gravity, Balance& balance) {
  const Vec3 weight = model_.node_mass[at(node)] * gravity;
  balance.gravity -= weight.dot(state.position[at(node)]);
  node_force_[at(node)] = -weight;
  node_force_sum_[at(node)] = weight.norm();
  if (motion_ != nullptr) add_inertia(state, node);
}

namespace {

// What a joint that was done alone does to the edge in a row; without one (`odd` < 0), nothing.
template <class Table, class Value>
void put_odd(const std::vector<Value>& values, int odd, Table& table, int row) {
  if (odd < 0)
    table.clear(row);
  else
    table.template store<double>(row, values[at(odd)]);
}

}  // namespace

void RodSystem::put_odd_end(int odd, bool at_start, int row) {
  StepChunk& chunk = *chunk_;
  put_odd(chunk.odd_ends, odd, at_start ? chunk.at_start : chunk.at_end, row);
  if (conserving())
    put_odd(chunk.odd_slopes, odd, at_start ? chunk.start_slope : chunk.end_slope, row);
  else
    put_odd(chunk.odd_stiffness, odd, at_start ? chunk.start_stiffness : chunk.end_stiffness, row);
}

// Joints at the starts of the edges in rows 1 to `count`.
void RodSystem::add_joints(RodState& state, int first, int count, Balance& balance) {
  StepChunk& chunk = *chunk_;
  // joints that follow each other are done in one go
  for (int row = 1; row <= count; ++row) {
    const int begin = row;
    const int joint = start_joint_[at(first + begin - 1)];
    if (joint < 0) continue;
    while (row < count && start_joint_[at(first + row)] == joint + row - begin + 1) ++row;
    if (conserving())
      add_joint_rows(state, begin, row - begin + 1, joint);
    else
      add_instant_joints(state, begin, row - begin + 1, joint, balance);
  }
  // other joints have been done; free ends have none
  for (int row = 1; row <= count; ++row) {
    const int edge = first + row - 1;
    if (start_joint_[at(edge)] < 0) {
      chunk.ab.clear(row);
      chunk.ba.clear(row);
      put_odd_end(odd_start_[at(edge)], true, row);
    }
    const int next = edge + 1;
    const bool joined = at(next) < start_joint_.size() && start_joint_[at(next)] >= 0;
    if (!joined) put_odd_end(odd_finish_[at(edge)], false, row);
  }
  if (start_joint_[at(first)] < 0 && first > 0) put_odd_end(odd_finish_[at(first - 1)], false, 0);
  chunk.ab.clear(count + 1);
  chunk.ba.clear(count + 1);
}

// The forces of an edge, on its nodes.
void RodSystem::add_edge_force(int index, const EdgeForceOf<double>& f) {
  const Edge& edge = model_.edges[at(index)];
  axial_force_[at(index)] = f.axial;
  axial_gradient_[at(index)] = f.slope;
  axial_change_[at(index)] = f.change;
  edge_force_[at(index)] = f.force;
  node_force_[at(edge.a)] -= f.force;
  node_force_[at(edge.b)] += f.force;
  node_force_sum_[at(edge.a)] += f.size;
  node_force_sum_[at(edge.b)] += f.size;
  step_[at(node_row_[at(edge.a)] + 3)] = f.row;
  if (!model_.outlines) largest_.moment = std::max(largest_.moment, std::abs(f.torque));
  largest_.moment_sum = std::max({largest_.moment_sum, f.moment_size, f.spin_size});
}

// What one edge adds to the matrix, whatever its neighbours are.
void RodSystem::scatter_edge_alone(const EdgeBlocks<double>& blocks, int index) {
  const EdgeSlots& slots = edge_slots_[at(index)];
  tangent_.add_diagonal(slots.aa, blocks.aa);
  tangent_.add_diagonal(slots.bb, Mat3(blocks.bb.topLeftCorner<3, 3>()));
  const auto next = at(index + 1);
  if (next < start_joint_.size() && start_joint_[next] >= 0) {
    tangent_.add_split(slots.ab, blocks.ab, blocks.ba);
    tangent_.add_split(joint_slot_[at(start_joint_[next])], rod::Mat43(blocks.ac.leftCols<3>()),
                       rod::Mat34(blocks.ca.topRows<3>()));
  } else {
    tangent_.add_split(slots.ab, rod::Mat43(blocks.ab.leftCols<3>()), rod::Mat34(blocks.ba.topRows<3>()));
  }
}

// `ab`: the left edge's rows (δe, δθ) by the right edge's columns; `ba` the other way round. Spread over the nodes a, b,
// c with e_left = x_b − x_a and e_right = x_c − x_b.
void RodSystem::scatter_coupling(const Joint& joint, const rod::Mat4& ab, const rod::Mat4& ba) {
  const EdgeSlots& left = edge_slots_[at(joint.left.edge)];
  const EdgeSlots& right = edge_slots_[at(joint.right.edge)];
  // (a, b) and (b, a)
  rod::Mat4 direct = ab, mirror = ba;
  direct.topRightCorner<3, 1>() *= -1;
  direct.bottomLeftCorner<1, 3>() *= -1;
  mirror.topRightCorner<3, 1>() *= -1;
  mirror.bottomLeftCorner<1, 3>() *= -1;
  tangent_.add_split(left.ab, direct, mirror);
  // (a, c) and (c, a)
  Eigen::Matrix<double, 4, 3> ac = ab.leftCols<3>();
  ac.topRows<3>() *= -1;
  Eigen::Matrix<double, 3, 4> ca = ba.topRows<3>();
  ca.leftCols<3>() *= -1;
  tangent_.add_split(joint_slot_[static_cast<std::size_t>(&joint - model_.joints.data())], ac, ca);
  // (b, b): the left edge's end by the right edge's start, and the other way round
  rod::Mat4 bb = rod::Mat4::Zero();
  bb.topLeftCorner<3, 3>() = -ab.topLeftCorner<3, 3>() - ba.topLeftCorner<3, 3>();
  bb.topRightCorner<3, 1>() = ab.topRightCorner<3, 1>();
  bb.bottomLeftCorner<1, 3>() = ba.bottomLeftCorner<1, 3>();
  tangent_.add_diagonal(right.aa, bb);
  // (b, c) and (c, b)
  Eigen::Matrix<double, 3, 3> bc = ab.topLeftCorner<3, 3>(), cb = ba.topLeftCorner<3, 3>();
  tangent_.add_split(right.ab, bc, cb);
}

// `h`: rows (δe, δθ) of a joint's edge by the rotation of the rotor on its other side; `back` the other way round.
void RodSystem::scatter_rotor(const Joint& joint, const Eigen::Matrix<double, 4, 3>& h, const rod::Mat34& back) {
  const bool edge_left = joint.left.is_edge();
  const Edge& edge = model_.edges[at(edge_left ? joint.left.edge : joint.right.edge)];
  const int block = rotor_block(model_.sections[at(edge_left ? joint.right.section : joint.left.section)].rotor);
  if (block < 0) return;
  Eigen::Matrix<double, 4, 3> at_a = h;
  at_a.topRows<3>() *= -1;
  rod::Mat34 from_a = back;
  from_a.leftCols<3>() *= -1;
  tangent_.add_split(tangent_.pair(edge.a, block), at_a, from_a);
  tangent_.add_split(tangent_.pair(edge.b, block), Mat3(h.topRows<3>()), Mat3(back.leftCols<3>()));
}

}  // namespace filum::discrete
