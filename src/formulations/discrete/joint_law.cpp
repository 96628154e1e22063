#include "formulations/discrete/joint_law.hpp"

#include "base/index.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "math/rotation.hpp"
#include "rod/edge.hpp"

namespace filum::discrete {

// A viscous joint is an elastic one of stiffness k + η/τ whose rest strain lies between its own and the strain at the
// start of the step, τ before: k (s − rest) + η (s − s0)/τ. The damping of flips, χ k (s − ŝ), joins in the same way.
rod::JointElasticity joint_elasticity(const ModelData& model, const RodState& state, const Motion* motion, int index) {
  const Joint& joint = model.joints[at(index)];
  rod::JointElasticity elasticity = joint.elasticity;
  const double factor = state.length_factor[at(joint.rod)];
  elasticity.stiffness /= factor;
  elasticity.rest *= factor;
  if (motion == nullptr || (!model.damped && motion->foreseen_strain.empty())) return elasticity;
  Vec3 sum = elasticity.stiffness;
  Vec3 anchored = elasticity.stiffness.cwiseProduct(elasticity.rest);
  if (model.damped) {
    const Vec3 viscous = joint.viscosity / (factor * motion->elapsed);
    sum += viscous;
    anchored += viscous.cwiseProduct(motion->start_strain[at(index)]);
  }
  if (!motion->foreseen_strain.empty()) {
    const Vec3 flips = motion->flip * elasticity.stiffness;
    sum += flips;
    anchored += flips.cwiseProduct(motion->foreseen_strain[at(index)]);
  }
  elasticity.rest = anchored.cwiseQuotient(sum);
  elasticity.stiffness = sum;
  return elasticity;
}

Vec3 joint_moment(const ModelData& model, const RodState& state, const Motion* motion, const rod::JointStrain& strain,
                  int joint) {
  return rod::joint_moment(strain, rod::joint_moment_components(strain, joint_elasticity(model, state, motion, joint)));
}

void measure_strains(const ModelData& model, const RodState& state, std::vector<Vec3>& strains) {
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    strains[k] = rod::joint_strain_vector(side_frame(model, state, joint.left, joint.offset),
                                          side_frame(model, state, joint.right, 0), state.twist[k]);
  }
}

double angle_between(const Mat3& start_frame, const Mat3& frame) {
  const Vec3 direct = rod::carried_director(start_frame, frame.col(2));
  return math::angle_of(-direct.dot(frame.col(1)), direct.dot(frame.col(0)));
}

}  // namespace filum::discrete
