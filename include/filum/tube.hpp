// A beam in a tube along a space curve: a first search on a lattice of cross-section points.
//
// What the planar search does with levels across a channel is done with points across a tube. There is no polish in space
// yet: the energy is that of the lattice, and its error is stated by `breach` and by searching again with more rings.
// Where the centreline lies in a plane, the beam that stays in it is found as in a channel, polish included, and told if
// it is lower.
#pragma once

#include <filum/channel.hpp>

namespace filum {

struct TubeProblem {
  std::string title;
  Curve centreline;
  double radius = 0;          // of the tube, m
  double length = 0;          // of the beam, m
  double EI = 0;              // the same about all axes, N·m²
  Vec3 force = Vec3::Zero();  // dead, at the tip, N
  int links = 20;
  int rings = 2;      // of lattice points about the centre: 1 + 3 rings (rings + 1) in all
  int arc_steps = 4;  // lattice sections per link
  int keep = 20000;   // states kept at each stage, the lowest; 0: all, and the search is exact on its lattice
};

struct TubeOutcome {
  bool found = false;
  std::string why;
  double energy = 0;            // J
  double dimensionless = 0;     // U = energy · L / EI
  bool planar = false;          // it lies in the plane of the centreline, at rest between the walls there
  std::vector<Vec3> positions;  // of the nodes, m; unless planar, on the lattice
  double breach = 0;            // how far the chain with links of exact length is outside, m
  double states = 0;            // links of the lattice
  double visited = 0;           // joints looked at
  bool pruned = false;          // some states were dropped: the lowest may be among them
  double seconds = 0;           // filled in by who has a clock
};

std::optional<ChannelFault> check_tube(const TubeProblem& problem);
TubeOutcome search_tube(const TubeProblem& problem, const ChannelOptions& options = {});

}  // namespace filum
