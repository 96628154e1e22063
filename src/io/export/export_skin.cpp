#include "io/export/export_skin.hpp"

#include "math/dense.hpp"
#include "sim/limits.hpp"

#include <algorithm>
#include <cmath>

namespace filum::io {

geometry::TriangleMesh rod_skin(const RodPose& rod) {
  std::vector<Vec3> position;
  std::vector<Quat> frame;
  std::vector<Vec2> outline;
  std::vector<double> curvature;
  const double thin = rod.length > 0 ? 1e-3 * rod.length : 1e-3;
  for (size_t i = 0; i < rod.position.size() && i < rod.frame.size(); ++i) {
    if (!rod.position[i].allFinite() || !rod.frame[i].coeffs().allFinite()) continue;
    const Vec2 half = i < rod.outline.size() ? rod.outline[i] : Vec2::Zero();
    const double kappa = i < rod.curvature.size() ? rod.curvature[i].norm() : 0;
    position.push_back(rod.position[i]);
    frame.push_back(rod.frame[i]);
    outline.push_back(half.allFinite() && half.minCoeff() > 0 ? half : Vec2::Constant(thin));
    curvature.push_back(std::isfinite(kappa) ? kappa : 0);
  }
  return geometry::tube_mesh({position, frame, outline, curvature, rod.closed});
}

RodPose rope_as_rod(const RopePose& rope) {
  RodPose rod;
  const double tension = sim::largest_tension(rope);
  Quat frame = Quat::Identity();
  for (size_t i = 0; i < rope.path.size(); ++i) {
    // along the path, at its corners half way between what comes and what goes
    const Vec3& before = rope.path[i > 0 ? i - 1 : 0];
    const Vec3& after = rope.path[std::min(i + 1, rope.path.size() - 1)];
    if ((after - before).norm() > 0)
      frame = (math::smallest_turn(frame * Vec3::UnitZ(), after - before) * frame).normalized();
    rod.s.push_back(i > 0 ? rod.s.back() + (rope.path[i] - before).norm() : 0);
    rod.position.push_back(rope.path[i]);
    rod.velocity.push_back(Vec3::Zero());
    rod.frame.push_back(frame);
    rod.curvature.push_back(Vec2::Zero());
    rod.twist.push_back(0);
    rod.axial_force.push_back(tension);
    rod.moment.push_back(Vec3::Zero());
    rod.outline.push_back(Vec2::Zero());
  }
  rod.length = rope.path.empty() ? 0 : rod.s.back();
  return rod;
}

std::vector<RodPose> rods_and_ropes(const Pose& pose) {
  std::vector<RodPose> all = pose.rods;
  for (const RopePose& rope : pose.ropes) all.push_back(rope_as_rod(rope));
  return all;
}

}  // namespace filum::io
