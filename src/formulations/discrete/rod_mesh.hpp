// Where the nodes of a rod lie along its arc length, and what share of it each joint stands for.
//
// Whatever acts at one place of a rod (a hold, a junction, a point load, a change of section) gets a node of its own at
// exactly that arc length: a «break». Between breaks, on a «span», the curvature is smooth and the nodes are evenly
// spread.
//
// The chain of edges solves linear statics exactly, so its error is that of a quadrature of ∫ (virtual moment)·κ ds
// over the joints. Plain half cells at the ends of a span are the trapezoid rule; Gregory's end correction to second
// differences (weights 3/8, 7/6, 23/24, 1, … instead of 1/2, 1, 1, 1, …; Simpson's on a span of two edges) costs
// nothing and takes the error of the ends away, so that what is left is of second order from coarse meshes on. It is
// used for bending on every span; docs/theory/kirchhoff.md has the figures.
#pragma once

#include <span>
#include <vector>

namespace filum::discrete {

struct RodMesh {
  bool closed = false;
  double length = 0;
  std::vector<double> s;       // of the nodes; closed: the last node before coming round, so s.back() < length
  std::vector<bool> is_break;  // per node; the ends of an open rod always are

  [[nodiscard]] int nodes() const { return static_cast<int>(s.size()); }
  [[nodiscard]] int edges() const { return closed ? nodes() : nodes() - 1; }
  [[nodiscard]] double edge_length(int edge) const {
    return (edge + 1 < nodes() ? s[static_cast<std::size_t>(edge) + 1] : length) - s[static_cast<std::size_t>(edge)];
  }
  // The node at this arc length, which must be a break (closed: taken round).
  [[nodiscard]] int node_at(double arc) const;
};

// `breaks`: arc lengths in any order, doubles allowed; the ends need not be listed. `given`: arc lengths of nodes to be
// used as they stand if every break is among them (may be empty).
RodMesh make_mesh(double length, bool closed, int segments, std::vector<double> breaks, std::span<const double> given);

// How far a joint reaches into the edges on its two sides, in metres.
struct Reach {
  double before = 0;
  double after = 0;
};

// For bending (Gregory) and for twist (half cells: uniform twist is then exact), per node.
std::vector<Reach> bending_reach(const RodMesh& mesh);
std::vector<Reach> half_cells(const RodMesh& mesh);

}  // namespace filum::discrete
