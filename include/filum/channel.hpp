// A beam in a channel: which buckled shape does a slender elastic beam take between two rigid walls?
//
// The beam is planar, inextensible and linearly elastic in bending, clamped at the start of the channel on its
// centreline and along it. The walls are at given distances to the left and right of the centreline; they are rigid or
// give in proportion to what presses on them, and may rub. A dead force pulls or pushes at the tip, or the tip is moved back along the channel and the force is
// found. The search is global within a stated lattice; what it finds is then brought to equilibrium between the exact
// walls. docs/theory/channel.md tells how.
#pragma once

#include <filum/curve.hpp>
#include <filum/result.hpp>
#include <filum/types.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace filum {

// Runs body(0) … body(count − 1), in any order and on any threads; nothing given: one after the other.
using ParallelFor = std::function<void(int count, const std::function<void(int)>& body)>;

// Where the beam may lie. Beyond its end the channel goes on straight, so that a tip may leave it.
struct Channel {
  Curve centreline;         // Line, Points, Spline or Arc, in the plane z = 0
  std::vector<Vec2> left;   // [arc length, distance of the left wall], m, >= 0; monotone cubics between the points
  std::vector<Vec2> right;  // likewise to the right
  double stiffness = 0;     // of the walls: force per length of beam and depth, N/m²; 0: rigid
  double friction = 0;      // coefficient of the walls
};

struct ChannelBeam {
  double length = 0;            // m
  double EI = 0;                // bending stiffness, N·m²
  std::vector<Vec2> curvature;  // at rest: [arc length of the beam, curvature 1/m], linear between; none: straight
};

enum class ChannelTip {
  Free,    // the tip may lie anywhere between the walls
  Centre,  // a pushed tip rides on the centreline
};

// Which way the whole beam slides along walls that rub.
enum class ChannelSliding {
  In,   // towards its tip: it is fed in through the clamp
  Out,  // towards the clamp: it is drawn out there, or pushed back from its tip
};

// Either a dead force at the tip, or the tip at arc length (beam's length − push) of the centreline, or so much of the
// beam fed in through the clamp.
struct ChannelLoad {
  Vec2 force = Vec2::Zero();       // N
  std::optional<double> push{};    // m
  std::optional<double> insert{};  // m
  double resist = 0;               // of what is fed in: pushes its tip back along the channel, N
};

// What the first search keeps of a chain of links besides its energy.
enum class ChannelMethod {
  Lattice,   // where its end lies across and along the channel: the lowest chain of the lattice is found
  Sections,  // where it lies across, in straight sections: much faster, and in bent channels a heuristic
};

struct ChannelSearch {
  int links = 60;     // rigid links of the beam, >= 2
  int levels = 0;     // lattice points across the channel; 0: chosen
  int arc_steps = 4;  // lattice points along the channel per link
  int k = 3;          // so many different shapes
  ChannelMethod method = ChannelMethod::Lattice;
  int sections = 0;  // of that method: straight sections, >= 2; 0: half as many as links
};

struct ChannelProblem {
  std::string title;
  Channel channel;
  ChannelBeam beam;
  ChannelTip tip = ChannelTip::Centre;
  ChannelSliding sliding = ChannelSliding::In;
  std::vector<ChannelLoad> loads;  // one, or a path that a branch follows
  int branch = 1;                  // which of the shapes at the first load the path follows
  ChannelSearch search;
};

struct WallContact {
  int node = 0;
  double s = 0;       // along the beam, m
  double along = 0;   // along the channel's centreline, m
  bool left = false;  // wall
  Vec2 point = Vec2::Zero();
  Vec2 force = Vec2::Zero();  // of the wall on the beam, N
  double normal = 0;          // its part square to the wall, N
  double friction = 0;        // its part by friction, positive along the channel, N
};

// How the energy fell from the lattice to the end.
struct ChannelRefinement {
  std::string what;    // «lattice» or «sections», «tube», «polish»
  double spacing = 0;  // between levels, m; 0: continuous
  double energy = 0;   // J
  double breach = 0;   // how far nodes are outside the walls, m
};

