#include "formulations/discrete/joint_law.hpp"

#include "base/index.hpp"
#include "formulations/discrete/laid_rods.hpp"
#include "formulations/discrete/plastic_rods.hpp"
#include "formulations/discrete/side_frame.hpp"

namespace filum::discrete {

namespace {

double lay_turn_now(const ModelData& model, const RodState& state, const Joint& joint) {
  return lay_turn(model, joint, state.length_factor[at(joint.rod)],
                  [&](int edge) { return state.edge[at(edge)].norm(); });
}

}  // namespace

// A viscous joint is an elastic one of stiffness k + η/τ whose rest strain lies between its own and the strain at the
// start of the step, τ before: k (s − rest) + η (s − s0)/τ.
rod::JointElasticity joint_elasticity(const ModelData& model, const RodState& state, const Motion* motion, int index) {
  const Joint& joint = model.joints[at(index)];
  rod::JointElasticity elasticity = joint.elasticity;
  const double factor = state.length_factor[at(joint.rod)];
  elasticity.stiffness /= factor;
  elasticity.rest *= factor;
  // a laid rope that is pulled rests unlaid
  if (model.laid) elasticity.rest[2] -= lay_turn_now(model, state, joint);
  if (motion == nullptr || motion->conserving || !model.damped) return elasticity;
  const Vec3 viscous = joint.viscosity / (factor * motion->step);
  const Vec3 sum = elasticity.stiffness + viscous;
  const Vec3 anchored =
      elasticity.stiffness.cwiseProduct(elasticity.rest) + viscous.cwiseProduct(motion->start_strain[at(index)]);
  elasticity.rest = anchored.cwiseQuotient(sum);
  elasticity.stiffness = sum;
  return elasticity;
}

double mean_lay_turn(const ModelData& model, const RodState& state, const Motion& motion, int index) {
  const Joint& joint = model.joints[at(index)];
  const double before = lay_turn(model, joint, state.length_factor[at(joint.rod)],
                                 [&](int edge) { return motion.start_edge[at(edge)].length; });
  return 0.5 * (before + lay_turn_now(model, state, joint));
}

rod::StepLaw joint_step_law(const ModelData& model, const RodState& state, const Motion& motion, int index) {
  const rod::JointElasticity elastic = joint_elasticity(model, state, nullptr, index);
  const Joint& joint = model.joints[at(index)];
  const Vec3 flips = 0.25 * motion.joint_chi[at(index)] * elastic.stiffness;
  rod::StepLaw law;
  law.base = elastic.stiffness.cwiseProduct(motion.joint_start[at(index)].strain - elastic.rest) -
             flips.cwiseProduct(motion.past_change[at(index)]);
  law.slope = 0.5 * elastic.stiffness + flips;
  // the mean of how far it is unlaid at the two ends of the step
  if (model.laid)
    law.base[2] +=
        elastic.stiffness[2] * (mean_lay_turn(model, state, motion, index) - lay_turn_now(model, state, joint));
  if (model.damped) law.slope += joint.viscosity / (state.length_factor[at(joint.rod)] * motion.step);
  return law;
}

Vec3 joint_moment(const ModelData& model, const RodState& state, const Motion* motion, const rod::JointStrain& strain,
                  int joint) {
  return joint_moment(model, state, joint_elasticity(model, state, motion, joint), strain, joint);
}

Vec3 joint_moment(const ModelData& model, const RodState& state, const rod::JointElasticity& elasticity,
                  const rod::JointStrain& strain, int joint) {
  Vec3 components = rod::joint_moment_components(strain, elasticity);
  if (!model.plasticity.empty()) components -= joint_yield(model, state, strain.vector(), true, joint).relief;
  return rod::joint_moment(strain, components);
}

void measure_strains(const ModelData& model, const RodState& state, std::vector<Vec3>& strains) {
  for (std::size_t k = 0; k < model.joints.size(); ++k) {
    const Joint& joint = model.joints[k];
    strains[k] = rod::joint_strain_vector(side_frame(model, state, joint.left, joint.offset),
                                          side_frame(model, state, joint.right, 0), state.twist[k]);
  }
}

}  // namespace filum::discrete
