#include "formulations/discrete/plastic_rods.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace filum::discrete {

namespace {

using One = Eigen::Matrix<double, 1, 1>;

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

double length_factor(const ModelData& model, const RodState& state, int joint) {
  return state.length_factor[at(model.joints[at(joint)].rod)];
}

// One joint.
struct Single {
  int index;
  int operator()(int) const { return index; }
};
using PlasticJoint = PlasticJointsOf<double, Single>;

const double* memory_of(const ModelData& model, const RodState& state, int joint) {
  return state.plastic.at(model.plasticity.joints[at(joint)].memory);
}

// It has never yielded, and does not at this strain.
bool joint_rests(const ModelData& model, const RodState& state, const Vec3& strain, int joint) {
  if (!has_law(model.plasticity.joints, joint)) return true;
  return rod::yield_reach<double>(model.plasticity.gauges[at(joint)], strain / length_factor(model, state, joint)) <=
             rod::kRests &&
         !has_yielded(model, state, joint);
}

// Joints `first` to `end` − 1, of one law.
template <class T, class StrainOf>
double keep_joints(const ModelData& model, const StrainOf& strain_of, const Motion* motion, int first, int end,
                   RodState& state) {
  double heat = 0;
  for (int k = first; k < end; k += math::kLanesOf<T>) {
    const auto joint = [&](int lane) { return std::min(k + lane, end - 1); };
    std::array<Vec3, math::kLanesOf<T>> now;
    bool rests = true;
    for (int lane = 0; lane < math::kLanesOf<T>; ++lane) {
      now[at(lane)] = strain_of(at(joint(lane)));
      rests = rests && joint_rests(model, state, now[at(lane)], joint(lane));
    }
    if (rests) continue;
    const PlasticJointsOf<T, decltype(joint)> joints(model, state, joint);
    const auto strain = math::gathered<math::Vec3Of, T>([&](int lane) -> const Vec3& { return now[at(lane)]; });
    math::Vec3Of<T> start = strain;
    if (motion != nullptr)
      start = math::gathered<math::Vec3Of, T>(
          [&](int lane) -> const Vec3& { return motion->start_strain[at(joint(lane))]; });
    rod::MemoryToWriteOf<T> memory;
    for (int lane = 0; lane < math::kLanesOf<T>; ++lane)
      memory[at(lane)] = state.plastic.at(model.plasticity.joints[at(joint(lane))].memory);
    const rod::PlasticKeptOf<T> kept =
        rod::keep_joint<T>(joints.joint, joints.excess(start), joints.excess(strain), memory);
    if (!kept.yields) continue;
    state.plastic.written();
    std::array<double, math::kLanesOf<T>> lost;
    math::scatter<math::NumberOf, T>(kept.heat, math::kLanesOf<T>, [&](int lane) -> double& { return lost[at(lane)]; });
    for (int lane = 0; motion != nullptr && lane < math::kLanesOf<T> && k + lane < end; ++lane) heat += lost[at(lane)];
  }
  return heat;
}

double keep_edge(const ModelData& model, const Motion* motion, RodState& state, int j) {
  if (edge_rests(model, state, state.edge[at(j)].squaredNorm(), j)) return 0;
  const EdgeLaw law = edge_law(model, state, j);
  const auto share = [&](double length) { return One::Constant((length / law.rest - 1) / law.yield); };
  const One now = share(state.edge[at(j)].norm());
  const One start = motion == nullptr ? now : share(motion->start_edge[at(j)].length);
  const auto kept =
      rod::plastic_keep<1, double>(law.elements, start, now, {state.plastic.at(model.plasticity.edges[at(j)].memory)});
  if (!kept.yields) return 0;
  state.plastic.written();
  return motion == nullptr ? 0 : law.force * law.yield * law.rest * kept.heat;
}

}  // namespace

bool has_yielded(const ModelData& model, const RodState& state, int joint) {
  if (state.plastic.blank() || !has_law(model.plasticity.joints, joint)) return false;
  return rod::has_yielded(model.plasticity.laws[at(model.plasticity.joints[at(joint)].law)],
                          memory_of(model, state, joint));
}

bool edge_has_yielded(const ModelData& model, const RodState& state, int index) {
  if (state.plastic.blank() || !has_law(model.plasticity.edges, index)) return false;
  const PlasticPlace& place = model.plasticity.edges[at(index)];
  // the element that yields first has gone some way
  return !model.plasticity.laws[at(place.law)].stretch.empty() && state.plastic.at(place.memory)[1] != 0;
}

bool edge_rests(const ModelData& model, const RodState& state, double squared_length, int index) {
  if (!has_law(model.plasticity.edges, index)) return true;
  if (edge_has_yielded(model, state, index)) return false;
  const Edge& edge = model.edges[at(index)];
  const double rest = edge.rest_length * state.length_factor[at(edge.rod)];
  const ElasticLengths& elastic = model.plasticity.elastic[at(index)];
  return squared_length >= elastic.shortest * rest * rest && squared_length <= elastic.longest * rest * rest;
}

