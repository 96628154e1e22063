#include "published/servin_particles.hpp"

#include "math/rotation.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::published {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kStraight = 1e-12;  // added to |d_i × d_{i+1}| where it divides, m² [Servin2007, §V-B]
constexpr double kLost = 0.1;        // a link off by this share of its length does not survive
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBroken = 10;  // … by this share: nothing is left to look at

Vec3 particle(const VectorXd& x, int i) {
  return i == 0 ? Vec3(Vec3::Zero()) : Vec3(x.segment<3>(3 * (i - 1)));
}
Vec3 delta(const VectorXd& x, int link) {
  return particle(x, link + 1) - particle(x, link);
}

// Adds the derivative by x_i to a row; the anchor has none.
void add(int i, const Vec3& derivative, MatrixXd& jacobian, int row) {
  if (i > 0) jacobian.block<1, 3>(row, 3 * (i - 1)) += derivative.transpose();
}

// Which rows a model has: links first, then the one of all, then angles.
struct Layout {
  explicit Layout(const ParticleChain& chain)
      : links(chain.particles - (chain.model == ParticleModel::NoBottomLink ? 1 : 0)),
        length(chain.model == ParticleModel::TotalLength || chain.model == ParticleModel::NoBottomLink),
        reach(chain.model == ParticleModel::LoadEnforced),
        angles(chain.model == ParticleModel::Angles && chain.bending == ParticleBending::Implicit ? chain.particles - 1
                                                                                                  : 0) {}
  [[nodiscard]] int rows() const { return links + (length || reach ? 1 : 0) + angles; }
  int links;
  bool length, reach;
  int angles;
};

// [Servin2007, (12)], also summed for (13): −u at the near particle, +u at the far one.
void add_link(const VectorXd& x, int link, MatrixXd& jacobian, int row) {
  const Vec3 u = delta(x, link).normalized();
  add(link, -u, jacobian, row);
  add(link + 1, u, jacobian, row);
}

double angle(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// [Servin2007, (14)]: ∂φ_a = (y ∂X − X ∂y)/(X² + y²), X = |a × b|, y = a·b, which is zero at a straight joint.
void add_angle(const VectorXd& x, int joint, MatrixXd& jacobian, int row) {
  const Vec3 a = delta(x, joint);
  const Vec3 b = delta(x, joint + 1);
  const Vec3 cross = a.cross(b);
  const double X = cross.norm();
  const double y = a.dot(b);
  const Vec3 n = cross / (X + kStraight);
  const double size = X * X + y * y;
  const Vec3 by_a = (y * b.cross(n) - X * b) / size;
  const Vec3 by_b = (y * n.cross(a) - X * a) / size;
  add(joint, -by_a, jacobian, row);
  add(joint + 1, by_a - by_b, jacobian, row);
  add(joint + 2, by_b, jacobian, row);
}

VectorXd masses(const ParticleChain& chain) {
  VectorXd list = VectorXd::Constant(3 * chain.particles, chain.mass);
  list.tail<3>().setConstant(chain.load);
  return list;
}

// Weight and, if bending is explicit, −φ_a/ε_a ∂φ_a/∂x.
VectorXd forces(const ParticleChain& chain, const VectorXd& x, const VectorXd& mass) {
  VectorXd force = VectorXd::Zero(x.size());
  for (int i = 0; i < chain.particles; ++i) force[3 * i + 2] = -mass[3 * i + 2] * chain.gravity;
  if (chain.model == ParticleModel::Angles && chain.bending == ParticleBending::Explicit) {
    MatrixXd jacobian = MatrixXd::Zero(chain.particles - 1, x.size());
    for (int joint = 0; joint + 1 < chain.particles; ++joint) add_angle(x, joint, jacobian, joint);
    force -= jacobian.transpose() * angles(chain, x) / chain.further_compliance;
  }
  return force;
}

// The tension of each link, and the thrust that holds the load in reach, from the last step's λ.
VectorXd tensions(const ParticleChain& chain, const VectorXd& lambda) {
  const Layout layout(chain);
  VectorXd tension = VectorXd::Zero(chain.particles + 1);
  if (lambda.size() == 0) return tension;
  tension.head(layout.links) = -lambda.head(layout.links);
  if (layout.length) tension.head(chain.particles).array() -= lambda[layout.links];
  if (layout.reach) tension[chain.particles] = -lambda[layout.links];
  return tension;
}

// K of the line between two particles with the tension t.
void add_stiffness(const VectorXd& x, int from, int to, double tension, MatrixXd& K) {
  const Vec3 d = particle(x, to) - particle(x, from);
  const Vec3 u = d.normalized();
  const Mat3 k = tension / d.norm() * (Mat3::Identity() - u * u.transpose());
  K.block<3, 3>(3 * (to - 1), 3 * (to - 1)) += k;
  if (from == 0) return;
  K.block<3, 3>(3 * (from - 1), 3 * (from - 1)) += k;
  K.block<3, 3>(3 * (from - 1), 3 * (to - 1)) -= k;
  K.block<3, 3>(3 * (to - 1), 3 * (from - 1)) -= k;
}

// Every particle's velocity when the chain turns with the line from anchor to load.
VectorXd chord_velocity(const ParticleChain& chain, const ParticleState& state) {
  const Vec3 end = particle(state.x, chain.particles);
  const Vec3 rate = end.cross(particle(state.v, chain.particles)) / end.squaredNorm();
  VectorXd velocity(state.x.size());
  for (int i = 1; i <= chain.particles; ++i) velocity.segment<3>(3 * (i - 1)) = rate.cross(particle(state.x, i));
  return velocity;
}

// M + h²K, and M v + h²K v_ref; K from the tensions of the step before.
struct Inertia {
  MatrixXd matrix;
  VectorXd momentum;
};
Inertia inertia(const ParticleChain& chain, double h, const VectorXd& mass, ParticleState& state) {
  Inertia result{mass.asDiagonal(), mass.cwiseProduct(state.v)};
  if (chain.stiffness == ParticleStiffness::None) return result;
  state.stiffness = tensions(chain, state.lambda).cwiseMax(chain.memory * state.stiffness).cwiseMax(0.0);
  MatrixXd K = MatrixXd::Zero(state.x.size(), state.x.size());
  for (int link = 0; link < chain.particles; ++link) add_stiffness(state.x, link, link + 1, state.stiffness[link], K);
  add_stiffness(state.x, 0, chain.particles, state.stiffness[chain.particles], K);
  result.matrix += h * h * K;
  if (chain.stiffness == ParticleStiffness::Chord) result.momentum += h * h * (K * chord_velocity(chain, state));
  return result;
}

}  // namespace

