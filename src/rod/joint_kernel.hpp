// The kernel of rod/joint.hpp for numbers T, which are doubles or several joints side by side (math/lanes.hpp).
#pragma once

#include "math/small_angle.hpp"
#include "rod/joint.hpp"

#include <cmath>

namespace filum::rod {

namespace joint_kernel {

inline constexpr double kPi = 3.14159265358979323846;
// Below this turning angle the closed forms cancel; the series below is exact to round-off there.
inline constexpr double kSmallAngle = 1e-2;
// cos(φ/2) is kept away from zero: a joint folded flat has no twist, and must not make infinities either.
inline constexpr double kSmallestHalfCosine = 1e-6;
inline constexpr double kSmallestFold = 2 * kSmallestHalfCosine * kSmallestHalfCosine;  // 1 + cos φ likewise
// Below this turning angle a joint is straight.
inline constexpr double kStraight = 1e-12;

// Where a joint begins to be folded, 150°: φ, sin(φ/2), cos(φ/2).
inline constexpr double kFoldAngle = 5.0 / 6 * kPi;
inline constexpr double kFoldHalfSine = 0.96592582628906829;
inline constexpr double kFoldHalfCosine = 0.25881904510252076;

// What a joint's angle and twist count for, as functions of φ. With u = cos(φ/2)/cos(75°), 1 where it begins to be folded
// and 0 where it is flat, dψ/dφ = u (2 − u) and f = u² (6 − 8u + 3u²), df/du = 12 u (1 − u)².
template <class T>
struct FoldOf {
  T bow, bow_slope, bow_curve;     // ψ, dψ/dφ, d²ψ/dφ²
  T hold, hold_slope, hold_curve;  // f and its derivatives by φ
};

template <class T>
FoldOf<T> fold_functions(const T& angle, const T& half_cosine) {
  FoldOf<T> f{angle, T(1), T(0), T(1), T(0), T(0)};
  const auto folded = half_cosine < T(kFoldHalfCosine);
  if (!math::any(folded)) return f;
  using std::sqrt;
  constexpr double kPer = 1 / kFoldHalfCosine;
  const T half_sine = sqrt(T(1.0 - half_cosine * half_cosine));
  const T u = kPer * half_cosine;
  const T rest = 1.0 - u;
  const T slope = -0.5 * kPer * half_sine;  // du/dφ
  const T bow =
      kFoldAngle + (4 * kPer) * (half_sine - kFoldHalfSine) -
      (kPer * kPer) * (0.5 * (angle - kFoldAngle) + half_sine * half_cosine - kFoldHalfSine * kFoldHalfCosine);
  const T by_u = 12.0 * u * rest * rest;
  f.bow = math::select(folded, bow, f.bow);
  f.bow_slope = math::select(folded, T(u * (2.0 - u)), f.bow_slope);
  f.bow_curve = math::select(folded, T(2.0 * rest * slope), f.bow_curve);
  f.hold = math::select(folded, T(u * u * (6.0 - u * (8.0 - 3.0 * u))), f.hold);
  f.hold_slope = math::select(folded, T(by_u * slope), f.hold_slope);
  f.hold_curve = math::select(folded, T(12.0 * rest * (1.0 - 3.0 * u) * slope * slope - 0.25 * u * by_u), f.hold_curve);
  return f;
}

// The functions of φ that the derivatives need, q = 1/(2 sin(φ/2)).
template <class T>
struct AngleFunctions {
  T g;        // ψ q; (φ/2)/sin(φ/2) unless folded
  T g_slope;  // dg/dφ
  T normal;   // ½ cot(φ/2) dψ/dφ − q g; (g/φ)(cos(φ/2) − g) unless folded
  FoldOf<T> fold;
};

template <class T>
AngleFunctions<T> angle_functions(const JointStrainOf<T>& strain) {
  const T phi = strain.angle;
  const T p2 = phi * phi;
  const auto small = phi < T(kSmallAngle);
  const T g = math::select(small, T(1.0 + p2 / 24.0 + 7.0 * p2 * p2 / 5760.0),
                           T(0.5 * phi / (strain.half_tan * strain.half_cos)));
  const T ratio = g / phi;
  AngleFunctions<T> f{
      g, math::select(small, T(phi / 12.0 + 7.0 * p2 * phi / 1440.0), T(ratio * (1.0 - g * strain.half_cos))),
      math::select(small, T(-phi / 6.0 - p2 * phi / 180.0), T(ratio * (strain.half_cos - g))),
      fold_functions(phi, strain.half_cos)};
  const auto folded = strain.half_cos < T(kFoldHalfCosine);
  if (!math::any(folded)) return f;
  const T q = 0.5 / (strain.half_tan * strain.half_cos);
  const T half_cot = 0.5 / strain.half_tan;
  const T bowed = f.fold.bow * q;
  f.g = math::select(folded, bowed, f.g);
  f.g_slope = math::select(folded, T(f.fold.bow_slope * q - bowed * half_cot), f.g_slope);
  f.normal = math::select(folded, T(f.fold.bow_slope * half_cot - bowed * q), f.normal);
  return f;
}

// What the two frames have between them, before any axes in space.
template <class T>
struct Measured {
  Vec3Of<T> cross;      // t0 × t1 = sin φ times the bending axis
  Vec3Of<T> sum;        // t0 + t1
  T sine;               // of φ
  T fold;               // 1 + cos φ
  T angle;              // φ
  T twist;              // unwrapped
  Vec2Of<T> bend;       // on the mid frame
  Vec2Of<T> half_turn;  // (cos, sin) of half of the twist
  T half_cosine;        // cos(φ/2)
  T bow;                // |bend|
  T hold, hold_slope;   // what the twist counts for, and how that falls
};

template <class T>
Measured<T> measure(const Mat3Of<T>& frame0, const Mat3Of<T>& frame1, const T& twist_near) {
  const Vec3Of<T> t0 = frame0.col(2);
  const Vec3Of<T> t1 = frame1.col(2);
  Measured<T> m;
  m.cross = t0.cross(t1);
  m.sum = t0 + t1;
  const T cosine = t0.dot(t1);
  m.sine = m.cross.norm();
  m.angle = math::angle_of(m.sine, cosine);
  m.fold = math::larger(T(1.0 + cosine), T(kSmallestFold));

  // d1 of the first frame carried to the second tangent without twist: v − (v·t1)/(1 + t0·t1) (t0 + t1)
  const Vec3Of<T> carried = frame0.col(0) - (frame0.col(0).dot(t1) / m.fold) * m.sum;
  m.twist = math::angle_of(T(-carried.dot(frame1.col(1))), T(carried.dot(frame1.col(0))));
  // whole turns come from the caller's state
  const T off = twist_near - m.twist;
  if (const auto turned = math::magnitude(off) > T(kPi); math::any(turned))
    m.twist = math::repaired(
        turned, m.twist, [](double twist, double by) { return twist + 2 * kPi * std::round(by / (2 * kPi)); }, m.twist,
        off);

  m.half_cosine = math::larger(T(0.5 * m.sum.norm()), T(kSmallestHalfCosine));
  const FoldOf<T> fold = fold_functions(m.angle, m.half_cosine);
  m.bow = fold.bow;
  m.hold = fold.hold;
  m.hold_slope = fold.hold_slope;

  // bend components on the first frame, turned forward by half of the twist
  const T scale = math::select(m.sine > T(0), T(m.bow / m.sine), T(1));
  const T k1 = scale * m.cross.dot(frame0.col(0));
  const T k2 = scale * m.cross.dot(frame0.col(1));
  const auto [s, c] = math::sin_cos(T(0.5 * m.twist));
  m.bend = {c * k1 + s * k2, c * k2 - s * k1};
  m.half_turn = {c, s};
  return m;
}

// (cos ψ, sin ψ): the bending axis in the mid frame's d1, d2. For a straight joint the axis was chosen to be d1.
template <class T>
Vec2Of<T> axis_components(const JointStrainOf<T>& strain) {
  const auto bent = strain.angle > T(kStraight);
  const T per_angle = 1.0 / strain.bow;
  return {math::select(bent, T(per_angle * strain.bend[0]), T(1)),
          math::select(bent, T(per_angle * strain.bend[1]), T(0))};
}

}  // namespace joint_kernel

template <class T>
JointStrainOf<T> joint_strain(const Mat3Of<T>& frame0, const Mat3Of<T>& frame1, const T& twist_near) {
  using namespace joint_kernel;
  const Measured<T> m = measure(frame0, frame1, twist_near);
  JointStrainOf<T> strain;
  strain.bend = m.bend;
  strain.twist = m.twist;
  strain.angle = m.angle;
  strain.bow = m.bow;
  strain.hold = m.hold;
  strain.hold_slope = m.hold_slope;

  // axes of the mid frame: bending axis a, the normal to it, the mid tangent
  const T mid_norm = m.sum.norm();
  strain.half_cos = m.half_cosine;
  // folded flat the sine is round-off, or nothing
  strain.half_tan = math::select(m.fold > T(kSmallestFold), T(m.sine / m.fold), T(1.0 / strain.half_cos));
  // a joint that is straight or folded flat has no bending axis: any direction square to the tangent will do
  Vec3Of<T> axis = math::select(m.sine > T(kStraight), Vec3Of<T>((1.0 / m.sine) * m.cross),
                                Vec3Of<T>(frame0.col(0) * m.half_turn[0] + frame0.col(1) * m.half_turn[1]));
  const Vec3Of<T> mid = math::select(mid_norm > T(kSmallestHalfCosine), Vec3Of<T>((1.0 / mid_norm) * m.sum),
                                     Vec3Of<T>(axis.cross(frame0.col(2))));
  axis -= axis.dot(mid) * mid;
  axis *= 1.0 / axis.norm();
  strain.axes.col(0) = axis;
  strain.axes.col(1) = mid.cross(axis);
  strain.axes.col(2) = mid;
  return strain;
}

// Past a fold the same frames are measured with the bend about the other side and the twist a whole turn off. Takes the
// side on which the joint was bent before, so that strains go on where a step leads over the fold.
inline void stay_on_side(const Vec2& bend_before, double twist_near, JointStrain& strain) {
  if (strain.hold == 1 || strain.bend.dot(bend_before) >= 0) return;
  strain.bend = -strain.bend;
  strain.twist += strain.twist < twist_near ? 2 * joint_kernel::kPi : -2 * joint_kernel::kPi;
}

template <class T>
Vec3Of<T> joint_moment(const JointStrainOf<T>& strain, const Vec3Of<T>& components) {
  const auto f = joint_kernel::angle_functions(strain);
  const Vec2Of<T> a = joint_kernel::axis_components(strain);
  const T along = a[0] * components[0] + a[1] * components[1];
  const T across = a[0] * components[1] - a[1] * components[0];
  return strain.axes * Vec3Of<T>(f.fold.bow_slope * along + (strain.hold_slope * strain.twist) * components[2],
                                 f.g * across, strain.hold * components[2] / strain.half_cos);
}

// The world gradients of the three strains, as columns: `joint_moment` of the unit vectors.
template <class T>
Mat3Of<T> strain_gradient(const JointStrainOf<T>& strain) {
  const auto f = joint_kernel::angle_functions(strain);
  const Vec2Of<T> a = joint_kernel::axis_components(strain);
  Mat3Of<T> gradient;
  gradient.col(0) = (f.fold.bow_slope * a[0]) * strain.axes.col(0) - (f.g * a[1]) * strain.axes.col(1);
  gradient.col(1) = (f.fold.bow_slope * a[1]) * strain.axes.col(0) + (f.g * a[0]) * strain.axes.col(1);
  gradient.col(2) = strain.twist_gradient();
  return gradient;
}

template <class T>
Mat3Of<T> joint_stiffness(const JointStrainOf<T>& strain, const JointElasticityOf<T>& elasticity,
                          const Vec3Of<T>& components) {
  const auto f = joint_kernel::angle_functions(strain);
  const Vec2Of<T> a = joint_kernel::axis_components(strain);
  const Vec3Of<T>& k = elasticity.stiffness;

  // moment and bending stiffness on the axes a, n
  const T m_a = a[0] * components[0] + a[1] * components[1];
  const T m_n = a[0] * components[1] - a[1] * components[0];
  const T k_aa = a[0] * a[0] * k[0] + a[1] * a[1] * k[1];
  const T k_nn = a[1] * a[1] * k[0] + a[0] * a[0] * k[1];
  const T k_an = a[0] * a[1] * (k[1] - k[0]);

  // c on the axes a, n, d3, symmetric; nothing couples n and d3
  T aa = k_aa;
  T an = f.g * k_an + f.g_slope * m_n;
  T nn = f.g * f.g * k_nn + m_a * f.normal;
  T ad = 0.5 * components[2] * strain.half_tan / strain.half_cos;
  T dd = k[2] / (strain.half_cos * strain.half_cos) - 0.5 * m_a * strain.half_tan;
  if (const auto folded = strain.half_cos < T(joint_kernel::kFoldHalfCosine); math::any(folded)) {
    // φ'' is ½ cot(φ/2) (n·Δ)² − ½ tan(φ/2) (d3·Δ)²: what ψ and f make of it, and f τ of φ' and τ'
    const joint_kernel::FoldOf<T>& fold = f.fold;
    const T wound = strain.twist * components[2];
    const T along_twist = strain.hold_slope * strain.twist;
    const T about_twist = strain.hold / strain.half_cos;
    const T slope = fold.bow_slope;
    const T sagging = 0.5 * (slope * m_a + fold.hold_slope * wound);
    aa = math::select(
        folded,
        T(slope * slope * k_aa + k[2] * along_twist * along_twist + fold.bow_curve * m_a + fold.hold_curve * wound),
        aa);
    an = math::select(folded, T(slope * f.g * k_an + f.g_slope * m_n), an);
    nn = math::select(folded, T(nn + 0.5 * fold.hold_slope * wound / strain.half_tan), nn);
    ad = math::select(
        folded,
        T(fold.hold * ad + fold.hold_slope * components[2] / strain.half_cos + k[2] * along_twist * about_twist), ad);
    dd = math::select(folded, T(k[2] * about_twist * about_twist - sagging * strain.half_tan), dd);
  }
  const auto axis = strain.axes.col(0);
  const auto normal = strain.axes.col(1);
  const auto mid = strain.axes.col(2);
  Mat3Of<T> c = Vec3Of<T>(aa * axis + an * normal + ad * mid) * axis.transpose();
  c += Vec3Of<T>(an * axis + nn * normal) * normal.transpose();
  c += Vec3Of<T>(ad * axis + dd * mid) * mid.transpose();
  return c;
}

}  // namespace filum::rod