rod::JointYield joint_yield(const ModelData& model, const RodState& state, const Vec3& strain, bool may, int index) {
  if (joint_rests(model, state, strain, index)) return {};
  const PlasticJoint own(model, state, {index});
  const double* memory = memory_of(model, state, index);
  return may ? rod::joint_yield(own.joint, own.excess(strain), memory)
             : rod::kept_yield(own.joint, own.excess(strain), memory);
}

Vec3 kept_relief(const ModelData& model, const RodState& state, int index) {
  if (!has_yielded(model, state, index)) return Vec3::Zero();
  return rod::kept_relief(PlasticJoint(model, state, {index}).joint, memory_of(model, state, index));
}

EdgeYield edge_yield(const ModelData& model, const RodState& state, double length, bool may, int index) {
  EdgeYield out;
  if (may ? edge_rests(model, state, length * length, index) : !edge_has_yielded(model, state, index)) return out;
  const EdgeLaw law = edge_law(model, state, index);
  const double* memory = state.plastic.at(model.plasticity.edges[at(index)].memory);
  const double q = (length / law.rest - 1) / law.yield;
  for (std::size_t i = 0; i < law.elements.share.size(); ++i) {
    out.kept += law.force * law.elements.share[i] * memory[2 * i];
    out.energy += law.elements.share[i] * memory[2 * i] * (0.5 * memory[2 * i] - q);
  }
  out.relief = out.kept;
  if (may) {
    const auto r = rod::plastic_return<1, double>(law.elements, One::Constant(q), {memory});
    out.relief = law.force * r.relief[0];
    out.softening = law.force / law.yield * r.softening(0, 0);
    out.energy = r.energy;
    out.spent = law.force * law.yield * law.rest * r.spent;
    out.yields = r.yields;
  }
  out.energy *= law.force * law.yield * law.rest;
  return out;
}

double kept_energy(const ModelData& model, const rod::PlasticMemory& memory, const Vec3& strain, double factor,
                   int index) {
  if (memory.blank() || !has_law(model.plasticity.joints, index)) return 0;
  const PlasticPlace& place = model.plasticity.joints[at(index)];
  const rod::JointElasticity& elasticity = model.joints[at(index)].elasticity;
  const rod::PlasticJoint joint{&model.plasticity.laws[at(place.law)], factor * place.yield,
                                elasticity.stiffness / factor};
  return rod::kept_energy(joint, strain - factor * elasticity.rest, memory.at(place.memory));
}

namespace {

template <class StrainOf>
double keep_all(const ModelData& model, const StrainOf& strain, const Motion* motion, RodState& state) {
  double heat = 0;
  each_law(model, 0, static_cast<int>(model.plasticity.joints.size()), [&](int law, int first, int end) {
    if (law < 0) return;
    math::in_lanes([&]<class T>() { heat += keep_joints<T>(model, strain, motion, first, end, state); });
  });
  for (std::size_t j = 0; j < model.plasticity.edges.size(); ++j)
    heat += keep_edge(model, motion, state, static_cast<int>(j));
  return heat;
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
  const double factor = length_factor(model, state, index);
  const Vec3 kept = kept_relief(model, state, index).cwiseQuotient(joint.elasticity.stiffness / factor);
  set.strain << kept.head<2>() / (joint.length * factor), kept[2] / (joint.cell * factor);
  const PlasticPlace& place = model.plasticity.joints[at(index)];
  const rod::SectionPlasticity& law = model.plasticity.laws[at(place.law)];
  set.furthest = rod::furthest_yield(law, state.plastic.at(place.memory));
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
  const double far = rod::furthest_stretch(model.plasticity.laws[at(place.law)], state.plastic.at(place.memory));
  return far > 0 ? far : std::abs(state.edge[at(index)].norm() / law.rest - 1) / law.yield;
}

double furthest_yield(const ModelData& model, const RodState& state) {
  double far = 0;
  const Plasticity& plastic = model.plasticity;
  for (const PlasticPlace& place : plastic.joints)
    if (place.law >= 0)
      far = std::max(far, rod::furthest_yield(plastic.laws[at(place.law)], state.plastic.at(place.memory)));
  for (const PlasticPlace& place : plastic.edges)
    if (place.law >= 0)
      far = std::max(far, rod::furthest_stretch(plastic.laws[at(place.law)], state.plastic.at(place.memory)));
  return far;
}

bool may_yield(const ModelData& model, int rod) {
  const std::vector<int>& laws = model.rods[at(rod)].edge_law;
  return std::any_of(laws.begin(), laws.end(),
                     [&](int law) { return law >= 0 && !model.plasticity.laws[at(law)].slips; });
}

}  // namespace filum::discrete
