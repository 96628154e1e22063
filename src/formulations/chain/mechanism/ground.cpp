#include "formulations/chain/mechanism/ground.hpp"

#include "base/index.hpp"
#include "math/dense.hpp"
#include "math/rotation.hpp"
#include "scene/friction.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>

namespace filum::chain {

namespace {

constexpr double kRubSettled = 0.01;  // of the force that a sliding point is held with
constexpr double kFirmness = 100;     // k h²/m
constexpr double kNeverTurns = 1e12;  // inertia over mass, m²

}  // namespace

void Ground::lay_out(const Mechanism& mechanism, const Scene& scene, const std::vector<Vec2>& outlines) {
  points_.clear();
  normals_.clear();
  for (const Obstacle& plane : scene.obstacles) normals_.push_back(plane.normal.normalized());
  int memory = 0;
  for (int plane = 0; plane < static_cast<int>(scene.obstacles.size()); ++plane) {
    for (int e = 0; e < mechanism.first_body; ++e)
      for (const int side : {-1, 1}) {
        Point point;
        point.part = e;
        point.plane = plane;
        point.arm = {0, 0, side * mechanism.half_length[at(e)]};
        point.radius = outlines[at(e)].maxCoeff();
        point.friction = scene.obstacles[at(plane)].friction;
        points_.push_back(point);
      }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
      for (int corner = 0; corner < 8; ++corner, ++memory) {
        Point point;
        point.part = mechanism.first_body + static_cast<int>(b);
        point.plane = plane;
        for (int axis = 0; axis < 3; ++axis)
          point.arm[axis] = ((corner >> axis) & 1 ? 0.5 : -0.5) * scene.bodies[b].box[axis];
        point.memory = memory;
        point.friction =
            scene::pair_friction(scene.contact, scene.bodies[b].material, scene.obstacles[at(plane)].material)
                .value_or(scene.obstacles[at(plane)].friction);
        if (mechanism.parts[at(point.part)].moves) points_.push_back(point);
      }
  }
  coupled_.assign(mechanism.parts.size(), Mat6::Zero());
}

void Ground::find(const Mechanism& mechanism, const Scene& scene, const ChainState& state,
                  const std::vector<Vec6>& velocity, double dt) {
  for (Point& point : points_) {
    const auto p = at(point.part);
    const PartState& part = state.parts[p];
    const Obstacle& plane = scene.obstacles[at(point.plane)];
    const Vec3& normal = normals_[at(point.plane)];
    // elements grow and shrink
    if (point.memory < 0) point.arm[2] = std::copysign(mechanism.half_length[p], point.arm[2]);
    const Vec3 arm = part.orientation * point.arm;
    point.gap = normal.dot(part.position + arm - plane.point) - point.radius;
    const Vec3 moves = velocity[p].head<3>() + velocity[p].tail<3>().cross(arm);
    point.near = point.touches = point.gap + dt * normal.dot(moves) < 0;
    if (!point.touches) continue;
    const int of_part = point.memory < 0 ? 2 : 4;
    point.stiffness = kFirmness * mechanism.parts[p].mass / (of_part * dt * dt);
    // goes on sliding, or is tied to where it stuck, or to where it is
    const Vec3 now = part.velocity + part.spin.cross(arm);
    const Vec3 along = now - normal.dot(now) * normal;
    point.slides = point.memory >= 0 && state.corners[at(point.memory)].slides && along.norm() > 0;
    if (point.slides) point.rubbed = -point.friction * state.corners[at(point.memory)].normal * along.normalized();
    point.drag = 0;
    if (point.memory >= 0 && along.norm() > 0) {
      const double slowed = dt * point.friction * state.corners[at(point.memory)].normal;
      const double mass = mechanism.parts[p].mass / of_part;
      point.drag = slowed / std::max(along.norm() - slowed / mass, 0.01 * along.norm());
    }
    const bool stuck = point.memory >= 0 && state.corners[at(point.memory)].sticks;
    point.away = stuck ? Vec3(part.position + arm - state.corners[at(point.memory)].anchor) : Vec3::Zero();
    point.away -= normal.dot(point.away) * normal;
  }
}

void Ground::press(const ChainState& state, std::vector<Mobility>& mobility, std::vector<Vec6>& velocity, double dt,
                   bool as_drag) {
  as_drag_ = as_drag;
  for (Mobility& one : mobility) one.coupled = nullptr;
  // M̃ of every part that touches, and its momentum with the impulse that the springs already hold
  for (const Point& point : points_) {
    if (!point.touches) continue;
    const auto p = at(point.part);
    Mat6& mass = coupled_[p];
    if (mobility[p].coupled == nullptr) {
      mobility[p].coupled = &mass;
      mass.setZero();
      mass.diagonal().head<3>().setConstant(1 / mobility[p].linear);
      // a point does not turn
      const bool turns = mobility[p].angular.determinant() > 0;
      mass.bottomRightCorner<3, 3>() =
          turns ? Mat3(mobility[p].angular.inverse()) : Mat3(kNeverTurns / mobility[p].linear * Mat3::Identity());
      velocity[p] = mass * velocity[p];
    }
    const Vec3 arm = state.parts[p].orientation * point.arm;
    const Vec3& normal = normals_[at(point.plane)];
    Eigen::Matrix<double, 3, 6> rows;
    rows << Mat3::Identity(), -math::skew(arm);
    const Mat3 across = Mat3::Identity() - normal * normal.transpose();
    Mat3 weight = dt * dt * point.stiffness * normal * normal.transpose();
    Vec3 held = -dt * point.stiffness * point.gap * normal;
    if (point.slides && as_drag) {
      weight += point.drag * across;
    } else if (point.slides) {
      held += dt * point.rubbed;
    } else if (point.friction > 0) {
      weight += dt * dt * point.stiffness * across;
      held -= dt * point.stiffness * point.away;
    }
    mass += rows.transpose() * weight * rows;
    velocity[p] += rows.transpose() * held;
  }
  for (std::size_t p = 0; p < mobility.size(); ++p) {
    if (mobility[p].coupled == nullptr) continue;
    coupled_[p] = math::inverse(coupled_[p]);
    velocity[p] = coupled_[p] * velocity[p];
  }
}

bool Ground::let_go(const ChainState& state, const std::vector<Vec6>& velocity, const ConstraintSet& set, double dt) {
  bool any = false;
  for (Point& point : points_) {
    if (!point.near) continue;
    const Vec6 moves = velocity[at(point.part)] + set.changes[at(point.part)];
    const Vec3 arm = state.parts[at(point.part)].orientation * point.arm;
    const Vec3 rate = moves.head<3>() + moves.tail<3>().cross(arm);
    const Vec3& normal = normals_[at(point.plane)];
    const double gap = point.gap + dt * normal.dot(rate);
    if (point.touches != (gap <= 0)) {
      point.touches = gap <= 0;
      any = true;
    }
    if (!point.touches) continue;
    const double limit = -point.friction * point.stiffness * gap;
    if (point.slides && point.rubbed.dot(rate) > 0) {
      // it has come to rest: friction does not push it back
      point.slides = false;
      any = true;
      continue;
    }
    if (point.slides) {
      // against the force that presses it now
      const Vec3 rubbed = limit * point.rubbed.normalized();
      any = any || (rubbed - point.rubbed).norm() > kRubSettled * limit;
      point.rubbed = rubbed;
      continue;
    }
    const Vec3 held = -point.stiffness * (point.away + dt * (rate - normal.dot(rate) * normal));
    if (held.norm() <= limit || !(limit > 0)) continue;
    point.slides = true;
    point.rubbed = limit * held.normalized();
    any = true;
  }
  return any;
}

void Ground::take(ChainState& state, const std::vector<Vec6>& velocity, double dt) {
  for (const Point& point : points_) {
    const PartState& part = state.parts[at(point.part)];
    const Vec3 arm = part.orientation * point.arm;
    const Vec3 rate = velocity[at(point.part)].head<3>() + velocity[at(point.part)].tail<3>().cross(arm);
    if (point.touches) {
      // what it is pressed with stores hardly anything: it takes what it is given, at the mean speed of the step
      const Vec3& n = normals_[at(point.plane)];
      const Vec3 mean = 0.5 * (rate + part.velocity + part.spin.cross(arm));
      state.dissipated += dt * point.stiffness * (point.gap + dt * n.dot(rate)) * n.dot(mean);
      if (point.slides && as_drag_)
        state.dissipated += point.drag * (rate - n.dot(rate) * n).dot(mean);
      else if (point.slides)
        state.dissipated -= dt * point.rubbed.dot(mean);
    }
    if (point.memory < 0) continue;
    CornerState& corner = state.corners[at(point.memory)];
    if (!point.touches) {
      corner = {};
      continue;
    }
    const Vec3& normal = normals_[at(point.plane)];
    corner.normal = -point.stiffness * (point.gap + dt * normal.dot(rate));
    // one that slides would stick from here on with the force that it slides against
    const Vec3 there = part.position + arm + dt * rate;
    if (point.slides)
      corner.anchor = as_drag_ ? there : Vec3(there + point.rubbed / point.stiffness);
    else if (!corner.sticks)
      corner.anchor = part.position + arm;
    corner.sticks = true;
    corner.slides = point.slides;
  }
}

}  // namespace filum::chain
