// Something that is wrong with a scene, and where.
#pragma once

#include <filum/result.hpp>

#include <string>
#include <vector>

namespace filum::scene {

struct Problem {
  std::vector<std::string> path;  // keys, names and list indices: {"rods", "hose", "section"}
  std::string message;

  // «rods.hose.section: message», for scenes that were never a file.
  [[nodiscard]] Error error() const;
};

}  // namespace filum::scene
