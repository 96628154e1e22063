#include "formulations/cosserat/network.hpp"

#include "base/index.hpp"
#include "formulations/discrete/slider.hpp"

#include <algorithm>
#include <numeric>

namespace filum::cosserat {

namespace {

using discrete::RodMesh;
using discrete::RodRange;
using discrete::Tie;

class Builder {
 public:
  explicit Builder(const ModelData& model) : model_(model) {}

  Network run() {
    network_.station_of.assign(at(model_.nodes), -1);
    network_.chain_of_edge.assign(model_.edges.size(), -1);
    network_.place_of_edge.assign(model_.edges.size(), -1);
    mark_stations();
    place_stations();
    for (std::size_t r = 0; r < model_.rods.size(); ++r) cut_rod(static_cast<int>(r));
    for (const discrete::Slider& slider : model_.sliders) network_.chain_of_slider.push_back(chain_under(slider));
    find_loose_roots();
    return std::move(network_);
  }

 private:
  bool is_held(int node) const {
    const auto& hold = model_.position_hold[at(node)];
    return hold[0] >= 0 || hold[1] >= 0 || hold[2] >= 0;
  }

  int add_station(int node) {
    int& station = network_.station_of[at(node)];
    if (station >= 0) return station;
    station = static_cast<int>(network_.stations.size());
    network_.stations.push_back({node, -1, {}});
    return station;
  }

  // Held nodes, tied nodes, bodies, nodes that a following force acts on, and one node of every rod that has none.
  void mark_stations() {
    for (int node = 0; node < model_.nodes; ++node)
      if (is_held(node)) add_station(node);
    for (const Tie& tie : model_.ties) {
      add_station(tie.slave);
      add_station(tie.master);
    }
    for (const discrete::FreeBody& body : model_.bodies) add_station(body.node);
    for (const discrete::PointLoad& load : model_.forces)
      if (load.follow) add_station(load.node);
    for (const RodRange& range : model_.rods) {
      bool found = false;
      for (int i = 0; i < range.mesh.nodes(); ++i) found = found || network_.station_of[at(range.first_node + i)] >= 0;
      if (!found) add_station(range.first_node);
    }
  }

  // The first tie that makes a node a slave places it; every other one, and every hold on it, is a peg.
  void place_stations() {
    std::vector<int> placed_by(at(model_.nodes), -1);
    for (std::size_t k = 0; k < model_.ties.size(); ++k) {
      const int slave = model_.ties[k].slave;
      if (placed_by[at(slave)] < 0 && !leads_to(model_.ties[k].master, slave, placed_by))
        placed_by[at(slave)] = static_cast<int>(k);
      else
        loops_.push_back(static_cast<int>(k));
    }
    for (Station& station : network_.stations) walk_up(station.node, placed_by, station.root, station.arms);
    for (const int k : loops_) {
      const Tie& tie = model_.ties[at(k)];
      Peg peg;
      peg.station = network_.station_of[at(tie.slave)];
      peg.axes = {true, true, true};
      walk_up(tie.master, placed_by, peg.other_root, peg.other_arms);
      peg.other_arms.push_back({tie.rotor, tie.arm});
      network_.pegs.push_back(peg);
    }
    for (std::size_t s = 0; s < network_.stations.size(); ++s) hold_station(static_cast<int>(s));
  }

  bool leads_to(int node, int wanted, const std::vector<int>& placed_by) const {
    while (node != wanted && placed_by[at(node)] >= 0) node = model_.ties[at(placed_by[at(node)])].master;
    return node == wanted;
  }

  void walk_up(int node, const std::vector<int>& placed_by, int& root, std::vector<Arm>& arms) {
    while (placed_by[at(node)] >= 0) {
      const Tie& tie = model_.ties[at(placed_by[at(node)])];
      arms.push_back({tie.rotor, tie.arm});
      node = tie.master;
    }
    for (std::size_t r = 0; r < network_.roots.size(); ++r)
      if (network_.roots[r].node == node) {
        root = static_cast<int>(r);
        return;
      }
    root = static_cast<int>(network_.roots.size());
    network_.roots.push_back({node, {}, false});
  }

  // A root is held directly, another station by pegs, one per hold.
  void hold_station(int index) {
    const Station& station = network_.stations[at(index)];
    const auto& hold = model_.position_hold[at(station.node)];
    if (network_.roots[at(station.root)].node == station.node) {
      for (std::size_t axis = 0; axis < 3; ++axis) network_.roots[at(station.root)].held[axis] = hold[axis] >= 0;
      return;
    }
    std::vector<int> done;
    for (const int h : hold) {
      if (h < 0 || std::find(done.begin(), done.end(), h) != done.end()) continue;
      done.push_back(h);
      Peg peg;
      peg.station = index;
      peg.hold = h;
      for (std::size_t axis = 0; axis < 3; ++axis) peg.axes[axis] = hold[axis] == h;
      network_.pegs.push_back(peg);
    }
  }

