#include "scene/layout.hpp"

#include "math/frame.hpp"

#include <cmath>
#include <limits>

namespace filum::scene {

namespace {

// Parallel transport along the smooth curve is done in so many steps of the same length. A place has then one frame,
// whatever other places are asked for.
constexpr int kTransportSteps = 1000;

// d1 carried without twist along the curve from one arc length to another. In one step and in two the error is that of
// the tangents' path on the sphere being cut short, of third order; Richardson's extrapolation takes it away.
Mat3 carry(const CurvePath& path, const Mat3& frame, double from, double to) {
  const Vec3 middle = path.at(0.5 * (from + to)).tangent;
  const Vec3 end = path.at(to).tangent;
  // where the curve goes straight on the frame stays as it is
  if (middle == end && end == frame.col(2)) return frame;
  const Vec3 once = math::transport(frame.col(0), frame.col(2), end);
  const Vec3 twice = math::transport(math::transport(frame.col(0), frame.col(2), middle), middle, end);
  const double gain = std::atan2(once.cross(twice).dot(end), once.dot(twice));
  const Vec3 d1 = Eigen::AngleAxisd(gain / 3, end) * twice;
  return math::frame_from(end, d1);
}

// Whether a path goes straight on in a frame's direction to its end: it is as long as its chord. What round-off hides of a
// bend turns a frame by less than round-off, as the square of its angles.
bool goes_straight(const CurvePath& path, const Mat3& frame) {
  constexpr double kRoundOff = 4 * std::numeric_limits<double>::epsilon();
  const CurveSample start = path.at(0), end = path.at(path.length());
  return start.tangent == frame.col(2) && end.tangent == frame.col(2) &&
         (end.position - start.position).norm() >= (1 - kRoundOff) * path.length();
}

}  // namespace

std::vector<Placement> place_along(const CurvePath& path, double length, const Mat3& start_frame,
                                   std::span<const double> s) {
  std::vector<Placement> placed;
  placed.reserve(s.size());
  const double scale = path.length() / length;
  const double step = path.length() / kTransportSteps;
  const bool straight = goes_straight(path, start_frame);
  Mat3 frame = start_frame;
  int done = 0;
  for (const double target_s : s) {
    // whole steps, then what is left to the place itself
    const double there = target_s * scale;
    for (; !straight && (done + 1) * step <= there; ++done) frame = carry(path, frame, done * step, (done + 1) * step);
    Placement& place = placed.emplace_back();
    place.position = path.at(there).position;
    place.frame = carry(path, frame, done * step, there);
    place.roll = path.roll(there);
    if (place.roll != 0) place.frame = place.frame * Eigen::AngleAxisd(place.roll, Vec3::UnitZ()).toRotationMatrix();
  }
  return placed;
}

RodLayout::RodLayout(const Rod& rod) : path_(rod.shape, rod.closed), twist_(rod.twist) {
  length_ = rod.length.value_or(path_.length());
  const Vec3 tangent = path_.at(0).tangent;
  start_frame_ = math::frame_from(tangent, rod.normal.value_or(math::any_perpendicular(tangent)));
}

std::vector<Placement> RodLayout::place(std::span<const double> s, bool twisted) const {
  std::vector<Placement> placed = place_along(path_, length_, start_frame_, s);
  if (twisted && twist_ != 0)
    for (std::size_t i = 0; i < placed.size(); ++i)
      placed[i].frame = placed[i].frame * Eigen::AngleAxisd(twist_ * s[i] / length_, Vec3::UnitZ()).toRotationMatrix();
  return placed;
}

double RodLayout::twist_between(double from, double to) const {
  const double scale = path_.length() / length_;
  return twist_ * (to - from) / length_ + path_.roll(to * scale) - path_.roll(from * scale);
}

Placement RodLayout::at(double s) const {
  return place(std::span<const double>(&s, 1))[0];
}

}  // namespace filum::scene
