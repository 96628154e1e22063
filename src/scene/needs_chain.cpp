#include "scene/needs_chain.hpp"

#include "scene/check/fault_list.hpp"

#include <string>

namespace filum::scene {

std::vector<Problem> needing_chain(const Scene& scene) {
  std::vector<Problem> problems;
  const auto add = [&](std::vector<std::string> path, const std::string& what, const std::string& name) {
    problems.push_back({std::move(path), what + " " + quoted(name) + " needs formulation chain"});
  };
  for (const Winch& winch : scene.winches) add({"reeving", winch.name}, "winch", winch.name);
  for (const Sheave& sheave : scene.sheaves) add({"reeving", sheave.name}, "sheave", sheave.name);
  for (const Rope& rope : scene.ropes) add({"reeving", rope.name}, "rope", rope.name);
  for (std::size_t i = 0; i < scene.planes.size(); ++i)
    add({"obstacles", std::to_string(i)}, "obstacle", scene.planes[i].name);
  for (const Rod& rod : scene.rods)
    if (rod.limits.breaking_tension)
      add({"rods", rod.name, "limits", "breaking_tension"}, "the breaking tension of rod", rod.name);
  return problems;
}

}  // namespace filum::scene
