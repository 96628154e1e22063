#include "serve/editor/body_pull.hpp"

#include <algorithm>
#include <cmath>

namespace filum::serve {

namespace {

constexpr double kSoonest = 0.05;  // s, τ at least
constexpr double kSteps = 4;       // of a step, τ at least
constexpr double kPatience = 4;    // T / τ

Vec3 at_most(const Vec3& v, double length) {
  const double norm = v.norm();
  return norm > length ? Vec3(length / norm * v) : v;
}

}  // namespace

BodyPull pull_body(const body::RigidBody& body, const BodyPose& now, const BodyGoal& goal, const Vec3& gravity,
                   double dt, Vec3& more) {
  const double tau = std::max(kSoonest, kSteps * dt);
  // no faster than it can stop again over the way that is left, with half the force that its weight leaves
  const Vec3 way = goal.position - now.position;
  const double brake = 0.5 * std::max(goal.most / body.mass - gravity.norm(), 0.1 * goal.most / body.mass);
  const double speed = std::min(goal.speed, std::sqrt(2 * brake * way.norm()));
  // at a steady speed v the spring is as long as brakes it: e = 2 τ v
  const Vec3 off = at_most(way, 2 * tau * speed);
  const Vec3 wanted = body.mass * (off / (tau * tau) - 2 / tau * now.velocity - gravity);
  BodyPull pull;
  pull.force = at_most(wanted + more, goal.most);
  // on the way there, and where it is at its end, nothing is saved up
  if (off == way && pull.force == wanted + more)
    more = at_most(more + body.mass * dt / (kPatience * tau * tau * tau) * off, goal.most);

  const Eigen::AngleAxisd turn(goal.orientation * now.orientation.conjugate());
  const double angle = turn.angle() > M_PI ? turn.angle() - 2 * M_PI : turn.angle();
  const Mat3 inertia = body::world_inertia(body, now.orientation);
  const double arm = body.mass > 0 ? std::sqrt(body.inertia.maxCoeff() / body.mass) : 0;
  pull.torque = at_most(inertia * (angle / (tau * tau) * turn.axis() - 2 / tau * now.spin), goal.most * arm);
  return pull;
}

}  // namespace filum::serve
