#include "rod/plastic_joint.hpp"

#include <algorithm>

namespace filum::rod {

namespace {

// Σ w_i p_i and ½ Σ w_i |p_i|² of elements that have yielded.
template <int N>
struct Kept {
  Eigen::Matrix<double, N, 1> sum = Eigen::Matrix<double, N, 1>::Zero();
  double square = 0;
  Kept(const ParallelElements& elements, const double* memory) {
    // where one has not, none of a larger corner has
    for (std::size_t i = 0; i < elements.share.size() && memory[i * (N + 1) + N] != 0; ++i) {
      const Eigen::Map<const Eigen::Matrix<double, N, 1>> p(memory + i * (N + 1));
      sum += elements.share[i] * p;
      square += 0.5 * elements.share[i] * p.squaredNorm();
    }
  }
};

// The largest element that ever yielded did so last at p_i + x_i.
template <int N>
double furthest(const ParallelElements& elements, const double* memory) {
  double far = 0;
  for (std::size_t i = 0; i < elements.share.size(); ++i) {
    const double* own = memory + i * (N + 1);
    if (own[N] == 0) continue;
    const double size = Eigen::Map<const Eigen::Matrix<double, N, 1>>(own).norm();
    far = std::max(far, size + elements.corner[i] + elements.growth * own[N]);
  }
  return far;
}

}  // namespace

JointYield joint_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory) {
  return joint_yield<double>(joint, excess, {memory});
}

PlasticKeptOf<double> keep_joint(const PlasticJoint& joint, const Vec3& excess0, const Vec3& excess1, double* memory) {
  return keep_joint<double>(joint, excess0, excess1, {memory});
}

JointYield kept_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory) {
  JointYield kept;
  each_group(*joint.law, [&]<int N>(int first, const ParallelElements& elements, int begin) {
    if (elements.empty()) return;
    const Kept<N> own(elements, memory + begin);
    const auto e = joint.yield.segment<N>(first);
    const auto k = joint.stiffness.segment<N>(first);
    kept.relief.segment<N>(first) = k.cwiseProduct(e).cwiseProduct(own.sum);
    kept.energy += k[0] * e[0] * e[0] * own.square;
  });
  kept.energy -= excess.dot(kept.relief);
  return kept;
}

Vec3 kept_relief(const PlasticJoint& joint, const double* memory) {
  return kept_yield(joint, Vec3::Zero(), memory).relief;
}

double kept_energy(const PlasticJoint& joint, const Vec3& excess, const double* memory) {
  return kept_yield(joint, excess, memory).energy;
}

bool has_yielded(const SectionPlasticity& law, const double* memory) {
  bool ever = false;
  each_group(law, [&]<int N>(int, const ParallelElements& elements, int begin) {
    ever = ever || (!elements.empty() && memory[begin + N] != 0);
  });
  return ever;
}

double furthest_yield(const SectionPlasticity& law, const double* memory) {
  double far = 0;
  each_group(law, [&]<int N>(int first, const ParallelElements& elements, int begin) {
    if (first == 2 || !law.slips) far = std::max(far, furthest<N>(elements, memory + begin));
  });
  return far;
}

double furthest_stretch(const SectionPlasticity& law, const double* memory) {
  return furthest<1>(law.stretch, memory);
}

}  // namespace filum::rod
