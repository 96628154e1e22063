// How near the tubes found in a mesh come to the tree that it was made from.
//
// Errors are shares of the local radius, of stations farther than 2.5 radii from a node.
#pragma once

#include "flexible/tube_tree.hpp"
#include "validation/swept_trees.hpp"

#include <vector>

namespace filum::validation {

struct TubeScore {
  int meshes = 0;
  int right = 0;   // every node met by one of its degree, every branch between the same nodes
  int within = 0;  // and 99 % of the stations of this mesh within the two bounds
  std::vector<double> centre;
  std::vector<double> radius;
  double node = 0;    // farthest, radii
  double length = 0;  // of a branch, farthest, share of it
  // the largest quotient of an error and the bound that was told of it
  double centre_of_bound = 0;
  double radius_of_bound = 0;
  std::vector<double> bound;  // of the centre lines of branches, share of the radius
};

// `ends`: how far a free end may be off, radii; connectors hide it.
struct TubeBounds {
  double centre = 0.02;
  double radius = 0.01;
  double end = 0.5;
};

void add_mesh(TubeScore& score, const TrueTree& truth, const flexible::TubeTree& found, const TubeBounds& bounds);

double percentile(std::vector<double> values, double share);

}  // namespace filum::validation
