// Which unknowns there are, which blocks of the matrix they share, and which are held.
#include "formulations/discrete/system/rod_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/system/step_chunk.hpp"

#include <algorithm>
#include <numbers>

namespace filum::discrete {

namespace {
// The matrix has room for a slider to wander this many nodes either way before its pattern is made anew.
constexpr int kSliderWindow = 6;
// A rod of fewer nodes gains nothing from being eliminated from both ends.
constexpr int kLong = 96;

}  // namespace

RodSystem::RodSystem(const ModelData& model, Symmetry symmetry)
    : model_(model),
      components_(find_components(model)),
      symmetric_(model.conservative && symmetry == Symmetry::Conservative),
      contact_(model),
      rod_contact_(model),
      body_contact_(model) {
  const std::size_t edges = model.edges.size();
  strain_.resize(model.joints.size());
  acted_.resize(model.joints.size());
  softens_.resize(model.joints.size());
  per_length_.resize(edges);
  half_turn_.resize(edges);
  turn_.resize(edges);
  whole_turn_.resize(edges);
  edge_force_.resize(edges);
  axial_force_.resize(edges);
  if (!model.plasticity.empty()) stretch_yields_.resize(edges, 0);
  find_least_yield();
  if (model.laid) {
    lay_pull_.resize(edges, 0);
    lay_rate_.resize(edges, 0);
    lay_own_.resize(edges, rod::Mat4::Zero());
  }
  axial_gradient_.resize(edges);
  axial_change_.assign(edges, 0);
  node_force_.resize(at(model.nodes));
  node_force_sum_.resize(at(model.nodes));
  rotor_moment_.resize(model.rotors.size());
  rotor_turn_.resize(model.rotors.size(), Vec3::Zero());
  rotor_moment_sum_.resize(model.rotors.size());
  stop_pull_.resize(model.sliders.size());

  // scales
  double total = 0;
  stiffness_scale_ = 0;
  for (const Edge& edge : model.edges) {
    total += edge.rest_length;
    stiffness_scale_ = std::max(stiffness_scale_, edge.axial_stiffness / edge.rest_length);
    largest_axial_ = std::max(largest_axial_, edge.axial_stiffness);
    largest_spin_ = std::max(largest_spin_, edge.inertia().maxCoeff());
  }
  for (const Rotor& rotor : model.rotors) largest_spin_ = std::max(largest_spin_, rotor.inertia.diagonal().maxCoeff());
  arm_ = edges > 0 ? total / static_cast<double>(edges) : 1;
  for (const Joint& joint : model.joints)
    largest_bending_ = std::max(largest_bending_, joint.elasticity.stiffness.maxCoeff());
  stiffness_scale_ = std::max(stiffness_scale_, largest_bending_ / (arm_ * arm_));

  soft_stiffness_ = 0;
  for (const RodRange& range : model.rods) {
    // Euler-Bernoulli: stiffness per length EI (π/L)⁴, times an edge
    const double wave = std::numbers::pi / range.mesh.length;
    const double edge = range.mesh.length / range.mesh.edges();
    for (const Stiffness& s : range.edge_stiffness) {
      soft_force_ = std::max(soft_force_, s.EI.maxCoeff() / (range.mesh.length * range.mesh.length));
      soft_stiffness_ = std::max(soft_stiffness_, s.EI.minCoeff() * wave * wave * wave * wave * edge);
    }
  }
  for (std::size_t j = 0; j < edges; ++j) {
    const Edge& edge = model.edges[j];
    const RodRange& range = model.rods[at(edge.rod)];
    const double torsion = range.edge_stiffness[j - at(range.first_edge)].GJ;
    spin_stiffness_.push_back(torsion / (edge.rest_length * edge.rest_length * edge.rest_length));
  }
  for (const Slider& slider : model.sliders) {
    slider_support_.push_back(slider_support(model.rods[at(slider.rod)].mesh, drawn_slide(model, slider)));
  }
  find_rows();
  analyse();
}

RodSystem::~RodSystem() = default;

// What a joint turns by at least before it yields, and what makes an edge's angle a turn at most.
void RodSystem::find_least_yield() {
  for (const PlasticPlace& place : model_.plasticity.joints) {
    if (place.law < 0) continue;
    const rod::SectionPlasticity& law = model_.plasticity.laws[at(place.law)];
    if (!law.bend.empty()) least_yield_[0] = std::min(least_yield_[0], place.yield.head<2>().minCoeff());
    if (!law.twist.empty()) least_yield_[1] = std::min(least_yield_[1], place.yield[2]);
  }
  shortest_edge_ = std::numeric_limits<double>::infinity();
  for (const Edge& edge : model_.edges) shortest_edge_ = std::min(shortest_edge_, edge.rest_length);
}

// Which joints lie in a row, edge after edge, and which are done alone.
void RodSystem::find_rows() {
  in_row_.assign(model_.joints.size(), 0);
  start_joint_.assign(model_.edges.size(), -1);
  odd_start_.assign(model_.edges.size(), -1);
  odd_finish_.assign(model_.edges.size(), -1);
  int odd = 0;
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    const bool edges = joint.left.is_edge() && joint.right.is_edge();
    if (edges && joint.offset == 0 && joint.right.edge == joint.left.edge + 1) {
      in_row_[k] = 1;
      start_joint_[at(joint.right.edge)] = static_cast<int>(k);
      continue;
    }
    if (joint.left.is_edge()) odd_finish_[at(joint.left.edge)] = odd++;
    if (joint.right.is_edge()) odd_start_[at(joint.right.edge)] = odd++;
  }
  tilts_ = std::any_of(model_.edges.begin(), model_.edges.end(), [](const Edge& edge) { return edge.tilts(); });
  chunk_ = std::make_unique<StepChunk>();
  chunk_->odd_ends.resize(at(odd));
  chunk_->odd_slopes.resize(at(odd));
  chunk_->odd_stiffness.resize(at(odd));
}

