// The library from outside: a scene as text, its equilibrium, the tip of the rod.
#include <filum/scene_file.hpp>
#include <filum/solve.hpp>

#include <cstdio>

int main() {
  const auto scene = filum::parse_scene(R"(
filum: 1
gravity: [0, 0, -10]
sections: {wire: {shape: given, EA: 1e6, EI: [1, 1], GJ: 1, mass_per_length: 0.1, radius: 3 mm}}
rods: {wire: {section: wire, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds: [{rod: wire, at: start, fix: [position, orientation]}]
)", "cantilever");
  if (!scene) return std::puts(scene.error().text().c_str()), 1;
  const auto outcome = filum::solve(*scene);
  if (!outcome) return std::puts(outcome.error().text().c_str()), 1;
  const auto tip = outcome->states.back().pose.rods[0].position.back();
  std::printf("tip %.6f %.6f %.6f\n", tip.x(), tip.y(), tip.z());
  return outcome->solve.converged ? 0 : 3;
}
