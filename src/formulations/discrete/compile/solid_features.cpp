// The features of each shape. Edges have a small radius and are inset by as much: faces lie where they are, edges are
// rounded, and two edges that cross have a normal.
#include "base/index.hpp"
#include "formulations/discrete/solid_feature.hpp"

#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace filum::discrete {
namespace {

using enum FeatureKind;

// Of the smallest extent of a solid: the radius of its edges.
constexpr double kRounded = 0.02;
// Balls on a rim, which hold a cylinder that stands: tilted, it touches with the rim itself.
constexpr int kRimBalls = 8;

SolidFeature ball(const Vec3& at, double radius) {
  return {.kind = Ball, .core = {at, at}, .radius = radius};
}
SolidFeature row(const Vec3& from, const Vec3& to, double radius) {
  return {.kind = Row, .core = {from, to}, .radius = radius};
}

std::vector<SolidFeature> capsule_features(const geometry::Capsule& capsule) {
  const auto& [from, to] = capsule.axis;
  return {ball(from, capsule.radius), ball(to, capsule.radius), row(from, to, capsule.radius)};
}

std::vector<SolidFeature> block_features(const geometry::Block& block) {
  const double radius = kRounded * block.size.minCoeff();
  const Vec3 half = 0.5 * block.size - Vec3::Constant(radius);
  const auto corner = [&](int k) {
    const Vec3 signs((k & 1) != 0 ? 1 : -1, (k & 2) != 0 ? 1 : -1, (k & 4) != 0 ? 1 : -1);
    return Vec3(block.position + block.orientation * signs.cwiseProduct(half));
  };
  std::vector<SolidFeature> list;
  for (int k = 0; k < 8; ++k) list.push_back(ball(corner(k), radius));
  for (int k = 0; k < 8; ++k)
    for (const int bit : {1, 2, 4})
      if ((k & bit) == 0) list.push_back(row(corner(k), corner(k | bit), radius));
  return list;
}

// Its two rims, and its mantle as a row of balls as thick as it is, whose foot is where it lies across something.
std::vector<SolidFeature> cylinder_features(const geometry::Cylinder& cylinder) {
  const Vec3 along = cylinder.axis.to - cylinder.axis.from;
  const Vec3 axis = along.stableNormalized();
  const double radius = kRounded * std::min(2 * cylinder.radius, along.norm());
  std::vector<SolidFeature> list;
  for (const bool top : {false, true}) {
    const Vec3 middle = top ? Vec3(cylinder.axis.to - radius * axis) : Vec3(cylinder.axis.from + radius * axis);
    SolidFeature rim;
    rim.kind = Ring;
    rim.core = {middle, middle};
    rim.radius = radius;
    rim.round = cylinder.radius - radius;
    rim.axis = axis;
    rim.side = axis.unitOrthogonal();
    list.push_back(rim);
    for (int k = 0; k < kRimBalls; ++k) {
      list.push_back(ball(point_of(rim, static_cast<double>(k) / kRimBalls), radius));
      list.back().axis = axis;
    }
  }
  list.push_back(row(cylinder.axis.from, cylinder.axis.to, cylinder.radius));
  return list;
}

// ---- meshes

struct Less {
  bool operator()(const Vec3& a, const Vec3& b) const {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  }
};

// By how much a corner or an edge is to be moved to lie so deep below all the faces about it; none of what is hollow,
// which touches nothing.
std::optional<Vec3> inset(const std::vector<Vec3>& normals, double depth) {
  constexpr double kSameFace = 0.05;  // what faces differ by counts if it is more
  constexpr double kMost = 4;         // of the depth: a needle's point is left
  Eigen::MatrixX3d rows(normals.size(), 3);
  for (std::size_t k = 0; k < normals.size(); ++k) rows.row(static_cast<Eigen::Index>(k)) = normals[k].transpose();
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(rows, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kSameFace);
  const Vec3 by = svd.solve(Eigen::VectorXd::Constant(rows.rows(), -depth));
  const auto below = [&](const Vec3& normal) { return normal.dot(by) < -0.5 * depth; };
  if (by.norm() > kMost * depth || !std::all_of(normals.begin(), normals.end(), below)) return {};
  return by;
}

// A mesh with the faces about its corners and edges.
struct MeshParts {
  struct Edge {
    std::vector<Vec3> normals;  // of the faces at it
    Vec3 apex = Vec3::Zero();   // the corner of the first that is not on it
  };
  std::vector<Vec3> corner;
  std::vector<std::vector<Vec3>> normals;  // per corner: of the faces at it
  std::map<std::pair<int, int>, Edge> edges;
};

MeshParts parts_of(const geometry::MeshSurface& surface) {
  MeshParts parts;
  std::map<Vec3, int, Less> numbers;
  for (int t = 0; t < static_cast<int>(surface.size()); ++t) {
    const geometry::Triangle face = surface.triangle(t);
    const std::array<Vec3, 3> place{face.a, face.b, face.c};
    const Vec3 normal = (face.b - face.a).cross(face.c - face.a).stableNormalized();
    std::array<int, 3> index{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [found, fresh] = numbers.emplace(place[k], static_cast<int>(parts.corner.size()));
      if (fresh) parts.corner.push_back(place[k]), parts.normals.emplace_back();
      index[k] = found->second;
      parts.normals[at(index[k])].push_back(normal);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      MeshParts::Edge& edge = parts.edges[std::minmax(index[k], index[(k + 1) % 3])];
      if (edge.normals.empty()) edge.apex = place[(k + 2) % 3];
      edge.normals.push_back(normal);
    }
  }
  return parts;
}

// Corners that stick out, and the sharp edges that do.
std::vector<SolidFeature> mesh_features(const geometry::PlacedMesh& mesh) {
  constexpr double kSharp = 0.985;  // cosine: below it an edge counts
  if (!mesh.surface || !mesh.surface->closed()) return {};
  const MeshParts parts = parts_of(*mesh.surface);
  const geometry::Box& box = mesh.surface->bounds();
  const double radius = kRounded * (box.high - box.low).minCoeff();
  const auto placed = [&](const Vec3& x) { return Vec3(mesh.position + mesh.orientation * x); };
  std::vector<SolidFeature> list;
  std::vector<std::optional<Vec3>> moved;
  for (std::size_t k = 0; k < parts.corner.size(); ++k) {
    moved.push_back(inset(parts.normals[k], radius));
    if (moved.back()) list.push_back(ball(placed(parts.corner[k] + *moved.back()), radius));
  }
  for (const auto& [ends, edge] : parts.edges) {
    if (edge.normals.size() != 2 || edge.normals[0].dot(edge.normals[1]) > kSharp) continue;
    // hollow, if the one face stands out above the other
    if (edge.normals[1].dot(edge.apex - parts.corner[at(ends.first)]) > 0) continue;
    const std::optional<Vec3> own = inset(edge.normals, radius);
    const auto end = [&](int k) { return moved[at(k)] ? moved[at(k)] : own; };
    if (end(ends.first) && end(ends.second))
      list.push_back(row(placed(parts.corner[at(ends.first)] + *end(ends.first)),
                         placed(parts.corner[at(ends.second)] + *end(ends.second)), radius));
  }
  return list;
}

}  // namespace

std::vector<SolidFeature> features_of(const geometry::Shape& shape) {
  if (const auto* ball_shape = std::get_if<geometry::Ball>(&shape))
    return {ball(ball_shape->centre, ball_shape->radius)};
  if (const auto* capsule = std::get_if<geometry::Capsule>(&shape)) return capsule_features(*capsule);
  if (const auto* block = std::get_if<geometry::Block>(&shape)) return block_features(*block);
  if (const auto* cylinder = std::get_if<geometry::Cylinder>(&shape)) return cylinder_features(*cylinder);
  if (const auto* mesh = std::get_if<geometry::PlacedMesh>(&shape)) return mesh_features(*mesh);
  return {};
}

}  // namespace filum::discrete
