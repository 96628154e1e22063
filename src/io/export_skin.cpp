#include "io/export_skin.hpp"

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

}  // namespace filum::io
