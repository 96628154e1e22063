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

AngleFunctions angle_functions(const JointStrain& strain) {
  const double phi = strain.angle;
  AngleFunctions f{};
  f.half_cos = strain.half_cos;
  f.half_tan = strain.half_tan;
  if (phi < kSmallAngle) {
    const double p2 = phi * phi;
    f.g = 1 + p2 / 24 + 7 * p2 * p2 / 5760;
    f.g_slope = phi / 12 + 7 * p2 * phi / 1440;
    f.normal = -phi / 6 - p2 * phi / 180;
  } else {
    f.g = 0.5 * phi / (f.half_tan * f.half_cos);
    const double ratio = f.g / phi;
    f.g_slope = ratio * (1 - f.g * f.half_cos);
    f.normal = ratio * (f.half_cos - f.g);
  }
  return f;
}

// What the two frames have between them, before any axes in space.
struct Measured {
  Vec3 cross;      // t0 × t1 = sin φ times the bending axis
  Vec3 sum;        // t0 + t1
  double sine;     // of φ
  double fold;     // 1 + cos φ
  double angle;    // φ
  double twist;    // unwrapped
  Vec2 bend;       // on the mid frame
  Vec2 half_turn;  // (cos, sin) of half of the twist
};

Measured measure(const Mat3& frame0, const Mat3& frame1, double twist_near) {
  const auto t0 = frame0.col(2);
  const auto t1 = frame1.col(2);
  Measured m;
  m.cross = t0.cross(t1);
  m.sum = t0 + t1;
  const double cosine = t0.dot(t1);
  m.sine = m.cross.norm();
  m.angle = math::angle_of(m.sine, cosine);
  m.fold = std::max(1 + cosine, 2 * kSmallestHalfCosine * kSmallestHalfCosine);

  // d1 of the first frame carried to the second tangent without twist: v − (v·t1)/(1 + t0·t1) (t0 + t1)
  const Vec3 carried = frame0.col(0) - (frame0.col(0).dot(t1) / m.fold) * m.sum;
  m.twist = math::angle_of(-carried.dot(frame1.col(1)), carried.dot(frame1.col(0)));
  // whole turns come from the caller's state
  if (const double off = twist_near - m.twist; std::abs(off) > kPi) m.twist += 2 * kPi * std::round(off / (2 * kPi));

  // bend components on the first frame, turned forward by half of the twist
  const double scale = m.sine > 0 ? m.angle / m.sine : 1;
  const double k1 = scale * m.cross.dot(frame0.col(0));
  const double k2 = scale * m.cross.dot(frame0.col(1));
  const auto [s, c] = math::sin_cos(0.5 * m.twist);
  m.bend = {c * k1 + s * k2, c * k2 - s * k1};
  m.half_turn = {c, s};
  return m;
}

}  // namespace

Vec3 joint_strain_vector(const Mat3& frame0, const Mat3& frame1, double twist_near) {
  const Measured m = measure(frame0, frame1, twist_near);
  return {m.bend[0], m.bend[1], m.twist};
}

JointStrain joint_strain(const Mat3& frame0, const Mat3& frame1, double twist_near) {
  const Measured m = measure(frame0, frame1, twist_near);
  JointStrain strain;
  strain.bend = m.bend;
  strain.twist = m.twist;
  strain.angle = m.angle;

  // axes of the mid frame: bending axis a, the normal to it, the mid tangent
  const double mid_norm = m.sum.norm();
  strain.half_cos = std::max(0.5 * mid_norm, kSmallestHalfCosine);
  strain.half_tan = m.sine / m.fold;
  const Vec3 mid = mid_norm > kSmallestHalfCosine ? Vec3((1 / mid_norm) * m.sum) : Vec3(frame0.col(0));
  // a straight joint has no bending axis: any direction square to the tangent will do
  Vec3 axis = m.sine > 1e-12 ? Vec3((1 / m.sine) * m.cross)
                             : Vec3(frame0.col(0) * m.half_turn[0] + frame0.col(1) * m.half_turn[1]);
  axis -= axis.dot(mid) * mid;
  axis *= 1 / axis.norm();
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
  return strain.angle > 1e-12 ? Vec2((1 / strain.angle) * strain.bend) : Vec2(1, 0);
}

}  // namespace

Vec3 joint_moment(const JointStrain& strain, const Vec3& components) {
  const AngleFunctions f = angle_functions(strain);
  const Vec2 a = axis_components(strain);
  const double along = a[0] * components[0] + a[1] * components[1];
  const double across = a[0] * components[1] - a[1] * components[0];
  return strain.axes * Vec3(along, f.g * across, components[2] / f.half_cos);
}

Mat3 joint_stiffness(const JointStrain& strain, const JointElasticity& elasticity, const Vec3& components) {
  const AngleFunctions f = angle_functions(strain);
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
