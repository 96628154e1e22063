#include "channel/tube_wall.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>

namespace filum::channel {

TubeWall::TubeWall(const std::vector<Vec2>& radius, const std::vector<Vec2>& corners, double scale)
    : radius_(radius, scale) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 edge = corners[(i + 1) % corners.size()] - corners[i];
    const Vec2 normal = Vec2(edge[1], -edge[0]).normalized();
    edges_.push_back({normal, scale * normal.dot(corners[i])});
  }
}

SpaceRow TubeWall::row(const SpacePlace& place, int which, double rubs) const {
  SpaceRow row;
  const Eigen::Matrix3d tt = place.tangent * place.tangent.transpose();
  if (edges_.empty()) {
    // c = R(s) − ρ; on the centreline itself any direction serves
    const Width width = radius_.at(place.s);
    const double distance = std::hypot(place.u, place.v);
    const Vec3 out = distance > 1e-12 ? Vec3((place.u * place.d1 + place.v * place.d2) / distance) : place.d1;
    const Vec3 around = place.tangent.cross(out);
    const Eigen::Matrix3d along =
        place.stretch * (place.tangent * place.bend.transpose() + place.bend * place.tangent.transpose());
    row.value = width.value - distance;
    row.gradient = width.slope * place.stretch * place.tangent - out;
    row.hessian = width.curvature * place.stretch * place.stretch * tt + width.slope * along +
                  place.bend.dot(out) * tt - around * around.transpose() / std::max(distance, 1e-12);
  } else {
    const Edge& edge = edges_[at(which)];
    const Vec3 out = edge.normal[0] * place.d1 + edge.normal[1] * place.d2;
    row.value = edge.distance - edge.normal.dot(Vec2(place.u, place.v));
    row.gradient = -out;
    row.hessian = place.bend.dot(out) * tt;
  }
  // friction along the tube: with the steepness of the wall, and the tangent turns with the place, ∂t = b tᵀ
  const double steep = row.gradient.norm();
  row.push = row.gradient - rubs * steep * place.tangent;
  row.turn = row.hessian - rubs * steep * (place.bend * place.tangent.transpose()) -
             rubs / steep * (place.tangent * (row.gradient.transpose() * row.hessian));
  return row;
}

Vec2 TubeWall::boundary(double s, double angle) const {
  const Vec2 way(std::cos(angle), std::sin(angle));
  if (edges_.empty()) return radius_.at(s).value * way;
  double reach = 1e300;
  for (const Edge& edge : edges_)
    if (edge.normal.dot(way) > 1e-12) reach = std::min(reach, edge.distance / edge.normal.dot(way));
  return reach * way;
}

double TubeWall::widest() const {
  double most = 2 * radius_.largest();
  for (int i = 0; i < 32 && !edges_.empty(); ++i) most = std::max(most, 2 * boundary(0, i * 0.19634954).norm());
  return most;
}

}  // namespace filum::channel
