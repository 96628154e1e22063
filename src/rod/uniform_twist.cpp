#include "rod/uniform_twist.hpp"

#include "base/index.hpp"
#include "rod/binormal_bending.hpp"

namespace filum::rod {

double bending_energy(std::span<const SpanJoint> joints, std::span<const Vec3> tangent) {
  double energy = 0;
  for (const SpanJoint& joint : joints) {
    // 2 tan²(φ/2) = 2 (1 − c)/(1 + c), with 1 − c as |t1 − t0|²/2: no digits lost where the rod is nearly straight
    const Vec3& t0 = tangent[at(joint.from)];
    const Vec3& t1 = tangent[at(joint.to)];
    energy += joint.bend * (t1 - t0).squaredNorm() / fold(t0, t1);
  }
  return energy;
}

void add_gradient(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<const double> torque,
                  std::span<Vec3> gradient) {
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const SpanJoint& joint = joints[k];
    const Vec3& t0 = tangent[at(joint.from)];
    const Vec3& t1 = tangent[at(joint.to)];
    const Vec3 moment = round_moment(t0, t1, joint.bend, torque[k]);
    gradient[at(joint.from)] -= joint.inverse_from * moment.cross(t0);
    gradient[at(joint.to)] += joint.inverse_to * moment.cross(t1);
  }
}

Vec3 carry_rail(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<Vec3> rail) {
  if (joints.empty()) return Vec3::Zero();
  Vec3 carried = rail[at(joints.front().from)];
  for (const SpanJoint& joint : joints) {
    // r − (r·t1)/(1 + c) (t0 + t1): the smallest turn that takes t0 to t1
    const Vec3& t0 = tangent[at(joint.from)];
    const Vec3& t1 = tangent[at(joint.to)];
    const double q = 1 / fold(t0, t1);
    carried -= (carried.dot(t1) * q) * (t0 + t1);
    rail[at(joint.to)] = carried;
  }
  return carried;
}

double twist_rate(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, std::span<const Vec3> rate) {
  double sum = 0;
  for (const SpanJoint& joint : joints) {
    const Vec3& t0 = tangent[at(joint.from)];
    const Vec3& t1 = tangent[at(joint.to)];
    const Vec3 turning = joint.inverse_from * rate[at(joint.from)] + joint.inverse_to * rate[at(joint.to)];
    sum += t0.cross(t1).dot(turning) / fold(t0, t1);
  }
  return sum;
}

}  // namespace filum::rod