void RodSystem::track_sliders(const RodState& state) {
  bool moved = false;
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const RodMesh& mesh = model_.rods[at(model_.sliders[k].rod)].mesh;
    const SliderSupport support = slider_support(mesh, state.slide[k]);
    slider_support_[k] = support;
    const auto seen = [&](const SliderSupport& nodes) {
      for (int i = 0; i < nodes.count; ++i)
        moved = moved || std::find(slider_window_[k].begin(), slider_window_[k].end(), nodes.node[at(i)]) ==
                             slider_window_[k].end();
    };
    seen(support);
    if (motion_ != nullptr) seen(slider_support(mesh, motion_->start_slide[k]));
  }
  if (moved) analyse();
}

void RodSystem::analyse() {
  math::BlockGraph graph;
  // a node, the angle of the edge that it starts, the multiplier of the tie whose slave it is
  std::vector<int> size(at(model_.nodes), 3);
  for (const Edge& edge : model_.edges) ++size[at(edge.a)];
  tie_row_.clear();
  for (const Tie& tie : model_.ties) {
    tie_row_.push_back(size[at(tie.slave)]);
    size[at(tie.slave)] += 3;
  }
  node_row_.clear();
  int rows = 0;
  for (int node = 0; node < model_.nodes; ++node) {
    graph.add_block(size[at(node)]);
    node_row_.push_back(rows);
    rows += size[at(node)];
  }
  for (std::size_t k = 0; k < model_.ties.size(); ++k) tie_row_[k] += node_row_[at(model_.ties[k].slave)];
  // rotors that can turn; sliders: multiplier and arc length
  rotor_block_.clear();
  for (const Rotor& rotor : model_.rotors) {
    const bool held = fixes_all(rotor.fixed);
    rotor_block_.push_back(held ? -1 : graph.add_block(3));
  }
  slider_block_.clear();
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) slider_block_.push_back(graph.add_block(4));

  // who meets whom
  for (const Edge& edge : model_.edges) graph.connect(edge.a, edge.b);
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    if (in_row_[k] != 0) {
      graph.connect(model_.edges[at(joint.left.edge)].a, model_.edges[at(joint.right.edge)].b);
      continue;
    }
    std::vector<int> blocks;
    for (const Side& side : {joint.left, joint.right}) {
      if (side.is_edge()) {
        blocks.push_back(model_.edges[at(side.edge)].a);
        blocks.push_back(model_.edges[at(side.edge)].b);
      } else if (const int block = rotor_block(model_.sections[at(side.section)].rotor); block >= 0) {
        blocks.push_back(block);
      }
    }
    for (const int a : blocks)
      for (const int b : blocks)
        if (a < b) graph.connect(a, b);
  }
  for (const Tie& tie : model_.ties) {
    graph.connect(tie.slave, tie.master);
    if (const int block = rotor_block(tie.rotor); block >= 0) graph.connect(tie.slave, block);
  }
  for (const PointLoad& force : model_.forces)
    if (force.follow && rotor_block(force.rotor) >= 0) graph.connect(force.node, rotor_block(force.rotor));
  slider_window_.assign(model_.sliders.size(), {});
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const RodRange& range = model_.rods[at(model_.sliders[k].rod)];
    const int middle = slider_support_[k].node[0];
    const int window = model_.sliders[k].slides ? kSliderWindow : 0;
    for (int i = middle - window; i <= middle + 3 + window; ++i) {
      const int node = range.mesh.closed ? (i % range.mesh.nodes() + range.mesh.nodes()) % range.mesh.nodes() : i;
      if (node < 0 || node >= range.mesh.nodes()) continue;
      slider_window_[k].push_back(node);
      graph.connect(slider_block_[k], range.first_node + node);
    }
    // in a step that keeps energy it has to do with the nodes that the step began with too
    if (motion_ != nullptr) {
      const SliderSupport began = slider_support(range.mesh, motion_->start_slide[k]);
      for (int i = 0; i < began.count; ++i) {
        if (std::find(slider_window_[k].begin(), slider_window_[k].end(), began.node[at(i)]) != slider_window_[k].end())
          continue;
        slider_window_[k].push_back(began.node[at(i)]);
        graph.connect(slider_block_[k], range.first_node + began.node[at(i)]);
      }
    }
    connect_carried(static_cast<int>(k), graph);
  }

  for (const auto& [a, b] : links_) connect_contact(a, b, graph);

  // where rods touch the graph is any: the order is found
  const std::vector<int> order = links_.empty() ? elimination_order(graph.blocks()) : std::vector<int>{};
  tangent_.analyse(graph, order, symmetric_);
  step_.assign(at(graph.rows()), 0);
  find_slots();
  mark_fixed();
}

