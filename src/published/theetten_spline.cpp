#include "published/theetten_spline.hpp"

#include "base/index.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace filum::published {

// r′, r″, r‴ and what is made of them at a place.
struct DynamicSpline::Curve {
  Vec3 d1 = Vec3::Zero(), d2 = Vec3::Zero(), d3 = Vec3::Zero();
  double roll_slope = 0;  // θ′
  double speed = 0;       // |r′|
  Vec3 binormal;          // C
  double bent = 0;        // |C|² + δ²
  double torsion = 0;     // τ
  double curvature = 0;   // k

  [[nodiscard]] double twist() const { return roll_slope / speed + torsion; }
};

DynamicSpline::Curve DynamicSpline::curve_at(const BasisAt& basis, const Eigen::VectorXd& q) const {
  Curve curve;
  for (int i = 0; i < 4; ++i) {
    const auto point = q.segment<4>(4 * (basis.first + i));
    curve.d1 += basis.derivative[1][at(i)] * point.head<3>();
    curve.d2 += basis.derivative[2][at(i)] * point.head<3>();
    curve.d3 += basis.derivative[3][at(i)] * point.head<3>();
    curve.roll_slope += basis.derivative[1][at(i)] * point[3];
  }
  curve.speed = curve.d1.norm();
  curve.binormal = curve.d1.cross(curve.d2);
  curve.bent = curve.binormal.squaredNorm() + straight_;
  curve.torsion = curve.binormal.dot(curve.d3) / curve.bent;
  curve.curvature = curve.binormal.norm() / std::pow(curve.speed, 3);
  return curve;
}

DynamicSpline::DynamicSpline(CubicBasis basis, const Eigen::MatrixX4d& control, const DynamicSplineMaterial& material,
                             int samples)
    : basis_(std::move(basis)) {
  const double d2 = material.diameter * material.diameter;
  const double area = std::numbers::pi * d2 / 4;
  const double shear = material.young / (2 * (1 + material.poisson));
  stretch_stiffness_ = material.young * area;
  twist_stiffness_ = shear * area * d2 / 8;
  bend_stiffness_ = material.young * area * d2 / 16;
  line_density_ = material.density * area;
  roll_inertia_ = material.density * area * d2 / 8;
  Eigen::VectorXd rest(unknowns());
  for (int i = 0; i < basis_.points(); ++i) rest.segment<4>(4 * i) = control.row(i).transpose();
  weight_ = load_per_gravity_ = Eigen::VectorXd::Zero(unknowns());
  rows_.resize(0, unknowns());
  straight_ = 0;
  const double speed = curve_at(basis_.at((basis_.begin() + basis_.end()) / 2), rest).speed;
  // where a span turns by less than this, C = |r′|² times that is small against δ, and torsion fades
  constexpr double kStraight = 0.01;
  straight_ = std::pow(kStraight * speed * speed, 2);
  const std::vector<double> breaks = basis_.breaks();
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    for (int i = 0; i < samples; ++i) {
      const double part = (breaks[k + 1] - breaks[k]) / samples;
      Sample sample;
      sample.basis = basis_.at(breaks[k] + (i + 0.5) * part);
      const Curve curve = curve_at(sample.basis, rest);
      sample.speed = curve.speed;
      sample.length = curve.speed * part;
      sample.rest_twist = curve.twist();
      sample.rest_curvature = curve.curvature;
      samples_.push_back(sample);
    }
  make_mass(rest);
}

// M_ij = J ∫ b_i b_j ds₀, J = diag(ρS, ρS, ρS, ρI_o), by four Gauss points a span: exact for a curve of even speed.
void DynamicSpline::make_mass(const Eigen::VectorXd& rest) {
  constexpr std::array<double, 4> kPlace = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                            0.8611363115940526};
  constexpr std::array<double, 4> kWeight = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                             0.3478548451374538};
  mass_ = Eigen::MatrixXd::Zero(unknowns(), unknowns());
  const std::vector<double> breaks = basis_.breaks();
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    for (std::size_t g = 0; g < 4; ++g) {
      const double half = (breaks[k + 1] - breaks[k]) / 2;
      const BasisAt basis = basis_.at(breaks[k] + half * (1 + kPlace[g]));
      const double length = half * kWeight[g] * curve_at(basis, rest).speed;
      for (int i = 0; i < 4; ++i) {
        const double share = length * basis.derivative[0][at(i)];
        load_per_gravity_.segment<3>(4 * (basis.first + i)).array() += line_density_ * share;
        for (int j = 0; j < 4; ++j) {
          auto block = mass_.block<4, 4>(4 * (basis.first + i), 4 * (basis.first + j));
          block.diagonal().head<3>().array() += line_density_ * share * basis.derivative[0][at(j)];
          block(3, 3) += roll_inertia_ * share * basis.derivative[0][at(j)];
        }
      }
    }
}

void DynamicSpline::add_row(const BasisAt& basis, int order, int component, double target) {
  rows_.conservativeResize(rows_.rows() + 1, Eigen::NoChange);
  targets_.conservativeResize(targets_.size() + 1);
  rows_.row(rows_.rows() - 1).setZero();
  for (int i = 0; i < 4; ++i)
    rows_(rows_.rows() - 1, 4 * (basis.first + i) + component) = basis.derivative[at(order)][at(i)];
  targets_[targets_.size() - 1] = target;
}

void DynamicSpline::hold_position(double u, const Vec3& where) {
  for (int c = 0; c < 3; ++c) add_row(basis_.at(u), 0, c, where[c]);
}

void DynamicSpline::hold_slope(double u, const Vec3& slope) {
  for (int c = 0; c < 3; ++c) add_row(basis_.at(u), 1, c, slope[c]);
}

