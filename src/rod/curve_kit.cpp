#include "rod/curve_kit.hpp"

#include "base/assert.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace filum::rod {

std::vector<Vec3> edge_tangents(std::span<const Vec3> points) {
  std::vector<Vec3> tangents;
  if (points.size() < 2) return tangents;
  tangents.reserve(points.size() - 1);

  // the first edge that has a length speaks for those before it
  Vec3 last = Vec3::UnitX();
  for (std::size_t i = points.size() - 1; i-- > 0;) {
    const Vec3 edge = points[i + 1] - points[i];
    if (edge.stableNorm() > 0) last = edge.stableNormalized();
  }
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 edge = points[i + 1] - points[i];
    if (edge.stableNorm() > 0) last = edge.stableNormalized();
    tangents.push_back(last);
  }
  return tangents;
}

// Kahan's formula: tan(φ/2) = |t1 − t0|/|t1 + t0| has no cancellation for unit vectors.
double turning_angle(const Vec3& before, const Vec3& after) {
  return 2 * std::atan2((after - before).norm(), (after + before).norm());
}

bool folds_back(const Vec3& before, const Vec3& after) {
  return (before + after).norm() < kFoldAngle;
}

// 1 + t0·t1 = |t0 + t1|²/2 for unit vectors, and t0×t1 = t0×(t0 + t1): both exact where the naive form cancels.
Vec3 curvature_binormal(const Vec3& before, const Vec3& after) {
  const Vec3 sum = before + after;
  if (!folds_back(before, after)) return 4 / sum.squaredNorm() * before.cross(sum);
  // folded: the longest binormal that is still told apart, about whatever axis is left
  const double longest = 4 / kFoldAngle;
  return longest * math::orthonormalise(before.cross(sum), before);
}

JointShape joint_shape(std::span<const Vec3> tangents, bool closed) {
  JointShape shape;
  if (tangents.empty()) return shape;
  const std::size_t count = closed ? tangents.size() : tangents.size() - 1;
  for (std::size_t joint = 0; joint < count; ++joint) {
    const Vec3& before = tangents[joint];
    const Vec3& after = tangents[(joint + 1) % tangents.size()];
    shape.turning.push_back(turning_angle(before, after));
    shape.binormal.push_back(curvature_binormal(before, after));
    if (folds_back(before, after)) shape.folded.push_back(joint);
  }
  return shape;
}

double joint_twist(const Quat& frame0, const Quat& frame1, double near) {
  const Vec3 t0 = frame0 * Vec3::UnitZ();
  const Vec3 t1 = frame1 * Vec3::UnitZ();
  const Vec3 carried = math::transport(frame0 * Vec3::UnitX(), t0, t1);
  return math::unwrap(math::signed_angle(carried, frame1 * Vec3::UnitX(), t1), near);
}

std::vector<double> joint_twists(std::span<const Quat> frames, bool closed, std::span<const double> near) {
  std::vector<double> twists;
  if (frames.empty()) return twists;
  const std::size_t count = closed ? frames.size() : frames.size() - 1;
  FILUM_ASSERT(near.empty() || near.size() == count);
  for (std::size_t joint = 0; joint < count; ++joint)
    twists.push_back(joint_twist(frames[joint], frames[(joint + 1) % frames.size()], near.empty() ? 0.0 : near[joint]));
  return twists;
}

double total_twist(std::span<const double> twists) {
  return std::accumulate(twists.begin(), twists.end(), 0.0);
}

std::vector<Quat> material_frames(std::span<const Vec3> tangents, const Vec3& normal, std::span<const double> angles) {
  FILUM_ASSERT(angles.size() == tangents.size());
  std::vector<Quat> frames = bishop_frames(tangents, normal);
  // turning about d3 before the Bishop frame is turning about the tangent after it
  for (std::size_t edge = 0; edge < frames.size(); ++edge)
    frames[edge] = frames[edge] * math::exp_quat(angles[edge] * Vec3::UnitZ());
  return frames;
}

std::vector<double> material_angles(std::span<const Vec3> tangents, const Vec3& normal, std::span<const Quat> frames,
                                    std::span<const double> near) {
  FILUM_ASSERT(frames.size() == tangents.size());
  FILUM_ASSERT(near.empty() || near.size() == frames.size());
  const std::vector<Quat> bishop = bishop_frames(tangents, normal);
  std::vector<double> angles;
  angles.reserve(frames.size());
  double previous = 0;
  for (std::size_t edge = 0; edge < frames.size(); ++edge) {
    const double angle = math::signed_angle(bishop[edge] * Vec3::UnitX(), frames[edge] * Vec3::UnitX(), tangents[edge]);
    previous = math::unwrap(angle, near.empty() ? previous : near[edge]);
    angles.push_back(previous);
  }
  return angles;
}

std::vector<double> twists_of_angles(std::span<const double> angles) {
  std::vector<double> twists;
  for (std::size_t joint = 0; joint + 1 < angles.size(); ++joint) twists.push_back(angles[joint + 1] - angles[joint]);
  return twists;
}

std::vector<double> angles_of_twists(double first_angle, std::span<const double> twists) {
  std::vector<double> angles{first_angle};
  for (const double twist : twists) angles.push_back(angles.back() + twist);
  return angles;
}

}  // namespace filum::rod