void evaluate(const ParticleChain& chain, const VectorXd& x, ParticleRows& rows) {
  const Layout layout(chain);
  rows.value = VectorXd::Zero(layout.rows());
  rows.compliance = VectorXd::Constant(layout.rows(), chain.further_compliance);
  rows.jacobian = MatrixXd::Zero(layout.rows(), x.size());

  // links
  const VectorXd stretch = stretches(chain, x);
  rows.value.head(layout.links) = stretch.head(layout.links);
  rows.compliance.head(layout.links).setConstant(chain.link_compliance);
  for (int link = 0; link < layout.links; ++link) add_link(x, link, rows.jacobian, link);

  // the one row of the whole chain
  const int next = layout.links;
  if (layout.length) {
    rows.value[next] = stretch.sum();
    for (int link = 0; link < chain.particles; ++link) add_link(x, link, rows.jacobian, next);
  }
  if (layout.reach) {
    const Vec3 end = particle(x, chain.particles);
    rows.value[next] = end.norm() - chain.particles * chain.link;
    add(chain.particles, end.normalized(), rows.jacobian, next);
  }

  // joints
  if (layout.angles == 0) return;
  rows.value.tail(layout.angles) = angles(chain, x);
  for (int joint = 0; joint < layout.angles; ++joint) add_angle(x, joint, rows.jacobian, next + joint);
}

ParticleState horizontal(const ParticleChain& chain) {
  ParticleState state;
  state.x = state.v = VectorXd::Zero(3 * chain.particles);
  state.stiffness = VectorXd::Zero(chain.particles + 1);
  for (int i = 0; i < chain.particles; ++i) state.x[3 * i] = (i + 1) * chain.link;
  return state;
}

void step(const ParticleChain& chain, double h, ParticleState& state) {
  ParticleRows rows;
  evaluate(chain, state.x, rows);
  const VectorXd mass = masses(chain);
  const MatrixXd& J = rows.jacobian;
  const Inertia inertial = inertia(chain, h, mass, state);

  // velocities without rows, and what a unit of each λ adds to them
  const Eigen::LLT<MatrixXd> factor(inertial.matrix);
  const VectorXd free = factor.solve(inertial.momentum + h * forces(chain, state.x, mass));
  const MatrixXd response = factor.solve(J.transpose());

  // [Servin2007, (11)]
  MatrixXd S = J * response;
  S.diagonal() += rows.compliance / (h * h);
  state.lambda = S.ldlt().solve(-J * free / h - rows.value / (h * h));
  state.v = free + h * response * state.lambda;
  state.x += h * state.v;
}

VectorXd stretches(const ParticleChain& chain, const VectorXd& x) {
  VectorXd list(chain.particles);
  for (int link = 0; link < chain.particles; ++link) list[link] = delta(x, link).norm() - chain.link;
  return list;
}

VectorXd angles(const ParticleChain& chain, const VectorXd& x) {
  VectorXd list(chain.particles - 1);
  for (int joint = 0; joint + 1 < chain.particles; ++joint) list[joint] = angle(delta(x, joint), delta(x, joint + 1));
  return list;
}

double energy(const ParticleChain& chain, const ParticleState& state) {
  const VectorXd mass = masses(chain);
  double sum = 0.5 * state.v.dot(mass.cwiseProduct(state.v));
  for (int i = 0; i < chain.particles; ++i) sum += mass[3 * i + 2] * chain.gravity * state.x[3 * i + 2];
  return sum;
}

double largest_ratio(const ParticleChain& chain, double pull, double h) {
  const bool bends = chain.model == ParticleModel::Angles;
  const double sign = chain.bending == ParticleBending::Implicit ? 1 : -1;
  const double stiffness = bends ? sign / chain.further_compliance : 0;
  double tension = kInfinity;
  for (int k = 1; k < chain.particles; ++k) {
    const double root = std::sin(k * math::kPi / (2 * chain.particles));
    const double s = root * root;
    tension = std::min(tension, chain.mass * chain.link / (h * h * s) + 4 * stiffness * s / chain.link);
  }
  return tension / (pull * chain.mass * chain.gravity);
}

ParticleDrop drop(const ParticleChain& chain, double duration, double h) {
  ParticleDrop result;
  ParticleState state = horizontal(chain);
  const auto steps = static_cast<int>(std::lround(duration / h));
  for (int k = 0; k < steps && result.worst < kBroken * chain.link; ++k) {
    step(chain, h, state);
    result.stretch.push_back(stretches(chain, state.x));
    result.angle.push_back(angles(chain, state.x));
    result.energy.push_back(energy(chain, state));
    const VectorXd& now = result.stretch.back();
    result.worst = now.allFinite() ? std::max(result.worst, now.lpNorm<Eigen::Infinity>()) : kInfinity;
  }
  result.survived = result.worst < kLost * chain.link;
  return result;
}

}  // namespace filum::published
