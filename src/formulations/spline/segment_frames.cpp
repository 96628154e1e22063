#include "formulations/spline/segment_frames.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"

namespace filum::spline {

namespace {

// r′ of a cubic is a quadratic of the share.
Vec3 slope_at(const std::array<Vec3, 3>& v, double x) {
  return (1 - x) * (1 - 2 * x) * v[0] + 4 * x * (1 - x) * v[1] + x * (2 * x - 1) * v[2];
}

// A director carried from one share to another, in so many small rotations.
Vec3 carry(const std::array<Vec3, 3>& v, Vec3 director, Vec3 tangent, double from, double to, int rotations) {
  for (int k = 1; k <= rotations; ++k) {
    const Vec3 next = slope_at(v, from + (to - from) * k / rotations).normalized();
    director = math::transport(director, tangent, next);
    tangent = next;
  }
  return director;
}

// The frame without twist at a later share. The tangents' path on the sphere is cut short by each rotation; the error
// of the angle falls with the square of their number.
Mat3 carried(const std::array<Vec3, 3>& v, const Mat3& frame, double from, double to) {
  const Vec3 tangent = slope_at(v, to).normalized();
  const Vec3 coarse = carry(v, frame.col(0), frame.col(2), from, to, 2);
  const Vec3 fine = carry(v, frame.col(0), frame.col(2), from, to, 4);
  const double gain = math::signed_angle(coarse, fine, tangent);
  return math::frame_from(tangent, Eigen::AngleAxisd(gain / 3, tangent) * fine);
}

Mat3 turned(const Mat3& frame, double angle) {
  return frame * Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix();
}

}  // namespace

SegmentFrames segment_frames(const std::array<Vec3, 3>& v, const std::array<double, kBendPoints>& share,
                             const Mat3& from, const Mat3& to, double near) {
  SegmentFrames frames;
  Mat3 frame = from;
  double reached = 0;
  for (int g = 0; g < kBendPoints; ++g) {
    frames.bend[at(g)] = frame = carried(v, frame, reached, share[at(g)]);
    reached = share[at(g)];
  }
  frame = carried(v, frame, reached, 1);
  frames.twist = math::unwrap(math::signed_angle(frame.col(0), to.col(0), frame.col(2)), near);
  for (int g = 0; g < kBendPoints; ++g) frames.bend[at(g)] = turned(frames.bend[at(g)], share[at(g)] * frames.twist);
  return frames;
}

Mat3 frame_within(const std::array<Vec3, 3>& v, const Mat3& from, double twist, double share) {
  return turned(carried(v, carried(v, from, 0, 0.5 * share), 0.5 * share, share), share * twist);
}

}  // namespace filum::spline
