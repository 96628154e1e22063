// What a joint of a model is made of at an instant: its elasticity, in motion with what damps it, and its strain.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "rod/joint.hpp"

#include <vector>

namespace filum::discrete {

// At the rod's present length. `motion`: null at rest.
[[nodiscard]] rod::JointElasticity joint_elasticity(const ModelData& model, const RodState& state, const Motion* motion,
                                                    int joint);

// Over a step that keeps energy.
[[nodiscard]] rod::StepLaw joint_step_law(const ModelData& model, const RodState& state, const Motion& motion,
                                          int joint);

// Of a laid rope: the mean, over a step, of by how much stretch unlays it, rad.
[[nodiscard]] double mean_lay_turn(const ModelData& model, const RodState& state, const Motion& motion, int joint);

// What its left side feels of its right, world frame.
[[nodiscard]] Vec3 joint_moment(const ModelData& model, const RodState& state, const Motion* motion,
                                const rod::JointStrain& strain, int joint);
// The same where its law is at hand.
[[nodiscard]] Vec3 joint_moment(const ModelData& model, const RodState& state, const rod::JointElasticity& elasticity,
                                const rod::JointStrain& strain, int joint);

// Strain of every joint at a state.
void measure_strains(const ModelData& model, const RodState& state, std::vector<Vec3>& strains);

}  // namespace filum::discrete
