#include "serve/editor/scene_bytes.hpp"

#include "io/memory_left.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace filum::serve {

namespace {

// Measured by the largest resident size of runs of 20 000 and 100 000 segments: 5.8 kB (kirchhoff, chain) to 7.1 kB
// (cosserat) a segment; statics keeps a few states more. A thing other than a rod is a few matrices.
constexpr std::size_t kSegmentBytes = 9000;
constexpr std::size_t kThingBytes = 4000;

std::size_t things_of(const Scene& scene) {
  return scene.rods.size() + scene.bodies.size() + scene.holds.size() + scene.junctions.size() + scene.forces.size() +
         scene.torques.size() + scene.distributed.size() + scene.joints.size() + scene.winches.size() +
         scene.sheaves.size() + scene.ropes.size() + scene.obstacles.size() + scene.scenery.size() +
         scene.drivers.size() + scene.routing.size() + scene.wires.size();
}

std::size_t segments_of(const Scene& scene) {
  std::size_t segments = 0;
  for (const Rod& rod : scene.rods) segments += static_cast<std::size_t>(std::max(rod.segments, 0));
  return segments;
}

std::string megabytes(std::size_t bytes) {
  return std::to_string(bytes / 1'000'000) + " MB";
}

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
                      heap(scene.joints) + heap(scene.forces) + heap(scene.torques) + heap(scene.distributed) +
                      heap(scene.winches) + heap(scene.sheaves) + heap(scene.ropes) + heap(scene.obstacles) +
                      heap(scene.scenery) + heap(scene.drivers) + heap(scene.routing) + heap(scene.wires) +
                      heap(scene.record.probes) + heap(scene.contact.pairs);
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

std::size_t simulation_bytes(const Scene& scene) {
  return kSegmentBytes * segments_of(scene) + kThingBytes * things_of(scene) + bytes_of(scene);
}

Status check_size(const Scene& scene) {
  const std::size_t segments = segments_of(scene);
  if (segments > kMostSegments)
    return bad_input("the rods have " + std::to_string(segments) + " segments together; the workbench takes at most " +
                     std::to_string(kMostSegments));
  const std::size_t things = things_of(scene);
  if (things > kMostThings)
    return bad_input("the scene has " + std::to_string(things) + " things; the workbench takes at most " +
                     std::to_string(kMostThings));
  const std::size_t needed = simulation_bytes(scene);
  if (const std::size_t left = io::memory_left(); needed > left)
    return bad_input("there is not enough memory for this: it would take about " + megabytes(needed) + ", and " +
                     megabytes(left) + " are left");
  return Done{};
}

}  // namespace filum::serve
