// Spline rods in a few words.
#pragma once

#include "unit/rod_rig.hpp"

#include <string>

namespace filum::test {

inline Scene in_spline(Scene scene) {
  scene.simulation.formulation = "spline";
  return scene;
}

// A straight cantilever of length 1 and EI = 1 along x; `slenderness` L/D of a round section.
inline Scene cantilever(double slenderness, int segments) {
  Scene scene = scene_of(
      "rods: {rod: {section: wire, material: metal, shape: {line: [[0, 0, 0], [1, 0, 0]]}}}\n"
      "holds: [{rod: rod, at: start, fix: [position, orientation]}]\n");
  Section given;
  given.shape = SectionShape::Given;
  given.radius = 0.5 / slenderness;
  given.EI = Vec2::Ones();
  given.EA = 16 * slenderness * slenderness;  // round: A/I = 16/D²
  given.GJ = 0.8;
  given.mass_per_length = 1;
  scene.sections.push_back({"round", given});
  scene.rods[0].section = "round";
  scene.rods[0].segments = segments;
  scene.gravity.setZero();
  return in_spline(scene);
}

inline Vec3 tip(const Outcome& outcome) {
  return last(outcome).rods[0].position.back();
}

}  // namespace filum::test
