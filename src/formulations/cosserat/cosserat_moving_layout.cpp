// Which unknown of a moving cosserat model lies where.
#include "formulations/cosserat/cosserat_moving_system.hpp"

#include "base/index.hpp"
#include "formulations/discrete/slider.hpp"

#include <algorithm>

namespace filum::cosserat {

using discrete::RodState;

void MovingSystem::lay_out(const std::vector<double>& slide) {
  math::BlockGraph graph;
  edge_block_.clear();
  rotor_block_.clear();
  tie_offset_.clear();
  // sizes: a segment's rotation and force, the positions of nodes, the forces of the ties whose slaves they are
  std::vector<int> ties(at(model_.nodes), 0);
  for (const discrete::Tie& tie : model_.ties) tie_offset_.push_back(3 + 3 * ties[at(tie.slave)]++);
  node_block_.assign(at(model_.nodes), -1);
  node_offset_.assign(at(model_.nodes), 0);
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const discrete::Edge& edge = model_.edges[j];
    if (node_block_[at(edge.a)] < 0 && !model_.rods[at(edge.rod)].mesh.closed)
      node_block_[at(edge.a)] = graph.add_block(3 + 3 * ties[at(edge.a)]);
    edge_block_.push_back(graph.add_block(9 + 3 * ties[at(edge.b)]));
    node_block_[at(edge.b)] = edge_block_.back();
    node_offset_[at(edge.b)] = 6;
  }
  for (int node = 0; node < model_.nodes; ++node)
    if (node_block_[at(node)] < 0) node_block_[at(node)] = graph.add_block(3 + 3 * ties[at(node)]);
  for (const discrete::Rotor& rotor : model_.rotors) {
    const bool held = rotor.fixed[0] && rotor.fixed[1] && rotor.fixed[2];
    rotor_block_.push_back(held ? -1 : graph.add_block(3));
  }
  for (std::size_t k = 0; k < model_.ties.size(); ++k) tie_offset_[k] += node_offset_[at(model_.ties[k].slave)];
  connect(graph);
  connect_sliders(graph, slide);
  const bool midpoint = model_.scene.simulation.integrator == Integrator::EnergyMomentum;
  const bool symmetric = model_.conservative && model_.bodies.empty() && !midpoint;
  tangent_.analyse(graph, math::minimum_degree_order(graph), symmetric);
  step_.assign(at(graph.rows()), 0);
  find_rotations();
  mark_rows();
}

void MovingSystem::connect(math::BlockGraph& graph) const {
  const auto join = [&](int a, int b) {
    if (a >= 0 && b >= 0 && a != b) graph.connect(a, b);
  };
  for (std::size_t j = 0; j < model_.edges.size(); ++j) join(edge_block_[j], node_block_[at(model_.edges[j].a)]);
  for (const discrete::Joint& joint : model_.joints) join(block_of(joint.left), block_of(joint.right));
  for (const discrete::Tie& tie : model_.ties) {
    join(node_block_[at(tie.slave)], node_block_[at(tie.master)]);
    join(node_block_[at(tie.slave)], rotor_block_[at(tie.rotor)]);
  }
  for (const discrete::PointLoad& load : model_.forces)
    if (load.follow) join(node_block_[at(load.node)], rotor_block_[at(load.rotor)]);
}

// A sliding hold may wander some nodes either way before the pattern is made anew.
void MovingSystem::connect_sliders(math::BlockGraph& graph, const std::vector<double>& slide) {
  constexpr int kWindow = 8;
  slider_block_.clear();
  slider_window_.assign(slide.size(), {});
  for (std::size_t k = 0; k < slide.size(); ++k) {
    slider_block_.push_back(graph.add_block(4));
    const discrete::RodRange& range = model_.rods[at(model_.sliders[k].rod)];
    const int nodes = range.mesh.nodes();
    const int first = discrete::slider_support(range.mesh, slide[k]).node[0];
    for (int i = first - kWindow; i <= first + 3 + kWindow; ++i) {
      const int node = range.mesh.closed ? ((i % nodes) + nodes) % nodes : i;
      if (node < 0 || node >= nodes) continue;
      slider_window_[k].push_back(node);
      graph.connect(slider_block_[k], node_block_[at(range.first_node + node)]);
    }
  }
}

void MovingSystem::track_sliders(const RodState& state) {
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const discrete::SliderSupport support =
        discrete::slider_support(model_.rods[at(model_.sliders[k].rod)].mesh, state.slide[k]);
    const std::vector<int>& window = slider_window_[k];
    for (int i = 0; i < support.count; ++i)
      if (std::find(window.begin(), window.end(), support.node[at(i)]) == window.end()) return lay_out(state.slide);
  }
}

void MovingSystem::mark_rows() {
  held_.assign(step_.size(), 0);
  for (int node = 0; node < model_.nodes; ++node)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (model_.position_hold[at(node)][axis] >= 0)
        held_[at(tangent_.rows_before(node_block_[at(node)]) + node_offset_[at(node)]) + axis] = 1;
  for (std::size_t r = 0; r < model_.rotors.size(); ++r)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (rotor_block_[r] >= 0 && model_.rotors[r].fixed[axis])
        held_[at(tangent_.rows_before(rotor_block_[r])) + axis] = 1;
  for (std::size_t k = 0; k < model_.sliders.size(); ++k)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!model_.sliders[k].fixed[axis]) held_[at(tangent_.rows_before(slider_block_[k])) + axis] = 1;
  tangent_.hold_rows(held_);
}

}  // namespace filum::cosserat
