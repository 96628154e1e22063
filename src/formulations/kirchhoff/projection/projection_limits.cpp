// The stability bound of bending under symplectic Euler, and what scenes the projection stepper refuses.
//
// A joint of stiffness k between straight edges stores ½ k |Σ c_i x_i|², c = 1/l, −(1/l + 1/l'), 1/l' on its three
// nodes and 1 on a body that holds a section. If each node's mass is shared out among the joints it takes part in, the
// fastest joint alone, ω² = k Σ c_i²/m_i, bounds the fastest mode of the whole (Irons and Treharne's theorem on
// elements). Shared in proportion to |c_i| √k the bound is exact for a long uniform rod, 16 EI/(m l³):
//
//     h < 2/ω = ½ √(m l³/EI)
//
// Strain-rate damping with the last step's velocity adds 2ζω = βω², and the bound becomes 2(√(1 + ζ²) − ζ)/ω.
#include "formulations/kirchhoff/projection/projection_limits.hpp"

#include "base/index.hpp"
#include "formulations/features.hpp"
#include "formulations/kirchhoff/kirchhoff_steppers.hpp"
#include "math/dense.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

constexpr double kMargin = 0.9;

// One coordinate that a joint moves: a node (its position) or a rotor of a body (its rotation).
struct Part {
  int node = -1;
  int rotor = -1;
  double coefficient = 0;
};

class StepBound {
 public:
  explicit StepBound(const ModelData& model) : model_(model) {
    weight_.assign(at(model.nodes) + model.rotors.size(), 0);
    tie_of_.assign(at(model.nodes), -1);
    for (std::size_t k = 0; k < model.ties.size(); ++k) tie_of_[at(model.ties[k].slave)] = static_cast<int>(k);
  }

  double run() {
    for (const Joint& joint : model_.joints)
      for (const Part& part : parts(joint)) weight_[slot(part)] += part.coefficient * std::sqrt(stiffness(joint));
    double longest = std::numeric_limits<double>::infinity();
    for (const Joint& joint : model_.joints) longest = std::min(longest, step_of(joint));
    return std::isfinite(longest) ? kMargin * longest : 0;
  }

 private:
  static double stiffness(const Joint& joint) {
    return std::max(joint.elasticity.stiffness[0], joint.elasticity.stiffness[1]);
  }
  std::size_t slot(const Part& part) const { return part.node >= 0 ? at(part.node) : at(model_.nodes + part.rotor); }

  // The nodes of the joint's edges, and the body that a section is on. A node on a body moves with it.
  std::vector<Part> parts(const Joint& joint) const {
    std::vector<Part> list;
    auto add = [&](const Part& part) {
      for (Part& other : list)
        if (other.node == part.node && other.rotor == part.rotor) {
          other.coefficient += part.coefficient;
          return;
        }
      list.push_back(part);
    };
    for (const Side& side : {joint.left, joint.right}) {
      if (!side.is_edge()) {
        add({-1, model_.sections[at(side.section)].rotor, 1});
        continue;
      }
      const Edge& edge = model_.edges[at(side.edge)];
      for (const int node : {edge.a, edge.b}) {
        add({node, -1, 1 / edge.rest_length});
        if (const int tie = tie_of_[at(node)]; tie >= 0)
          add({-1, model_.ties[at(tie)].rotor, model_.ties[at(tie)].arm.norm() / edge.rest_length});
      }
    }
    return list;
  }

  // 0 for what is held.
  double inverse_mass(const Part& part) const {
    if (part.node >= 0) {
      const auto& hold = model_.position_hold[at(part.node)];
      if (hold[0] >= 0 && hold[1] >= 0 && hold[2] >= 0) return 0;
      const int tie = tie_of_[at(part.node)];
      const double carried = tie >= 0 ? model_.node_mass[at(model_.ties[at(tie)].master)] : 0;
      return 1 / (model_.node_mass[at(part.node)] + carried);
    }
    const Rotor& rotor = model_.rotors[at(part.rotor)];
    const double smallest = rotor.inertia.trace() > 0 ? math::least_eigenvalue(rotor.inertia) : 0;
    return rotor.body >= 0 && smallest > 0 ? 1 / smallest : 0;
  }

  double step_of(const Joint& joint) const {
    const double k = stiffness(joint);
    double square = 0;
    for (const Part& part : parts(joint)) {
      const double share = part.coefficient * std::sqrt(k) / weight_[slot(part)];
      if (share > 0) square += k * part.coefficient * part.coefficient * inverse_mass(part) / share;
    }
    const double fastest = std::sqrt(square);
    const double drag = std::max(joint.viscosity[0], joint.viscosity[1]) / k;
    const double zeta = 0.5 * drag * fastest;
    return 2 * (std::sqrt(1 + zeta * zeta) - zeta) / fastest;
  }

