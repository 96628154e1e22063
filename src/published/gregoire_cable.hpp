// Grégoire's cable: the unknowns of points and quaternions in one row, its constants, its handles, its whole energy.
//
// Assumes a homogeneous cable without shear, equal segments, equal masses at all points (ends included), straight or
// evenly curved at rest. Unknowns are interleaved, X = (x_0, q_0, x_1, q_1, … x_{n−1}), 7n − 4 of them, so that the
// Hessian is a band of half-width 10. Handles hold by springs and so give way by force/k: the source has no integral
// force for them.
//
// Reference: [Gregoire2007, ch. 3, 4, section 6.3 and app. B]. Departures: a handle has two constants (for positions and for
// quaternions, whose units differ); at an end, where one segment is missing, a handle on the point holds the other.
#pragma once

#include "published/band_matrix.hpp"
#include "published/gregoire_energies.hpp"

#include <filum/types.hpp>

#include <optional>
#include <span>
#include <vector>

namespace filum::published {

inline constexpr int kUnknownsPerPoint = 7;
inline constexpr int kHalfBand = 10;

// Of a quaternion's length: C = 1/|q| − 1, or C = |q| − 1, which the source tried first and gave up.
enum class NormEnergy { Inverse, Plain };

struct CableDescription {
  int points = 0;                   // n, at least 3
  double length = 0;                // m
  double line_density = 0;          // μ, kg/m
  Vec3 gravity{0, 0, -9.81};        // m/s²
  Vec3 stiffness = Vec3::Ones();    // B_κ1, B_τ, B_κ2, N·m²
  Vec3 rest_strain = Vec3::Zero();  // ω0 = (κ1, τ, κ2), 1/m
  // of the springs that ask for the geometry, each the K of app. B, N
  double length_penalty = 0;
  double norm_penalty = 0;
  NormEnergy norm_energy = NormEnergy::Inverse;
  double coherence_penalty = 0;
  // of every handle
  double handle_position = 0;     // N/m
  double handle_orientation = 0;  // N·m
};

// Constants of one element, such that the cable behaves alike for any number of points [Gregoire2007, app. B].
struct CableConstants {
  double length = 0;           // k_L = K (n − 1)/L
  double norm = 0;             // K L/(n − 1)
  double coherence = 0;        // K L/(n − 1)
  JointSpring joint;           // B L/(n − 2)
  Vec3 weight = Vec3::Zero();  // of a point, μ g L/n
  double rest_length = 0;      // of a segment, L/(n − 1)
};
CableConstants scaled_constants(const CableDescription& description);

enum class HandleOn { Point, Segment };

struct Handle {
  HandleOn on = HandleOn::Point;
  int index = 0;  // of the point, or of the segment
  Vec3 position = Vec3::Zero();
  std::optional<Vec4> orientation;  // unit quaternion, either sign; none: position alone
};

struct Cable {
  CableDescription description;
  std::vector<Handle> handles;
};

struct CableState {
  Eigen::VectorXd x;  // the unknowns
  // integral forces, one per segment
  std::vector<double> length_force;
  std::vector<double> norm_force;
  std::vector<Vec3> coherence_force;

  [[nodiscard]] int points() const { return (static_cast<int>(x.size()) + 4) / kUnknownsPerPoint; }
  [[nodiscard]] int segments() const { return points() - 1; }
  [[nodiscard]] Vec3 point(int i) const { return x.segment<3>(kUnknownsPerPoint * i); }
  [[nodiscard]] Vec4 quaternion(int segment) const { return x.segment<4>(kUnknownsPerPoint * segment + 3); }
  [[nodiscard]] Vec3 delta(int segment) const { return point(segment + 1) - point(segment); }
};

// Through the given points, with quaternions carried along without twist, the first turning (0, 1, 0) the shortest way.
CableState start_along(std::span<const Vec3> points);
// Straight, from `from` in the direction of `along`.
CableState start_straight(const CableDescription& description, const Vec3& from, const Vec3& along);

// Energy, gradient and Hessian at once.
struct Evaluation {
  double energy = 0;
  Eigen::VectorXd gradient;
  BandMatrix hessian;
};
void evaluate(const Cable& cable, const CableState& state, Evaluation& result);

// How far the geometry is off: the largest over all segments, and of the length the sum, too.
struct ConstraintErrors {
  double length = 0;        // |ℓ − L_ref|/L_ref
  double coherence = 0;     // |u − r|
  double norm = 0;          // ||q| − 1|
  double whole_length = 0;  // (Σℓ − L)/L, with its sign
};
ConstraintErrors constraint_errors(const Cable& cable, const CableState& state);

// Shares α = k_I/k by which integral forces grow.
struct IntegralShares {
  double length = 0.5;
  double coherence = 0.5;
  double norm = 0;  // needless while the coherence of an unnormalised direction asks for |q| = 1, too
};
void grow_integral_forces(const Cable& cable, const IntegralShares& shares, CableState& state);

// The far end is to move by `translation` and to turn by the rotation vector `rotation`: all points and quaternions
// move along in proportion [Gregoire2007, §6.3; the angle is split among n − 2 joints, not n − 3].
void predict(const Vec3& translation, const Vec3& rotation, CableState& state);

}  // namespace filum::published
