// The centre line between nodes, as a sliding hold grips it: a C1 cubic through the nodes.
//
// On each edge a Hermite cubic whose end slopes are those of the parabola through a node and its two neighbours (at a
// rod's end through the last three nodes). So a point of the rod is a combination of at most four nodes with weights
// that depend on the arc length alone, smooth across nodes, and exact at them.
#pragma once

#include "formulations/discrete/carried_grip.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/rod_mesh.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/formulation.hpp"

#include <filum/types.hpp>

#include <array>
#include <span>
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

// The way from one place of its rod to another, the short one round a ring.
double slide_way(const ModelData& model, const Slider& slider, double from, double to);

// Friction of a sliding hold, a force limit: within it the rod sticks to an anchor, which gives way by a thousandth of a
// segment at most; beyond it slides against just that force. The law is that of a strain that yields
// (rod/parallel_elements.hpp), the arc length its strain: implicit, with an energy of the increment.
struct SliderFriction {
  double force = 0;      // against the rising arc length, N
  double stiffness = 0;  // N/m: nil while it slides
  double energy = 0;     // stored and spent since the anchor was put, J
};
[[nodiscard]] SliderFriction slider_friction(const ModelData& model, int slider, const SliderMemory& state);

// What the blow takes of a slider that came to the rod's end in this increment, against `stop_pull` (∂energy/∂s), J. Never
// less than nil: a stop holds what would go on.
[[nodiscard]] double stop_blow(const ModelData& model, int slider, double start_slide, double stop_pull,
                               const SliderMemory& state);

// The end of an increment: anchors are put where friction says just what acts. Returns what it took on the way from
// these arc lengths, J; null: 0.
double keep_anchors(const ModelData& model, const std::vector<double>* start_slide, SliderMemory& state);

// A hold that leaves an axis free, with the rod along it, could be anywhere along the rod: Newton's step is kept short
// there by this stiffness of its arc length, N/m, which exerts no force. Zero where all axes are fixed.
double slider_keep(const ModelData& model, const Slider& slider);

// Moves a slider that is not stopped by `by` along its rod, a tenth of it at most, and stops it at the rod's ends.
void slide(const ModelData& model, int slider, double by, SliderMemory& state);

// What the one or two grips of a hold that slides do, and where. `length_factor`: per rod, its length over the compiled one.
HoldPose slider_hold(const ModelData& model, const SliderMemory& state, const std::vector<double>& length_factor,
                     const Targets& targets, int hold);

// The point that a grip has at arc length s, with the body that carries it there; the slope and bend of the rod. The world
// is a body at the origin that does not turn.
struct GripPoint {
  SliderSupport support;
  SliderWeights weight;
  CarriedPlace place;
  Vec3 slope = Vec3::Zero();
  Vec3 bend = Vec3::Zero();
};
[[nodiscard]] GripPoint grip_point(const ModelData& model, int slider, double s, const std::vector<Vec3>& position,
                                   const std::vector<Mat3>& rotor);

// How a grip and the nodes of its rod act on each other.
struct GripAct {
  struct Node {
    int node = 0;           // local to the rod
    double gap = 0;         // its share in the point that is held
    double force = 0;       // of the grip's force
    double force_by_s = 0;  // d/ds
    double pull = 0;        // in the direction along which the rod slides
  };
  Vec3 slope = Vec3::Zero();  // that direction, and its d/ds
  Vec3 slope_by_s = Vec3::Zero();
  Vec3 end_slope = Vec3::Zero();  // of the point that is held
  void add(const Node& node) { nodes[static_cast<std::size_t>(count++)] = node; }
  [[nodiscard]] std::span<const Node> list() const { return {nodes.data(), static_cast<std::size_t>(count)}; }
  std::array<Node, 8> nodes{};
  int count = 0;
};

// What the grips of a hold on a free body do at rest, and where.
[[nodiscard]] HoldPose carried_hold(const ModelData& model, const RodState& state, int hold);

// A list over nodes (their positions, their velocities) read at arc length s of the rod that begins at `first_node`.
Vec3 nodal_at(const RodMesh& mesh, const std::vector<Vec3>& nodal, int first_node, double s);

}  // namespace filum::discrete
