// Nodes, edges and start frames of the rods.
#include "formulations/discrete/compile/compiler.hpp"

#include "base/index.hpp"
#include "rod/edge.hpp"
#include "scene/lookup.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace filum::discrete {

// Every place of a rod at which something acts.
std::vector<double> Compiler::breaks(int rod) const {
  const std::string& name = scene_.rods[at(rod)].name;
  const double whole = length(rod);
  std::vector<double> s;
  for (const Hold& hold : scene_.holds)
    if (hold.rod == name && !hold.slide) s.push_back(hold.at.at(whole));
  for (const Junction& junction : scene_.junctions)
    for (const RodPoint& point : junction.rods)
      if (point.rod == name) s.push_back(point.at.at(whole));
  for (const PointForce& force : scene_.forces)
    if (force.body.empty() && force.point.rod == name) s.push_back(force.point.at.at(whole));
  for (const PointTorque& torque : scene_.torques)
    if (torque.body.empty() && torque.point.rod == name) s.push_back(torque.point.at.at(whole));
  for (const DistributedForce& load : scene_.distributed)
    if (load.rod == name) {
      s.push_back(load.from.at(whole));
      s.push_back(load.to.at(whole));
    }
  for (const Station& station : scene_.rods[at(rod)].stations) s.push_back(station.s.at(whole));
  return s;
}

// A shape given by as many points as the rod has vertices is taken as it stands: their arc lengths. A piece of a rod keeps
// the nodes that it had.
std::vector<double> Compiler::given_nodes(int rod) const {
  const Rod& r = scene_.rods[at(rod)];
  if (r.piece) {
    std::vector<double> nodes = r.piece->nodes;
    for (double& s : nodes) s *= length(rod);
    return nodes;
  }
  const std::size_t vertices = at(r.segments) + (r.closed ? 0 : 1);
  std::vector<double> s;
  if (r.shape.kind != CurveKind::Points || r.shape.points.size() != vertices) return s;
  double arc = 0;
  for (std::size_t i = 0; i < vertices; ++i) {
    if (i > 0) arc += (r.shape.points[i] - r.shape.points[i - 1]).norm();
    s.push_back(arc * length(rod) / layouts_[at(rod)].shape_length());
  }
  return s;
}

int Compiler::surface_of(const std::string& material) {
  std::vector<std::string>& known = model_.surfaces;
  const auto found = std::find(known.begin(), known.end(), material);
  if (found == known.end()) return known.push_back(material), static_cast<int>(known.size()) - 1;
  return static_cast<int>(found - known.begin());
}

void Compiler::add_rod(int index) {
  const Rod& rod = scene_.rods[at(index)];
  RodRange range;
  range.mesh = make_mesh(length(index), rod.closed, rod.segments, breaks(index), given_nodes(index));
  range.drawn_length = layouts_[at(index)].shape_length();
  range.first_node = model_.nodes;
  range.first_edge = static_cast<int>(model_.edges.size());
  const RodMesh& mesh = range.mesh;
  model_.nodes += mesh.nodes();
  model_.damped = model_.damped || !(rod.damping == Damping{});
  grow_nodes();

  const auto placed = layouts_[at(index)].place(mesh.s);
  for (const auto& place : placed) model_.start_position.push_back(place.position);

  // the section along the rod changes at its stations
  for (int j = 0; j < mesh.edges(); ++j) {
    const double middle = mesh.s[at(j)] + 0.5 * mesh.edge_length(j);
    std::string section = rod.section;
    std::string material = rod.material;
    for (const Station& station : rod.stations)
      if (station.s.at(length(index)) < middle) {
        section = station.section;
        material = station.material.empty() ? rod.material : station.material;
      }
    // a section with given stiffnesses needs no material
    const Material* made_of = names_.material(material);
    const Material of = made_of != nullptr ? *made_of : Material{};
    const Stiffness stiff = stiffness(*names_.section(section), of);
    range.edge_stiffness.push_back(stiff);
    range.edge_surface.push_back(surface_of(material));
    range.edge_law.push_back(law_of(*names_.section(section), of));
    const int a = range.first_node + j;
    const int b = range.first_node + (j + 1) % mesh.nodes();
    const double mass = stiff.mass_per_length * mesh.edge_length(j);
    Edge edge;
    edge.a = a;
    edge.b = b;
    edge.rod = index;
    edge.rest_length = mesh.edge_length(j);
    // of a laid rope as it is free to turn; joints have the rest (rod/rope_lay.hpp)
    edge.axial_stiffness = stiff.EA - lay_coupling(rod, stiff) * lay_coupling(rod, stiff) / stiff.GJ;
    model_.laid = model_.laid || lay_coupling(rod, stiff) != 0;
    edge.mass = mass;
    // where nothing tells the inertia of a section, twist travels as fast as stretch: GJ/J = EA/μ
    const double polar = stiff.polar_inertia > 0 ? stiff.polar_inertia : stiff.mass_per_length * stiff.GJ / stiff.EA;
    edge.spin_inertia = polar * edge.rest_length;
    if (tilts()) edge.tilt_inertia = edge.rest_length * stiff.tilt_inertia;
    edge.axial_viscosity = rod.damping.stiffness * stiff.EA + rod.damping.stretch;
    model_.edges.push_back(edge);
    for (const int node : {a, b}) {
      model_.node_mass[at(node)] += 0.5 * mass;
      model_.node_drag[at(node)] += 0.5 * mass * rod.damping.mass;
      model_.node_air[at(node)] += 0.5 * edge.rest_length * rod.damping.air;
    }
  }
  add_edge_frames(index, range);
  model_.rods.push_back(std::move(range));
}

void Compiler::grow_nodes() {
  model_.node_mass.resize(at(model_.nodes), 0);
  model_.node_drag.resize(at(model_.nodes), 0);
  model_.node_air.resize(at(model_.nodes), 0);
}

// Edge frames: the layout's frame at mid-edge carried to the chord.
void Compiler::add_edge_frames(int index, const RodRange& range) {
  const RodMesh& mesh = range.mesh;
  std::vector<double> middles;
  for (int j = 0; j < mesh.edges(); ++j) middles.push_back(mesh.s[at(j)] + 0.5 * mesh.edge_length(j));
  const auto placed = layouts_[at(index)].place(middles);
  for (int j = 0; j < mesh.edges(); ++j) {
    const Edge& edge = model_.edges[at(range.first_edge + j)];
    Vec3 e = model_.start_position[at(edge.b)] - model_.start_position[at(edge.a)];
    if (e.norm() < 1e-12 * mesh.length) e = placed[at(j)].frame.col(2) * edge.rest_length;
    model_.start_frame.push_back(rod::carried_frame(placed[at(j)].frame, e, 0));
  }
}

}  // namespace filum::discrete
