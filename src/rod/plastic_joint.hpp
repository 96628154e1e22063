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

// A joint of a section that yields, or several of one law side by side (math/lanes.hpp).
template <class T>
struct PlasticJointOf {
  const SectionPlasticity* law = nullptr;
  Vec3Of<T> yield = Vec3Of<T>::Constant(T(1));      // e: bends and twist at first yield, rad
  Vec3Of<T> stiffness = Vec3Of<T>::Constant(T(0));  // K, N·m
};
using PlasticJoint = PlasticJointOf<double>;

template <class T>
struct JointYieldOf {
  Vec3Of<T> relief = Vec3Of<T>::Constant(T(0));     // N·m: to be taken from K (s − s̄)
  Mat3Of<T> softening = Mat3Of<T>::Constant(T(0));  // its derivative by s: bends, twist
  T energy = T(0);                                  // to be added to ½ (s − s̄)ᵀ K (s − s̄), J
  T spent = T(0);                                   // in the increment, J
  bool yields = false;                              // in some lane
};
using JointYield = JointYieldOf<double>;

// The groups of components that share a circle: f.operator()<N>(first component, elements, where their memory begins).
template <class F>
void each_group(const SectionPlasticity& law, const F& f) {
  const int bends = law.joined ? law.bend.memory(2) : law.bend.memory(1);
  if (law.joined) {
    f.template operator()<2>(0, law.bend, 0);
  } else {
    f.template operator()<1>(0, law.bend, 0);
    f.template operator()<1>(1, law.bend, bends);
  }
  f.template operator()<1>(2, law.twist, law.joined ? bends : 2 * bends);
}

// `excess`: s − s̄.
template <class T>
JointYieldOf<T> joint_yield(const PlasticJointOf<T>& joint, const Vec3Of<T>& excess, const MemoryOf<T>& memory) {
  JointYieldOf<T> out;
  each_group(*joint.law, [&]<int N>(int first, const ParallelElements& elements, int begin) {
    if (elements.empty()) return;
    const Eigen::Matrix<T, N, 1> e = joint.yield.template segment<N>(first);
    const Eigen::Matrix<T, N, 1> k = joint.stiffness.template segment<N>(first);
    const Eigen::Matrix<T, N, 1> q = excess.template segment<N>(first).cwiseQuotient(e);
    const PlasticReturnOf<N, T> r = plastic_return<N, T>(elements, q, moved(memory, begin));
    out.relief.template segment<N>(first) = k.cwiseProduct(e).cwiseProduct(r.relief);
    const T scale = k[0] * e[0] * e[0];  // the same for all: that makes it a circle
    out.energy += scale * r.energy;
    if (!r.yields) return;
    out.yields = true;
    out.spent += scale * r.spent;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) out.softening(first + i, first + j) = scale / (e[i] * e[j]) * r.softening(i, j);
  });
  return out;
}

// The end of an increment between two strains: its memory goes along. What is turned into heat, J.
template <class T>
PlasticKeptOf<T> keep_joint(const PlasticJointOf<T>& joint, const Vec3Of<T>& excess0, const Vec3Of<T>& excess1,
                            const MemoryToWriteOf<T>& memory) {
  PlasticKeptOf<T> kept;
  each_group(*joint.law, [&]<int N>(int first, const ParallelElements& elements, int begin) {
    if (elements.empty()) return;
    const Eigen::Matrix<T, N, 1> e = joint.yield.template segment<N>(first);
    const Eigen::Matrix<T, N, 1> q0 = excess0.template segment<N>(first).cwiseQuotient(e);
    const Eigen::Matrix<T, N, 1> q1 = excess1.template segment<N>(first).cwiseQuotient(e);
    const PlasticKeptOf<T> group = plastic_keep<N, T>(elements, q0, q1, moved(memory, begin));
    kept.heat += joint.stiffness[first] * e[0] * e[0] * group.heat;
    kept.yields = kept.yields || group.yields;
  });
  return kept;
}

// One joint.
JointYield joint_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory);
PlasticKeptOf<double> keep_joint(const PlasticJoint& joint, const Vec3& excess0, const Vec3& excess1, double* memory);

// The same of a joint that does not yield now: by its memory alone.
JointYield kept_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory);

// What its memory alone takes from its moment, N·m, and adds to its energy, J.
Vec3 kept_relief(const PlasticJoint& joint, const double* memory);
double kept_energy(const PlasticJoint& joint, const Vec3& excess, const double* memory);

// Whether it has ever yielded.
bool has_yielded(const SectionPlasticity& law, const double* memory);

// How far a joint of a section that yields is strained: never beyond its law's smallest corners below 1, in whichever
// component (rests a little below).
template <class T>
struct YieldGaugeOf {
  Vec3Of<T> rest = Vec3Of<T>::Constant(T(0));  // s̄
  Vec3Of<T> per = Vec3Of<T>::Constant(T(0));   // 1 over the strain at which its first element yields; 0: none does
};
using YieldGauge = YieldGaugeOf<double>;
inline constexpr double kRests = 1 - 1e-12;

template <class T>
T yield_reach(const YieldGaugeOf<T>& gauge, const Vec3Of<T>& strain) {
  const Vec3Of<T> q = (strain - gauge.rest).cwiseProduct(gauge.per);
  return math::larger(T(q[0] * q[0] + q[1] * q[1]), T(q[2] * q[2]));
}

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
