#include "formulations/discrete/plastic_rods.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::discrete {

namespace {

using One = Eigen::Matrix<double, 1, 1>;
// No joint has more memory: 12 elements of two bends and of twist.
constexpr std::size_t kMostMemory = 128;

rod::PlasticJoint plastic_joint(const ModelData& model, double factor, int index) {
  const PlasticPlace& place = model.plasticity.joints[at(index)];
  return {&model.plasticity.laws[at(place.law)], factor * place.yield,
          model.joints[at(index)].elasticity.stiffness / factor};
}

double factor_of(const ModelData& model, const RodState& state, int joint) {
  return state.length_factor[at(model.joints[at(joint)].rod)];
}

bool has_law(const std::vector<PlasticPlace>& places, int index) {
  return !places.empty() && places[at(index)].law >= 0;
}

// Of an edge: elements, strain as a share of first yield, N and J that a share stands for.
struct EdgeLaw {
  const rod::ParallelElements& elements;
  double yield;
  double force;
  double rest;
};
EdgeLaw edge_law(const ModelData& model, const RodState& state, int index) {
  const PlasticPlace& place = model.plasticity.edges[at(index)];
  const Edge& edge = model.edges[at(index)];
  return {model.plasticity.laws[at(place.law)].stretch, place.yield[0], edge.axial_stiffness * place.yield[0],
          edge.rest_length * state.length_factor[at(edge.rod)]};
}

double keep_joint(const ModelData& model, const Vec3& strain, const Motion* motion, RodState& state, int k) {
  const double factor = factor_of(model, state, k);
  const rod::PlasticJoint joint = plastic_joint(model, factor, k);
  const Vec3 rest = factor * model.joints[at(k)].elasticity.rest;
  double* memory = state.plastic.data() + model.plasticity.joints[at(k)].memory;
  if (!rod::joint_yield(joint, strain - rest, memory, nullptr).yields) return 0;
  std::array<double, kMostMemory> after;
  rod::joint_yield(joint, strain - rest, memory, after.data());
  const double loss = motion == nullptr ? 0
                                        : rod::joint_loss(joint, motion->start_strain[at(k)] - rest, strain - rest,
                                                          memory, after.data());
  std::copy_n(after.begin(), joint.law->joint_memory(), memory);
  return loss;
}

double keep_edge(const ModelData& model, const Motion* motion, RodState& state, int j) {
  const EdgeLaw law = edge_law(model, state, j);
  if (law.elements.empty()) return 0;
  double* memory = state.plastic.data() + model.plasticity.edges[at(j)].memory;
  const auto share = [&](double length) { return One::Constant((length / law.rest - 1) / law.yield); };
  const One now = share(state.edge[at(j)].norm());
  std::array<double, kMostMemory> after;
  if (!rod::plastic_return<1>(law.elements, now, memory, after.data()).yields) return 0;
  double loss = 0;
  if (motion != nullptr)
    loss = law.force * law.yield * law.rest *
           rod::plastic_loss<1>(law.elements, share(motion->start_edge[at(j)].length), now, memory, after.data());
  std::copy_n(after.begin(), law.elements.memory(1), memory);
  return loss;
}

}  // namespace

rod::JointYield joint_yield(const ModelData& model, const RodState& state, const Vec3& strain, bool may, int index) {
  if (!has_law(model.plasticity.joints, index)) return {};
  const double factor = factor_of(model, state, index);
  const Vec3 excess = strain - factor * model.joints[at(index)].elasticity.rest;
  const rod::PlasticJoint joint = plastic_joint(model, factor, index);
  const double* memory = state.plastic.data() + model.plasticity.joints[at(index)].memory;
  return may ? rod::joint_yield(joint, excess, memory, nullptr) : rod::kept_yield(joint, excess, memory);
}

Vec3 kept_relief(const ModelData& model, const RodState& state, int index) {
  if (!has_law(model.plasticity.joints, index)) return Vec3::Zero();
  return rod::kept_relief(plastic_joint(model, factor_of(model, state, index), index),
                          state.plastic.data() + model.plasticity.joints[at(index)].memory);
}

EdgeYield edge_yield(const ModelData& model, const RodState& state, double length, bool may, int index) {
  EdgeYield out;
  if (!has_law(model.plasticity.edges, index)) return out;
  const EdgeLaw law = edge_law(model, state, index);
  if (law.elements.empty()) return out;
  const double* memory = state.plastic.data() + model.plasticity.edges[at(index)].memory;
  const double q = (length / law.rest - 1) / law.yield;
  for (std::size_t i = 0; i < law.elements.share.size(); ++i) {
    out.kept += law.force * law.elements.share[i] * memory[2 * i];
    out.energy += law.elements.share[i] * memory[2 * i] * (0.5 * memory[2 * i] - q);
  }
  out.relief = out.kept;
  if (may) {
    const auto r = rod::plastic_return<1>(law.elements, One::Constant(q), memory, nullptr);
    out.relief = law.force * r.relief[0];
    out.softening = law.force / law.yield * r.softening(0, 0);
    out.energy = r.energy;
    out.spent = law.force * law.yield * law.rest * r.spent;
    out.yields = r.yields;
  }
  out.energy *= law.force * law.yield * law.rest;
  return out;
}