struct ChannelState {
  bool converged = false;
  bool stable = false;          // a minimum to second order, contacts that press kept
  std::string why;              // if it did not converge
  double energy = 0;            // bending + load + walls that give, J; zero for the straight beam along the start
  double bending = 0;           // J
  double wall_energy = 0;       // stored in walls that give, J
  double dimensionless = 0;     // U = energy · L / EI
  std::vector<double> s;        // of the nodes, m
  std::vector<Vec2> positions;  // of the nodes, m
  std::vector<double> angles;   // of the links, rad, unwrapped
  std::vector<double> moments;  // at the inner nodes, N·m
  std::vector<WallContact> contacts;
  Vec2 end_force = Vec2::Zero();    // on the tip: the load, or what the push needs, N
  double push_force = 0;            // its part against the channel's direction at the tip, N
  Vec2 clamp_force = Vec2::Zero();  // of the clamp on the beam, N
  double clamp_moment = 0;          // likewise, N·m
  double insertion_force = 0;       // the clamp's push along the start of the channel, N
  double feed_force = 0;            // the same less what the material does that leaves the clamp bent, N
  double tip_along = 0;             // arc length of the centreline at the tip, m
  double tip_offset = 0;            // to the left of it, m
  double breach = 0;                // largest of nodes beyond a rigid wall, m
  double indentation = 0;           // likewise into a wall that gives, m
  double link_breach = 0;           // likewise of the links' middles, m
  double kkt = 0;                   // largest unbalanced joint moment, in EI/L
  double balance = 0;               // the same from statics: moments against forces beyond each joint, in EI/L
  int iterations = 0;               // Newton's, of the polish
  std::vector<ChannelRefinement> refinement;
};

// Where a branch ended on a load path.
struct ChannelSnap {
  ChannelLoad load;    // it had not yet snapped at a load less by
  double within = 0;   // N, or m of push
  double release = 0;  // energy set free, J
};

// One load of a path.
struct ChannelStep {
  using Snap = ChannelSnap;
  ChannelLoad load;
  ChannelState state;
  bool snapped = false;     // the branch ended on the way here
  double snap_share = 0;    // at this share of the way from the load before
  double snap_release = 0;  // energy set free by all snaps on the way, J
  std::vector<ChannelSnap> snaps;
  double work = 0;  // of the load since the load before, J
  double heat = 0;  // what friction took of it, J; < 0: the beam slides the other way than was said
};

// What the search cost.
struct ChannelCost {
  int links = 0;       // of the beam on the lattice
  int levels = 0;      // across
  int stations = 0;    // along, or sections; 1: a straight channel, where the arc position plays no part
  double states = 0;   // links of the lattice
  double visited = 0;  // states over all stages
  double bytes = 0;    // largest memory of the search
};

// The coarse lattice whose chains were looked at one by one for other minima.
struct ChannelCatalogue {
  int links = 0;          // of the beam on it; 0: none was looked at
  int levels = 0;         // across
  int chains = 0;         // in the order of their energies
  int starts = 0;         // random ones besides
  int rested = 0;         // of which came to a minimum
  int met_once = 0;       // minima below the highest listed that one start alone led to
  bool complete = false;  // none was met once alone, and all below the highest listed were compared with it
};

struct ChannelOutcome {
  std::vector<ChannelState> shapes;  // lowest first
  std::vector<ChannelStep> path;     // one per load if there are several
  ChannelCost cost;
  ChannelCatalogue catalogue;
  bool converged = false;
  std::string why;
  double seconds = 0;  // filled in by who has a clock
};

struct ChannelOptions {
  ParallelFor parallel;
  std::function<void(double share, const char* word)> progress;
};

// What is wrong with the problem, in words that name the key of the channel file.
struct ChannelFault {
  std::string path;  // «beam.length»
  std::string message;
};
std::optional<ChannelFault> check_channel(const ChannelProblem& problem);

// The problem must be without fault.
ChannelOutcome solve_channel(const ChannelProblem& problem, const ChannelOptions& options = {});

// The walls as polylines, for pictures: points at even steps of the centreline, `reach` beyond its end.
struct ChannelOutline {
  std::vector<Vec2> centreline, left, right;
};
ChannelOutline channel_outline(const Channel& channel, double reach);

}  // namespace filum
