#include "formulations/chain/mechanism/body_joints.hpp"

#include "base/index.hpp"
#include "math/rotation.hpp"

#include <filum/scene.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace filum::chain {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Row = Eigen::Matrix<double, 1, 6>;

// The two bodies as their joint sees them.
struct Sides {
  Vec3 arm_a, arm_b;  // from their centres to the joint
  Mat3 axes_a, axes_b;
  Vec3 apart;  // d
};

Sides sides_of(const JointData& joint, const PartState& a, const PartState& b) {
  Sides sides;
  const Mat3 turn_a = a.orientation.toRotationMatrix();
  const Mat3 turn_b = b.orientation.toRotationMatrix();
  sides.arm_a = turn_a * joint.arm_a;
  sides.arm_b = turn_b * joint.arm_b;
  sides.axes_a = turn_a * joint.base_a;
  sides.axes_b = turn_b * joint.base_b;
  sides.apart = (b.position - a.position) + (sides.arm_b - sides.arm_a);
  return sides;
}

// One row: its value, and how it changes as the bodies move.
struct Line {
  double value = 0;
  Row by_a = Row::Zero();
  Row by_b = Row::Zero();
};

// n·d, n a direction of the world.
Line gap_line(const Sides& sides, const Vec3& n) {
  Line line;
  line.value = n.dot(sides.apart);
  line.by_a << -n.transpose(), -sides.arm_a.cross(n).transpose();
  line.by_b << n.transpose(), sides.arm_b.cross(n).transpose();
  return line;
}

// n·d, n a direction that A carries.
Line rail_line(const Sides& sides, const Vec3& n) {
  Line line = gap_line(sides, n);
  line.by_a.tail<3>() = -(sides.arm_a + sides.apart).cross(n).transpose();
  return line;
}

// a·b, a carried by A and b by B.
Line angle_line(const Vec3& a, const Vec3& b) {
  Line line;
  line.value = a.dot(b);
  line.by_b.tail<3>() = b.cross(a).transpose();
  line.by_a = -line.by_b;
  return line;
}

int rigid_rows(JointKind kind) {
  switch (kind) {
    case JointKind::Ball:
      return 3;
    case JointKind::Fixed:
      return 6;
    default:
      return 5;
  }
}

std::array<Line, 6> rigid_lines(JointKind kind, const Sides& s) {
  std::array<Line, 6> lines;
  const Mat3& a = s.axes_a;
  const Mat3& b = s.axes_b;
  const int gaps = kind == JointKind::Slider ? 2 : 3;
  for (int k = 0; k < gaps; ++k)
    lines[at(k)] = kind == JointKind::Slider ? rail_line(s, a.col(k)) : gap_line(s, Vec3::Unit(k));
  if (kind == JointKind::Hinge) {
    lines[3] = angle_line(a.col(0), b.col(2));
    lines[4] = angle_line(a.col(1), b.col(2));
  } else if (kind != JointKind::Ball) {
    for (int k = 0; k < 3; ++k) lines[at(gaps + k)] = angle_line(a.col((k + 1) % 3), b.col((k + 2) % 3));
  }
  return lines;
}

// q and how it changes.
Line free_line(JointKind kind, const Sides& s, double near) {
  Line line;
  const Vec3 axis = s.axes_a.col(2);
  if (kind == JointKind::Slider) return rail_line(s, axis);
  if (kind == JointKind::Hinge) {
    line.value = math::unwrap(math::signed_angle(s.axes_a.col(0), s.axes_b.col(0), axis), near);
    line.by_b.tail<3>() = axis.transpose();
  } else if (kind == JointKind::Ball) {
    const Vec3 normal = axis.cross(s.axes_b.col(2));
    line.value = std::atan2(normal.norm(), axis.dot(s.axes_b.col(2)));
    if (normal.norm() > 0) line.by_b.tail<3>() = normal.normalized().transpose();
  }
  line.by_a = -line.by_b;
  return line;
}

bool is_driven(const JointData& joint) {
  return joint.force != 0;
}

double rate_of(const ConstraintSet& set, int constraint, const std::vector<Vec6>& velocity) {
  const Constraint& row = set.constraints[at(constraint)];
  double rate = 0;
  for (int i = row.first; i < row.last; ++i)
    rate += set.incidences[at(i)].rows.row(0).dot(velocity[at(set.incidences[at(i)].part)]);
  return rate;
}

// One of its rows into the system: −φ/h − J u on the right.
void put_line(ConstraintSet& set, int constraint, int row, const Line& line, double wanted, const Vec6& velocity_a,
              const Vec6& velocity_b) {
  Constraint& to = set.constraints[at(constraint)];
  set.incidences[at(to.first)].rows.row(row) = line.by_a;
  set.incidences[at(to.first) + 1].rows.row(row) = line.by_b;
  to.right[row] = wanted - line.by_a.dot(velocity_a) - line.by_b.dot(velocity_b);
  to.softness[row] = 0;
}

}  // namespace

