#include "geometry/mesh_surface.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace filum::geometry {
namespace {

bool before(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

// Of each point the number of its place, those at one place having one; and the places.
std::vector<int> weld(std::span<const Vec3> points, std::vector<Vec3>& places) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return before(points[at(a)], points[at(b)]); });
  std::vector<int> number(points.size());
  for (const int k : order) {
    if (places.empty() || places.back() != points[at(k)]) places.push_back(points[at(k)]);
    number[at(k)] = static_cast<int>(places.size()) - 1;
  }
  return number;
}

Vec3 area_normal(const Triangle& t) {
  return (t.b - t.a).cross(t.c - t.a);
}

// Thinner than round-off can tell.
bool is_degenerate(const Triangle& t) {
  constexpr double kFlat = 1e-12;  // height over longest side
  const double side = std::max({(t.b - t.a).squaredNorm(), (t.c - t.b).squaredNorm(), (t.a - t.c).squaredNorm()});
  return !(area_normal(t).norm() > kFlat * side);
}

}  // namespace

MeshSurface::MeshSurface(std::span<const Vec3> corners, std::span<const std::array<int, 3>> triangles) {
  add_triangles(corners, triangles);
  find_edges();
  // inside out: the volume tells
  double volume = 0;
  for (int k = 0; k < static_cast<int>(size()); ++k) {
    const Triangle t = triangle(k);
    volume += (t.a - bounds_.low).dot((t.b - bounds_.low).cross(t.c - bounds_.low));
  }
  if (closed_ && volume < 0) {
    for (auto& corner : triangles_) std::swap(corner[1], corner[2]);
    find_edges();
  }
  make_normals();
  smooth_ = SmoothSurface(net(), (bounds_.high - bounds_.low).norm());
  std::vector<Box> boxes(size());
  for (int k = 0; k < static_cast<int>(size()); ++k)
    for (const int corner : triangles_[at(k)]) boxes[at(k)].add(corners_[at(corner)]);
  tree_.build(boxes);
}

std::size_t MeshSurface::bytes() const {
  return sizeof(Vec3) * (corners_.capacity() + face_normals_.capacity() + corner_normals_.capacity()) +
         sizeof(std::array<int, 3>) * (triangles_.capacity() + neighbours_.capacity()) + tree_.bytes() +
         smooth_.bytes();
}

Triangle MeshSurface::triangle(int index) const {
  const auto& [a, b, c] = triangles_[at(index)];
  return {corners_[at(a)], corners_[at(b)], corners_[at(c)]};
}

void MeshSurface::add_triangles(std::span<const Vec3> corners, std::span<const std::array<int, 3>> triangles) {
  const std::vector<int> number = weld(corners, corners_);
  for (const auto& [a, b, c] : triangles) {
    const std::array<int, 3> welded{number[at(a)], number[at(b)], number[at(c)]};
    const Triangle t{corners_[at(welded[0])], corners_[at(welded[1])], corners_[at(welded[2])]};
    if (is_degenerate(t)) continue;
    triangles_.push_back(welded);
    for (const int corner : welded) bounds_.add(corners_[at(corner)]);
  }
}

// Closed: every edge is gone along once in each direction.
void MeshSurface::find_edges() {
  struct Side {
    int from = 0;
    int to = 0;
    int triangle = 0;
    bool operator<(const Side& other) const { return from != other.from ? from < other.from : to < other.to; }
  };
  std::vector<Side> sides;
  sides.reserve(3 * size());
  for (int k = 0; k < static_cast<int>(size()); ++k)
    for (std::size_t side = 0; side < 3; ++side)
      sides.push_back({triangles_[at(k)][side], triangles_[at(k)][(side + 1) % 3], k});
  std::sort(sides.begin(), sides.end());
  closed_ = !sides.empty();
  for (std::size_t i = 1; i < sides.size(); ++i)
    if (!(sides[i - 1] < sides[i])) closed_ = false;
  neighbours_.assign(size(), {-1, -1, -1});
  for (int k = 0; k < static_cast<int>(size()); ++k)
    for (std::size_t side = 0; side < 3; ++side) {
      const Side back{triangles_[at(k)][(side + 1) % 3], triangles_[at(k)][side], 0};
      const auto found = std::lower_bound(sides.begin(), sides.end(), back);
      if (found == sides.end() || back < *found)
        closed_ = false;
      else
        neighbours_[at(k)][side] = found->triangle;
    }
}