// Where the two ends of a rod of so many nodes meet: near the middle, two edges before a multiple of the lanes, since the
// edges that meet there go into the matrix one by one (scatter_edges.hpp, and rod_system_rods.cpp for the stretches).
int RodSystem::meeting_node(int nodes) {
  constexpr int kBefore = math::kMostLanes - 2;
  const int lanes = std::max(0, nodes / 2 - kBefore + math::kMostLanes / 2) / math::kMostLanes;
  return lanes * math::kMostLanes + kBefore;
}

// Rods are eliminated one after the other, a long open one from both ends towards its middle, so that two panels can be
// worked at side by side (math/block_pattern.hpp), one tied at its start from its far end, so that nothing fills in; tied
// nodes come after all rods, rotors and sliders last. Only rings and rods tied at both ends carry a border along. A body
// that carries sliders has no stiffness but by them: they come before it.
std::vector<int> RodSystem::elimination_order(int blocks) const {
  std::vector<char> tied(at(model_.nodes), 0);
  for (const Tie& tie : model_.ties) tied[at(tie.slave)] = tied[at(tie.master)] = 1;
  for (const FreeBody& body : model_.bodies) tied[at(body.node)] = 1;
  std::vector<int> order;
  for (const RodRange& range : model_.rods) {
    const std::size_t begin = order.size();
    const int last = range.first_node + range.mesh.nodes() - 1;
    for (int node = range.first_node; node <= last; ++node)
      if (tied[at(node)] == 0) order.push_back(node);
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    const bool starts_tied = tied[at(range.first_node)] != 0, ends_tied = tied[at(last)] != 0;
    if (starts_tied && !ends_tied) std::reverse(first, order.end());
    const int own = static_cast<int>(order.end() - first);
    if (range.mesh.closed || starts_tied || ends_tied || own < kLong) continue;
    const auto far = std::rotate(first, first + meeting_node(own) + 1, order.end());
    std::reverse(first, far);
  }
  std::vector<char> late(at(blocks), 0);  // bodies that carry something, and what they carry
  for (std::size_t k = 0; k < model_.sliders.size(); ++k)
    if (model_.sliders[k].carried())
      late[at(model_.bodies[at(model_.sliders[k].body)].node)] = late[at(slider_block_[k])] = 1;
  for (int node = 0; node < model_.nodes; ++node)
    if (tied[at(node)] != 0 && late[at(node)] == 0) order.push_back(node);
  for (int block = blocks - 1; block >= 0; --block)
    if (late[at(block)] != 0) order.push_back(block);
  for (int block = model_.nodes; block < blocks; ++block)
    if (late[at(block)] == 0) order.push_back(block);
  return order;
}

