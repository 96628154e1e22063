// The lattice of the search: nodes between the walls, and the links that join them.
//
// A node lies on a ruling of the channel at one of the levels across it. From a node, one link leads to every level
// that a link of length Δs can reach going forward: its heading is the one at which the link's exact end lies on that
// level, and the end is then taken to the nearest ruling. So levels, and with them the walls, are met exactly; along
// the channel a node is up to half a distance of rulings off, which a straight channel does not feel and a curved one
// feels through its bend. The state of the search is the link, which knows both its nodes: place across, place along
// and heading. The cost of a linkage is a sum over neighbouring links, so the search for the lowest is exact.
//
// In a straight channel of even width the place along does not matter and there is one ruling for all nodes.
#pragma once

#include "channel/beam.hpp"

#include <cstdint>
#include <vector>

namespace filum::channel {

// A local heading beyond this is not on the lattice: links lead forward.
inline constexpr double kSteepest = 1.45;  // rad, 83°

struct LatticeNode {
  Vec2 point = Vec2::Zero();
  double s = 0, u = 0, y = 0;
  double heading = 0;  // of the ruling
  Vec2 normal = Vec2::UnitY();
  double bend = 0;    // curvature of the level line here
  double depth = 0;   // in a wall that gives
  bool valid = true;  // inside a corner rulings cross: what belongs to another one is left out
};

// Links from the nodes of one layer to the nodes of the next.
struct LinkTable {
  std::vector<std::int32_t> first;     // of each node: its links are [first[node], first[node + 1]), by rising angle
  std::vector<double> angle;           // of each link
  std::vector<double> load;            // energy of the load on it
  std::vector<double> longer;          // pushed tips: what the way between its nodes is longer than the link
  std::vector<std::int32_t> target;    // node of the next layer
  std::vector<std::int32_t> in_first;  // of each node of the next layer: its incoming links, by rising angle
  std::vector<std::int32_t> in_link;
  std::vector<double> in_angle;  // of in_link, side by side for the inner loop

  [[nodiscard]] int sources() const { return static_cast<int>(first.size()) - 1; }
  [[nodiscard]] int targets() const { return static_cast<int>(in_first.size()) - 1; }
  [[nodiscard]] int links() const { return static_cast<int>(angle.size()); }
};

// The layers of nodes and the links between them: table(t) leads to the end of link t + 1 of the beam.
struct Trellis {
  std::vector<std::vector<LatticeNode>> layers;  // one that serves all, or one for each stage
  LinkTable entry;                               // from node 1, which the clamp fixes
  std::vector<LinkTable> tables;                 // one that serves all, or one for each stage
  int stages = 0;                                // free links of the beam
  double spacing = 0;                            // largest between levels
  double thrust = 0;                             // that links count with
  int levels = 0, rulings = 0;

  [[nodiscard]] const LinkTable& table(int stage) const {
    if (stage == 0) return entry;
    return tables[tables.size() == 1 ? 0 : static_cast<std::size_t>(stage - 1)];
  }
  // The nodes where the links of this stage end.
  [[nodiscard]] const std::vector<LatticeNode>& layer(int stage) const {
    return layers[layers.size() == 1 ? 0 : static_cast<std::size_t>(stage)];
  }
};

// Between the walls everywhere: `levels` across, `arc_steps` rulings per link.
Trellis full_lattice(const Passage& passage, const Beam& beam, int levels, int arc_steps, const ParallelFor& parallel);

// Where a node lies: along the rulings and across.
struct Spot {
  double u = 0, y = 0;
};

// In a tube around the nodes where the free links end: levels at distances `spacing` up to `half` of them to either
// side of each node, rulings at distances `along` likewise.
struct TubeGrid {
  double spacing = 0;
  double along = 0;
  int half_levels = 6;
  int half_rulings = 8;
};
Trellis tube_lattice(const Passage& passage, const Beam& beam, const std::vector<Spot>& centre, const TubeGrid& grid,
                     const ParallelFor& parallel);

// Another thrust for a pushed beam's links.
void set_thrust(Trellis& trellis, double thrust);

// How links join a layer to the next.
struct LinkRule {
  double step = 0;           // Δs
  double along = 0;          // distance of rulings; 0: one ruling serves all
  double corner_extent = 0;  // longest corner on the way, in u
};

// Rulings × levels of one layer, ruling after ruling, the first at `u`.
struct LayerGrid {
  const std::vector<LatticeNode>* nodes = nullptr;
  int levels = 0;
  double u = 0;
};
LinkTable make_links(const std::vector<LatticeNode>& from, const LayerGrid& to, const LinkRule& rule, const Beam& beam,
                     const ParallelFor& parallel);

}  // namespace filum::channel