void MeshSurface::make_normals() {
  face_normals_.resize(size());
  corner_normals_.assign(corners_.size(), Vec3::Zero());
  for (int k = 0; k < static_cast<int>(size()); ++k) {
    const Triangle t = triangle(k);
    face_normals_[at(k)] = area_normal(t).normalized();
    const std::array<Vec3, 3> p{t.a, t.b, t.c};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 one = p[(i + 1) % 3] - p[i];
      const Vec3 other = p[(i + 2) % 3] - p[i];
      const double angle = std::atan2(one.cross(other).norm(), one.dot(other));
      corner_normals_[at(triangles_[at(k)][i])] += angle * face_normals_[at(k)];
    }
  }
}

MeshSurface::NearestFacet MeshSurface::nearest_facet(const Vec3& x, double reach) const {
  NearestFacet out;
  double least = std::numeric_limits<double>::infinity();
  tree_.search(Box{x, x}, reach, [&](int k) {
    const Triangle t = triangle(k);
    const Vec3 here = closest_on(t, x);
    const double distance = (x - t.at(here)).norm();
    if (distance < least && distance <= reach) {
      least = reach = distance;
      out = {k, here};
    }
  });
  return out;
}

Distance MeshSurface::distance(const Vec3& x, double reach) const {
  return distance_to(nearest_facet(x, reach), x);
}

Distance MeshSurface::smooth_distance(const Vec3& x, double reach) const {
  const NearestFacet nearest = nearest_facet(x, reach);
  const Distance facets = distance_to(nearest, x);
  if (nearest.facet < 0 || smooth_.empty()) return facets;
  const auto smooth = smooth_.distance(net(), x, nearest.facet, nearest.weights);
  if (!smooth) return facets;
  // beyond a sharp edge the facets tell the side; of an open mesh both are outside
  const Distance& there = smooth->distance;
  const bool turned = smooth->at_edge ? facets.value < 0 : !closed_ && there.value < 0;
  if (!turned) return there;
  return {-there.value, -there.normal, -there.hessian};
}

// From a facet, or from the edge or the corner of it that is nearest.
Distance MeshSurface::distance_to(const NearestFacet& facet, const Vec3& x) const {
  Distance out;
  out.value = std::numeric_limits<double>::infinity();
  const int nearest = facet.facet;
  if (nearest < 0) return out;
  const Vec3& weights = facet.weights;
  // the feature: a face, an edge (flat along itself), a corner
  const Triangle t = triangle(nearest);
  const std::array<Vec3, 3> p{t.a, t.b, t.c};
  Vec3 outward = face_normals_[at(nearest)];
  Mat3 flat = Mat3::Identity() - outward * outward.transpose();
  const auto zeros = (weights.array() == 0).count();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    const auto third = static_cast<Eigen::Index>((k + 2) % 3);
    if (zeros == 1 && weights[third] == 0) {
      const Vec3 along = (p[next] - p[k]).normalized();
      flat = along * along.transpose();
      const int other = neighbours_[at(nearest)][k];
      if (other >= 0) outward += face_normals_[at(other)];
    }
    if (zeros == 2 && weights[static_cast<Eigen::Index>(k)] == 1) {
      flat.setZero();
      outward = corner_normals_[at(triangles_[at(nearest)][k])];
    }
  }
  const Vec3 away = x - t.at(weights);
  out.value = away.norm();
  const double sign = closed_ && away.dot(outward) < 0 ? -1 : 1;
  // on the surface itself the nearest feature has the direction
  out.normal = out.value > 0 ? Vec3(sign * away / out.value) : outward.normalized();
  if (out.value > 0) out.hessian = sign * (Mat3::Identity() - flat - out.normal * out.normal.transpose()) / out.value;
  if (zeros == 0) out.hessian.setZero();
  out.value *= sign;
  return out;
}

MeshSurface::Nearest MeshSurface::distance(const Segment& segment, double reach) const {
  Nearest best;
  Box box;
  box.add(segment.from);
  box.add(segment.to);
  tree_.search(box, reach, [&](int k) {
    const Triangle t = triangle(k);
    const SegmentTriangle near = closest_between(segment, t);
    if (near.distance < best.value && near.distance <= reach) {
      best = {near.distance, near.share, t.at(near.weights)};
      reach = near.distance;
    }
  });
  if (!closed_) return best;
  // an end inside is deeper than where it goes through
  for (const double share : {0.0, 1.0}) {
    const Vec3 x = segment.at(share);
    if ((x - bounds_.low).minCoeff() < 0 || (bounds_.high - x).minCoeff() < 0) continue;
    const Distance end = distance(x);
    if (end.value < 0 && end.value < best.value) best = {end.value, share, x - end.value * end.normal};
  }
  return best;
}

}  // namespace filum::geometry
