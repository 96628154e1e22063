#include "geometry/tube_mesh.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::geometry {
namespace {

class TubeBuilder {
 public:
  TubeBuilder(const Tube& tube, int sides) : tube_(tube), sides_(sides) {}

  TriangleMesh build() {
    // a closed tube leaves out the repeated station and joins the last ring to the first
    const int stations = static_cast<int>(tube_.position.size()) - (tube_.closed ? 1 : 0);
    if (stations < (tube_.closed ? 3 : 2)) return {};
    for (int station = 0; station < stations; ++station)
      for (int side = 0; side < sides_; ++side) add_vertex(station, corner(station, side), normal(station, side));
    for (int station = 0; station + 1 < stations; ++station) add_band(station, station + 1);
    if (tube_.closed) {
      add_band(stations - 1, 0);
    } else {
      add_cap(0, -1);
      add_cap(stations - 1, 1);
    }
    return std::move(mesh_);
  }

 private:
  [[nodiscard]] Vec2 direction(int side) const {
    const double angle = 2 * std::numbers::pi * side / sides_;
    return {std::cos(angle), std::sin(angle)};
  }

  [[nodiscard]] Vec3 corner(int station, int side) const {
    const Vec2 local = direction(side).cwiseProduct(tube_.outline[station]);
    return tube_.position[station] + tube_.frame[station] * Vec3(local.x(), local.y(), 0);
  }

  // The ellipse's normal is along (cos/a, sin/b); times ab it survives a half-extent of zero.
  [[nodiscard]] Vec3 normal(int station, int side) const {
    const Vec2 ray = direction(side);
    const Vec2& outline = tube_.outline[station];
    const Vec2 outward(ray.x() * outline.y(), ray.y() * outline.x());
    const Vec2 unit = outward.norm() > 0 ? Vec2(outward.normalized()) : ray;
    return tube_.frame[station] * Vec3(unit.x(), unit.y(), 0);
  }

  void add_vertex(int station, const Vec3& position, const Vec3& normal) {
    mesh_.position.push_back(position);
    mesh_.normal.push_back(normal);
    if (!tube_.scalar.empty()) mesh_.scalar.push_back(tube_.scalar[station]);
  }

  // Two triangles a side between the rings of two stations.
  void add_band(int from, int to) {
    for (int side = 0; side < sides_; ++side) {
      const int next = (side + 1) % sides_;
      const int a = from * sides_ + side;
      const int b = from * sides_ + next;
      const int c = to * sides_ + next;
      const int d = to * sides_ + side;
      mesh_.triangle.push_back({a, b, c});
      mesh_.triangle.push_back({a, c, d});
    }
  }

  // A fan about the centre; `sign` is +1 where the outside lies along d3.
  void add_cap(int station, int sign) {
    const Vec3 outward = sign * (tube_.frame[station] * Vec3::UnitZ());
    const int centre = static_cast<int>(mesh_.position.size());
    add_vertex(station, tube_.position[station], outward);
    for (int side = 0; side < sides_; ++side) add_vertex(station, corner(station, side), outward);
    for (int side = 0; side < sides_; ++side) {
      int a = centre + 1 + side;
      int b = centre + 1 + (side + 1) % sides_;
      if (sign < 0) std::swap(a, b);
      mesh_.triangle.push_back({centre, a, b});
    }
  }

  const Tube& tube_;
  int sides_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh tube_mesh(const Tube& tube, int sides) {
  FILUM_ASSERT(tube.frame.size() == tube.position.size() && tube.outline.size() == tube.position.size());
  FILUM_ASSERT(tube.scalar.empty() || tube.scalar.size() == tube.position.size());
  return TubeBuilder(tube, std::max(sides, 3)).build();
}

double enclosed_volume(const TriangleMesh& mesh) {
  if (mesh.position.empty()) return 0;
  // tetrahedra against a point of the mesh, so that a far-away mesh loses no digits
  const Vec3 origin = mesh.position.front();
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangle)
    sum += (mesh.position[a] - origin).dot((mesh.position[b] - origin).cross(mesh.position[c] - origin));
  return sum / 6;
}

}  // namespace filum::geometry
