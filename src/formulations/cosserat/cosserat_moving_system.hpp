// Balance of a moving cosserat model in the middle or at the end of a step, and the linear solve with it.
//
// In motion every node has inertia, so none can be eliminated as the statics does (cosserat_system.hpp): the unknowns
// are a rotation w and an internal force n per segment, a position per node, the rotations of free rotors, and the
// forces of ties. With the joints of rod/joint.hpp and the segments of rod/pulled_segment.hpp the balance is
//
//     of a segment    Σ joint moments − r d × n + c J (α − α̂) d = 0,     x_b − x_a − r d = 0,
//     of a node       c m (x − x̂) + drag − loads ∓ n = 0,
//
// with c, x̂, α̂ those of the integrator (discrete/motion_terms.hpp). The segment's w and n share a block with the
// position of the node it ends at: block tridiagonal along a rod. Units are those of cosserat_assembly.hpp. One class in
// two units: this one and cosserat_moving_layout.
#pragma once

#include "formulations/cosserat/cosserat_assembly.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"
#include "rod/pulled_segment.hpp"

#include <vector>

namespace filum::cosserat {

struct StepBalance {
  double residual = 0;  // as SolveReport's
  double floor = 0;     // what round-off alone leaves of it
  double gap = 0;       // of segments and ties, share of the model's size
  bool finite = true;
};

class MovingSystem : public Assembly {
 public:
  explicit MovingSystem(const discrete::ModelData& model);

  // Refreshes the state's unwrapped twists. Allocates only when a sliding hold has come to nodes it was far from.
  StepBalance evaluate(discrete::RodState& state, const Targets& targets, const discrete::Motion& motion,
                       bool want_tangent);
  // Newton's step from the last evaluate with a tangent. False if the matrix was not finite.
  bool solve();
  void advance(discrete::RodState& state, double factor) const;
  // Lets go of a stopped sliding hold that is pulled back from the rod's end.
  void release_stops(discrete::RodState& state) const;

  // As of the last evaluate. Energies are left out.
  [[nodiscard]] discrete::Internals internals() const {
    return {strain_, segment_force_, axial_force_, strain_rate_, node_force_, rotor_moment_, 0, 0};
  }

 private:
  // Where unknowns lie: blocks, and first rows within them. Sliding holds at `slide` along their rods.
  void lay_out(const std::vector<double>& slide);
  void connect_sliders(math::BlockGraph& graph, const std::vector<double>& slide);
  void track_sliders(const discrete::RodState& state);
  void connect(math::BlockGraph& graph) const;
  void mark_rows();

  void measure_joint(discrete::RodState& state, int index);
  [[nodiscard]] rod::AxialLaw axial_law(const discrete::RodState& state, int edge) const;
  void add_segment(const discrete::RodState& state, int index);
  void add_node(const discrete::RodState& state, int node, const Vec3& load);
  void add_loads(const discrete::RodState& state, const Targets& targets);
  void add_ties(const discrete::RodState& state);
  void add_sliders(const discrete::RodState& state, const Targets& targets);
  void add_bodies(const discrete::RodState& state);
  StepBalance measure(const discrete::RodState& state);

  // Adds m where the rows of one unknown meet the columns of another, and `back` in the mirror image.
  void scatter(int block, int row, int other, int column, const Mat3& m, const Mat3& back);

  const discrete::Motion* motion_ = nullptr;
  double stiffest_ = 0;  // joint, N·m

  std::vector<int> node_block_;
  std::vector<int> node_offset_;                 // of the position within its block
  std::vector<int> tie_offset_;                  // of its force within its slave's block
  std::vector<std::vector<int>> slider_window_;  // per slider: nodes, local to its rod, that its block has room for

  // of the last evaluation
  std::vector<Vec3> segment_force_;
  std::vector<double> axial_force_;
  std::vector<double> strain_rate_;
  double inertia_ = 0;  // largest c m |x|: what round-off leaves of a difference of positions
  double gap_ = 0;
  double late_ = 0;  // largest |n·d − ρ|, and the largest pull along the rod of what slides
};

}  // namespace filum::cosserat
