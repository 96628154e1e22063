#include "serve/editor/scene_bytes.hpp"

#include <string>
#include <vector>

namespace filum::serve {

namespace {

std::size_t heap(const std::string& text) {
  return text.capacity();
}

template <class T>
std::size_t heap(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

std::size_t heap(const Curve& curve) {
  return heap(curve.points);
}

}  // namespace

std::size_t bytes_of(const Scene& scene) {
  std::size_t bytes = sizeof(Scene) + heap(scene.title) + heap(scene.materials) + heap(scene.sections) +
                      heap(scene.rods) + heap(scene.bodies) + heap(scene.holds) + heap(scene.junctions) +
                      heap(scene.forces) + heap(scene.torques) + heap(scene.distributed) + heap(scene.winches) +
                      heap(scene.sheaves) + heap(scene.ropes) + heap(scene.planes) + heap(scene.scenery) +
                      heap(scene.drivers) + heap(scene.routing) + heap(scene.wires) + heap(scene.record.probes);
  // what hangs on the items
  for (const MaterialEntry& material : scene.materials) bytes += heap(material.name);
  for (const SectionEntry& section : scene.sections) bytes += heap(section.name) + heap(section.section.bundle);
  for (const Rod& rod : scene.rods)
    bytes += heap(rod.name) + heap(rod.stations) + heap(rod.shape) + heap(rod.rest.curve);
  for (const Body& body : scene.bodies) bytes += heap(body.name);
  for (const Hold& hold : scene.holds) bytes += heap(hold.name) + heap(hold.rod) + heap(hold.body);
  for (const Junction& junction : scene.junctions) bytes += heap(junction.name) + heap(junction.rods);
  for (const Rope& rope : scene.ropes) bytes += heap(rope.name) + heap(rope.through);
  for (const Scenery& item : scene.scenery) bytes += heap(item.name) + heap(item.mesh);
  for (const Wire& wire : scene.wires) bytes += heap(wire.name) + heap(wire.along);
  for (const Driver& driver : scene.drivers) bytes += heap(driver.target) + heap(driver.path);
  return bytes;
}

Status check_size(const Scene& scene) {
  long segments = 0;
  for (const Rod& rod : scene.rods) segments += rod.segments;
  if (segments > kMostSegments)
    return bad_input("the rods have " + std::to_string(segments) + " segments together; the workbench takes at most " +
                     std::to_string(kMostSegments));
  const std::size_t things = scene.rods.size() + scene.bodies.size() + scene.holds.size() + scene.junctions.size() +
                             scene.forces.size() + scene.torques.size() + scene.distributed.size() +
                             scene.winches.size() + scene.sheaves.size() + scene.ropes.size() + scene.planes.size() +
                             scene.scenery.size() + scene.drivers.size() + scene.routing.size() + scene.wires.size();
  if (things > kMostThings)
    return bad_input("the scene has " + std::to_string(things) + " things; the workbench takes at most " +
                     std::to_string(kMostThings));
  return Done{};
}

}  // namespace filum::serve
