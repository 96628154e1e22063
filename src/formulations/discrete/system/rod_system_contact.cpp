// What contacts add to the balance (contact_term.hpp), and the blocks of the matrix that they need.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::discrete {

// Nodes that something holds off.
void RodSystem::add_contact(const ContactTerm& touch, const RodState& state) {
  largest_.contact = std::max(largest_.contact, touch.floor);
  if (touch.frames > 0) return add_outline_contact(touch, state);
  const double size = touch.force.norm();
  for (int p = 0; p < touch.count; ++p) {
    const int node = touch.node[at(p)];
    const double w = touch.weight[at(p)];
    node_force_[at(node)] -= w * touch.force;
    node_force_sum_[at(node)] += std::abs(w) * size;
    if (!want_tangent_) continue;
    for (int q = 0; q <= p; ++q) {
      Mat3 block = w * touch.weight[at(q)] * touch.stiffness;
      Mat3 back = block;
      for (int i = 0; i < touch.slides; ++i)
        for (int j = 0; j < touch.slides; ++j) {
          block += touch.give(i, j) * touch.rise[at(i)][at(p)] * touch.slide[at(j)][at(q)].transpose();
          back += touch.give(i, j) * touch.rise[at(i)][at(q)] * touch.slide[at(j)][at(p)].transpose();
        }
      const Tangent::Pair slots = tangent_.pair(node, touch.node[at(q)]);
      if (p == q)
        tangent_.add_diagonal(slots, block);
      else if (symmetric_)
        tangent_.add(slots, block);
      else
        tangent_.add_split(slots, block, back);
    }
  }
  for (int t = 0; t < touch.turns; ++t) add_contact_turn(touch, t);
}

// The moment on the rotor of a free body, and its blocks with nodes and with the turns before it.
void RodSystem::add_contact_turn(const ContactTerm& touch, int t) {
  const ContactTurn& turn = touch.turn[at(t)];
  const Vec3 moment = turn.arm.cross(touch.force);
  rotor_moment_[at(turn.rotor)] -= moment;
  rotor_moment_sum_[at(turn.rotor)] += moment.norm();
  const int block = rotor_block(turn.rotor);
  if (!want_tangent_ || block < 0) return;
  const double c = touch.share;
  const Mat3 lift = math::skew(turn.arm);
  const Mat3 force = math::skew(touch.force);
  const Mat3 end_force = math::skew(touch.end_force);
  const double give = touch.slides > 0 ? touch.give(0, 0) : 0;
  const Vec3& slide = touch.turn_slide[at(t)];
  // columns of this turn: S J, and the turning of the force
  Mat3 column = -touch.stiffness * math::skew(turn.end);
  if (turn.holds_off) column += c * end_force;
  for (int q = 0; q < touch.count; ++q) {
    const double w = touch.weight[at(q)];
    Mat3 row = w * lift * touch.stiffness + give * slide * touch.slide[0][at(q)].transpose();
    if (turn.holds_off) row -= c * w * force;
    const Mat3 back = w * column + give * touch.rise[0][at(q)] * slide.transpose();
    add_turn_blocks(touch.node[at(q)], block, back / arm_, row / arm_);
  }
  Mat3 own = lift * column + give * slide * slide.transpose();
  if (!turn.holds_off) own -= c * force * math::skew(turn.end);
  // on increments in exponential coordinates the turning of the moment itself counts half: as for a dead torque
  if (!conserving()) own += 0.5 * math::skew(moment);
  tangent_.add_diagonal(tangent_.pair(block, block), Mat3(own / (arm_ * arm_)));
  for (int u = 0; u < t; ++u) {
    const ContactTurn& other = touch.turn[at(u)];
    const int other_block = rotor_block(other.rotor);
    if (other_block < 0) continue;
    Mat3 other_column = -touch.stiffness * math::skew(other.end);
    if (other.holds_off) other_column += c * end_force;
    Mat3 row = lift * other_column;
    Mat3 back = math::skew(other.arm) * column;
    if (turn.holds_off) row += c * force * math::skew(other.end);
    if (other.holds_off) back += c * force * math::skew(turn.end);
    add_turn_blocks(other_block, block, back / (arm_ * arm_), row / (arm_ * arm_));
  }
}

// `m` within (a, b), `back` within (b, a).
void RodSystem::add_turn_blocks(int a, int b, const Mat3& m, const Mat3& back) {
  if (symmetric_)
    tangent_.add(tangent_.pair(a, b), m);
  else
    tangent_.add_split(tangent_.pair(a, b), m, back);
}

void RodSystem::track_contacts() {
  std::vector<std::pair<int, int>> wanted = rod_contact_.take_links();
  contact_.take_links(wanted);
  body_contact_.take_links(wanted);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted == links_) return;
  links_ = std::move(wanted);
  analyse();
}

// Two nodes that touch; that of a free body brings its rotor along.
void RodSystem::connect_contact(int a, int b, math::BlockGraph& graph) const {
  const int first_body = model_.nodes - static_cast<int>(model_.bodies.size());
  std::vector<int> blocks;
  for (const int node : {a, b}) {
    blocks.push_back(node);
    if (node < first_body) continue;
    const int rotor = rotor_block(model_.bodies[at(node - first_body)].rotor);
    if (rotor >= 0) blocks.push_back(rotor);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) graph.connect(blocks[j], blocks[i]);
}

}  // namespace filum::discrete