void RodSystem::find_slots() {
  edge_slots_.clear();
  for (const Edge& edge : model_.edges)
    edge_slots_.push_back(
        {tangent_.pair(edge.a, edge.a).direct, tangent_.pair(edge.b, edge.b).direct, tangent_.pair(edge.a, edge.b)});
  joint_slot_.assign(model_.joints.size(), {});
  for (std::size_t k = 0; k < model_.joints.size(); ++k) {
    const Joint& joint = model_.joints[k];
    if (!joint.left.is_edge() || !joint.right.is_edge()) continue;
    joint_slot_[k] = tangent_.pair(model_.edges[at(joint.left.edge)].a, model_.edges[at(joint.right.edge)].b);
  }
  blocks_lie_.assign(model_.edges.size(), 0);
  for (std::size_t j = 0; j + 1 < model_.edges.size(); ++j) {
    if (start_joint_[j + 1] < 0) continue;
    const Tangent::Pair& ab = edge_slots_[j].ab;
    const Tangent::Pair& ac = joint_slot_[at(start_joint_[j + 1])];
    blocks_lie_[j] = static_cast<char>(16 + ab.direct.transposed + 2 * ab.mirror.transposed + 4 * ac.direct.transposed +
                                       8 * ac.mirror.transposed);
  }
}

void RodSystem::mark_fixed() {
  fixed_.assign(step_.size(), 0);
  primal_.assign(step_.size(), 1);
  constraint_rows_ = 0;
  for (int node = 0; node < model_.nodes; ++node)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (model_.position_hold[at(node)][axis] >= 0) fixed_[at(node_row_[at(node)]) + axis] = 1;
  for (const int row : tie_row_)
    for (int axis = 0; axis < 3; ++axis, ++constraint_rows_) primal_[at(row + axis)] = 0;
  // rotor and slider rows follow the nodes' in the order of their blocks
  int row = node_row_.empty() ? 0 : tangent_.rows_before(model_.nodes);
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_block_[r] < 0) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (model_.rotors[r].fixed[axis]) fixed_[at(row) + axis] = 1;
    row += 3;
  }
  for (const Slider& slider : model_.sliders) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      primal_[at(row) + axis] = 0;
      if (slider.fixed[axis])
        ++constraint_rows_;
      else
        fixed_[at(row) + axis] = 1;
    }
    row += 4;
  }
  tangent_.hold_rows(fixed_);

  mobile_.assign(step_.size(), 0);
  for (const Component& component : components_) {
    if (!component.mobile) continue;
    for (const int rod : component.rods) {
      const RodRange& range = model_.rods[at(rod)];
      for (int i = 0; i < range.mesh.nodes(); ++i)
        for (int axis = 0; axis < 3; ++axis) mobile_[at(node_row_[at(range.first_node + i)] + axis)] = 1;
    }
    for (const int body : component.bodies)
      for (int axis = 0; axis < 3; ++axis) mobile_[at(node_row_[at(model_.bodies[at(body)].node)] + axis)] = 1;
  }
  // a body may be free to turn about the line it hangs on
  for (const FreeBody& body : model_.bodies)
    if (const int block = rotor_block(body.rotor); block >= 0)
      for (int axis = 0; axis < 3; ++axis) mobile_[at(tangent_.rows_before(block) + axis)] = 1;
  moves_ = std::find(mobile_.begin(), mobile_.end(), 1) != mobile_.end();
}

int RodSystem::rotor_row(int rotor) const {
  return rotor_block(rotor) < 0 ? -1 : tangent_.rows_before(rotor_block(rotor));
}

int RodSystem::slider_row(int slider) const {
  return tangent_.rows_before(slider_block_[at(slider)]);
}

int RodSystem::excess_negative() const {
  return tangent_.negative_pivots() - constraint_rows_;
}

}  // namespace filum::discrete
