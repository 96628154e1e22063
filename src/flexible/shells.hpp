// The parts of a surface that hang together, and what their size alone forbids them to be.
#pragma once

#include "flexible/surface.hpp"

#include <vector>

namespace filum::flexible {

struct Shell {
  double area = 0;
  int points = 0;
  int triangles = 0;
  int borders = 0;  // edges of one triangle alone

  // Through it, as through a pipe: Euler's number, points − edges + triangles, of a closed surface without one is 2.
  [[nodiscard]] bool has_hole() const { return borders == 0 && 2 * points - triangles < 4; }
};

struct Shells {
  std::vector<int> of;  // of each triangle
  std::vector<Shell> shell;
  [[nodiscard]] const Shell& with(int triangle) const {
    return shell[static_cast<std::size_t>(of[static_cast<std::size_t>(triangle)])];
  }
};

Shells find_shells(const Surface& surface);

}  // namespace filum::flexible
