// Which unknown lies where, in which order they are eliminated, and in which units.
#include "formulations/cosserat/cosserat_system.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <set>

namespace filum::cosserat {

namespace {

constexpr int kMostPegs = 4;  // in the block of a root

// The segments of every chain in the order they are eliminated in: a tail from its tip, a span from the end whose
// orientation is held, so that nothing is carried along the chain.
std::vector<std::vector<int>> eliminations(const ModelData& model, const Network& network) {
  // nodes at which a section's orientation is still to be found
  std::vector<char> turns(at(model.nodes), 0);
  for (const discrete::Joint& joint : model.joints)
    if (const int section = std::max(joint.left.section, joint.right.section); section >= 0)
      turns[at(joint.node)] = fixes_all(model.rotors[at(model.sections[at(section)].rotor)].fixed) ? 0 : 1;
  const auto turns_at = [&](int station) { return turns[at(network.stations[at(station)].node)] != 0; };
  std::vector<std::vector<int>> orders;
  for (const Chain& chain : network.chains) {
    orders.push_back(chain.edges);
    const bool backwards = chain.is_span() ? turns_at(chain.start) && !turns_at(chain.end) : chain.start >= 0;
    if (backwards) std::reverse(orders.back().begin(), orders.back().end());
  }
  return orders;
}

FixedAxes kept(const Root& root) {
  return {root.held[0] || root.loose[0], root.held[1] || root.loose[1], root.held[2] || root.loose[2]};
}

}  // namespace

System::System(const ModelData& model, const Network& network) : Assembly(model), network_(network) {
  lay_out();
  node_load_.assign(at(model_.nodes), Vec3::Zero());
  segment_load_.assign(model_.edges.size(), Vec3::Zero());
  chain_load_.assign(network_.chains.size(), Vec3::Zero());
  station_pull_.assign(network_.stations.size(), Vec3::Zero());
  edge_force_.resize(model_.edges.size());
  root_force_.assign(network_.roots.size(), Vec3::Zero());
  for (const int chain : network_.chain_of_slider) {
    const std::size_t count = network_.chains[at(chain)].edges.size();
    reach_.push_back({std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)});
  }
}

void System::lay_out() {
  math::BlockGraph graph;
  number_blocks(graph);
  connect_blocks(graph);
  tangent_.analyse(graph, elimination_order(graph), model_.conservative);

  find_rotations();
  auto rows_of = [&](const std::vector<int>& blocks) {
    std::vector<int> rows;
    for (const int block : blocks) rows.push_back(block < 0 ? -1 : tangent_.rows_before(block));
    return rows;
  };
  root_row_ = rows_of(root_block_);
  force_row_ = rows_of(force_block_);
  slider_row_ = rows_of(slider_block_);
  for (int& row : force_row_)
    if (row >= 0) row += 3;
  peg_row_ = rows_of(peg_block_);
  for (std::size_t k = 0; k < peg_row_.size(); ++k) peg_row_[k] += peg_offset_[k];
  step_.assign(at(graph.rows()), 0);
  gap_.assign(at(graph.rows()), 0);
  find_slots();
  mark_rows();
}

void System::number_blocks(math::BlockGraph& graph) {
  edge_block_.assign(model_.edges.size(), -1);
  const std::vector<std::vector<int>> orders = eliminations(model_, network_);
  for (std::size_t c = 0; c < network_.chains.size(); ++c) {
    // the span's force shares the block of the segment that goes last
    const bool span = network_.chains[c].is_span();
    for (const int edge : orders[c]) edge_block_[at(edge)] = graph.add_block(span && edge == orders[c].back() ? 6 : 3);
    force_block_.push_back(span ? edge_block_[at(orders[c].back())] : -1);
  }
  for (const discrete::Rotor& rotor : model_.rotors)
    rotor_block_.push_back(fixes_all(rotor.fixed) ? -1 : graph.add_block(3));
  std::vector<int> pegs(network_.roots.size(), 0);
  for (const Peg& peg : network_.pegs) ++pegs[at(network_.stations[at(peg.station)].root)];
  for (std::size_t r = 0; r < network_.roots.size(); ++r)
    root_block_.push_back(fixes_all(kept(network_.roots[r])) ? -1
                                                             : graph.add_block(3 + 3 * std::min(kMostPegs, pegs[r])));
  std::vector<int> used(network_.roots.size(), 0);
  for (const Peg& peg : network_.pegs) {
    const int root = network_.stations[at(peg.station)].root;
    const bool shares = root_block_[at(root)] >= 0 && used[at(root)] < kMostPegs;
    peg_block_.push_back(shares ? root_block_[at(root)] : graph.add_block(3));
    peg_offset_.push_back(shares ? 3 + 3 * used[at(root)]++ : 0);
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) slider_block_.push_back(graph.add_block(4));
}

