#include "rod/joint.hpp"

#include "math/small_angle.hpp"

#include <algorithm>
#include <cmath>

namespace filum::rod {

namespace {

constexpr double kPi = 3.14159265358979323846;
// Below this turning angle the closed forms cancel; the series below is exact to round-off there.
constexpr double kSmallAngle = 1e-2;
// cos(φ/2) is kept away from zero: a joint folded flat has no twist, and must not make infinities either.
constexpr double kSmallestHalfCosine = 1e-6;

// The functions of φ that the derivatives need.
struct AngleFunctions {
  double g;         // (φ/2)/sin(φ/2)
  double g_slope;   // dg/dφ
  double normal;    // (g/φ)(cos(φ/2) − g)
  double half_cos;  // cos(φ/2)
  double half_tan;  // tan(φ/2)
};

AngleFunctions angle_functions(double phi) {
  AngleFunctions f{};
  f.half_cos = std::max(std::cos(0.5 * phi), kSmallestHalfCosine);
  const double half_sin = std::sin(0.5 * phi);
  f.half_tan = half_sin / f.half_cos;
  if (phi < kSmallAngle) {
    const double p2 = phi * phi;
    f.g = 1 + p2 / 24 + 7 * p2 * p2 / 5760;
    f.g_slope = phi / 12 + 7 * p2 * phi / 1440;
    f.normal = -phi / 6 - p2 * phi / 180;
  } else {
    f.g = 0.5 * phi / half_sin;
    f.g_slope = f.g / phi * (1 - f.g * f.half_cos);
    f.normal = f.g / phi * (f.half_cos - f.g);
  }
  return f;
}

}  // namespace

JointStrain joint_strain(const Mat3& frame0, const Mat3& frame1, double twist_near) {
  const auto t0 = frame0.col(2);
  const auto t1 = frame1.col(2);
  const Vec3 cross = t0.cross(t1);
  const double cosine = t0.dot(t1);
  const double sine = cross.norm();

  JointStrain strain;
  strain.angle = math::angle_of(sine, cosine);

  // d1 of the first frame carried to the second tangent without twist: v − (v·t1)/(1 + t0·t1) (t0 + t1)
  const double chi = std::max(1 + cosine, 2 * kSmallestHalfCosine * kSmallestHalfCosine);
  const Vec3 sum = t0 + t1;
  const Vec3 carried = frame0.col(0) - (frame0.col(0).dot(t1) / chi) * sum;
  const double measured = math::angle_of(frame1.col(0).dot(t1.cross(carried)), frame1.col(0).dot(carried));
  // whole turns come from the caller's state
  strain.twist = measured + 2 * kPi * std::round((twist_near - measured) / (2 * kPi));

  // bend components on the first frame, turned forward by half of the twist
  const double scale = sine > 0 ? strain.angle / sine : 1;
  const double k1 = scale * cross.dot(frame0.col(0));
  const double k2 = scale * cross.dot(frame0.col(1));
  const auto [s, c] = math::sin_cos(0.5 * strain.twist);
  strain.bend = {c * k1 + s * k2, c * k2 - s * k1};

  // axes of the mid frame: bending axis a, the normal to it, the mid tangent
  Vec3 mid = sum;
  const double mid_norm = mid.norm();
  mid = mid_norm > kSmallestHalfCosine ? Vec3(mid / mid_norm) : Vec3(frame0.col(0));
  // a straight joint has no bending axis: any direction square to the tangent will do
  Vec3 axis = sine > 1e-12 ? Vec3(cross / sine) : Vec3(frame0.col(0) * c + frame0.col(1) * s);
  axis -= axis.dot(mid) * mid;
  axis.normalize();
  strain.axes.col(0) = axis;
  strain.axes.col(1) = mid.cross(axis);
  strain.axes.col(2) = mid;
  return strain;
}

double joint_energy(const JointStrain& strain, const JointElasticity& elasticity) {
  const Vec3 excess = strain.vector() - elasticity.rest;
  return 0.5 * excess.dot(elasticity.stiffness.cwiseProduct(excess));
}

Vec3 joint_moment_components(const JointStrain& strain, const JointElasticity& elasticity) {
  return elasticity.stiffness.cwiseProduct(strain.vector() - elasticity.rest);
}

namespace {

// (cos ψ, sin ψ): the bending axis in the mid frame's d1, d2. For a straight joint the axis was chosen to be d1.
Vec2 axis_components(const JointStrain& strain) {
  const double norm = strain.bend.norm();
  return norm > 1e-12 ? Vec2(strain.bend / norm) : Vec2(1, 0);
}

}  // namespace

Vec3 joint_moment(const JointStrain& strain, const Vec3& components) {
  const AngleFunctions f = angle_functions(strain.angle);
  const Vec2 a = axis_components(strain);
  const double along = a[0] * components[0] + a[1] * components[1];
  const double across = a[0] * components[1] - a[1] * components[0];
  return strain.axes * Vec3(along, f.g * across, components[2] / f.half_cos);
}

Mat3 joint_stiffness(const JointStrain& strain, const JointElasticity& elasticity, const Vec3& components) {
  const AngleFunctions f = angle_functions(strain.angle);
  const Vec2 a = axis_components(strain);
  const Vec3& k = elasticity.stiffness;

  // moment and bending stiffness on the axes a, n
  const double m_a = a[0] * components[0] + a[1] * components[1];
  const double m_n = a[0] * components[1] - a[1] * components[0];
  const double k_aa = a[0] * a[0] * k[0] + a[1] * a[1] * k[1];
  const double k_nn = a[1] * a[1] * k[0] + a[0] * a[0] * k[1];
  const double k_an = a[0] * a[1] * (k[1] - k[0]);

  Mat3 c = Mat3::Zero();
  c(0, 0) = k_aa;
  c(0, 1) = c(1, 0) = f.g * k_an + f.g_slope * m_n;
  c(1, 1) = f.g * f.g * k_nn + m_a * f.normal;
  c(0, 2) = c(2, 0) = 0.5 * components[2] * f.half_tan / f.half_cos;
  c(2, 2) = k[2] / (f.half_cos * f.half_cos) - 0.5 * m_a * f.half_tan;
  return strain.axes * c * strain.axes.transpose();
}

}  // namespace filum::rod
