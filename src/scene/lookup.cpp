#include "scene/lookup.hpp"

#include <filum/curve.hpp>

namespace filum::scene {
namespace {

template <class Map>
auto find_in(const Map& map, std::string_view name) -> typename Map::mapped_type {
  const auto found = map.find(name);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

Names::Names(const Scene& scene) {
  for (const Rod& rod : scene.rods) rods_.emplace(rod.name, &rod);
  for (const Body& body : scene.bodies) bodies_.emplace(body.name, &body);
  for (const Hold& hold : scene.holds) holds_.emplace(hold.name, &hold);
  for (const Winch& winch : scene.winches) winches_.emplace(winch.name, &winch);
  for (const Rope& rope : scene.ropes) ropes_.emplace(rope.name, &rope);
  for (const BodyJoint& joint : scene.joints) joints_.emplace(joint.name, &joint);
  for (const SectionEntry& entry : scene.sections) sections_.emplace(entry.name, &entry.section);
  // the first to come stays: the scene's own materials before the common ones
  for (const MaterialEntry& entry : scene.materials) materials_.emplace(entry.name, &entry.material);
  for (const NamedMaterial& common : common_materials()) materials_.emplace(common.name, &common.material);
}

const Rod* Names::rod(std::string_view name) const {
  return find_in(rods_, name);
}
const Body* Names::body(std::string_view name) const {
  return find_in(bodies_, name);
}
const Hold* Names::hold(std::string_view name) const {
  return find_in(holds_, name);
}
const Winch* Names::winch(std::string_view name) const {
  return find_in(winches_, name);
}
const BodyJoint* Names::joint(std::string_view name) const {
  return find_in(joints_, name);
}
const Rope* Names::rope(std::string_view name) const {
  return find_in(ropes_, name);
}
const Section* Names::section(std::string_view name) const {
  return find_in(sections_, name);
}
const Material* Names::material(std::string_view name) const {
  return find_in(materials_, name);
}

double rod_length(const Rod& rod) {
  return rod.length ? *rod.length : curve_length(rod.shape, rod.closed);
}

}  // namespace filum::scene