void System::connect_station(math::BlockGraph& graph, const Station& station, int block) const {
  if (const int root = root_block_[at(station.root)]; root >= 0) graph.connect(block, root);
  for (const Arm& arm : station.arms)
    if (const int rotor = rotor_block_[at(arm.rotor)]; rotor >= 0) graph.connect(block, rotor);
}

void System::connect_blocks(math::BlockGraph& graph) const {
  for (const discrete::Joint& joint : model_.joints) {
    const int left = block_of(joint.left);
    const int right = block_of(joint.right);
    if (left >= 0 && right >= 0) graph.connect(left, right);
  }
  for (std::size_t c = 0; c < network_.chains.size(); ++c) {
    const Chain& chain = network_.chains[c];
    if (!chain.is_span()) continue;
    for (const int edge : chain.edges) graph.connect(edge_block_[at(edge)], force_block_[c]);
    connect_station(graph, network_.stations[at(chain.start)], force_block_[c]);
    connect_station(graph, network_.stations[at(chain.end)], force_block_[c]);
  }
  for (const discrete::PointLoad& load : model_.forces) {
    if (!load.follow || rotor_block_[at(load.rotor)] < 0) continue;
    const int root = root_block_[at(network_.stations[at(network_.station_of[at(load.node)])].root)];
    if (root >= 0) graph.connect(root, rotor_block_[at(load.rotor)]);
  }
  for (std::size_t k = 0; k < network_.pegs.size(); ++k) {
    const Peg& peg = network_.pegs[k];
    connect_station(graph, network_.stations[at(peg.station)], peg_block_[k]);
    if (peg.other_root >= 0) connect_station(graph, {0, peg.other_root, peg.other_arms}, peg_block_[k]);
  }
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const int index = network_.chain_of_slider[k];
    const Chain& chain = network_.chains[at(index)];
    for (const int edge : chain.edges) graph.connect(edge_block_[at(edge)], slider_block_[k]);
    connect_station(graph, network_.stations[at(chain.anchor())], slider_block_[k]);
    if (force_block_[at(index)] >= 0) graph.connect(force_block_[at(index)], slider_block_[k]);
    // two sliding holds on one chain feel each other through the segments between
    for (std::size_t other = 0; other < k; ++other)
      if (network_.chain_of_slider[other] == index) graph.connect(slider_block_[other], slider_block_[k]);
  }
}

