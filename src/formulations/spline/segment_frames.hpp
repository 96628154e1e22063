// Directors along one segment from those at its two nodes: the twist between them, and the frames of the bend points.
//
// The first node's frame is carried along the curve without twist, in small rotations whose number is halved and the
// answer extrapolated; the angle that is then left to the second node's frame is the twist of the segment, with the
// whole turns that `near` has. The material is turned evenly in between. So directors and twist depend on the curve and
// on the frames at the nodes alone, not on the way by which they were reached.
#pragma once

#include "formulations/spline/spline_model.hpp"

#include <filum/types.hpp>

#include <array>
#include <span>

namespace filum::spline {

struct SegmentFrames {
  double twist = 0;
  std::array<Mat3, kBendPoints> bend;
};

// `v`: r′ at the segment's start, middle and end; `share`: of the bend points.
SegmentFrames segment_frames(const std::array<Vec3, 3>& v, const std::array<double, kBendPoints>& share,
                             const Mat3& from, const Mat3& to, double near);

// The frame at a share of the segment, whose twist is known.
Mat3 frame_within(const std::array<Vec3, 3>& v, const Mat3& from, double twist, double share);

}  // namespace filum::spline
