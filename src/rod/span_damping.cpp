#include "rod/span_damping.hpp"

#include "base/index.hpp"
#include "rod/binormal_bending.hpp"

namespace filum::rod {

void SpanDamping::resize(std::size_t joints) {
  spin_.assign(joints, 0);
  twisting_.assign(joints, 0);
  torque_.assign(joints, 0);
  leverage_.assign(joints, 0);
  bending_.assign(joints, Vec3::Zero());
  moment_.assign(joints, Vec3::Zero());
}

// Spins of the far sides with the first side's as zero, then the total twist's rate spread evenly.
void SpanDamping::carry_spin(std::span<const SpanJoint> joints, std::span<const Vec3> tangent,
                             std::span<const Vec3> turning, const SpinTies& ties) {
  double spin = 0;
  double compliance = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const SpanJoint& joint = joints[k];
    const Vec3& t0 = tangent[at(joint.from)];
    const Vec3& t1 = tangent[at(joint.to)];
    spin -= (turning[at(joint.to)] - turning[at(joint.from)]).dot(t0 + t1) / fold(t0, t1);
    spin_[k] = spin;
    compliance += joint.twist_compliance;
  }
  const double rate = ties.even ? -spin / compliance : 0;
  double passed = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    passed += joints[k].twist_compliance;
    twisting_[k] = rate * joints[k].twist_compliance;
    spin_[k] += rate * passed;
  }
}

double SpanDamping::rates(std::span<const SpanJoint> joints, std::span<const JointViscosity> viscosity,
                          std::span<const Vec3> tangent, std::span<const Vec3> turning, const SpinTies& ties) {
  carry_spin(joints, tangent, turning, ties);
  // rates of bending, and what a common spin would add to them
  double against = 0;
  double weight = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const SpanJoint& joint = joints[k];
    const Vec3& t0 = tangent[at(joint.from)];
    const Vec3& t1 = tangent[at(joint.to)];
    const double spin0 = k > 0 ? spin_[k - 1] : 0;
    bending_[k] =
        turning[at(joint.to)] - turning[at(joint.from)] + spin_[k] * t1 - spin0 * t0 - 0.5 * twisting_[k] * (t0 + t1);
    against += viscosity[k].bend * bending_[k].dot(t1 - t0);
    weight += viscosity[k].bend * (t1 - t0).squaredNorm();
  }
  const double common = !ties.start && weight > 0 ? -against / weight : 0;
  // power, and the moments that take it
  double power = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    bending_[k] += common * (tangent[at(joints[k].to)] - tangent[at(joints[k].from)]);
    power += viscosity[k].bend * bending_[k].squaredNorm() + viscosity[k].twist * twisting_[k] * twisting_[k];
    moment_[k] = viscosity[k].bend * bending_[k];
    torque_[k] = viscosity[k].twist * twisting_[k];
  }
  share_torque(joints, tangent, ties);
  return power;
}

// The spins follow from the motion, so P depends on it through them as well. With y what the moments of bending do
// about an edge's own tangent, the torque in a joint is minus the sum of y over the edges beyond it, up to a constant
// that the held ends take; the viscous torques of even twist are averaged with the same weights.
void SpanDamping::share_torque(std::span<const SpanJoint> joints, std::span<const Vec3> tangent, const SpinTies& ties) {
  const std::size_t count = joints.size();
  double compliance = 0;
  for (const SpanJoint& joint : joints) compliance += joint.twist_compliance;
  double passed = 0;
  double constant = 0;
  for (std::size_t k = 0; k < count; ++k) {
    passed += joints[k].twist_compliance;
    const double share = ties.even ? passed / compliance : 0;
    // the last side of a tied span is no edge of its own
    const bool own = !(ties.even && k + 1 == count);
    const Vec3 onward = k + 1 < count ? moment_[k + 1] : Vec3(Vec3::Zero());
    leverage_[k] = own ? (moment_[k] - onward).dot(tangent[at(joints[k].to)]) : 0;
    constant += share * leverage_[k];
    if (ties.even) constant += torque_[k] * joints[k].twist_compliance / compliance;
  }
  double beyond = 0;
  for (std::size_t k = count; k-- > 0;) {
    beyond += leverage_[k];
    const Vec3& t0 = tangent[at(joints[k].from)];
    const Vec3& t1 = tangent[at(joints[k].to)];
    torque_[k] = constant - beyond;
    moment_[k] += torque_[k] / fold(t0, t1) * (t0 + t1);
  }
}

void SpanDamping::add_gradient(std::span<const SpanJoint> joints, std::span<const Vec3> tangent,
                               std::span<Vec3> gradient) const {
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const SpanJoint& joint = joints[k];
    gradient[at(joint.from)] -= joint.inverse_from * moment_[k].cross(tangent[at(joint.from)]);
    gradient[at(joint.to)] += joint.inverse_to * moment_[k].cross(tangent[at(joint.to)]);
  }
}

}  // namespace filum::rod