  const ModelData& model_;
  std::vector<double> weight_;  // per node, then per rotor
  std::vector<int> tie_of_;     // per node
};

const Body* free_body(const Scene& scene, const std::string& name) {
  const int index = name.empty() ? -1 : index_of(scene.bodies, name);
  return index >= 0 && scene.bodies[at(index)].motion == BodyMotion::Free ? &scene.bodies[at(index)] : nullptr;
}

void refuse_projected_holds(const Scene& scene, std::vector<scene::Problem>& list) {
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    const Hold& hold = scene.holds[h];
    auto refuse = [&](const char* key, const std::string& what) {
      list.push_back({{"holds", std::to_string(h), key},
                      "stepper 'projection' cannot take " + what + " (hold '" + hold.name + "'); 'implicit' can"});
    };
    if (hold.slide) refuse("slide", "a hold through which the rod slides");
    if (fixes_some(hold.fix.orientation)) refuse("fix", "a hinge");
    const Body* body = free_body(scene, hold.body);
    if (body == nullptr) continue;
    if (fixes_some(hold.fix.position)) refuse("fix", "a free body that holds some axes alone");
    const bool pointlike = body->box.isZero(0) && (!body->inertia || body->inertia->minCoeff() <= 0);
    if (pointlike && hold.holds_orientation()) refuse("fix", "an orientation held by a body without inertia");
  }
  for (const FeatureUse& use : features_used(scene))
    if (use.feature == Feature::CarriedJunctions)
      list.push_back({use.path, "stepper 'projection' cannot take " + use.what + "; 'implicit' can"});
  for (std::size_t d = 0; d < scene.drivers.size(); ++d) {
    const Driver& driver = scene.drivers[d];
    if (driver.kind == DriverKind::Rod)
      list.push_back(
          {{"drivers", std::to_string(d)},
           "stepper 'projection' cannot change the length of a rod (rod '" + driver.target + "'); 'implicit' can"});
    for (const Keyframe& key : driver.path)
      if (key.fix && fixes_some(key.fix->orientation)) {
        list.push_back({{"drivers", std::to_string(d)},
                        "stepper 'projection' cannot take a hinge (hold '" + driver.target + "'); 'implicit' can"});
        break;
      }
  }
}

void refuse_loads(const Scene& scene, std::vector<scene::Problem>& list) {
  for (std::size_t k = 0; k < scene.forces.size(); ++k)
    if (scene.forces[k].follow)
      list.push_back({{"forces", std::to_string(k), "follow"},
                      "stepper 'projection' cannot take a force that follows (force " + std::to_string(k + 1) +
                          "); 'implicit' can"});
  for (std::size_t k = 0; k < scene.torques.size(); ++k)
    if (scene.torques[k].body.empty())
      list.push_back({{"torques", std::to_string(k)},
                      "stepper 'projection' cannot take a torque on a rod (rod '" + scene.torques[k].point.rod +
                          "', torque " + std::to_string(k + 1) + "); 'implicit' can"});
}

}  // namespace

double longest_explicit_step(const ModelData& model) {
  return StepBound(model).run();
}

std::vector<scene::Problem> projection_refusals(const Scene& scene) {
  std::vector<scene::Problem> list;
  for (std::size_t j = 0; j < scene.junctions.size(); ++j)
    list.push_back(
        {{"junctions", std::to_string(j)},
         "stepper 'projection' cannot join rods (junction '" + scene.junctions[j].name + "'); 'implicit' can"});
  refuse_projected_holds(scene, list);
  refuse_loads(scene, list);
  for (const FeatureUse& use : features_used(scene))
    if (use.feature == Feature::Plasticity)
      list.push_back({use.path, "stepper 'projection' has no plasticity (" + use.what + "); 'implicit' has"});
    else if (use.feature == Feature::RopeLay)
      list.push_back(
          {use.path, "stepper 'projection' keeps lengths, and " + use.what + " changes them; 'implicit' has it"});
  const Simulation& simulation = scene.simulation;
  if (simulation.rotary_inertia)
    list.push_back({{"simulation", "rotary_inertia"},
                    "stepper 'projection' keeps twist in balance: it has no rotary inertia; 'implicit' has"});
  if (simulation.tolerance)
    list.push_back({{"simulation", "tolerance"},
                    "stepper 'projection' takes steps as long as is stable: it has no adaptive step; 'implicit' has"});
  if (simulation.iterations > 0)
    list.push_back({{"simulation", "iterations"},
                    "stepper 'projection' has no bounded number of Newton iterations; 'implicit' has"});
  return list;
}

}  // namespace filum::kirchhoff
