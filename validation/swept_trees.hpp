// Random trees of swept tubes whose truth is known, as CAD programs tessellate them: closed shells that overlap at their
// junctions, vertices on the true surface, often no ring between the ends of a straight piece.
//
// Paths are straight pieces and arcs of one to six diameters; three or four tubes meet at a node, and some end on the side
// of another one. No two are nearer than 1.4 of both radii but at their nodes.
#pragma once

#include <filum/types.hpp>

#include <array>
#include <vector>

namespace filum::validation {

struct TreeOptions {
  int branches = 5;
  int least_sides = 6;
  int most_sides = 32;
  double least_turn = 6;  // degrees a ring in bends
  double most_turn = 15;
  bool caps = true;
  bool taper = false;
  bool tight = false;       // all bends of one diameter
  bool touch = false;       // side branches begin at the surface of their trunk, not within it
  double uneven = 0;        // share by which angles and ring places vary
  int subdivide = 0;        // times that each triangle becomes four, flat
  double noise = 0;         // share of the radius
  double holes = 0;         // share of the triangles that are missing
  bool soup = false;        // unwelded, single precision, shuffled
  bool connectors = false;  // boxes over free ends
  bool welded = false;      // one smooth skin round all tubes, meshed anew without regard to rings
};

struct TrueBranch {
  std::vector<Vec3> centre;  // dense
  std::vector<double> radius;
  int start = 0;  // nodes
  int end = 0;
};
struct TrueTree {
  std::vector<Vec3> nodes;
  std::vector<int> degree;
  std::vector<TrueBranch> branches;
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
};

// The same tree for the same seed and options.
TrueTree make_tree(unsigned seed, const TreeOptions& options);

// The skin of a tree: a smooth union of its tubes, blended over 0.4 radii, contoured by marching tetrahedra in cells of
// this size. Vertices lie on the skin; triangles are as they fall, slivers included.
void mesh_anew(TrueTree& tree, double cell);

}  // namespace filum::validation