// Segments chain by chain, then what joins the chains by rising degree. A root's position has no stiffness of its own
// until the forces of the spans that end there are gone, and a peg's none before that of what it holds.
std::vector<int> System::elimination_order(const math::BlockGraph& graph) const {
  std::vector<int> order;
  std::vector<char> gone(at(graph.blocks()), 0);
  const math::BlockGraph::Adjacency adjacency = graph.adjacency();
  std::vector<std::set<int>> near(at(graph.blocks()));
  const std::vector<std::vector<int>> orders = eliminations(model_, network_);
  for (std::size_t c = 0; c < orders.size(); ++c) {
    std::set<int> clique;
    for (const int edge : orders[c]) {
      const int block = edge_block_[at(edge)];
      if (block == force_block_[c]) continue;
      order.push_back(block);
      gone[at(block)] = 1;
      for (const int other : adjacency.of(block)) clique.insert(other);
    }
    // what is left of a chain: the few blocks it ends at, all joined
    std::erase_if(clique, [&](int block) { return gone[at(block)] != 0; });
    for (const int a : clique)
      for (const int b : clique)
        if (a != b) near[at(a)].insert(b);
  }
  std::set<int> rest;
  for (int block = 0; block < graph.blocks(); ++block)
    if (gone[at(block)] == 0) rest.insert(block);
  for (const int block : rest) {
    for (const int other : adjacency.of(block)) near[at(block)].insert(other);
    std::erase_if(near[at(block)], [&](int other) { return gone[at(other)] != 0; });
  }
  // what must not go before some neighbour of this kind
  std::vector<int> rank(at(graph.blocks()), 0);
  for (const int block : root_block_)
    if (block >= 0) rank[at(block)] = 1;
  for (std::size_t k = 0; k < peg_block_.size(); ++k)
    if (peg_offset_[k] == 0) rank[at(peg_block_[k])] = 2;
  while (!rest.empty()) {
    int best = -1;
    for (const int block : rest) {
      const bool early = std::any_of(near[at(block)].begin(), near[at(block)].end(),
                                     [&](int other) { return rank[at(other)] < rank[at(block)]; });
      if (early) continue;
      if (best < 0 || near[at(block)].size() < near[at(best)].size()) best = block;
    }
    order.push_back(best);
    rest.erase(best);
    for (const int a : near[at(best)]) {
      near[at(a)].erase(best);
      for (const int b : near[at(best)])
        if (a != b) near[at(a)].insert(b);
    }
  }
  return order;
}

void System::find_slots() {
  segment_slots_.resize(model_.edges.size());
  for (std::size_t j = 0; j < model_.edges.size(); ++j) {
    const int block = edge_block_[j];
    const int force = force_block_[at(network_.chain_of_edge[j])];
    segment_slots_[j].own = tangent_.pair(block, block);
    if (force >= 0) segment_slots_[j].force = tangent_.pair(block, force);
  }
}

void System::mark_rows() {
  held_.assign(step_.size(), 0);
  rotation_.assign(step_.size(), 0);
  weight_.assign(step_.size(), 0);
  auto mark = [&](int row, double weight, bool turns) {
    for (int axis = 0; axis < 3; ++axis) {
      weight_[at(row + axis)] = weight;
      rotation_[at(row + axis)] = turns ? 1 : 0;
    }
  };
  auto strike = [&](int row, const FixedAxes& axes) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (axes[axis]) held_[at(row) + axis] = 1;
  };
  auto strike_others = [&](int row, const FixedAxes& axes) {
    strike(row, {!axes[0], !axes[1], !axes[2]});
    multipliers_ += static_cast<int>(std::count(axes.begin(), axes.end(), true));
  };
  for (std::size_t j = 0; j < model_.edges.size(); ++j)
    mark(edge_row_[j], model_.edges[j].rest_length / model_.size, true);
  for (std::size_t r = 0; r < model_.rotors.size(); ++r) {
    if (rotor_row_[r] < 0) continue;
    mark(rotor_row_[r], segment_ / model_.size, true);
    strike(rotor_row_[r], model_.rotors[r].fixed);
  }
  for (std::size_t r = 0; r < network_.roots.size(); ++r) {
    if (root_row_[r] < 0) continue;
    mark(root_row_[r], segment_ / model_.size, false);
    strike(root_row_[r], kept(network_.roots[r]));
  }
  multipliers_ = 0;
  for (const int row : force_row_)
    if (row >= 0) multipliers_ += 3;
  for (std::size_t k = 0; k < network_.pegs.size(); ++k) strike_others(peg_row_[k], network_.pegs[k].axes);
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) strike_others(slider_row_[k], model_.sliders[k].fixed);
  tangent_.hold_rows(held_);
}

}  // namespace filum::cosserat
