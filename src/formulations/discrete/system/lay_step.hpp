// A joint of a laid rope over a step that keeps energy: its torque, and what that and the lengths of its edges do to each
// other.
#pragma once

#include "rod/rope_lay.hpp"

#include <array>

namespace filum::discrete {

struct LayStep {
  struct Edge {
    double pull = 0;                         // on its length, N
    rod::Vec4 force = rod::Vec4::Zero();     // of unit torque on (δe, rest × δθ)
    rod::Vec4 torque = rod::Vec4::Zero();    // by which (δe, rest × δθ) changes the torque
    rod::Mat34 moment = rod::Mat34::Zero();  // by which its length changes the joint's moment
  };
  double torque = 0;                   // elastic, mean over the step, N·m
  Vec3 twist_gradient = Vec3::Zero();  // by which a rotation at the right side's end changes it
  std::array<Edge, 2> edge;            // left, right; nothing where a side is a section
};

}  // namespace filum::discrete
