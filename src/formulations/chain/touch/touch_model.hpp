// What of a compiled chain may touch what.
//
// Solids are the scene's obstacles, its solid scenery and bodies, and, for planes alone, free bodies that are not solid: what
// is set down lies on the ground. A rod touches by its elements, each a straight piece with round ends, and never what grips
// it, as far as it is drawn inside of that.
#pragma once

#include "formulations/discrete/discrete_model.hpp"

#include <algorithm>
#include <vector>

namespace filum::chain {

struct TouchModel {
  // A piece of a rod that a solid does not hold off, though it is inside.
  struct LeftOut {
    int rod = 0;
    int solid = 0;
    double from = 0;  // arc lengths, m
    double to = 0;
  };
  std::vector<discrete::Solid> solids;
  std::vector<char> holds_rods;  // per solid
  std::vector<discrete::SolidPair> pairs;
  std::vector<LeftOut> left_out;
  std::vector<double> rod_friction;  // of rods on rods, per pair of surfaces; none if they do not hold each other off

  int surfaces = 0;  // materials that rods are made of

  // Of two rods.
  [[nodiscard]] double friction(int surface, int other) const {
    return rod_friction[static_cast<std::size_t>(surface * surfaces + other)];
  }
  [[nodiscard]] bool empty() const { return solids.empty() && rod_friction.empty(); }
  // Whether it is a piece that a solid does not hold off, give or take a little.
  [[nodiscard]] bool leaves_out(int rod, double s, int solid, double near) const {
    return std::any_of(left_out.begin(), left_out.end(), [&](const LeftOut& out) {
      return out.rod == rod && out.solid == solid && s >= out.from - near && s <= out.to + near;
    });
  }
};

}  // namespace filum::chain
