#include "validation/cantilever.hpp"

#include "math/dense.hpp"
#include "math/rotation.hpp"

#include <cmath>
#include <limits>

namespace filum::validation {

namespace {

constexpr int kLoadSteps = 24;
constexpr int kCoarseSteps = 400;  // while the loads are raised
constexpr int kFineSteps = 4000;   // fourth order: some 1e-12 of the length
constexpr int kNewtonIterations = 30;

struct Point {
  Vec3 x;
  Quat q;
  Vec3 m;  // world
};

struct Rate {
  Vec3 x;
  Eigen::Vector4d q;  // x, y, z, w
  Vec3 m;
};

Rate rate(const Cantilever& rod, double load, double s, const Point& p) {
  // stages of a step are not of unit length: the frame is that of the direction, the rate keeps the length
  const Mat3 frame = p.q.normalized().toRotationMatrix();
  const Vec3 n = load * (rod.tip_force + (rod.length - s) * rod.load);
  const Vec3 dx = (1 + n.dot(frame.col(2)) / rod.EA) * frame.col(2);
  const Vec3 m = frame.transpose() * p.m;
  const Vec3 k = rod.rest + Vec3(m[0] / rod.EI[0], m[1] / rod.EI[1], m[2] / rod.GJ);
  // q' = ½ q (0, k)
  return {dx, 0.5 * (p.q * Quat(0, k[0], k[1], k[2])).coeffs(), -dx.cross(n)};
}

Point moved(const Point& p, const Rate& r, double h) {
  return {p.x + h * r.x, Quat(Eigen::Vector4d(p.q.coeffs() + h * r.q)), p.m + h * r.m};
}

// From the tip, at the origin with this frame, back to the clamp.
Point back_to_clamp(const Cantilever& rod, double load, const Quat& tip, int steps) {
  Point p{Vec3::Zero(), tip, Vec3::Zero()};
  const double h = -rod.length / steps;
  for (int i = 0; i < steps; ++i) {
    const double s = rod.length * (steps - i) / steps;
    const Rate a = rate(rod, load, s, p);
    const Rate b = rate(rod, load, s + h / 2, moved(p, a, h / 2));
    const Rate c = rate(rod, load, s + h / 2, moved(p, b, h / 2));
    const Rate d = rate(rod, load, s + h, moved(p, c, h));
    const Rate mean{(a.x + 2 * b.x + 2 * c.x + d.x) / 6, (a.q + 2 * b.q + 2 * c.q + d.q) / 6,
                    (a.m + 2 * b.m + 2 * c.m + d.m) / 6};
    p = moved(p, mean, h);
    p.q.normalize();
  }
  return p;
}

// The rotation by which the integrated frame misses the clamp's.
Vec3 miss(const Cantilever& rod, double load, const Quat& tip, int steps) {
  return math::log_so3(back_to_clamp(rod, load, tip, steps).q.toRotationMatrix() * rod.frame.transpose());
}

Quat turned_by(const Vec3& w, const Quat& q) {
  return (Quat(math::exp_so3(w)) * q).normalized();
}

// Newton's method on the tip frame; derivatives by central differences. False if it does not settle.
bool shoot(const Cantilever& rod, double load, int steps, double tolerance, Quat& tip) {
  constexpr double kDifference = 1e-6;
  for (int iteration = 0; iteration < kNewtonIterations; ++iteration) {
    const Vec3 r = miss(rod, load, tip, steps);
    if (r.norm() < tolerance) return true;
    Mat3 jacobian;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 w = kDifference * Vec3::Unit(axis);
      jacobian.col(axis) =
          (miss(rod, load, turned_by(w, tip), steps) - miss(rod, load, turned_by(-w, tip), steps)) / (2 * kDifference);
    }
    tip = turned_by(-math::solve(jacobian, r), tip);
  }
  return false;
}

}  // namespace

CantileverSolution integrate(const Cantilever& rod) {
  Quat tip(rod.frame);
  bool found = true;
  // unloaded, the tip frame follows from the rest curvature alone: one Newton step finds it
  for (int k = 0; k <= kLoadSteps && found; ++k)
    found = shoot(rod, static_cast<double>(k) / kLoadSteps, kCoarseSteps, 1e-6, tip);
  found = found && shoot(rod, 1, kFineSteps, 1e-12, tip);
  if (!found) return {Vec3::Constant(std::numeric_limits<double>::quiet_NaN()), Mat3::Identity(), Vec3::Zero()};
  const Point clamp = back_to_clamp(rod, 1, tip, kFineSteps);
  return {-clamp.x, tip.toRotationMatrix(), clamp.m};
}

}  // namespace filum::validation
