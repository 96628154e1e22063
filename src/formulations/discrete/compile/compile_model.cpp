#include "formulations/discrete/compile/compile_model.hpp"

#include "base/index.hpp"
#include "formulations/discrete/compile/compiler.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <utility>

namespace filum::discrete {

Compiler::Compiler(const Scene& scene) : scene_(scene), names_(scene) {
  model_.scene = std::make_shared<Scene>(scene);
  model_.gravity = scene.gravity;
}

ModelData Compiler::run() {
  for (const Rod& rod : scene_.rods) layouts_.emplace_back(rod);
  for (std::size_t r = 0; r < scene_.rods.size(); ++r) add_rod(static_cast<int>(r));
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) add_body(static_cast<int>(b));
  add_junction_rotors();
  add_hold_rotors();
  add_load_rotors();
  for (std::size_t r = 0; r < scene_.rods.size(); ++r) add_joints(static_cast<int>(r));
  add_plasticity();
  add_loads();
  finish();
  return std::move(model_);
}

// What only shows once everything is in place: which rods could spin freely about themselves.
void Compiler::finish() {
  for (std::size_t r = 0; r < model_.rods.size(); ++r) {
    const RodRange& range = model_.rods[r];
    model_.size = r == 0 ? range.mesh.length : std::max(model_.size, range.mesh.length);
    bool referenced = false;
    for (int i = 0; i < range.mesh.nodes(); ++i) {
      const auto rotor = node_rotor_.find(range.first_node + i);
      if (rotor != node_rotor_.end() && model_.rotors[at(rotor->second)].hold >= 0) referenced = true;
    }
    model_.spin_free.push_back(!referenced);
    if (!has_spin_inertia(static_cast<int>(r)))
      for (int j = 0; j < range.mesh.edges(); ++j) model_.edges[at(range.first_edge + j)].spin_inertia = 0;
    model_.root.push_back(root_of(static_cast<int>(r)));
  }
  if (scene_.simulation.integrator == Integrator::EnergyMomentum && scene_.simulation.stepper == Stepper::Implicit)
    give_sections_inertia();
}

// Sections that may turn, at junctions and hinges, have the inertia of the halves of the edges that end there, as nodes
// have their masses: about the tangent a share of theirs that gets less with the mesh, since edges have all of that
// already. Without any their moments would balance in the mean over a step alone, and flip from step to step. Not where a
// torque or a load that follows acts: such loads would make so light a body flutter as nothing of the rod does.
void Compiler::give_sections_inertia() {
  const auto is_driven = [&](int rotor) {
    const auto turns = [&](const PointLoad& load) { return load.rotor == rotor; };
    return std::any_of(model_.torques.begin(), model_.torques.end(), turns) ||
           std::any_of(model_.forces.begin(), model_.forces.end(),
                       [&](const PointLoad& load) { return load.follow && turns(load); });
  };
  for (const Joint& joint : model_.joints) {
    if (joint.left.is_edge() == joint.right.is_edge()) continue;
    const auto e = at(joint.left.is_edge() ? joint.left.edge : joint.right.edge);
    const int section = joint.left.is_edge() ? joint.right.section : joint.left.section;
    const int index = model_.sections[at(section)].rotor;
    Rotor& rotor = model_.rotors[at(index)];
    if (rotor.body >= 0 || fixes_all(rotor.fixed) || is_driven(index)) continue;
    const Edge& edge = model_.edges[e];
    const double l = edge.rest_length;
    const Vec3 t = model_.start_frame[e].col(2);
    const Mat3 about = t * t.transpose();
    rotor.inertia += edge.mass * l * l / 24 * (Mat3::Identity() - about) +
                     edge.spin_inertia * (l / model_.rods[at(joint.rod)].mesh.length) * about;
  }
}

// Rotary inertia about the tangent: on request; wherever moments are averaged over a step, since angles in balance with
// such moments would flip; and where without it the angles would be all but undetermined: those of a rod whose
// orientation nothing holds, and whose bending depends on them.
bool Compiler::has_spin_inertia(int index) const {
  const Simulation& simulation = scene_.simulation;
  if (simulation.rotary_inertia) return true;
  if (simulation.stepper != Stepper::Implicit) return false;
  if (simulation.integrator == Integrator::EnergyMomentum || simulation.integrator == Integrator::RungeKutta)
    return true;
  if (simulation.integrator != Integrator::ImplicitEuler || !model_.spin_free[at(index)]) return false;
  const Damping& damping = scene_.rods[at(index)].damping;
  if (damping.stiffness > 0 || damping.bend > 0) return true;
  const RodRange& range = model_.rods[at(index)];
  for (const Stiffness& stiff : range.edge_stiffness)
    if (stiff.EI[0] != stiff.EI[1]) return true;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k)
    if (!model_.joints[at(k)].elasticity.rest.head<2>().isZero(0)) return true;
  return false;
}

// Rotary inertia about the other two axes: on request, where inertia is that of an implicit step or of natural modes.
bool Compiler::tilts() const {
  return scene_.simulation.rotary_inertia && scene_.simulation.stepper == Stepper::Implicit;
}

// The only node by which an open rod is tied to anything, or −1 if there are several. A rod that hangs on nothing has
// its first node.
int Compiler::root_of(int rod) const {
  const RodRange& range = model_.rods[at(rod)];
  if (range.mesh.closed) return -1;
  for (const Slider& slider : model_.sliders)
    if (slider.rod == rod) return -1;
  int root = -1;
  for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node) {
    const auto& hold = model_.position_hold[at(node)];
    bool tied = hold[0] >= 0 || hold[1] >= 0 || hold[2] >= 0;
    for (const Tie& tie : model_.ties) tied = tied || tie.slave == node || tie.master == node;
    if (!tied) continue;
    if (root >= 0) return -1;
    root = node;
  }
  return root >= 0 ? root : range.first_node;
}

ModelData compile_model(const Scene& scene) {
  return Compiler(scene).run();
}

}  // namespace filum::discrete
