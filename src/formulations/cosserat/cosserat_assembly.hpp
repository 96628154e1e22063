// What statics and motion assemble alike: joints and torques on the rotations of segments and rotors, and the units.
//
// The rods are shearless: a segment's d3 is its own direction, so that one rotation says all of its frame. To world
// rotation increments w0, w1 of its two frames a joint of moment m and stiffness C (rod/joint.hpp) adds the gradients
//
//     of w0     −m + C w0 + (−C + ½[m]×) w1
//     of w1      m + C w1 + (−C − ½[m]×) w0.
//
// A torque T adds, in exponential coordinates, −T − ½ T × w if it is dead and −T + ½ T × w if it follows.
//
// Scaled: rotations as they are, lengths by the model's size L, forces by k/L and energies by k = EI/L of its stiffest
// rod.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/tangent.hpp"
#include "formulations/formulation.hpp"
#include "rod/joint.hpp"
#include "rod/plastic_joint.hpp"
#include "rod/pulled_segment.hpp"

#include <vector>

namespace filum::cosserat {

class Assembly {
 public:
  // The largest rotation that the last step asks for, rad.
  [[nodiscard]] double largest_rotation() const;

 protected:
  explicit Assembly(const discrete::ModelData& model);
  ~Assembly() = default;

  // Once the tangent has been analysed: first rows and slots of what lies in the blocks of edges and rotors.
  void find_rotations();
  [[nodiscard]] int block_of(const discrete::Side& side) const;

  // Nothing assembled yet.
  void begin(bool want_tangent);
  void add_joint(int index, const rod::JointStrain& strain, const rod::JointElasticity& elasticity,
                 const rod::JointYield& yield);
  void add_torques(const discrete::RodState& state, const Targets& targets);

  void add_to_step(int row, const Vec3& value) {
    for (int i = 0; i < 3; ++i) step_[static_cast<std::size_t>(row + i)] += value[i];
  }
  [[nodiscard]] Vec3 step_at(int row) const {
    return {step_[static_cast<std::size_t>(row)], step_[static_cast<std::size_t>(row) + 1],
            step_[static_cast<std::size_t>(row) + 2]};
  }
  [[nodiscard]] bool step_is_finite() const;

  const discrete::ModelData& model_;
  discrete::Tangent tangent_;
  bool want_tangent_ = false;
  bool elastic_tangent_ = false;  // though rods yield: where an increment begins

  double moment_unit_ = 1;  // k, N·m
  double force_unit_ = 1;   // k/L
  double segment_ = 1;      // mean segment length, m

  // layout
  std::vector<int> edge_block_;
  std::vector<int> rotor_block_;  // −1: held wholly
  std::vector<int> slider_block_;
  std::vector<int> edge_row_, rotor_row_;
  std::vector<discrete::Tangent::Pair> joint_slots_;
  std::vector<char> held_;  // per row: struck out

  // of the last evaluation
  std::vector<rod::JointStrain> strain_;
  std::vector<rod::PulledSegment> segments_;
  std::vector<Vec3> rotor_moment_;  // gradient before axes are struck out
  std::vector<Vec3> node_force_;    // likewise, of what has any
  std::vector<double> slide_pull_;  // λ·x'(s): what a stop of a sliding hold has to hold
  double moment_scale_ = 0;
  double force_scale_ = 0;
  std::vector<double> step_;  // the right-hand side, then the step; scaled
};

}  // namespace filum::cosserat
