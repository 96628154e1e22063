#include "formulations/spline/spline_curve.hpp"

#include "formulations/spline/segment_frames.hpp"

#include <algorithm>
#include <cmath>

namespace filum::spline {

double resynchronise(const SplineModel& model, SplineState& state) {
  double moved = 0;
  for (std::size_t k = 0; k < model.segments.size(); ++k) {
    const Segment& segment = model.segments[k];
    const BendPoint* bend = model.bends.data() + kBendPoints * k;
    const SegmentFrames frames =
        segment_frames(segment_slopes(state.leg, segment), {bend[0].share, bend[1].share, bend[2].share},
                       state.node_frame[at(segment.node[0])], end_frame(segment, state), state.twist[k]);
    moved = std::max(moved, std::abs(frames.twist - state.twist[k]));
    state.twist[k] = frames.twist;
    for (int g = 0; g < kBendPoints; ++g) {
      Mat3& old = state.bend_frame[kBendPoints * k + at(g)];
      moved = std::max(moved, (old.col(0) - frames.bend[at(g)].col(0)).norm());
      old = frames.bend[at(g)];
    }
  }
  return moved;
}

}  // namespace filum::spline
