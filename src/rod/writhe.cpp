#include "rod/writhe.hpp"

#include "math/rotation.hpp"

#include <algorithm>
#include <cmath>

namespace filum::rod {
namespace {

struct Ray {
  Vec3 direction;
  double length;
};

Ray ray(const Vec3& from, const Vec3& to) {
  const Vec3 way = to - from;
  return {way, way.norm()};
}

// ∬ (x1 − x2)·(dx1 × dx2)/|x1 − x2|³ over two segments: the solid angle of the parallelogram of the differences
// x2 − x1, whose corners a, b, c, d come in the order that dx1 × dx2 turns. Segments that touch or lie in one plane
// give 0.
//
// Each of the triangles abc and acd has tan(Ω/2) = a·(b×c)/(|a||b||c| + a·b|c| + b·c|a| + c·a|b|)
// [VanOosterom1983]. Both lie in one plane, so their angles have one sign and add up to less than 2π: one arctangent does
// for both.
double gauss_pair(const Ray& a, const Ray& b, const Ray& c, const Ray& d) {
  // the parts that the triangles share
  const Vec3 normal = c.direction.cross(a.direction);
  const double diagonal = c.direction.dot(a.direction);
  const double product = a.length * c.length + diagonal;
  // numerators and denominators of both tangents
  const double up1 = b.direction.dot(normal);
  const double up2 = -d.direction.dot(normal);
  if (up1 == 0 && up2 == 0) return 0;
  const double along1 =
      b.length * product + a.direction.dot(b.direction) * c.length + b.direction.dot(c.direction) * a.length;
  const double along2 =
      d.length * product + a.direction.dot(d.direction) * c.length + d.direction.dot(c.direction) * a.length;
  return 2 * std::atan2(up1 * along2 + up2 * along1, along1 * along2 - up1 * up2);
}

// The same for the segment p0p1 against a polyline; neighbouring segments share two corners.
double gauss_row(const Vec3& p0, const Vec3& p1, std::span<const Vec3> nodes) {
  double sum = 0;
  Ray a = ray(p0, nodes[0]);
  Ray b = ray(p1, nodes[0]);
  for (std::size_t j = 1; j < nodes.size(); ++j) {
    const Ray c = ray(p1, nodes[j]);
    const Ray d = ray(p0, nodes[j]);
    sum += gauss_pair(a, b, c, d);
    a = d;
    b = c;
  }
  return sum;
}

}  // namespace

std::vector<std::size_t> thinned(std::size_t segments, int max_segments) {
  const auto allowed = static_cast<std::size_t>(std::max(max_segments, 1));
  const std::size_t stride = (segments + allowed - 1) / allowed;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < segments; i += stride) kept.push_back(i);
  kept.push_back(segments);
  return kept;
}

double writhe(std::span<const Vec3> points, bool closed, int max_segments) {
  if (points.size() < 4) return 0;
  std::vector<Vec3> nodes;
  for (const std::size_t i : thinned(points.size() - 1, max_segments)) nodes.push_back(points[i]);
  const std::size_t segments = nodes.size() - 1;
  // neighbours share a point and hence a plane: they add nothing
  double sum = 0;
  for (std::size_t i = 0; i + 2 < segments; ++i) {
    const std::size_t last = closed && i == 0 ? segments - 1 : segments;
    sum += gauss_row(nodes[i], nodes[i + 1], std::span(nodes).subspan(i + 2, last - i - 1));
  }
  return sum / (2 * math::kPi);
}

double linking_number(std::span<const Vec3> first, std::span<const Vec3> second) {
  if (second.empty()) return 0;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < first.size(); ++i) sum += gauss_row(first[i], first[i + 1], second);
  return sum / (4 * math::kPi);
}

}  // namespace filum::rod
