#include "sim/assembly/solid_edges.hpp"

#include "base/index.hpp"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <variant>

namespace filum::sim {
namespace {

using geometry::Segment;

void add_block(const geometry::Block& block, std::vector<SolidEdge>& edges) {
  const auto corner = [&](int k) -> Vec3 {
    const Vec3 sign((k & 1) != 0 ? 0.5 : -0.5, (k & 2) != 0 ? 0.5 : -0.5, (k & 4) != 0 ? 0.5 : -0.5);
    return block.position + block.orientation * sign.cwiseProduct(block.size);
  };
  for (int k = 0; k < 8; ++k)
    for (const int bit : {1, 2, 4})
      if ((k & bit) == 0) edges.push_back({{corner(k), corner(k | bit)}, 0});
}

void add_cylinder(const geometry::Cylinder& cylinder, std::vector<SolidEdge>& edges) {
  constexpr int kSides = 48;
  const Vec3 axis = (cylinder.axis.to - cylinder.axis.from).normalized();
  const Vec3 side = axis.unitOrthogonal();
  const double round = cylinder.radius / std::cos(std::numbers::pi / kSides);
  const auto spoke = [&](int k) -> Vec3 {
    const double angle = 2 * std::numbers::pi * k / kSides;
    return round * (std::cos(angle) * side + std::sin(angle) * axis.cross(side));
  };
  for (int k = 0; k < kSides; ++k) {
    for (const Vec3& end : {cylinder.axis.from, cylinder.axis.to})
      edges.push_back({{end + spoke(k), end + spoke(k + 1)}, 0});
    edges.push_back({{cylinder.axis.from + spoke(k), cylinder.axis.to + spoke(k)}, 0});
  }
}

// An edge is where two triangles meet at an angle, or where there is only one.
void add_mesh(const geometry::PlacedMesh& mesh, std::vector<SolidEdge>& edges) {
  if (!mesh.surface) return;
  constexpr double kFlat = 1 - 1e-9;  // cosine between neighbours
  struct Side {
    Segment line;
    Vec3 normal = Vec3::Zero();
    bool flat = false;
  };
  std::map<std::array<double, 6>, Side> sides;
  for (int k = 0; k < static_cast<int>(mesh.surface->size()); ++k) {
    const geometry::Triangle t = mesh.surface->triangle(k);
    const std::array<Vec3, 3> p{t.a, t.b, t.c};
    const Vec3 normal = (t.b - t.a).cross(t.c - t.a).normalized();
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3& a = p[i];
      const Vec3& b = p[(i + 1) % 3];
      const bool first = std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
      const Vec3& low = first ? a : b;
      const Vec3& high = first ? b : a;
      const auto [found, fresh] = sides.try_emplace({low[0], low[1], low[2], high[0], high[1], high[2]});
      if (fresh)
        found->second = {{low, high}, normal, false};
      else if (std::abs(found->second.normal.dot(normal)) > kFlat)
        found->second.flat = true;
    }
  }
  for (const auto& [key, side] : sides)
    if (!side.flat)
      edges.push_back(
          {{mesh.position + mesh.orientation * side.line.from, mesh.position + mesh.orientation * side.line.to}, 0});
}

}  // namespace

std::vector<SolidEdge> edges_of(const geometry::Shape& shape) {
  std::vector<SolidEdge> edges;
  if (const auto* block = std::get_if<geometry::Block>(&shape)) add_block(*block, edges);
  if (const auto* cylinder = std::get_if<geometry::Cylinder>(&shape)) add_cylinder(*cylinder, edges);
  if (const auto* mesh = std::get_if<geometry::PlacedMesh>(&shape)) add_mesh(*mesh, edges);
  if (const auto* ball = std::get_if<geometry::Ball>(&shape))
    edges.push_back({{ball->centre, ball->centre}, ball->radius});
  if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) edges.push_back({capsule->axis, capsule->radius});
  return edges;
}

}  // namespace filum::sim
