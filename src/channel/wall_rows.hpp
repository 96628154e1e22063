// The rows of a planar linkage in its channel.
#pragma once

#include "channel/beam.hpp"
#include "channel/wall_row.hpp"

#include <vector>

namespace filum::channel {

using Row = RowIn<Vec2>;

// A linkage in the channel. The places remember in which piece each node was, so that it is found again.
struct Configuration {
  std::vector<double> angles;
  std::vector<Vec2> nodes;
  std::vector<Place> places;
};

Configuration configure(const Passage& passage, const Beam& beam, std::vector<double> angles);
void move_to(const Passage& passage, const Beam& beam, const std::vector<double>& angles, Configuration& configuration);

// Left and right wall of nodes 1 … N in turn, then the tip's. Always the same number in the same order. Walls rub with
// this coefficient.
std::vector<Row> make_rows(const Passage& passage, const Beam& beam, const Configuration& configuration,
                           double friction = 0);

}  // namespace filum::channel
