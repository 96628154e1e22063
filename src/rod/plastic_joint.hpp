// A joint or an edge whose section yields or slips: what that takes from its elastic law.
//
// The elastic moment K (s − s̄) of a joint (rod/joint.hpp) loses K e Σ w_i p_i: e are the strains of the joint at first
// yield, p_i what the elements of its section remember (rod/parallel_elements.hpp), as shares of e. Written as a loss, so
// that a joint that never yielded keeps the bits it would have without a law.
//
// Over a step that keeps energy (rod/joint_step.hpp) the moment is the mean of those at its ends, with the elements
// returned at its end: its work is the change of what they store plus what they turn into heat, which is not negative.
#pragma once

#include "rod/joint_step.hpp"
#include "rod/section_plasticity.hpp"

#include <filum/types.hpp>

namespace filum::rod {

// A joint of a section that yields.
struct PlasticJoint {
  const SectionPlasticity* law = nullptr;
  Vec3 yield = Vec3::Ones();      // e: bends and twist at first yield, rad
  Vec3 stiffness = Vec3::Zero();  // K, N·m
};

struct JointYield {
  Vec3 relief = Vec3::Zero();     // N·m: to be taken from K (s − s̄)
  Mat3 softening = Mat3::Zero();  // its derivative by s: bends, twist
  double energy = 0;              // to be added to ½ (s − s̄)ᵀ K (s − s̄), J
  double spent = 0;               // in the increment, J
  bool yields = false;
};

// `excess`: s − s̄. `after`: where the new memory goes, or null.
JointYield joint_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory, double* after);

// The same of a joint that does not yield now: by its memory alone.
JointYield kept_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory);

// What its memory alone takes from its moment, N·m, and adds to its energy, J.
Vec3 kept_relief(const PlasticJoint& joint, const double* memory);
double kept_energy(const PlasticJoint& joint, const Vec3& excess, const double* memory);

// What it turned into heat between two strains, J.
double joint_loss(const PlasticJoint& joint, const Vec3& excess0, const Vec3& excess1, const double* before,
                  const double* after);

// What softening of the components of a step's moment, K' by the strain at its end, takes from its tangent.
template <class T>
void soften(const JointStepOf<T>& step, const Mat3Of<T>& softening, JointStepTangentOf<T>& tangent) {
  // as the change of m enters joint_step_tangent: D̄ K' D1ᵀ, D̄ = D + Θ (Δs − DᵀΘ)ᵀ/n
  const Vec3Of<T> left = step.change - step.gradient.transpose() * step.relative;
  const Mat3Of<T> lifted = step.gradient + Vec3Of<T>(step.per_square * step.relative) * left.transpose();
  const Mat3Of<T> softened = lifted * softening;
  const Mat3Of<T> less = softened * step.end_gradient.transpose();
  tangent.by_a += less;
  tangent.by_b -= less;
}

// How far strains have gone, as a multiple of first yield; 0 while they never passed it.
double furthest_yield(const SectionPlasticity& law, const double* joint_memory);
double furthest_stretch(const SectionPlasticity& law, const double* edge_memory);

}  // namespace filum::rod
