#include "rod/plastic_joint.hpp"

#include <algorithm>

namespace filum::rod {

namespace {

// Components `first` to `first` + N − 1 of a joint that share one circle.
template <int N>
void add_return(const PlasticJoint& joint, int first, const ParallelElements& elements, const Vec3& excess,
                const double* memory, double* after, JointYield& out) {
  if (elements.empty()) return;
  const auto e = joint.yield.segment<N>(first);
  const auto k = joint.stiffness.segment<N>(first);
  const Eigen::Matrix<double, N, 1> q = excess.segment<N>(first).cwiseQuotient(e);
  const PlasticReturn<N> r = plastic_return<N>(elements, q, memory, after);
  out.relief.segment<N>(first) = k.cwiseProduct(e).cwiseProduct(r.relief);
  const double scale = k[0] * e[0] * e[0];  // the same for all: that makes it a circle
  out.energy += scale * r.energy;
  if (!r.yields) return;
  out.yields = true;
  out.spent += scale * r.spent;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) out.softening(first + i, first + j) = scale / (e[i] * e[j]) * r.softening(i, j);
}

template <int N>
double loss_of(const PlasticJoint& joint, int first, const ParallelElements& elements, const Vec3& excess0,
               const Vec3& excess1, const double* before, const double* after) {
  if (elements.empty()) return 0;
  const auto e = joint.yield.segment<N>(first);
  const Eigen::Matrix<double, N, 1> q0 = excess0.segment<N>(first).cwiseQuotient(e);
  const Eigen::Matrix<double, N, 1> q1 = excess1.segment<N>(first).cwiseQuotient(e);
  return joint.stiffness[first] * e[0] * e[0] * plastic_loss<N>(elements, q0, q1, before, after);
}

template <int N>
void add_kept(const PlasticJoint& joint, int first, const ParallelElements& elements, const double* memory, Vec3& out) {
  // the first element yields first
  if (elements.empty() || memory[N] == 0) return;
  Eigen::Matrix<double, N, 1> sum = Eigen::Matrix<double, N, 1>::Zero();
  for (std::size_t i = 0; i < elements.share.size(); ++i)
    sum += elements.share[i] * Eigen::Map<const Eigen::Matrix<double, N, 1>>(memory + i * (N + 1));
  out.segment<N>(first) =
      joint.stiffness.segment<N>(first).cwiseProduct(joint.yield.segment<N>(first)).cwiseProduct(sum);
}

// ½ Σ w_i |p_i|²
template <int N>
double kept_square(const ParallelElements& elements, const double* memory) {
  double sum = 0;
  for (std::size_t i = 0; i < elements.share.size(); ++i)
    sum += 0.5 * elements.share[i] * Eigen::Map<const Eigen::Matrix<double, N, 1>>(memory + i * (N + 1)).squaredNorm();
  return sum;
}

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

JointYield joint_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory, double* after) {
  const SectionPlasticity& law = *joint.law;
  JointYield out;
  const int bends = law.joined ? law.bend.memory(2) : law.bend.memory(1);
  const auto moved = [&](int by) { return after == nullptr ? nullptr : after + by; };
  if (law.joined) {
    add_return<2>(joint, 0, law.bend, excess, memory, after, out);
  } else {
    add_return<1>(joint, 0, law.bend, excess, memory, after, out);
    add_return<1>(joint, 1, law.bend, excess, memory + bends, moved(bends), out);
  }
  const int twist = law.joined ? bends : 2 * bends;
  add_return<1>(joint, 2, law.twist, excess, memory + twist, moved(twist), out);
  return out;
}

JointYield kept_yield(const PlasticJoint& joint, const Vec3& excess, const double* memory) {
  JointYield kept;
  kept.relief = kept_relief(joint, memory);
  kept.energy = kept_energy(joint, excess, memory);
  return kept;
}

Vec3 kept_relief(const PlasticJoint& joint, const double* memory) {
  const SectionPlasticity& law = *joint.law;
  const int bends = law.joined ? law.bend.memory(2) : law.bend.memory(1);
  Vec3 relief = Vec3::Zero();
  if (law.joined) {
    add_kept<2>(joint, 0, law.bend, memory, relief);
  } else {
    add_kept<1>(joint, 0, law.bend, memory, relief);
    add_kept<1>(joint, 1, law.bend, memory + bends, relief);
  }
  add_kept<1>(joint, 2, law.twist, memory + (law.joined ? bends : 2 * bends), relief);
  return relief;
}

double kept_energy(const PlasticJoint& joint, const Vec3& excess, const double* memory) {
  const SectionPlasticity& law = *joint.law;
  const Vec3 scale = joint.stiffness.cwiseProduct(joint.yield.cwiseAbs2());
  const int bends = law.joined ? law.bend.memory(2) : law.bend.memory(1);
  double energy = -excess.dot(kept_relief(joint, memory));
  if (law.joined)
    energy += scale[0] * kept_square<2>(law.bend, memory);
  else
    energy += scale[0] * kept_square<1>(law.bend, memory) + scale[1] * kept_square<1>(law.bend, memory + bends);
  return energy + scale[2] * kept_square<1>(law.twist, memory + (law.joined ? bends : 2 * bends));
}

double joint_loss(const PlasticJoint& joint, const Vec3& excess0, const Vec3& excess1, const double* before,
                  const double* after) {
  const SectionPlasticity& law = *joint.law;
  const int bends = law.joined ? law.bend.memory(2) : law.bend.memory(1);
  const int twist = law.joined ? bends : 2 * bends;
  double loss = loss_of<1>(joint, 2, law.twist, excess0, excess1, before + twist, after + twist);
  if (law.joined) return loss + loss_of<2>(joint, 0, law.bend, excess0, excess1, before, after);
  loss += loss_of<1>(joint, 0, law.bend, excess0, excess1, before, after);
  return loss + loss_of<1>(joint, 1, law.bend, excess0, excess1, before + bends, after + bends);
}

double furthest_yield(const SectionPlasticity& law, const double* memory) {
  const int bends = law.joined ? law.bend.memory(2) : law.bend.memory(1);
  const double twist = furthest<1>(law.twist, memory + (law.joined ? bends : 2 * bends));
  if (law.slips) return twist;
  if (law.joined) return std::max(twist, furthest<2>(law.bend, memory));
  return std::max({twist, furthest<1>(law.bend, memory), furthest<1>(law.bend, memory + bends)});
}

double furthest_stretch(const SectionPlasticity& law, const double* memory) {
  return furthest<1>(law.stretch, memory);
}

}  // namespace filum::rod
