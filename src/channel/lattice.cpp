#include "channel/lattice.hpp"

#include "base/index.hpp"
#include "channel/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {
namespace {

LatticeNode node_on(const Passage& passage, const Ruling& ruling, double y) {
  LatticeNode node;
  node.point = ruling.point + y * ruling.normal;
  node.s = ruling.s;
  node.u = ruling.u;
  node.y = y;
  node.heading = ruling.heading;
  node.normal = ruling.normal;
  node.depth = std::max({0.0, y - (ruling.left - ruling.give), -y - (ruling.right - ruling.give)});
  if (ruling.corner != 0) {
    // a corner serves its outer side
    node.valid = ruling.corner * y < 0;
    node.bend = node.valid ? -1 / y : 0;
  } else {
    node.bend = ruling.curvature / (1 - ruling.curvature * y);
    // inside a corner, what is nearer to another piece belongs there
    const Place place = passage.locate(node.point, ruling.piece);
    node.valid = std::abs(place.y - y) < 1e-9;
  }
  return node;
}

double longest_corner(const Passage& passage) {
  double longest = 0;
  for (const Piece& piece : passage.pieces())
    if (piece.length == 0) longest = std::max(longest, piece.extent);
  return longest;
}

// Node 1, which the clamp fixes.
LatticeNode entry_node(const Passage& passage, const Beam& beam) {
  LatticeNode node;
  node.point = beam.start + beam.step * direction(beam.heading);
  const Place place = passage.locate(node.point, 1);
  node.s = place.s;
  node.u = place.u;
  node.y = place.y;
  node.heading = place.heading;
  node.normal = place.normal;
  return node;
}

// How far along the channel the beam can come: level lines on the inside of bends are shorter than the centreline.
double farthest(const Passage& passage) {
  double gain = 1;
  for (const Piece& piece : passage.pieces()) {
    if (piece.radius == 0) continue;
    const double inside = piece.turn > 0 ? passage.left(piece.s).value : passage.right(piece.s).value;
    gain = std::max(gain, 1 / std::max(0.05, 1 - inside / piece.radius));
  }
  return gain;
}

}  // namespace

Trellis full_lattice(const Passage& passage, const Beam& beam, int levels, int arc_steps, const ParallelFor& parallel) {
  Trellis trellis;
  trellis.stages = beam.links - 1;
  trellis.thrust = beam.thrust;
  trellis.levels = levels;
  const bool along_matters = !passage.uniform() || beam.tip;
  LinkRule rule{beam.step, along_matters ? beam.step / arc_steps : 0, longest_corner(passage)};
  // rulings from the end of the clamped link to where the tip can be
  const double end = std::min(passage.end_u(), passage.u_of(farthest(passage)) + beam.step);
  trellis.rulings = along_matters ? static_cast<int>(end / rule.along) + 1 : 1;
  std::vector<LatticeNode> nodes(at(trellis.rulings) * at(levels));
  std::vector<double> spacing(at(trellis.rulings));
  for_ranges(parallel, trellis.rulings, 16, [&](int begin, int stop) {
    for (int r = begin; r < stop; ++r) {
      const Ruling ruling = passage.ruling(r * rule.along);
      spacing[at(r)] = (ruling.left + ruling.right) / (levels - 1);
      for (int m = 0; m < levels; ++m) {
        // the last level is the wall itself, to the last bit
        const double y = m == levels - 1 ? ruling.left : -ruling.right + m * spacing[at(r)];
        nodes[at(r) * at(levels) + at(m)] = node_on(passage, ruling, y);
      }
    }
  });
  trellis.spacing = *std::max_element(spacing.begin(), spacing.end());
  trellis.layers.push_back(std::move(nodes));
  const LayerGrid grid{&trellis.layers.front(), levels, 0};
  trellis.entry = make_links({entry_node(passage, beam)}, grid, rule, beam, {});
  trellis.tables.push_back(make_links(trellis.layers.front(), grid, rule, beam, parallel));
  return trellis;
}

void set_thrust(Trellis& trellis, double thrust) {
  const auto set = [more = thrust - trellis.thrust](LinkTable& table) {
    for (std::size_t link = 0; link < table.longer.size(); ++link) table.load[link] -= more * table.longer[link];
  };
  set(trellis.entry);
  for (LinkTable& table : trellis.tables) set(table);
  trellis.thrust = thrust;
}

Trellis tube_lattice(const Passage& passage, const Beam& beam, const std::vector<Spot>& centre, const TubeGrid& grid,
                     const ParallelFor& parallel) {
  Trellis trellis;
  trellis.stages = beam.links - 1;
  trellis.thrust = beam.thrust;
  trellis.levels = 2 * grid.half_levels + 1;
  const bool along_matters = !passage.uniform() || beam.tip;
  const LinkRule rule{beam.step, along_matters ? grid.along : 0, longest_corner(passage)};
  trellis.rulings = along_matters ? 2 * grid.half_rulings + 1 : 1;
  trellis.spacing = grid.spacing;
  trellis.layers.resize(at(trellis.stages));
  std::vector<double> first_u(at(trellis.stages));
  for (int stage = 0; stage < trellis.stages; ++stage) {
    const Spot& node = centre[at(stage)];
    first_u[at(stage)] = along_matters ? node.u - grid.half_rulings * grid.along : node.u;
    for (int r = 0; r < trellis.rulings; ++r) {
      const Ruling ruling = passage.ruling(first_u[at(stage)] + r * grid.along);
      // shifted as a whole so that it lies between the walls, the outermost level on the wall
      const double half = grid.half_levels * grid.spacing;
      const double room = 0.5 * (ruling.left + ruling.right);
      const double step = half > room ? room / grid.half_levels : grid.spacing;
      const double low = -ruling.right + grid.half_levels * step;
      const double high = ruling.left - grid.half_levels * step;
      const double middle = std::max(low, std::min(high, node.y));
      for (int m = -grid.half_levels; m <= grid.half_levels; ++m) {
        double y = middle + m * step;
        y = std::clamp(y, -ruling.right, ruling.left);
        trellis.layers[at(stage)].push_back(node_on(passage, ruling, y));
      }
    }
  }
  const auto layer_grid = [&](int stage) {
    return LayerGrid{&trellis.layers[at(stage)], trellis.levels, first_u[at(stage)]};
  };
  trellis.entry = make_links({entry_node(passage, beam)}, layer_grid(0), rule, beam, {});
  trellis.tables.resize(at(trellis.stages - 1));
  for_ranges(parallel, trellis.stages - 1, 4, [&](int begin, int end) {
    for (int stage = begin; stage < end; ++stage)
      trellis.tables[at(stage)] = make_links(trellis.layers[at(stage)], layer_grid(stage + 1), rule, beam, {});
  });
  return trellis;
}

}  // namespace filum::channel
