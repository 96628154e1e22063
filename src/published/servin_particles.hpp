// The particle models of Servin & Lacoursière: a load on a chain of a few particles, dropped from the horizontal, as a
// test bed of what makes a chain fail under a heavy load.
//
// Assumes an anchor at the origin, N particles behind it at the distance d of each other, the last of which is the
// load; no damping, no contact. Chains are held by rows φ(x) with compliances ε, λ = −φ/ε at the end of a step:
//   (a) links       |d_i| − d, i = 0 … N − 1, d_i = x_{i+1} − x_i
//   (b) + length    Σ|d_i| − N d
//   (c) + reach     |x_N| − N d, «load-enforced»
//   (d)             (b) without the link of the load
//   (e) + angles    atan2(|d_i × d_{i+1}|, d_i·d_{i+1}), i = 0 … N − 2
// Steps are symplectic Euler in x and v, linearly implicit in φ:
//   S λ = −J v/h − J M⁻¹ f − φ/h²,  S = J M⁻¹ Jᵀ + ε/h²,  v⁺ = v + h M⁻¹ (f + Jᵀλ),  x⁺ = x + h v⁺.
//
// Reference: [Servin2007, sections II and III, eqs (7), (11) to (14)]. Departures: the sign of (13), which
// contradicts (12), and the range of its sum; the angle is in [0, π], not in (−π, π). Filum's own: bending by forces of
// the step's start, as the source says does not help, and geometric stiffness. Plain and dense on purpose.
//
// Notation: h step, m mass of a particle, M mass of the load, u_i = d_i/|d_i|, t_i tension of a link.
#pragma once

#include <filum/types.hpp>

#include <vector>

namespace filum::published {

enum class ParticleModel { Links, TotalLength, LoadEnforced, NoBottomLink, Angles };  // (a) to (e)

// How bending acts in (e): as rows, or as the forces −∂/∂x Σ φ²/2ε of the step's start.
enum class ParticleBending { Implicit, Explicit };

// K = Σ t_i (1 − u uᵀ)/|d_i| of the tensions of the step before, never negative: (M + h²K) v⁺ = M v + h²K v_ref + …
// with v_ref = 0, which is backward Euler linearised, or the velocity of turning with the line from anchor to load.
enum class ParticleStiffness { None, BackwardEuler, Chord };

struct ParticleChain {
  ParticleModel model = ParticleModel::Links;
  int particles = 5;                 // N, at least 1
  double link = 1;                   // d, m
  double mass = 1;                   // m, kg
  double load = 100;                 // M, kg
  double link_compliance = 1e-8;     // ε_d, m/N
  double further_compliance = 1e-9;  // ε_x of what (b) to (e) add: m/N; of angles rad/(N·m)
  double gravity = 10;               // m/s², along −z
  ParticleBending bending = ParticleBending::Implicit;
  ParticleStiffness stiffness = ParticleStiffness::None;
  double memory = 0;  // share of its K of the step before that a link keeps at least, in [0, 1)
};

// All rows of a model at the positions x = (x_1, … x_N).
struct ParticleRows {
  Eigen::VectorXd value;       // φ
  Eigen::VectorXd compliance;  // ε
  Eigen::MatrixXd jacobian;    // ∂φ/∂x
};
void evaluate(const ParticleChain& chain, const Eigen::VectorXd& x, ParticleRows& rows);

struct ParticleState {
  Eigen::VectorXd x, v;
  Eigen::VectorXd lambda;     // of the rows, N or N·m; empty before the first step
  Eigen::VectorXd stiffness;  // t_i that K is made of, N
};
// At rest, straight along x.
ParticleState horizontal(const ParticleChain& chain);
void step(const ParticleChain& chain, double h, ParticleState& state);

Eigen::VectorXd stretches(const ParticleChain& chain, const Eigen::VectorXd& x);  // |d_i| − d of all links, m
Eigen::VectorXd angles(const ParticleChain& chain, const Eigen::VectorXd& x);     // between links, rad
double energy(const ParticleChain& chain, const ParticleState& state);            // kinetic and of height, J

// The largest M/m at which a straight chain that pulls with `pull` times the load's weight has no transverse mode that
// grows: 1 for one that hangs, 3 for one that was dropped from the horizontal and passes the lowest point. Of the modes
// k < N, s = sin²(kπ/2N), each is an oscillator with tension explicit and bending implicit:
//   4 t s/(m d) < 4/h² + 16 s²/(ε_a m d²);  explicit bending has the sign changed.
// For links without weight and a load that does not move; (c), whose links share the load, is not covered, and
// geometric stiffness has no such limit. Derived in docs/theory/hoisting.md.
double largest_ratio(const ParticleChain& chain, double pull = 3, double h = 1.0 / 60);

// The drop from the horizontal, what it left after every step.
struct ParticleDrop {
  bool survived = false;                 // finite, and no link ever off by a tenth of its length
  double worst = 0;                      // largest |φ_d|, m; infinite if something was not finite
  std::vector<Eigen::VectorXd> stretch;  // φ_d of all links, m
  std::vector<Eigen::VectorXd> angle;    // φ_a of all joints, rad
  std::vector<double> energy;            // J
};
// Ends early when a link is off by ten times its length.
ParticleDrop drop(const ParticleChain& chain, double duration = 30, double h = 1.0 / 60);

}  // namespace filum::published
