// Forces, torques and distributed forces, each on the nodes it acts on.
#include "formulations/discrete/compile/compiler.hpp"

#include "base/index.hpp"

#include <filum/scene.hpp>

namespace filum::discrete {

Compiler::Place Compiler::place_of(const RodPoint& point, const std::string& body, bool turns) {
  if (body.empty()) {
    const int node = node_of(point);
    return {node, turns ? rotor_at(node) : -1};
  }
  const FreeBody& free = model_.bodies[at(body_index_[at(index_of(scene_.bodies, body))])];
  return {free.node, turns ? free.rotor : -1};
}

void Compiler::add_loads() {
  for (std::size_t k = 0; k < scene_.forces.size(); ++k) {
    const PointForce& force = scene_.forces[k];
    const Place place = place_of(force.point, force.body, force.follow);
    model_.forces.push_back({place.node, place.rotor, static_cast<int>(k), force.follow, force.force});
    if (force.follow) model_.conservative = false;
  }
  for (std::size_t k = 0; k < scene_.torques.size(); ++k) {
    const PointTorque& torque = scene_.torques[k];
    const Place place = place_of(torque.point, torque.body, true);
    model_.torques.push_back({place.node, place.rotor, static_cast<int>(k), torque.follow, torque.torque});
    model_.conservative = false;
  }
  model_.distributed.assign(at(model_.nodes), Vec3::Zero());
  for (const DistributedForce& load : scene_.distributed) add_distributed(load);
  for (int rod = 0; rod < static_cast<int>(model_.rods.size()); ++rod) {
    const RodRange& range = model_.rods[at(rod)];
    for (int node = range.first_node; node < range.first_node + range.mesh.nodes(); ++node)
      if (const Vec3& force = model_.distributed[at(node)]; !force.isZero(0))
        model_.loaded.push_back({node, rod, force});
  }
}

void Compiler::add_distributed(const DistributedForce& load) {
  const int rod = rod_index(load.rod);
  const double from = load.from.at(length(rod));
  const double to = load.to.at(length(rod));
  const RodRange& range = model_.rods[at(rod)];
  for (int j = 0; j < range.mesh.edges(); ++j) {
    const double middle = range.mesh.s[at(j)] + 0.5 * range.mesh.edge_length(j);
    if (middle < from || middle > to) continue;
    Edge& edge = model_.edges[at(range.first_edge + j)];
    const Vec3 half = 0.5 * range.mesh.edge_length(j) * load.force_per_length;
    edge.distributed += 2 * half;
    model_.distributed[at(edge.a)] += half;
    model_.distributed[at(edge.b)] += half;
  }
}

}  // namespace filum::discrete
