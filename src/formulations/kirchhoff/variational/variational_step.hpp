// The stepper `variational`: discrete Euler-Lagrange equations of an inextensible, naturally straight, isotropic rod.
//
// Wang, «Modeling and simulation of the surgical guidewire and thread» (2016), ch. 4, with its misprints corrected; the
// equations stand in docs/theory/variational.md. From L_d = h [½ vᵀM v − E(x^k)], v = (x^{k+1} − x^k)/h, with |e| = l
// at the end of every step,
//
//     v^{k+1} = v^k + h M⁻¹ [F(x^k) + Σ T t(x^k)],    x^{k+1} = x^k + h v^{k+1},    |e^{k+1}| = l:
//
// symplectic Euler with the SHAKE constraint, T by Picard's iteration (rod/inextensible_chain). Linear momentum and
// Σ m x^k × v^{k+1} are conserved exactly, energy up to an oscillation proportional to h. The velocity of a state
// belongs to the middle of the step before it; with a step of another length the kick lasts for the mean of the two,
// and for half of the first, so that positions are of second order.
//
// Twist is in balance at every instant: one torque for each span between held cross-sections (rod/uniform_twist). Its
// total is not summed up over time but measured: the director of one end, carried along the rod without twist, against
// that of the other end; only whole turns are remembered, in the twists of the joints.
#pragma once

#include "formulations/discrete/rod_stepper.hpp"
#include "formulations/kirchhoff/penalty_contact.hpp"
#include "formulations/kirchhoff/variational/variational_setup.hpp"
#include "rod/inextensible_edges.hpp"
#include "rod/span_damping.hpp"

#include <vector>

namespace filum::kirchhoff {

class VariationalStepper final : public discrete::RodStepper {
 public:
  explicit VariationalStepper(const VariationalSetup& setup);

  StepReport step(discrete::RodState& state, const Targets& targets, double dt) override;

  // Bending and twist of a state, in this stepper's own measure 2 tan(φ/2) of curvature, J.
  [[nodiscard]] std::optional<double> elastic_energy(const discrete::RodState& state) override;

  // The second half of the kick that the next step would begin with, holds going on as they move.
  void synchronise(discrete::RodState& state, const Targets& targets) override;

 private:
  // variational_twist.cpp: what follows from positions and rotors
  void find_tangents(const discrete::RodState& state);
  void find_sections(const discrete::RodState& state);
  bool plan_turns(const discrete::RodState& state, const Targets& targets);
  void turn_rotors(discrete::RodState& state, const Targets& targets, double dt) const;
  void carry_frames(discrete::RodState& state);
  void find_twist(discrete::RodState& state, std::size_t span, const Vec3& carried);
  void write_frames(discrete::RodState& state, std::size_t span) const;

  // variational_step.cpp
  bool lay_on_constraint(discrete::RodState& state, StepReport& report);
  void find_torques(const discrete::RodState& state);
  void add_viscous_forces(discrete::RodState& state);
  void find_forces(discrete::RodState& state, const Targets& targets, double dt);
  void kick(discrete::RodState& state, const Targets& targets, double dt);
  void push(discrete::RodState& state);
  [[nodiscard]] bool is_too_long(std::size_t rod, std::span<const double> tension, double dt) const;

  // variational_instant.cpp: tensions at one instant
  void keep_rates(std::span<double> tension);
  bool is_too_taut(const discrete::RodState& state, double dt);
  void pull(discrete::RodState& state);
  bool keep_lengths(discrete::RodState& state, double dt, StepReport& report);
  void move(discrete::RodState& state, const Targets& targets, double dt);
  void settle_holds(discrete::RodState& state);
  void note_moments(discrete::RodState& state);
  void settle_contact(discrete::RodState& state);

  const VariationalSetup& setup_;
  const discrete::ModelData& model_;
  std::vector<rod::InextensibleChain> chains_;  // per rod
  PenaltyContact contact_;

  // per step
  double kick_ = 0;                  // how long the forces act, s
  double worst_strain_ = 0;          // of the state at hand
  std::vector<Vec3> tangent_;        // per side
  std::vector<Vec3> rail_;           // per side: a director carried without twist
  std::vector<Vec3> gradient_;       // per side: ∂E/∂e
  std::vector<Vec3> turning_;        // per side: angular velocity without spin
  std::vector<Mat3> section_;        // per section: its frame
  std::vector<double> torque_;       // per joint of the layout
  std::vector<double> total_twist_;  // per span
  std::vector<Vec2> turn_;           // per class: cosine and sine
  std::vector<Mat3> rotor_goal_;     // per rotor
  std::vector<Vec3> rotor_move_;     // per rotor: rotation vector of the step
  std::vector<Vec3> force_;          // per node
  std::vector<Vec3> start_;          // per node: where it was
  std::vector<Vec3> before_;         // per node: velocity before the kick, damping taken off
  std::vector<Vec3> moved_;          // per edge: ē
  std::vector<double> tension_;      // per edge
  std::vector<Vec3> edge_;           // per edge
  rod::SpanDamping damping_;
  std::vector<Vec3> viscous_moment_;  // per joint of the layout
};

}  // namespace filum::kirchhoff
