#include "sim/live/scene_part.hpp"

#include "base/index.hpp"
#include "scene/obstacle_shape.hpp"

#include <algorithm>
#include <numeric>

namespace filum::sim {

namespace {

// Where everything may act on everything.
bool is_one_island(const Scene& scene) {
  return scene::has_obstacles(scene) || !(scene.contact == Contact{}) || !scene.ropes.empty() ||
         !scene.winches.empty() || !scene.sheaves.empty() || !scene.joints.empty() || !scene.routing.empty();
}

bool is_free(const Scene& scene, const std::string& body) {
  const int index = body.empty() ? -1 : index_of(scene.bodies, body);
  return index >= 0 && scene.bodies[at(index)].motion == BodyMotion::Free;
}

// Numbers of the things of a list that are wanted; the others leave it.
template <class List, class Wanted>
std::vector<int> keep_only(List& list, Wanted&& wanted) {
  std::vector<int> kept;
  List left;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!wanted(list[i])) continue;
    kept.push_back(static_cast<int>(i));
    left.push_back(std::move(list[i]));
  }
  list = std::move(left);
  return kept;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& list, const std::vector<int>& which) {
  std::vector<T> some;
  for (const int index : which) some.push_back(list[at(index)]);
  return some;
}

bool same(const HoldTarget& a, const HoldTarget& b) {
  return a.position == b.position && a.orientation.coeffs() == b.orientation.coeffs() && a.turns == b.turns;
}

}  // namespace

std::vector<int> islands(const Scene& scene) {
  // a forest in which every rod points at another of its island, or at itself
  std::vector<int> root(scene.rods.size());
  if (is_one_island(scene)) return root;
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int rod) {
    while (root[at(rod)] != rod) rod = root[at(rod)] = root[at(root[at(rod)])];
    return rod;
  };
  const auto join = [&](int a, int b) { root[at(find(a))] = find(b); };
  for (const Junction& junction : scene.junctions)
    for (const RodPoint& point : junction.rods)
      join(index_of(scene.rods, junction.rods.front().rod), index_of(scene.rods, point.rod));
  for (std::size_t h = 0; h < scene.holds.size(); ++h) {
    if (!is_free(scene, scene.holds[h].body)) continue;
    for (std::size_t k = 0; k < h; ++k)
      if (scene.holds[k].body == scene.holds[h].body)
        join(index_of(scene.rods, scene.holds[k].rod), index_of(scene.rods, scene.holds[h].rod));
  }
  for (std::size_t r = 0; r < root.size(); ++r) root[r] = find(static_cast<int>(r));
  return root;
}

std::vector<char> stirred(const Scene& scene, const std::vector<int>& islands, const Targets& from, const Targets& to) {
  std::vector<char> island(scene.rods.size(), from.load == to.load ? 0 : 1);
  const auto stir = [&](int rod) { island[at(islands[at(rod)])] = 1; };
  const auto stir_at = [&](const RodPoint& point, const std::string& body) {
    if (body.empty()) return stir(index_of(scene.rods, point.rod));
    for (const Hold& hold : scene.holds)
      if (hold.body == body) stir(index_of(scene.rods, hold.rod));
  };
  for (std::size_t r = 0; r < scene.rods.size(); ++r)
    if (from.rod_length[r] != to.rod_length[r]) stir(static_cast<int>(r));
  // a body that is moved takes its holds along
  for (std::size_t h = 0; h < scene.holds.size(); ++h)
    if (!same(from.holds[h], to.holds[h])) stir(index_of(scene.rods, scene.holds[h].rod));
  for (std::size_t k = 0; k < scene.forces.size(); ++k)
    if (from.force_scale[k] != to.force_scale[k]) stir_at(scene.forces[k].point, scene.forces[k].body);
  for (std::size_t k = 0; k < scene.torques.size(); ++k)
    if (from.torque_scale[k] != to.torque_scale[k]) stir_at(scene.torques[k].point, scene.torques[k].body);
  std::vector<char> rods(scene.rods.size());
  for (std::size_t r = 0; r < rods.size(); ++r) rods[r] = island[at(islands[r])];
  return rods;
}

ScenePart part_of(const Scene& scene, const std::vector<char>& rods) {
  ScenePart part;
  part.scene = scene;
  Scene& own = part.scene;
  own.drivers.clear();
  own.wires.clear();
  own.scenery.clear();
  own.record = {};
  const auto has = [&](const std::string& rod) { return rods[at(index_of(scene.rods, rod))] != 0; };
  part.rods = keep_only(own.rods, [&](const Rod& rod) { return has(rod.name); });
  part.holds = keep_only(own.holds, [&](const Hold& hold) { return has(hold.rod); });
  keep_only(own.junctions, [&](const Junction& junction) { return has(junction.rods.front().rod); });
  keep_only(own.distributed, [&](const DistributedForce& force) { return has(force.rod); });
  // bodies that its rods are held to
  part.bodies = keep_only(own.bodies, [&](const Body& body) {
    return std::any_of(own.holds.begin(), own.holds.end(), [&](const Hold& hold) { return hold.body == body.name; });
  });
  const auto acts = [&](const auto& load) {
    return load.body.empty() ? has(load.point.rod) : index_of(own.bodies, load.body) >= 0;
  };
  part.forces = keep_only(own.forces, acts);
  part.torques = keep_only(own.torques, acts);
  return part;
}

Targets ScenePart::of(const Targets& whole) const {
  Targets some;
  some.holds = chosen(whole.holds, holds);
  some.bodies = chosen(whole.bodies, bodies);
  some.force_scale = chosen(whole.force_scale, forces);
  some.torque_scale = chosen(whole.torque_scale, torques);
  some.rod_length = chosen(whole.rod_length, rods);
  some.load = whole.load;
  return some;
}

}  // namespace filum::sim
