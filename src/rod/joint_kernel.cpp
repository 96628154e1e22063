// For one joint: what rod/joint.hpp declares.
#include "rod/joint_kernel.hpp"

namespace filum::rod {

Vec3 joint_strain_vector(const Mat3& frame0, const Mat3& frame1, double twist_near) {
  const joint_kernel::Measured<double> m = joint_kernel::measure(frame0, frame1, twist_near);
  return {m.bend[0], m.bend[1], m.hold * m.twist};
}

JointStrain joint_strain(const Mat3& frame0, const Mat3& frame1, double twist_near) {
  return joint_strain<double>(frame0, frame1, twist_near);
}

double joint_energy(const JointStrain& strain, const JointElasticity& elasticity) {
  const Vec3 excess = strain.vector() - elasticity.rest;
  return 0.5 * excess.dot(elasticity.stiffness.cwiseProduct(excess));
}

Vec3 joint_moment_components(const JointStrain& strain, const JointElasticity& elasticity) {
  return elasticity.stiffness.cwiseProduct(strain.vector() - elasticity.rest);
}

Vec3 joint_moment(const JointStrain& strain, const Vec3& components) {
  return joint_moment<double>(strain, components);
}

Mat3 joint_stiffness(const JointStrain& strain, const JointElasticity& elasticity, const Vec3& components) {
  return joint_stiffness<double>(strain, elasticity, components);
}

}  // namespace filum::rod
