// The frame of the cross-section at a joint's node, between the two frames that the joint joins.
//
// Elastic bending is spread over the joint's length, the rest strain and the twist over its cell, and the node divides
// the two in different shares. A joint divided there into two has the same energy as the whole one, exactly for a
// section of equal stiffnesses that is straight at rest.
#pragma once

#include "formulations/discrete/discrete_model.hpp"
#include "math/rotation_kernel.hpp"
#include "rod/joint.hpp"

namespace filum::discrete {

// `strain` is measured from `left`; `rest`: the joint's rest bend, at the rod's present length.
inline Mat3 joint_frame(const Joint& joint, const rod::JointStrain& strain, const Mat3& left, const Vec2& rest) {
  const Vec2 bend = joint.share * (strain.bend - rest) + joint.cell_share * rest;
  // from the mid frame's d1, d2 to its axes a, n, which are known in space
  const Vec2 a = strain.bend.norm() > 1e-12 ? Vec2(strain.bend.normalized()) : Vec2(1, 0);
  const Vec3 turn =
      strain.axes.col(0) * (a[0] * bend[0] + a[1] * bend[1]) + strain.axes.col(1) * (a[0] * bend[1] - a[1] * bend[0]);
  // turned about itself by its share of the twist, then bent
  const auto [s, c] = math::sin_cos(joint.cell_share * strain.twist);
  Mat3 spun;
  spun << c * left.col(0) + s * left.col(1), c * left.col(1) - s * left.col(0), left.col(2);
  return math::turned<double>(spun, turn);
}

}  // namespace filum::discrete
