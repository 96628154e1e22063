// What no single value of a scene can know: references, ranges, doubles.
//
// Works on the plain data, whether it came from a file or from code, and knows no files: it tells the path of the thing
// that is wrong, and who read the text finds its line.
#pragma once

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <optional>
#include <string>
#include <vector>

namespace filum::scene {

struct Problem {
  std::vector<std::string> path;  // keys, names and list indices: {"rods", "hose", "section"}
  std::string message;

  // «rods.hose.section: message», for scenes that were never a file.
  [[nodiscard]] Error error() const;
};

// The first thing that is wrong, or nothing.
std::optional<Problem> validate(const Scene& scene);

}  // namespace filum::scene
