// Twist without inertia: at every instant the angles of the edges are those of least energy for the centre line.
//
// Between two gripped cross-sections a «span» of edges carries one twisting moment. If bending does not depend on the
// angles (equal bending stiffnesses, straight at rest) that moment is uniform and follows in closed form from the total
// twist; else Newton finds the angles, a tridiagonal system, cyclic for a ring [Bergou2008, section 5.1].
//
// The total twist Θ is a persistent number. After each step the first section's director is carried along the new
// centre line without twist, and what is missing to the last section, taken nearest to where Θ is foreseen, is the new
// Θ [Kirsch2012, ch. 7]: any number of turns is tracked, and no error adds up, because frames are rebuilt from the
// sections.
//
// Viscosity of twist is taken implicitly: K = k + c/h, and a rest twist between the true one and that of a step before.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "math/tridiagonal.hpp"

#include <span>
#include <vector>

namespace filum::kirchhoff {

// Whether the angles of the edges make no difference to the bending of this joint.
bool is_round(const discrete::Joint& joint);

class QuasiStaticTwist {
 public:
  explicit QuasiStaticTwist(const discrete::ModelData& model);

  // Gives frames and twists to a state whose edges and rotors have just moved. `rotor_turn`: world rotation vector of
  // every rotor in this step. False if Newton did not settle.
  bool settle(discrete::RodState& state, std::span<const Vec3> rotor_turn, double dt);

  // Energy that the viscosity of twist took in the last settling.
  [[nodiscard]] double dissipated() const { return dissipated_; }

 private:
  // Edges in a row, with the joints before, between and after them.
  struct Span {
    std::vector<int> edges;
    std::vector<int> joints;  // with a left section the first is before the first edge, else between the first two
    int left_section = -1;
    int right_section = -1;
    bool closed = false;  // the last joint is between the last edge and the first
    bool round = true;
    math::Tridiagonal matrix;  // of Newton's method; empty for round spans
  };
  // What twist costs in this step.
  struct TwistElasticity {
    double stiffness = 0;
    double rest = 0;
  };

  void add_spans(int rod);
  void finish_span(Span span);
  [[nodiscard]] TwistElasticity elasticity(const discrete::RodState& state, int joint, double dt) const;
  [[nodiscard]] double foreseen(const discrete::RodState& state, const discrete::Joint& joint,
                                std::span<const Vec3> rotor_turn) const;

  void settle_round(const Span& span, discrete::RodState& state, std::span<const Vec3> rotor_turn, double dt);
  double carry_director(const Span& span, const discrete::RodState& state);
  void lay_frames(const Span& span, discrete::RodState& state, double first_angle) const;

  bool settle_by_newton(Span& span, discrete::RodState& state, std::span<const Vec3> rotor_turn, double dt);
  void begin_newton(const Span& span, discrete::RodState& state, std::span<const Vec3> rotor_turn, double dt);
  double assemble(Span& span, bool positive_only);

  const discrete::ModelData& model_;
  std::vector<Span> spans_;
  std::vector<rod::JointElasticity> elasticity_;  // per joint, in the binormal measure
  std::vector<Vec3> director_;                    // per edge of a span: carried without twist from its beginning
  std::vector<Vec3> tangent_;                     // per edge of a span

  // Newton's, per joint or edge of a span
  std::vector<Vec2> bend_;
  std::vector<double> twist_;
  std::vector<TwistElasticity> twisting_;
  std::vector<double> angle_;
  std::vector<double> residual_;
  double stiffest_ = 0;
  double dissipated_ = 0;
};

}  // namespace filum::kirchhoff