double kept_energy(const ModelData& model, std::span<const double> memory, const Vec3& strain, double factor,
                   int index) {
  if (!has_law(model.plasticity.joints, index)) return 0;
  const Vec3 excess = strain - factor * model.joints[at(index)].elasticity.rest;
  return rod::kept_energy(plastic_joint(model, factor, index), excess,
                          memory.data() + model.plasticity.joints[at(index)].memory);
}

namespace {

template <class StrainOf>
double keep_all(const ModelData& model, const StrainOf& strain, const Motion* motion, RodState& state) {
  double loss = 0;
  for (std::size_t k = 0; k < model.plasticity.joints.size(); ++k)
    if (model.plasticity.joints[k].law >= 0) loss += keep_joint(model, strain(k), motion, state, static_cast<int>(k));
  for (std::size_t j = 0; j < model.plasticity.edges.size(); ++j)
    if (model.plasticity.edges[j].law >= 0) loss += keep_edge(model, motion, state, static_cast<int>(j));
  return loss;
}

}  // namespace

double keep_plastic(const ModelData& model, std::span<const rod::JointStrain> strain, const Motion* motion,
                    RodState& state) {
  return keep_all(
      model, [&](std::size_t k) { return strain[k].vector(); }, motion, state);
}

double keep_plastic(const ModelData& model, std::span<const Vec3> strain, const Motion* motion, RodState& state) {
  return keep_all(
      model, [&](std::size_t k) { return strain[k]; }, motion, state);
}

PlasticSet plastic_set(const ModelData& model, const RodState& state, const Vec3& strain, int index) {
  PlasticSet set;
  if (!has_law(model.plasticity.joints, index)) return set;
  const Joint& joint = model.joints[at(index)];
  const double factor = factor_of(model, state, index);
  const Vec3 kept = kept_relief(model, state, index).cwiseQuotient(joint.elasticity.stiffness / factor);
  set.strain << kept.head<2>() / (joint.length * factor), kept[2] / (joint.cell * factor);
  const PlasticPlace& place = model.plasticity.joints[at(index)];
  const rod::SectionPlasticity& law = model.plasticity.laws[at(place.law)];
  set.furthest = rod::furthest_yield(law, state.plastic.data() + place.memory);
  if (set.furthest > 0) return set;
  // not beyond it yet: as far as it is now
  const Vec3 q = (strain / factor - joint.elasticity.rest).cwiseQuotient(place.yield);
  if (!law.bend.empty() && !law.slips)
    set.furthest = law.joined ? q.head<2>().norm() : q.head<2>().cwiseAbs().maxCoeff();
  if (!law.twist.empty()) set.furthest = std::max(set.furthest, std::abs(q[2]));
  return set;
}

double furthest_stretch(const ModelData& model, const RodState& state, int index) {
  if (!has_law(model.plasticity.edges, index)) return 0;
  const EdgeLaw law = edge_law(model, state, index);
  if (law.elements.empty()) return 0;
  const PlasticPlace& place = model.plasticity.edges[at(index)];
  const double far = rod::furthest_stretch(model.plasticity.laws[at(place.law)], state.plastic.data() + place.memory);
  return far > 0 ? far : std::abs(state.edge[at(index)].norm() / law.rest - 1) / law.yield;
}

double furthest_yield(const ModelData& model, const RodState& state) {
  double far = 0;
  const Plasticity& plastic = model.plasticity;
  for (const PlasticPlace& place : plastic.joints)
    if (place.law >= 0)
      far = std::max(far, rod::furthest_yield(plastic.laws[at(place.law)], state.plastic.data() + place.memory));
  for (const PlasticPlace& place : plastic.edges)
    if (place.law >= 0)
      far = std::max(far, rod::furthest_stretch(plastic.laws[at(place.law)], state.plastic.data() + place.memory));
  return far;
}

bool may_yield(const ModelData& model, int rod) {
  const std::vector<int>& laws = model.rods[at(rod)].edge_law;
  return std::any_of(laws.begin(), laws.end(),
                     [&](int law) { return law >= 0 && !model.plasticity.laws[at(law)].slips; });
}

}  // namespace filum::discrete
