// A pose between its entries: position, direction and frame of a rod at an arc length.
#pragma once

#include <filum/pose.hpp>

#include <cstddef>
#include <vector>

namespace filum::rod {

// Between entries after − 1 and after, at this share of the way; an arc length beyond the ends is at the nearest one.
struct PosePlace {
  std::size_t after = 1;
  double share = 0;
};
// `s` ascends and has at least two entries.
PosePlace pose_place(const std::vector<double>& s, double where);

// A list along a rod, linear between its entries.
Vec3 value_at(const std::vector<Vec3>& values, const PosePlace& place);

// Of a rod that has at least two entries.
Vec3 position_at(const RodPose& rod, double s);
// A unit vector.
Vec3 tangent_at(const RodPose& rod, double s);
// Turned evenly from entry to entry.
Quat frame_at(const RodPose& rod, double s);

// Between entries after − 1 and after there is no rod: it has parted there, and both ends are at the same arc length.
inline bool is_gap(const RodPose& rod, std::size_t after) {
  return after < rod.s.size() && rod.s[after] == rod.s[after - 1];
}

// Has any of it a velocity?
bool moves(const RodPose& rod);
// Half the largest width of its sections, m.
double half_width(const RodPose& rod);

}  // namespace filum::rod
