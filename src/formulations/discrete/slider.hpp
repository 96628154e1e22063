// The centre line between nodes, as a sliding hold grips it: a C1 cubic through the nodes.
//
// On each edge a Hermite cubic whose end slopes are those of the parabola through a node and its two neighbours (at a
// rod's end through the last three nodes). So a point of the rod is a combination of at most four nodes with weights
// that depend on the arc length alone, smooth across nodes, and exact at them.
#pragma once

#include "formulations/discrete/mesh.hpp"
#include "formulations/discrete/model.hpp"
#include "formulations/formulation.hpp"

#include <filum/types.hpp>

#include <array>
#include <vector>

namespace filum::discrete {

struct SliderSupport {
  int count = 0;
  std::array<int, 4> node{};  // local to the rod
  bool operator==(const SliderSupport&) const = default;
};

struct SliderWeights {
  std::array<double, 4> value{};
  std::array<double, 4> slope{};      // d/ds
  std::array<double, 4> curvature{};  // d²/ds²
};

// Where the point that it grips is to be.
inline Vec3 slider_target(const Slider& slider, const Targets& targets) {
  const HoldTarget& hold = targets.holds[static_cast<std::size_t>(slider.hold)];
  return hold.position + slider.offset * (hold.orientation * Vec3::UnitZ());
}

// The arc length that it is drawn at.
double drawn_slide(const ModelData& model, const Slider& slider);

// The nodes that the point at arc length s depends on.
SliderSupport slider_support(const RodMesh& mesh, double s);

SliderWeights slider_weights(const RodMesh& mesh, double s);

// A list over nodes (their positions, their velocities) read at arc length s of the rod that begins at `first_node`.
Vec3 nodal_at(const RodMesh& mesh, const std::vector<Vec3>& nodal, int first_node, double s);

}  // namespace filum::discrete