void BodyJoints::add_to(ConstraintSet& set, const Mechanism& mechanism, const ModelData& model) {
  rows_.clear();
  const auto coupling = static_cast<int>(model.rods.size());
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const JointData& joint = model.joints[k];
    Rows rows;
    rows.joint = static_cast<int>(k);
    rows.a = joint.a < 0 ? mechanism.world : mechanism.first_body + joint.a;
    rows.b = mechanism.first_body + joint.b;
    const auto add = [&](int count) {
      const int made = set.add(count, coupling);
      for (const int part : {rows.a, rows.b}) set.join(part, mechanism.parts[at(part)].moves);
      return made;
    };
    rows.rigid = add(rigid_rows(joint.kind));
    if (joint.lowest > -kInfinity || joint.highest < kInfinity) rows.stop = add(1);
    if (joint.motor >= 0) rows.motor = add(1);
    rows_.push_back(rows);
  }
}

void BodyJoints::drive(const Mechanism& mechanism, const ModelData& model, const ChainState& state,
                       const Targets& targets, double dt, std::span<const Mobility> mobility,
                       std::span<Vec6> velocity) {
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const JointData& joint = model.joints[k];
    if (!is_driven(joint)) continue;
    const int a = joint.a < 0 ? mechanism.world : mechanism.first_body + joint.a;
    const int b = mechanism.first_body + joint.b;
    const Sides sides = sides_of(joint, state.parts[at(a)], state.parts[at(b)]);
    const Line line = free_line(joint.kind, sides, state.joints[k].position);
    const double impulse = dt * targets.load * targets.joint_scale[k] * joint.force;
    if (mechanism.parts[at(a)].moves) velocity[at(a)] += mobility[at(a)].times(impulse * line.by_a.transpose());
    if (mechanism.parts[at(b)].moves) velocity[at(b)] += mobility[at(b)].times(impulse * line.by_b.transpose());
  }
}

void BodyJoints::fill(ConstraintSet& set, const ModelData& model, ChainState& state, const std::vector<Vec6>& velocity,
                      const Targets& targets, double dt) {
  for (const Rows& rows : rows_) {
    const JointData& joint = model.joints[at(rows.joint)];
    JointState& memory = state.joints[at(rows.joint)];
    const Sides sides = sides_of(joint, state.parts[at(rows.a)], state.parts[at(rows.b)]);
    const Vec6& a = velocity[at(rows.a)];
    const Vec6& b = velocity[at(rows.b)];
    const std::array<Line, 6> lines = rigid_lines(joint.kind, sides);
    for (int r = 0; r < rigid_rows(joint.kind); ++r)
      put_line(set, rows.rigid, r, lines[at(r)], -lines[at(r)].value / dt, a, b);
    Line free = free_line(joint.kind, sides, memory.position);
    memory.position = free.value;
    for (const int constraint : {rows.rigid, rows.stop, rows.motor}) {
      if (constraint < 0) continue;
      const int first = set.constraints[at(constraint)].first;
      set.incidences[at(first)].arm = sides.arm_a;
      set.incidences[at(first) + 1].arm = sides.arm_b;
    }
    if (rows.motor >= 0) {
      put_line(set, rows.motor, 0, free, targets.joint_scale[at(rows.joint)] * joint.rate, a, b);
      Constraint& motor = set.constraints[at(rows.motor)];
      motor.highest = dt * joint.motor;
      motor.lowest = -motor.highest;
      motor.bound = static_cast<Bound>(memory.motor_bound);
    }
    if (rows.stop < 0) continue;
    // the nearer of the two stops, as «no more than»
    const bool low = free.value - joint.lowest < joint.highest - free.value;
    if (low) free = {-free.value, -free.by_a, -free.by_b};
    put_line(set, rows.stop, 0, free, -(free.value - (low ? -joint.lowest : joint.highest)) / dt, a, b);
    Constraint& stop = set.constraints[at(rows.stop)];
    stop.highest = 0;
    stop.bound = memory.stopped ? Bound::Free : Bound::High;
  }
}

void BodyJoints::take(const ConstraintSet& set, const ModelData& model, ChainState& state,
                      const std::vector<Vec6>& velocity, const Targets& targets, double dt) const {
  for (const Rows& rows : rows_) {
    const JointData& joint = model.joints[at(rows.joint)];
    JointState& memory = state.joints[at(rows.joint)];
    const Sides sides = sides_of(joint, state.parts[at(rows.a)], state.parts[at(rows.b)]);
    const Line free = free_line(joint.kind, sides, memory.position);
    const double rate = free.by_a.dot(velocity[at(rows.a)]) + free.by_b.dot(velocity[at(rows.b)]);
    memory.rate = rate;
    memory.force = 0;
    if (is_driven(joint)) {
      memory.force = targets.load * targets.joint_scale[at(rows.joint)] * joint.force;
      state.work += dt * memory.force * rate;
    }
    if (rows.stop >= 0) memory.stopped = set.constraints[at(rows.stop)].bound == Bound::Free;
    if (rows.motor < 0) continue;
    const Constraint& motor = set.constraints[at(rows.motor)];
    memory.motor_bound = static_cast<int>(motor.bound);
    memory.force += motor.impulse[0] / dt;
    // a motor that is overrun is a brake: what it takes is heat
    const double done = motor.impulse[0] * rate_of(set, rows.motor, velocity);
    (done > 0 ? state.work : state.dissipated) += std::abs(done);
  }
}

}  // namespace filum::chain
