// Energy, residual and tangent of a cosserat model at rest, and the linear solve with them.
//
// Rotations are the unknowns, after [Gregoire2007, ch. 3]; the rods are shearless, as Kirchhoff's are: a segment's d3
// is its own direction (docs/theory/cosserat.md, sections 1 and 2).
//
// Unknowns: a rotation increment per segment and per free rotor, the position of every root, and multipliers: the force
// of every span, of every peg and of every sliding hold, whose arc length is unknown too. The Lagrangian is
//
//     L = Σ joints E(F0, F1) + Σ segments Λ(d, n, ε) − Σ stations P·x + constraints,     n = W + N + Σ a(s) λ,
//
// with the joint energies of rod/joint.hpp and Λ of rod/pulled_segment.hpp. In a segment the internal force n is that
// of its span, N, with the dead loads W between the segment and the span's end and, before a sliding hold, the hold's
// force. Rotations meet only their neighbours and their span's force: the matrix is a chain of 3 × 3 blocks with a
// border of three rows a span. Its condition grows as N², that of positions as unknowns as N⁴.
//
// Units are those of cosserat_assembly.hpp. One class in several units: this one and cosserat_layout, cosserat_sliders,
// cosserat_advance.
#pragma once

#include "formulations/cosserat/cosserat_assembly.hpp"
#include "formulations/cosserat/cosserat_state.hpp"
#include "formulations/cosserat/network.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/formulation.hpp"
#include "rod/pulled_segment.hpp"

#include <vector>

namespace filum::cosserat {

struct Balance {
  double elastic = 0;
  double potential = 0;  // of dead loads, gravity included
  double size = 0;       // Σ |terms| of the two: what their round-off is measured by
  double gap = 0;        // Σ |violation| of spans, pegs and sliders, m
  double worst_gap = 0;  // the largest, share of the model's size
  double residual = 0;   // largest |Σ moments| / largest Σ |moments|; forces likewise
  double floor = 0;      // what round-off alone leaves of it
  bool finite = true;

  [[nodiscard]] double merit(double weight) const { return elastic + potential + weight * gap; }
};

class System : public Assembly {
 public:
  System(const ModelData& model, const Network& network);

  // Loads and hold positions that the next evaluations use.
  void set_targets(const Targets& targets, const CableState& state);
  [[nodiscard]] const Targets& targets() const { return *targets_; }

  // Refreshes the state's unwrapped twists.
  Balance evaluate(CableState& state, bool want_tangent);

  // Newton's step from the last evaluate with a tangent. `shift` ≥ 0 stiffens all rotations: in units of the bending
  // stiffness of a whole rod, spread along it. False if the matrix was not finite.
  bool solve(double shift);
  // Of the matrix alone.
  bool factor(double shift);
  // Another right-hand side in `step`, with the last factor.
  void solve_again() { tangent_.solve(step_.data()); }
  // Closes the gaps of the last evaluate, which may be of another state, with the last factor: what is left of them is
  // of higher order.
  void solve_gaps();
  // Negative pivots beyond those of the multipliers: 0 at a strict minimum; with loads that are not conservative
  // always.
  [[nodiscard]] int excess_negative() const {
    return tangent_.symmetric() ? tangent_.negative_pivots() - multipliers_ : 0;
  }

  void advance(CableState& state, double factor) const;
  // The largest multiplier that the last step leads to, N.
  [[nodiscard]] double largest_force(const CableState& state) const;
  [[nodiscard]] bool conservative() const { return model_.conservative; }
  // Lets go of a stopped slider that is pulled back from the end of its chain.
  void release_stops(CableState& state) const;

  // Positions and edges as the rotations have them, and the forces that ties exert.
  void place_nodes(CableState& state) const;

  // Strains, internal forces and reactions as of the last evaluate, which was of this state.
  [[nodiscard]] discrete::Internals internals(const CableState& state, const Balance& balance);
  // The least 1 + ε of a segment: at or below zero it is turned inside out.
  [[nodiscard]] double least_length(const CableState& state) const;
  // A segment is pulled or pushed beyond its yield force: its length would no longer follow from the force.
  [[nodiscard]] bool stretch_yields(const CableState& state) const;

  // The first tangent where rods yield: that of unloading, which may as well be what comes next.
  void use_elastic_tangent(bool elastic) { elastic_tangent_ = elastic; }

  [[nodiscard]] std::vector<double>& step() { return step_; }
  [[nodiscard]] bool is_rotation(int row) const { return rotation_[static_cast<std::size_t>(row)] != 0; }
  [[nodiscard]] bool is_free(int row) const { return held_[static_cast<std::size_t>(row)] == 0; }
  [[nodiscard]] double size() const { return model_.size; }

 private:
  struct SegmentSlots {
    discrete::Tangent::Pair own;
    discrete::Tangent::Pair force;  // with its span's force
  };

  void lay_out();
  void number_blocks(math::BlockGraph& graph);
  void connect_blocks(math::BlockGraph& graph) const;
  void connect_station(math::BlockGraph& graph, const Station& station, int block) const;
  [[nodiscard]] std::vector<int> elimination_order(const math::BlockGraph& graph) const;
  void find_slots();
  void mark_rows();

  [[nodiscard]] Vec3 place_of(const CableState& state, int root, const std::vector<Arm>& arms) const;
  [[nodiscard]] Vec3 position(const CableState& state, int station) const;
  [[nodiscard]] rod::PulledSegment segment(const CableState& state, int edge) const;

  void weigh_sliders(const CableState& state);
  void measure_joint(CableState& state, int index, Balance& balance);
  void add_chain(const CableState& state, int index, Balance& balance);
  void add_segment(const rod::PulledSegment& segment, int edge);
  void add_slider(const CableState& state, int index, Balance& balance);
  void add_stations(const CableState& state, Balance& balance);
  void add_pegs(const CableState& state, Balance& balance);
  void pull(const CableState& state, int root, const std::vector<Arm>& arms, const Vec3& force);
  void couple(const CableState& state, int root, const std::vector<Arm>& arms, int block, int row, double sign,
              const FixedAxes& axes);
  void measure(const CableState& state, Balance& balance);
  [[nodiscard]] Vec3 hold_force(const CableState& state, int hold) const;

  const Network& network_;

  // layout: blocks, and the first rows of what lies in them
  std::vector<int> root_block_;   // −1: held wholly
  std::vector<int> force_block_;  // per chain: the block of its last segment in the order of elimination; −1: a tail
  std::vector<int> peg_block_;
  std::vector<int> peg_offset_;  // row of its multiplier within the block
  std::vector<int> root_row_, force_row_, peg_row_, slider_row_;
  std::vector<char> rotation_;  // per row: part of a rotation
  std::vector<double> weight_;  // per row: what a unit shift adds
  int multipliers_ = 0;
  std::vector<SegmentSlots> segment_slots_;

  // of the targets
  const Targets* targets_ = nullptr;
  std::vector<Vec3> node_load_;     // dead load on every node
  std::vector<Vec3> segment_load_;  // per edge: W
  std::vector<Vec3> chain_load_;    // per chain: all that hangs between its ends

  // of the last evaluation
  std::vector<Vec3> edge_force_;    // for `internals` alone
  std::vector<Vec3> station_pull_;  // P of every station
  std::vector<Vec3> root_force_;    // gradient before axes are struck out
  std::vector<double> gap_;         // per multiplier row, the constraint's violation; zero elsewhere
  struct SliderReach {
    std::vector<double> value, slope, bend;  // a(s) and its derivatives per segment of the chain
  };
  std::vector<SliderReach> reach_;
};

}  // namespace filum::cosserat
