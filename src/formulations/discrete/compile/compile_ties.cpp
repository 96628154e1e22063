// What holds rods, joins them and turns: bodies, junctions, holds, and the rotors that they need.
#include "formulations/discrete/compile/compiler.hpp"

#include "base/index.hpp"
#include "scene/body_mass.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <utility>

namespace filum::discrete {

// A free body becomes a node and a rotor; others move their holds' targets and need nothing of their own.
void Compiler::add_body(int index) {
  const Body& body = scene_.bodies[at(index)];
  body_index_.push_back(-1);
  if (body.motion != BodyMotion::Free) return;
  body_index_.back() = static_cast<int>(model_.bodies.size());
  const int node = model_.nodes++;
  grow_nodes();
  const body::RigidBody rigid = scene::rigid_body(body);
  model_.node_mass[at(node)] = rigid.mass;
  model_.start_position.push_back(body.position);
  Rotor rotor;
  rotor.node = node;
  rotor.body = body_index_.back();
  const Vec3 principal = rigid.inertia;
  const Mat3 axes = body.orientation.toRotationMatrix();
  rotor.inertia = axes * principal.asDiagonal() * axes.transpose();
  // a point that nothing can turn does not turn
  if (principal.isZero(0) && !is_turned(body)) rotor.fixed = {true, true, true};
  model_.rotors.push_back(rotor);
  model_.bodies.push_back({index, node, static_cast<int>(model_.rotors.size()) - 1});
}

// Whether a rod's bending or a torque turns a body without inertia. A mere force does not: a point has no arm.
bool Compiler::is_turned(const Body& body) const {
  for (const Hold& hold : scene_.holds)
    if (hold.body == body.name && hold.holds_orientation()) return true;
  for (const PointTorque& torque : scene_.torques)
    if (torque.body == body.name) return true;
  return false;
}

// Where a hold is at the start.
scene::Placement Compiler::hold_place(const Hold& hold) const {
  const scene::RodLayout& layout = layouts_[at(rod_index(hold.rod))];
  scene::Placement place = layout.at(hold.at.at(layout.length()));
  if (hold.position) place.position = *hold.position;
  if (hold.orientation) place.frame = hold.orientation->toRotationMatrix();
  return place;
}

// The rotor of a node, made when first asked for, free and without rotation.
int Compiler::rotor_at(int node) {
  const auto found = node_rotor_.find(node);
  if (found != node_rotor_.end()) return found->second;
  Rotor rotor;
  rotor.node = node;
  model_.rotors.push_back(rotor);
  const int index = static_cast<int>(model_.rotors.size()) - 1;
  node_rotor_[node] = index;
  return index;
}

// The nodes that junctions join, those with a place in common as one group.
std::vector<std::vector<int>> Compiler::joined_nodes() const {
  std::vector<std::vector<int>> groups;
  for (const Junction& junction : scene_.junctions) {
    std::vector<int> group;
    auto take = [&](int node) {
      if (std::find(group.begin(), group.end(), node) == group.end()) group.push_back(node);
    };
    for (const RodPoint& point : junction.rods) take(node_of(point));
    // groups that share a node with this one go into it
    for (std::vector<int>& other : groups)
      if (std::any_of(other.begin(), other.end(),
                      [&](int node) { return std::find(group.begin(), group.end(), node) != group.end(); })) {
        for (const int node : other) take(node);
        other.clear();
      }
    groups.push_back(std::move(group));
  }
  return groups;
}

void Compiler::add_junction_rotors() {
  for (const std::vector<int>& group : joined_nodes()) {
    if (group.empty()) continue;
    const int master = group.front();
    // a free body that holds its orientation turns it
    for (const Hold& hold : scene_.holds)
      if (const int body = free_body(hold);
          body >= 0 && hold.holds_orientation() && !hold.slide &&
          std::find(group.begin(), group.end(), node_of({hold.rod, hold.at})) != group.end())
        node_rotor_[master] = model_.bodies[at(body)].rotor;
    const int rotor = rotor_at(master);
    for (const int slave : group) {
      if (slave == master) continue;
      node_rotor_[slave] = rotor;
      model_.ties.push_back(
          {slave, master, rotor, model_.start_position[at(slave)] - model_.start_position[at(master)]});
    }
  }
}

void Compiler::add_hold_rotors() {
  model_.position_hold.assign(at(model_.nodes), {-1, -1, -1});
  for (std::size_t h = 0; h < scene_.holds.size(); ++h) {
    const Hold& hold = scene_.holds[h];
    const int index = static_cast<int>(h);
    const int rod = rod_index(hold.rod);
    model_.hold_rotor.push_back(-1);
    model_.hold_tie.push_back(-1);
    model_.hold_section.push_back(-1);
    model_.hold_carried.push_back(0);
    if (hold.slide) {
      model_.hold_node.push_back(-1);
      add_sliders(hold, index);
      continue;
    }
    const int node = node_of(rod, hold.at.at(length(rod)));
    model_.hold_node.push_back(node);
    if (free_body(hold) >= 0) {
      hold_to_body(hold, index, node);
      continue;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (hold.fix.position[axis]) model_.position_hold[at(node)][axis] = index;
    if (!hold.holds_orientation()) continue;
    const int rotor = rotor_at(node);
    model_.hold_rotor.back() = rotor;
    // several holds on one junction: together they fix what each does, the first that fixes all leads
    Rotor& held = model_.rotors[at(rotor)];
    if (held.hold < 0 || (fixes_all(hold.fix.orientation) && !fixes_all(held.fixed))) held.hold = index;
    for (std::size_t axis = 0; axis < 3; ++axis) held.fixed[axis] = held.fixed[axis] || hold.fix.orientation[axis];
  }
}

// Of the free bodies the one that a hold is on, or −1.
int Compiler::free_body(const Hold& hold) const {
  return hold.body.empty() ? -1 : body_index_[at(index_of(scene_.bodies, hold.body))];
}

// The grips of a hold that slides.
void Compiler::add_sliders(const Hold& hold, int index) {
  const int rod = rod_index(hold.rod);
  const RodMesh& mesh = model_.rods[at(rod)].mesh;
  // it gives way by a thousandth of a segment before it slides
  const double stick = hold.friction / (1e-3 * mesh.length / mesh.edges());
  const double half = std::min(0.5 * mesh.length / mesh.edges(), 0.1 * mesh.length);
  if (hold.holds_orientation())
    for (const double offset : {-half, half})
      carry({index, rod, hold.fix.position, offset, 0.5 * hold.friction, 0.5 * stick}, hold);
  else
    carry({index, rod, hold.fix.position, 0, hold.friction, stick}, hold);
}

// Adds a grip, on the body that carries it if there is one.
void Compiler::carry(Slider slider, const Hold& hold) {
  slider.body = free_body(hold);
  if (slider.carried()) {
    model_.hold_carried[at(slider.hold)] = 1;
    const scene::Placement place = hold_place(hold);
    slider.arm = place.position + slider.offset * place.frame.col(2) -
                 model_.start_position[at(model_.bodies[at(slider.body)].node)];
  }
  model_.sliders.push_back(slider);
}

// A hold on a free body: a tie for the position, or a grip along those of its axes that it fixes; the body's own rotor
// for the orientation.
void Compiler::hold_to_body(const Hold& hold, int index, int node) {
  const FreeBody& body = model_.bodies[at(free_body(hold))];
  const scene::Placement place = hold_place(hold);
  if (fixes_some(hold.fix.position)) {
    Slider grip{index, rod_index(hold.rod), hold.fix.position};
    grip.slides = false;
    carry(grip, hold);
  } else if (hold.holds_position()) {
    model_.hold_tie.back() = static_cast<int>(model_.ties.size());
    model_.ties.push_back({node, body.node, body.rotor, place.position - model_.start_position[at(body.node)]});
  }
  if (!hold.holds_orientation()) return;
  node_rotor_[node] = body.rotor;
  node_base_[node] = place.frame;
}

// A torque, or a force that turns with the rod, needs a cross-section to act on.
void Compiler::add_load_rotors() {
  for (const PointTorque& torque : scene_.torques)
    if (torque.body.empty()) rotor_at(node_of(torque.point));
  for (const PointForce& force : scene_.forces)
    if (force.body.empty() && force.follow) rotor_at(node_of(force.point));
}

}  // namespace filum::discrete
