// A beam in a tube along a space curve.
//
// What filum/channel.hpp is in the plane: a search on a lattice of points across the tube, brought to rest between the
// exact walls. The beam is round and naturally straight, clamped at the start of the tube along it; its tip is loaded by a
// dead force or pushed back along the tube, and may be turned about its own axis, so that it is twisted. Where the centreline lies in a plane, the shapes
// in that plane are among those that are brought to rest: a tube is never worse than its channel.
#pragma once

#include <filum/channel.hpp>

namespace filum {

// A dead force at the tip, or the tip at arc length (beam's length − push) of the centreline.
struct TubeLoad {
  Vec3 force = Vec3::Zero();     // N
  std::optional<double> push{};  // m
  std::optional<double> turn{};  // of the tip about its axis against the tube, rad; none: it turns freely
};

struct TubeProblem {
  std::string title;
  Curve centreline;
  std::vector<Vec2> radius;     // [arc length, radius], m; monotone cubics between the points
  std::vector<Vec2> section;    // instead of it: corners of a convex section about the centreline, m
  Vec3 up = Vec3::Zero();       // where the section's x points at the start; zero: any
  double stiffness = 0;         // of the wall, N/m²; 0: rigid
  double friction = 0;          // coefficient of the wall
  ChannelSliding sliding = ChannelSliding::In;
  double length = 0;            // of the beam, m
  double EI = 0;                // the same about all axes, N·m²
  double GJ = 0;                // N·m²; needed if the tip is turned
  ChannelTip tip = ChannelTip::Centre;  // where a pushed one rides
  std::vector<TubeLoad> loads;          // one, or a path that a branch follows: all of one kind
  int branch = 1;                       // which of the shapes at the first load the path follows
  int links = 40;               // of the beam
  int rings = 0;                // of lattice points about the centre: 1 + 3 rings (rings + 1) in all; 0: chosen
  int arc_steps = 4;            // lattice sections per link
  int keep = 20000;             // states kept at each stage, the lowest; 0: all, and the search is exact on its lattice
  int k = 3;                    // so many different shapes
};

struct TubeContact {
  int node = 0;
  double s = 0;      // along the beam, m
  double along = 0;  // along the tube's centreline, m
  Vec3 point = Vec3::Zero();
  Vec3 force = Vec3::Zero();  // of the wall on the beam, N
  double normal = 0;          // its part square to the wall, N
  double friction = 0;        // its part by friction, positive along the tube, N
};

struct TubeShape {
  bool converged = false;
  bool stable = false;
  std::string why;
  double energy = 0;         // bending + twist + load + walls that give, J
  double bending = 0, twist_energy = 0, wall_energy = 0;
  double dimensionless = 0;  // U = energy · L / EI
  bool planar = false;       // it lies in a plane
  std::vector<Vec3> positions;  // of the nodes, m
  std::vector<TubeContact> contacts;
  Vec3 clamp_force = Vec3::Zero();   // of the clamp on the beam, N
  double insertion_force = 0;        // its part along the start of the tube, N
  Vec3 end_force = Vec3::Zero();     // on the tip: the load, or what the push needs, N
  double push_force = 0;             // its part against the tube's direction at the tip, N
  double twist = 0;                  // of the beam in all, rad
  double torque = 0;                 // that turns the tip, N·m
  double tip_along = 0;              // arc length of the centreline at the tip, m
  double breach = 0;                 // how far nodes are outside a rigid wall, m
  double indentation = 0;            // likewise in a wall that gives, m
  double kkt = 0;                    // largest unbalanced moment of a link, EI/L
  double balance = 0;                // the same from statics, EI/L
  int iterations = 0;
};

// Where a branch ended on a load path.
struct TubeSnap {
  TubeLoad load;       // it had not yet snapped at a load less by
  double within = 0;   // N, m of push, or rad of turn
  double release = 0;  // energy set free, J
};

// One load of a path, as of a channel's.
struct TubeStep {
  using Snap = TubeSnap;
  TubeLoad load;
  TubeShape state;
  bool snapped = false;
  double snap_share = 0;
  double snap_release = 0;
  std::vector<TubeSnap> snaps;
  double work = 0;
  double heat = 0;
};

// What a lattice led to.
struct TubeRings {
  int rings = 0;
  double lattice = 0;  // lowest energy on the lattice, J
  double energy = 0;   // lowest at rest, J
};

struct TubeOutcome {
  bool found = false;
  std::string why;
  std::vector<TubeShape> shapes;  // lowest first
  std::vector<TubeStep> path;     // one per load if there are several
  std::vector<TubeRings> rings;   // as they were tried
  bool settled = false;           // the last of them changed nothing any more, or were chosen by hand
  double states = 0;              // links of the lattice
  double visited = 0;             // joints looked at
  bool pruned = false;            // some states were dropped: the lowest may be among them
  double seconds = 0;             // filled in by who has a clock
};

std::optional<ChannelFault> check_tube(const TubeProblem& problem);
TubeOutcome search_tube(const TubeProblem& problem, const ChannelOptions& options = {});

}  // namespace filum
