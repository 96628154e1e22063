// A stretch of a rod while it is being assembled, in a step that keeps energy or at one instant, as tables
// (math/lane_table.hpp).
//
// Row 0 is the last edge of the stretch before, rows 1, 2, … are the edges at hand. A joint of two edges has the row of
// its right one.
#pragma once

#include "math/lane_table.hpp"
#include "rod/axial_average.hpp"
#include "rod/edge_spin.hpp"
#include "rod/edge_turn.hpp"
#include "rod/joint_step.hpp"

#include <array>
#include <vector>

namespace filum::discrete {

// What an edge is made of, and where it is.
template <class T>
struct EdgeRowOf {
  rod::AxialStartOf<T> start;
  rod::Vec3Of<T> edge;
  T rest;
  T stiffness;
  T viscosity;
  T spin_inertia;
  T start_spin;
  T tension;
  T relief;     // where it yields: what that takes from its tension, N
  T softening;  // likewise from its stiffness, N
};

// An edge at one instant.
template <class T>
struct InstantEdgeOf {
  rod::Vec3Of<T> tangent;
  T length;
  T per_length;
  T rest;
  T per_rest;
  T energy;       // of its stretch
  T force;        // axial
  T rate;         // by which that grows with the length
  T tension;      // the axial force for the matrix
  T torque;       // of its inertia, about itself
  T torque_rate;  // by which that, and what keeps a free angle, grows with rest × angle
};

// What the joint at one of its ends does to an edge.
template <class T>
struct EdgeEndOf {
  rod::Vec3Of<T> moment;   // on the joint's right side, and reversed on its left
  T size;                  // its magnitude
  rod::Vec3Of<T> assumed;  // the moment with Newton's own components: for the matrix
};

// The forces of an edge.
template <class T>
struct EdgeForceOf {
  rod::Vec3Of<T> force;  // on its end, and reversed on its start
  T size;                // sum of magnitudes
  T torque;              // about itself, unbalanced
  T row;                 // the same on the right-hand side
  T moment_size;         // sum of magnitudes of its joints' moments
  T spin_size;           // of its inertia's
  T axial;               // tension
  rod::Vec3Of<T> slope;  // ∂(tension)/∂e
  T change;              // of its axial strain
};

// What an edge adds to the matrix, on the nodes a, b, c of it and the next.
template <class T>
struct EdgeBlocks {
  math::Mat4Of<T> aa, ab, ba, ac, ca, bb;

  EdgeBlocks() = default;
  // `h`: its own, on (δe, rest × δθ). `left`, `left_back`: `ab`, `ba` of the joint at its start; `right` … at its end.
  EdgeBlocks(const math::Mat4Of<T>& h, const math::Mat4Of<T>& left, const math::Mat4Of<T>& left_back,
             const math::Mat4Of<T>& right, const math::Mat4Of<T>& right_back) {
    // e = x_b − x_a: what is by x_a or acts on x_a has the sign reversed
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) {
        aa(r, c) = h(r, c) - left(r, c) - left_back(r, c);
        ab(r, c) = left(r, c) + right(r, c) - h(r, c);
        ba(r, c) = left_back(r, c) + right_back(r, c) - h(r, c);
        ac(r, c) = -right(r, c);
        ca(r, c) = -right_back(r, c);
        bb(r, c) = h(r, c);
      }
      aa(r, 3) = left(r, 3) - h(r, 3);
      aa(3, r) = left_back(3, r) - h(3, r);
      ab(r, 3) = -right(r, 3);
      ab(3, r) = h(3, r) - right(3, r);
      ba(r, 3) = h(r, 3) - right_back(r, 3);
      ba(3, r) = -right_back(3, r);
      ac(3, r) = right(3, r);
      ca(r, 3) = right_back(r, 3);
      ac(r, 3) = ca(3, r) = bb(r, 3) = bb(3, r) = T(0);
    }
    aa(3, 3) = h(3, 3);
    ab(3, 3) = right(3, 3);
    ba(3, 3) = right_back(3, 3);
    ac(3, 3) = ca(3, 3) = bb(3, 3) = T(0);
  }
};

struct StepChunk {
  static constexpr int kEdges = 16;  // what they need stays in the nearest cache
  static constexpr int kRows = kEdges + 2;
  template <template <class> class S>
  using Table = math::LaneTable<S, kRows>;

  // per edge
  Table<math::Mat3Of> frame;
  Table<EdgeRowOf> edge;
  Table<rod::EdgeTurnOf> turn;
  Table<math::Mat43Of> map;  // moment → (force, torque about it/rest)
  Table<EdgeEndOf> at_start, at_end;
  Table<math::Mat34Of> start_slope, end_slope;  // of those moments, by the edge's own (δe, rest × δθ)
  Table<rod::EdgeSpinOf> spin;                  // where cross-sections have inertia about all their axes
  Table<InstantEdgeOf> instant;
  Table<math::Mat3Of> start_stiffness, end_stiffness;  // of those moments, by the rotation of its frame: at one instant
  // per joint of two edges
  Table<rod::JointStrainOf> strain;
  Table<rod::StepLawOf> law;
  Table<math::Mat3Of> softening;  // where rods yield: of the law's components by the strain at the step's end
  Table<math::Vec3Of> relief;     // likewise: what that takes from its components at one instant
  Table<rod::JointElasticityOf> elasticity;
  Table<math::NumberOf> energy;
  Table<math::Mat4Of> ab, ba;  // derivatives of (force, torque) of the left edge by the right one's, and back
  std::array<EdgeForceOf<double>, kRows> force;  // per edge
  // what joints that are done alone do to edges
  std::vector<EdgeEndOf<double>> odd_ends;
  std::vector<rod::Mat34> odd_slopes;
  std::vector<Mat3> odd_stiffness;

  // The last row becomes row 0 of the next stretch.
  void carry(int row) {
    frame.copy(row, 0);
    edge.copy(row, 0);
    turn.copy(row, 0);
    map.copy(row, 0);
    spin.copy(row, 0);
    at_start.copy(row, 0);
    start_slope.copy(row, 0);
    ab.copy(row, 0);
    ba.copy(row, 0);
  }
  void carry_instant(int row) {
    frame.copy(row, 0);
    instant.copy(row, 0);
    spin.copy(row, 0);
    at_start.copy(row, 0);
    start_stiffness.copy(row, 0);
    ab.copy(row, 0);
  }
};

}  // namespace filum::discrete