  // From station to station along a rod.
  void cut_rod(int rod) {
    const RodRange& range = model_.rods[at(rod)];
    const RodMesh& mesh = range.mesh;
    const int edges = mesh.edges();
    int first = 0;
    if (mesh.closed)
      while (network_.station_of[at(range.first_node + first)] < 0) ++first;
    Chain chain;
    begin_chain(chain, rod, first);
    for (int k = 0; k < edges; ++k) {
      const int j = (first + k) % edges;
      chain.edges.push_back(range.first_edge + j);
      const int next = (j + 1) % mesh.nodes();
      // a ring that has come round goes on counting
      const double s = mesh.s[at(j)] + mesh.edge_length(j) + (first + k >= edges ? mesh.length : 0);
      chain.mesh.s.push_back(s);
      chain.mesh.is_break.push_back(mesh.is_break[at(next)]);
      const int station = network_.station_of[at(range.first_node + next)];
      if (station < 0 && k + 1 < edges) continue;
      chain.end = station;
      end_chain(chain);
      if (k + 1 < edges) begin_chain(chain, rod, next + (first + k + 1 >= edges ? edges : 0));
    }
  }

  void begin_chain(Chain& chain, int rod, int node) const {
    const RodRange& range = model_.rods[at(rod)];
    const int local = node % range.mesh.nodes();
    chain = {};
    chain.rod = rod;
    chain.start = network_.station_of[at(range.first_node + local)];
    chain.mesh.length = range.mesh.length;
    chain.mesh.s.push_back(range.mesh.s[at(local)] + (node >= range.mesh.nodes() ? range.mesh.length : 0));
    chain.mesh.is_break.push_back(true);
  }

  void end_chain(const Chain& chain) {
    for (std::size_t j = 0; j < chain.edges.size(); ++j) {
      network_.chain_of_edge[at(chain.edges[j])] = static_cast<int>(network_.chains.size());
      network_.place_of_edge[at(chain.edges[j])] = static_cast<int>(j);
    }
    network_.chains.push_back(chain);
  }

  int chain_under(const discrete::Slider& slider) const {
    const double s = discrete::drawn_slide(model_, slider);
    int last = -1;
    for (std::size_t c = 0; c < network_.chains.size(); ++c) {
      const Chain& chain = network_.chains[c];
      if (chain.rod != slider.rod) continue;
      last = static_cast<int>(c);
      if (s >= chain.mesh.s.front() && s <= chain.mesh.s.back()) return last;
    }
    return last;
  }

  // What nothing holds along an axis stays where it is: one root of all that hang together is kept.
  void find_loose_roots() {
    std::vector<int> leader(network_.roots.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int r) {
      while (leader[at(r)] != r) r = leader[at(r)];
      return r;
    };
    const auto root_of = [&](int station) { return network_.stations[at(station)].root; };
    for (const Chain& chain : network_.chains)
      if (chain.is_span()) leader[at(find(root_of(chain.start)))] = find(root_of(chain.end));
    for (const Peg& peg : network_.pegs)
      if (peg.other_root >= 0) leader[at(find(root_of(peg.station)))] = find(peg.other_root);
    std::vector<FixedAxes> held(leader.size(), FixedAxes{});
    const auto hold = [&](int root, const FixedAxes& axes) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        held[at(find(root))][axis] = held[at(find(root))][axis] || axes[axis];
    };
    for (const Peg& peg : network_.pegs)
      if (peg.hold >= 0) hold(root_of(peg.station), peg.axes);
    for (std::size_t k = 0; k < model_.sliders.size(); ++k)
      hold(root_of(network_.chains[at(network_.chain_of_slider[k])].anchor()), model_.sliders[k].fixed);
    for (std::size_t r = 0; r < leader.size(); ++r) hold(static_cast<int>(r), network_.roots[r].held);
    for (std::size_t r = 0; r < leader.size(); ++r)
      if (find(static_cast<int>(r)) == static_cast<int>(r))
        for (std::size_t axis = 0; axis < 3; ++axis) network_.roots[r].loose[axis] = !held[r][axis];
  }

  const ModelData& model_;
  Network network_;
  std::vector<int> loops_;
};

}  // namespace

Network make_network(const ModelData& model) {
  return Builder(model).run();
}

}  // namespace filum::cosserat
