// The second derivative of the energy along motions of a Kirchhoff model, summed element by element.
//
// The tangent matrix holds the same form, but its entries are those of nodes, EI/l³, and what a smooth motion is worth
// is what is left of them after cancelling: digits are lost as the fourth power of the number of edges. Here the motion
// is turned into differences first (of edges, then of frames), so the loss is as the second power only. Springs that
// the solver adds to keep its matrix regular are left out.
//
// Joints: ΔᵀCΔ + w0ᵀ[M]×w1 of rod/joint.hpp. Edges: stretch and the second-order part of their turning (rod/edge.hpp).
// Ties and sliders: what the curvature of their constraints is worth (docs/theory/kirchhoff.md). Forces that keep their
// direction add nothing; motions must satisfy the constraints to first order.
#pragma once

#include "formulations/discrete/system/rod_system.hpp"

#include <Eigen/Core>

#include <vector>

namespace filum::kirchhoff {

class StiffnessForm {
 public:
  // `system` must have been evaluated at `state`.
  StiffnessForm(const discrete::ModelData& model, const discrete::RodSystem& system, const discrete::RodState& state);

  // A motion, given in the solver's unknowns, as rotations and differences.
  struct Motion {
    std::vector<Eigen::Vector4d> edge;  // (δe, δθ)
    std::vector<Vec3> rotor;            // world rotation
    std::vector<Vec3> slope;            // per slider: Σ w'ᵢ δxᵢ
    std::vector<double> slide;          // per slider: δs
    std::vector<Vec3> apart;            // per slider on a free body: how its point moves against the body's centre
  };
  [[nodiscard]] Motion motion(const Eigen::VectorXd& x) const;

  // aᵀ K b.
  [[nodiscard]] double operator()(const Motion& a, const Motion& b) const;
  // What one motion deforms (bending, twist, stretch), and what it turns (stress that is already there); the latter
  // also with every element's share taken as positive: what cancelling has to start from.
  struct Parts {
    double deforming = 0;
    double turning = 0;
    double turning_size = 0;
    double most = 0;  // if every element met the motion with all its stiffness
  };
  [[nodiscard]] Parts parts(const Motion& a) const;

 private:
  struct JointTerms {
    discrete::Side left, right;
    Mat3 c;
    Vec3 moment;
    // of a laid rope (rod/rope_lay.hpp)
    double twist_stiffness = 0;
    Vec3 twist_gradient = Vec3::Zero();
    Vec2 per_length = Vec2::Zero();
  };
  [[nodiscard]] double unlaid(const Motion& motion, const JointTerms& joint) const;
  [[nodiscard]] Vec3 rotation(const Motion& motion, const discrete::Side& side) const;
  // Hands each element's share of aᵀ K b to `add`: what deforms, what turns, and the most it could be.
  template <class Add>
  void each_share(const Motion& a, const Motion& b, const Add& add) const;

  const discrete::ModelData& model_;
  const discrete::RodSystem& system_;
  const discrete::RodState& state_;
  std::vector<JointTerms> joints_;
  std::vector<rod::Mat4> edges_;     // on (δe, δθ)
  std::vector<rod::Mat34> turning_;  // of edges
  std::vector<Mat3> ties_;           // on the rotor's rotation
  std::vector<Vec3> slider_force_;   // λ, in the world
  std::vector<double> slider_bend_;  // λ·x''
  std::vector<Mat3> carried_;        // per slider on a free body: on its rotation
};

}  // namespace filum::kirchhoff
