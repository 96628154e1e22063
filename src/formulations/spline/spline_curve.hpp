// Where a spline rod is and where it goes: sums over the control points and the legs between them.
#pragma once

#include "base/index.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_state.hpp"

#include <array>
#include <vector>

namespace filum::spline {

// Σ weight_i D_{first+i}: r′ or r″.
inline Vec3 leg_sum(const std::vector<Vec3>& leg, int first, const std::array<double, 3>& weight) {
  const Vec3* d = leg.data() + first;
  return weight[0] * d[0] + weight[1] * d[1] + weight[2] * d[2];
}

// Σ value P at a node: its position, or its velocity.
inline Vec3 node_sum(const SplineModel& model, const std::vector<Vec3>& control, int node) {
  const NodeCurve& curve = model.curve[at(node)];
  Vec3 sum = Vec3::Zero();
  for (int p = 0; p < curve.points; ++p) sum += curve.value[at(p)] * control[at(curve.first + p)];
  return sum;
}

inline Vec3 node_position(const SplineModel& model, const SplineState& state, int node) {
  return node_sum(model, state.control, node);
}

// r′ at a node of a rod.
inline Vec3 node_slope(const SplineModel& model, const SplineState& state, int node) {
  const NodeCurve& curve = model.curve[at(node)];
  return leg_sum(state.leg, curve.first, curve.slope);
}

// r′ at the start, the middle and the end of a segment.
inline std::array<Vec3, 3> segment_slopes(const std::vector<Vec3>& leg, const Segment& segment) {
  return {leg_sum(leg, segment.first, segment.slope[0]), leg_sum(leg, segment.first, segment.slope[1]),
          leg_sum(leg, segment.first, segment.slope[2])};
}

// The frame at the end of a segment: its node's, at the seam of a closed rod turned by what the frames do not meet by.
inline Mat3 end_frame(const Segment& segment, const SplineState& state) {
  const Mat3& frame = state.node_frame[at(segment.node[1])];
  if (segment.seam == 0) return frame;
  return frame * Eigen::AngleAxisd(segment.seam, Vec3::UnitZ()).toRotationMatrix();
}

// The legs from the control points.
inline void measure_legs(SplineState& state) {
  state.leg.resize(state.control.size());
  for (std::size_t i = 0; i + 1 < state.control.size(); ++i) state.leg[i] = state.control[i + 1] - state.control[i];
  if (!state.leg.empty()) state.leg.back().setZero();
}

// Makes directors and twists those of the curve and of the frames at the nodes. Returns by how much a twist changed.
double resynchronise(const SplineModel& model, SplineState& state);

}  // namespace filum::spline
