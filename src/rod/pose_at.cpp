#include "rod/pose_at.hpp"

#include <algorithm>

namespace filum::rod {

PosePlace pose_place(const std::vector<double>& s, double where) {
  const auto found = std::lower_bound(s.begin(), s.end(), where);
  const auto after = std::clamp<std::size_t>(static_cast<std::size_t>(found - s.begin()), 1, s.size() - 1);
  const double span = s[after] - s[after - 1];
  return {after, span > 0 ? std::clamp((where - s[after - 1]) / span, 0.0, 1.0) : 0};
}

Vec3 value_at(const std::vector<Vec3>& values, const PosePlace& place) {
  const Vec3& before = values[place.after - 1];
  return before + place.share * (values[place.after] - before);
}

Vec3 position_at(const RodPose& rod, double s) {
  return value_at(rod.position, pose_place(rod.s, s));
}

Vec3 tangent_at(const RodPose& rod, double s) {
  const auto [after, share] = pose_place(rod.s, s);
  const Vec3 before = rod.frame[after - 1] * Vec3::UnitZ();
  return ((1 - share) * before + share * (rod.frame[after] * Vec3::UnitZ())).normalized();
}

Quat frame_at(const RodPose& rod, double s) {
  const auto [after, share] = pose_place(rod.s, s);
  // at an entry its own frame: interpolation may have the other sign
  if (share == 1) return rod.frame[after];
  return rod.frame[after - 1].slerp(share, rod.frame[after]);
}

bool moves(const RodPose& rod) {
  return std::any_of(rod.velocity.begin(), rod.velocity.end(), [](const Vec3& v) { return !v.isZero(0); });
}

double half_width(const RodPose& rod) {
  double most = 0;
  for (const Vec2& outline : rod.outline) most = std::max(most, outline.maxCoeff());
  return most;
}

}  // namespace filum::rod
