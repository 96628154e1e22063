// What the pictures of a scene have in common.
#pragma once

#include "io/result/result_names.hpp"
#include "report/svg/svg_camera.hpp"

#include <vector>

namespace filum::io {

// How the colour along the rods is to be read.
struct ColourScale {
  bool by_limit = false;                   // share of the bend radius limit used up; otherwise of the largest curvature
  double largest = 0;                      // curvature at share 1, 1/m, if not by limit
  std::vector<std::vector<double>> share;  // per rod and node
};

// All that the pictures have in common, worked out once.
struct SceneView {
  const Scene& scene;
  const ResultNames& names;
  const Pose& pose;
  std::vector<const Pose*> earlier;  // states to show faded, oldest first
  ColourScale colours;
  Vec3 up = Vec3::UnitZ();         // against gravity
  std::vector<Vec3> points;        // what must be in the picture
  std::vector<Vec3> arrow_tips;    // per hold, where its force arrow ends
  std::vector<Vec3> contact_tips;  // per contact, likewise
  Bounds bounds;                   // of the points
};

}  // namespace filum::io
