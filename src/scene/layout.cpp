#include "scene/layout.hpp"

#include "math/frame.hpp"

#include <algorithm>
#include <cmath>

namespace filum::scene {

namespace {

// Parallel transport along the smooth curve is done in steps of at most this share of its length.
constexpr double kTransportStep = 1e-3;

}  // namespace

std::vector<Placement> place_along(const CurvePath& path, double length, const Mat3& start_frame,
                                   std::span<const double> s) {
  std::vector<Placement> placed;
  placed.reserve(s.size());
  const double scale = path.length() / length;
  Mat3 frame = start_frame;
  double here = 0;
  for (const double target_s : s) {
    // small steps from the last place to this one, carrying d1 without twist
    const double there = target_s * scale;
    const int steps = std::max(1, static_cast<int>(std::ceil((there - here) / (kTransportStep * path.length()))));
    for (int k = 1; k <= steps; ++k) {
      const Vec3 tangent = path.at(here + (there - here) * k / steps).tangent;
      const Vec3 d1 = math::transport(frame.col(0), frame.col(2), tangent);
      frame = math::frame_from(tangent, d1);
    }
    here = there;
    placed.push_back({path.at(there).position, frame});
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

Placement RodLayout::at(double s) const {
  return place(std::span<const double>(&s, 1))[0];
}

}  // namespace filum::scene
