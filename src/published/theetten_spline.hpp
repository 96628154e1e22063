// Theetten's dynamic spline: control points (x, y, z, θ), strains by Frenet's curvature and torsion, Riemann sums, RK4 or
// implicit Euler by Broyden's method, holds by Lagrange multipliers, planes by penalty.
//
// Filum's own spline (docs/theory/spline.md says what differs and why) has none of these; this one is kept to compare
// with. The roll θ is measured from Frenet's frame, which flips at an inflection and does not exist where the curve is
// straight; the curvature forgets its plane; ten samples a span lock.
//
// Reference: [Theetten2006, sections 3 to 6]. Departures, all of them corrections: integrals by rest arc length ds₀ = j du
// (the gradients are exact only so, and the mass is constant); the mass of the roll is ρ I_o; the torsion force has
// π G D⁴/32; ∂(r′×r″)/∂r_i is the vector a_i = b_i″r′ − b_i′r″, of which δ(r′×r″) = a_i × δr_i. Where the curve is
// straight, a span turning by less than 0.01, the torsion is faded out, τ = C·r‴/(|C|² + δ²): the source sets it to zero.
//
// Notation: ′ = d/du, C = r′×r″, k = |C|/|r′|³, ε_s = |r′|/j − 1 (the source counts compression positive),
// ε_t = θ′/|r′| + τ, E = ½ ∫ (ES ε_s² + G I_o (ε_t − ε_t⁰)² + E I_s (k − k⁰)²) ds₀.
#pragma once

#include "rod/cubic_basis.hpp"

#include <filum/types.hpp>

#include <optional>
#include <vector>

namespace filum::published {

using rod::BasisAt;
using rod::CubicBasis;

struct DynamicSplineMaterial {
  double young = 0;     // Pa
  double poisson = 0;   //
  double density = 0;   // kg/m³
  double diameter = 0;  // m
};

// A floor that pushes what is below it along +z, by depth.
struct PenaltyFloor {
  double height = 0;
  double stiffness = 0;  // N/m², for each metre of the curve
  double damping = 0;    // N·s/m², likewise, while it is below
};

class DynamicSpline {
 public:
  // At rest where `control` has it: a point (x, y, z, θ) in each row. `samples` in each span, in the middle of as many
  // parts.
  DynamicSpline(CubicBasis basis, const Eigen::MatrixX4d& control, const DynamicSplineMaterial& material,
                int samples = 10);

  // Conditions on linear functions of the control points.
  void hold_position(double u, const Vec3& where);
  void hold_slope(double u, const Vec3& slope);  // r′(u)
  void hold_roll(double u, double roll);
  void push(double u, const Vec3& force, double torque = 0);  // a force that keeps its direction, a torque about θ
  void set_gravity(const Vec3& gravity);
  void set_floor(const PenaltyFloor& floor) { floor_ = floor; }

  // Unknowns are q = (x_0, y_0, z_0, θ_0, x_1, …).
  [[nodiscard]] int unknowns() const { return 4 * basis_.points(); }
  [[nodiscard]] const CubicBasis& basis() const { return basis_; }
  [[nodiscard]] const Eigen::MatrixXd& mass() const { return mass_; }
  [[nodiscard]] const Eigen::MatrixXd& rows() const { return rows_; }        // L of L q = p
  [[nodiscard]] const Eigen::VectorXd& targets() const { return targets_; }  // p
  [[nodiscard]] double elastic_energy(const Eigen::VectorXd& q) const;
  // −∂E/∂q, and everything that acts on the control points.
  [[nodiscard]] Eigen::VectorXd elastic_force(const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::VectorXd force(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  // Elastic, kinetic, of height and of pushes.
  [[nodiscard]] double energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;

  struct Strains {
    double stretch = 0, twist = 0, curvature = 0;  // ε_s, ε_t, k
  };
  [[nodiscard]] Strains strains(const Eigen::VectorXd& q, double u) const;
  [[nodiscard]] Vec3 position(const Eigen::VectorXd& q, double u) const;
  [[nodiscard]] double roll(const Eigen::VectorXd& q, double u) const;

 private:
  struct Sample {
    BasisAt basis;
    double length = 0;                          // of rest that it stands for
    double speed = 0;                           // j
    double rest_twist = 0, rest_curvature = 0;  // ε_t⁰, k⁰
  };
  struct Curve;
  [[nodiscard]] Curve curve_at(const BasisAt& basis, const Eigen::VectorXd& q) const;
  void add_force(const Sample& sample, const Eigen::VectorXd& q, Eigen::VectorXd& force) const;
  void add_floor(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& force) const;
  void add_row(const BasisAt& basis, int order, int component, double target);
  void make_mass(const Eigen::VectorXd& rest);

  CubicBasis basis_;
  double stretch_stiffness_, twist_stiffness_, bend_stiffness_;  // ES, G I_o, E I_s
  double line_density_, roll_inertia_;                           // ρS, ρI_o
  double straight_;                                              // δ² of the torsion
  std::vector<Sample> samples_;
  Eigen::MatrixXd mass_;
  Eigen::VectorXd weight_;            // of dead forces
  Eigen::VectorXd load_per_gravity_;  // ∫ b_i ρS ds₀
  Eigen::MatrixXd rows_;
  Eigen::VectorXd targets_;
  std::optional<PenaltyFloor> floor_;
};

}  // namespace filum::published
