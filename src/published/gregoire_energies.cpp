#include "published/gregoire_energies.hpp"

namespace filum::published {

namespace {

using Mat34 = Eigen::Matrix<double, 3, 4>;

// r(q)·v = qᵀ M(v) q.
Mat4 reference_form(const Vec3& v) {
  Mat4 m;
  m << v[1], v[2], 0, -v[0],  //
      v[2], -v[1], v[0], 0,   //
      0, v[0], v[1], v[2],    //
      -v[0], 0, v[2], -v[1];
  return m;
}

// vec(q̄_a q_b) = a_slope(q_b) q_a = b_slope(q_a) q_b, bilinear; [Gregoire2007, §3.3.3: B and C].
Mat34 a_slope(const Vec4& b) {
  Mat34 m;
  m << b[1], -b[0], -b[3], b[2],  //
      b[2], b[3], -b[0], -b[1],   //
      b[3], -b[2], b[1], -b[0];
  return m;
}
Mat34 b_slope(const Vec4& a) {
  Mat34 m;
  m << -a[1], a[0], a[3], -a[2],  //
      -a[2], -a[3], a[0], a[1],   //
      -a[3], a[2], -a[1], a[0];
  return m;
}

// q_aᵀ D(m) q_b = m·vec(q̄_a q_b): D(m) = Σ m_k D_k, the second derivative that the source leaves out.
Mat4 bilinear_form(const Vec3& m) {
  Mat4 d;
  d << 0, m[0], m[1], m[2],   //
      -m[0], 0, -m[2], m[1],  //
      -m[1], m[2], 0, -m[0],  //
      -m[2], -m[1], m[0], 0;
  return d;
}

// ½ k C² + f C for a C with the given value and derivatives.
template <int N>
Term<N> sprung(const Spring& spring, double c, const typename Term<N>::Vector& slope,
               const typename Term<N>::Matrix& curvature) {
  const double force = spring.constant * c + spring.integral;
  Term<N> term;
  term.energy = (0.5 * spring.constant * c + spring.integral) * c;
  term.gradient = force * slope;
  term.hessian = spring.constant * slope * slope.transpose() + force * curvature;
  return term;
}

}  // namespace

Vec3 turned_reference(const Vec4& q) {
  return {2 * (q[1] * q[2] - q[0] * q[3]), q[0] * q[0] - q[1] * q[1] + q[2] * q[2] - q[3] * q[3],
          2 * (q[0] * q[1] + q[2] * q[3])};
}

Mat34 turned_reference_slope(const Vec4& q) {
  Mat34 slope;
  for (int k = 0; k < 3; ++k) slope.row(k) = 2 * (reference_form(Vec3::Unit(k)) * q).transpose();
  return slope;
}

Vec3 joint_strain(const Vec4& qa, const Vec4& qb, double length) {
  return 2 / length * (b_slope(qa) * qb);
}

Term<3> weight(const Vec3& x, const Vec3& w) {
  Term<3> term;
  term.energy = -w.dot(x);
  term.gradient = -w;
  return term;
}

// [Gregoire2007, §3.3.2 and §4.4]; the integral force pulls the points together as the spring does.
Term<3> length(const Vec3& delta, double rest, const Spring& spring) {
  const double l = delta.norm();
  const Vec3 u = delta / l;
  return sprung<3>(spring, l - rest, u, (Mat3::Identity() - u * u.transpose()) / l);
}

// [Gregoire2007, §3.3.3] with the mixed block complete.
Term<8> bending(const Vec4& qa, const Vec4& qb, const JointSpring& joint) {
  const double scale = 2 / joint.length;
  const Mat34 slope_a = scale * a_slope(qb);
  const Mat34 slope_b = scale * b_slope(qa);
  const Vec3 strain = slope_b * qb - joint.rest;
  const Vec3 moment = joint.constant.cwiseProduct(strain);

  Term<8> term;
  term.energy = 0.5 * strain.dot(moment);
  term.gradient << slope_a.transpose() * moment, slope_b.transpose() * moment;
  const Mat34 stiff_a = joint.constant.asDiagonal() * slope_a;
  const Mat34 stiff_b = joint.constant.asDiagonal() * slope_b;
  const Mat4 mixed = slope_a.transpose() * stiff_b + scale * bilinear_form(moment);
  term.hessian << slope_a.transpose() * stiff_a, mixed, mixed.transpose(), slope_b.transpose() * stiff_b;
  return term;
}

// [Gregoire2007, §3.3.4, second energy].
Term<4> norm(const Vec4& q, const Spring& spring) {
  const double size = q.norm();
  const double size3 = size * size * size;
  const Mat4 curvature = (3 / (size * size) * q * q.transpose() - Mat4::Identity()) / size3;
  return sprung<4>(spring, 1 / size - 1, -q / size3, curvature);
}

// [Gregoire2007, §3.3.4, first energy; Hessian of A.3.3].
Term<4> plain_norm(const Vec4& q, const Spring& spring) {
  const double size = q.norm();
  const Vec4 direction = q / size;
  return sprung<4>(spring, size - 1, direction, (Mat4::Identity() - direction * direction.transpose()) / size);
}

// [Gregoire2007, §3.3.5, A.5 and §4.5], with the part of |r|² = |q|⁴ that A.5 drops: without it the forces are those
// of no energy once |q| is off one. E = ½ k (1 + |q|⁴) − k u·r + f·(u − r).
Term<7> coherence(const Vec3& delta, const Vec4& q, const VectorSpring& spring) {
  const double k = spring.constant;
  const double l = delta.norm();
  const Vec3 u = delta / l;
  const Vec3 r = turned_reference(q);
  const Mat34 slope_r = turned_reference_slope(q);
  const Mat3 slope_u = (Mat3::Identity() - u * u.transpose()) / l;
  // what u and r are multiplied by: −k u·(r − f/k) and −k r·(u + f/k)
  const Vec3 of_u = spring.integral - k * r;
  const Vec3 of_r = -spring.integral - k * u;

  Term<7> term;
  term.energy = 0.5 * k * (u - r).squaredNorm() + spring.integral.dot(u - r);
  term.gradient << slope_u * of_u, slope_r.transpose() * of_r + 2 * k * q.squaredNorm() * q;
  // second derivative of u·v: −[(I − 3uuᵀ)(u·v) + uvᵀ + vuᵀ]/l²
  const Mat3 delta_block =
      -((Mat3::Identity() - 3 * u * u.transpose()) * u.dot(of_u) + u * of_u.transpose() + of_u * u.transpose()) /
      (l * l);
  const Mat4 q_block =
      2 * reference_form(of_r) + 2 * k * q.squaredNorm() * Mat4::Identity() + 4 * k * q * q.transpose();
  const Mat34 mixed = -k * slope_u * slope_r;
  term.hessian << delta_block, mixed, mixed.transpose(), q_block;
  return term;
}

}  // namespace filum::published
