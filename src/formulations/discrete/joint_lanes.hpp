// Strains of several joints side by side (math/lanes.hpp), whatever they join.
#pragma once

#include "base/index.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "math/lane_table.hpp"
#include "rod/joint_kernel.hpp"

#include <algorithm>
#include <array>

namespace filum::discrete {

// As many joints from `first` on as T has lanes; what lies beyond `last` is `last` again.
template <class T>
rod::JointStrainOf<T> joint_strains(const ModelData& model, const RodState& state, int first, int last) {
  std::array<Mat3, math::kLanesOf<T>> left, right;
  const auto joint = [&](int lane) { return at(std::min(first + lane, last)); };
  for (int i = 0; i < math::kLanesOf<T>; ++i) {
    left[at(i)] = side_frame(model, state, model.joints[joint(i)].left, model.joints[joint(i)].offset);
    right[at(i)] = side_frame(model, state, model.joints[joint(i)].right, 0);
  }
  return rod::joint_strain(
      math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return left[at(i)]; }),
      math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return right[at(i)]; }),
      math::gathered<math::NumberOf, T>([&](int i) -> const double& { return state.twist[joint(i)]; }));
}

}  // namespace filum::discrete
