// Tubes that run through each other, or through themselves, where nothing joins them.
#pragma once

#include "flexible/tube_tree.hpp"

#include <vector>

namespace filum::flexible {

struct TubeClash {
  int first = -1;  // branches; the same one: it runs through itself
  int second = -1;
  Vec3 where = Vec3::Zero();
};

// One for each pair, where they come nearest. Tubes that lie against each other, by up to a tenth of their radii, do not
// count, nor does what is within three radii of a node that both have.
std::vector<TubeClash> find_clashes(const TubeTree& tree);

}  // namespace filum::flexible
