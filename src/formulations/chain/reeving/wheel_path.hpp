// Where the sheaves that a rod runs over are, and how it lies over them as the scene has them.
#pragma once

#include "formulations/chain/mechanism/chain_model.hpp"
#include "formulations/chain/mechanism/chain_state.hpp"

#include <vector>

namespace filum::chain {

// Where a wheel is, in space.
struct WheelPlace {
  Vec3 centre = Vec3::Zero();
  Vec3 axis = Vec3::Zero();
  Vec3 mark = Vec3::Zero();  // a direction square to the axis, fixed to what carries it
};
[[nodiscard]] WheelPlace place_of(const ModelData& model, const ChainState& state, int wheel);

// Angle by which the rope turns on a wheel between two elements, in (−π/2, 3π/2].
[[nodiscard]] double wrap_angle(const Vec3& before, const Vec3& after, const Vec3& axis);

// How long the way of a rod is over its wheels, as the scene has them.
[[nodiscard]] double length_over_wheels(const ModelData& model, int rod);

// Lays a rod over its wheels: straight from its start to its end, which are where it is drawn. Elements and their
// parts.
void lay_over_wheels(const ModelData& model, int rod, std::vector<Element>& elements, std::vector<PartState>& parts);

}  // namespace filum::chain