void DynamicSpline::hold_roll(double u, double roll) {
  add_row(basis_.at(u), 0, 3, roll);
}

void DynamicSpline::push(double u, const Vec3& force, double torque) {
  const BasisAt basis = basis_.at(u);
  for (int i = 0; i < 4; ++i)
    weight_.segment<4>(4 * (basis.first + i)) +=
        basis.derivative[0][at(i)] * (Eigen::Vector4d() << force, torque).finished();
}

void DynamicSpline::set_gravity(const Vec3& gravity) {
  for (int i = 0; i < basis_.points(); ++i)
    weight_.segment<3>(4 * i) += load_per_gravity_.segment<3>(4 * i).cwiseProduct(gravity);
}

double DynamicSpline::elastic_energy(const Eigen::VectorXd& q) const {
  double energy = 0;
  for (const Sample& sample : samples_) {
    const Curve curve = curve_at(sample.basis, q);
    const double stretch = curve.speed / sample.speed - 1;
    const double twist = curve.twist() - sample.rest_twist;
    const double bend = curve.curvature - sample.rest_curvature;
    energy +=
        0.5 * sample.length *
        (stretch_stiffness_ * stretch * stretch + twist_stiffness_ * twist * twist + bend_stiffness_ * bend * bend);
  }
  return energy;
}

// The gradients of the source, eqs (17), (20), (47) and (23), with the corrections above. The part of the bending force
// that knows no rest curvature is written without the direction of C, which a straight curve does not have.
void DynamicSpline::add_force(const Sample& sample, const Eigen::VectorXd& q, Eigen::VectorXd& force) const {
  const Curve c = curve_at(sample.basis, q);
  const double stretch = stretch_stiffness_ * sample.length * (c.speed / sample.speed - 1);
  const double twist = twist_stiffness_ * sample.length * (c.twist() - sample.rest_twist);
  const double bend = bend_stiffness_ * sample.length;
  const double size = c.binormal.norm();
  const Vec3 direction = size > 0 ? Vec3(c.binormal / size) : Vec3(Vec3::Zero());
  const double cube = std::pow(c.speed, 3);
  for (int i = 0; i < 4; ++i) {
    const double b1 = sample.basis.derivative[1][at(i)];
    const double b2 = sample.basis.derivative[2][at(i)];
    const double b3 = sample.basis.derivative[3][at(i)];
    const Vec3 a = b2 * c.d1 - b1 * c.d2;
    const Vec3 of_torsion = (b3 * c.binormal - a.cross(c.d3) - 2 * c.torsion * c.binormal.cross(a)) / c.bent;
    const Vec3 of_curvature = (c.binormal / cube - sample.rest_curvature * direction).cross(a) / cube -
                              3 * (c.curvature - sample.rest_curvature) * c.curvature * b1 / (c.speed * c.speed) * c.d1;
    auto point = force.segment<4>(4 * (sample.basis.first + i));
    point.head<3>() -= stretch * b1 / (c.speed * sample.speed) * c.d1 +
                       twist * (of_torsion - c.roll_slope * b1 / cube * c.d1) + bend * of_curvature;
    point[3] -= twist * b1 / c.speed;
  }
}

Eigen::VectorXd DynamicSpline::elastic_force(const Eigen::VectorXd& q) const {
  Eigen::VectorXd force = Eigen::VectorXd::Zero(unknowns());
  for (const Sample& sample : samples_) add_force(sample, q, force);
  return force;
}

void DynamicSpline::add_floor(const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd& force) const {
  for (const Sample& sample : samples_) {
    double height = 0;
    double rise = 0;
    for (int i = 0; i < 4; ++i) {
      height += sample.basis.derivative[0][at(i)] * q[4 * (sample.basis.first + i) + 2];
      rise += sample.basis.derivative[0][at(i)] * v[4 * (sample.basis.first + i) + 2];
    }
    const double depth = floor_->height - height;
    if (depth <= 0) continue;
    const double push = std::max(0.0, floor_->stiffness * depth - floor_->damping * rise) * sample.length;
    for (int i = 0; i < 4; ++i) force[4 * (sample.basis.first + i) + 2] += sample.basis.derivative[0][at(i)] * push;
  }
}

Eigen::VectorXd DynamicSpline::force(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  Eigen::VectorXd force = elastic_force(q) + weight_;
  if (floor_) add_floor(q, v, force);
  return force;
}

double DynamicSpline::energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
  return elastic_energy(q) + 0.5 * v.dot(mass_ * v) - weight_.dot(q);
}

DynamicSpline::Strains DynamicSpline::strains(const Eigen::VectorXd& q, double u) const {
  const Curve curve = curve_at(basis_.at(u), q);
  // of a place that is no sample the rest speed is that of the nearest
  const double share = (u - basis_.begin()) / (basis_.end() - basis_.begin());
  const auto nearest =
      std::min(samples_.size() - 1, static_cast<std::size_t>(share * static_cast<double>(samples_.size())));
  return {curve.speed / samples_[nearest].speed - 1, curve.twist(), curve.curvature};
}

Vec3 DynamicSpline::position(const Eigen::VectorXd& q, double u) const {
  const BasisAt basis = basis_.at(u);
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += basis.derivative[0][at(i)] * q.segment<3>(4 * (basis.first + i));
  return sum;
}

double DynamicSpline::roll(const Eigen::VectorXd& q, double u) const {
  const BasisAt basis = basis_.at(u);
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += basis.derivative[0][at(i)] * q[4 * (basis.first + i) + 3];
  return sum;
}

}  // namespace filum::published
