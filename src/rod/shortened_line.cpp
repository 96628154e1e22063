#include "rod/shortened_line.hpp"

#include "math/rotation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace filum::rod {
namespace {

constexpr std::size_t kFewest = 24;  // segments from which on it may pay
constexpr std::size_t kMost = 16;    // segments of a stretch
// Edges of a stretch are within 30° of its first, two neighbours across a node within 25°: so the edges of a stretch and
// of the next are less than 90° from the edge where they meet.
const double kWithin = std::cos(math::kPi / 6);
const double kAcross = std::cos(math::kPi / 7.2);

// Some segments in a row and the ball about them.
struct Stretch {
  std::size_t from = 0;  // nodes
  std::size_t to = 0;
  Vec3 centre = Vec3::Zero();
  double radius = 0;
};

// Greedy; none: some neighbours are bent too sharply against each other, or points coincide.
std::vector<Stretch> stretches_of(std::span<const Vec3> points, bool closed) {
  std::vector<Stretch> list;
  const std::size_t segments = points.size() - 1;
  std::vector<Vec3> tangent(segments);
  for (std::size_t i = 0; i < segments; ++i) tangent[i] = (points[i + 1] - points[i]).normalized();
  for (std::size_t i = 0; i + (closed ? 0 : 1) < segments; ++i)
    if (!(tangent[i].dot(tangent[(i + 1) % segments]) > kAcross)) return {};
  for (std::size_t first = 0; first < segments;) {
    std::size_t next = first + 1;
    while (next < segments && next - first < kMost && tangent[next].dot(tangent[first]) > kWithin) ++next;
    Stretch stretch{first, next, 0.5 * (points[first] + points[next]), 0};
    double square = 0;
    for (std::size_t i = first; i <= next; ++i) square = std::max(square, (points[i] - stretch.centre).squaredNorm());
    stretch.radius = std::sqrt(square);
    list.push_back(stretch);
    first = next;
  }
  return list;
}

// Whether a plane square to the direction has the stretches on its two sides.
bool apart_along(std::span<const Vec3> points, const Stretch& a, const Stretch& b, const Vec3& direction) {
  double end = -std::numeric_limits<double>::infinity();
  double begin = std::numeric_limits<double>::infinity();
  for (std::size_t i = a.from; i <= a.to; ++i) end = std::max(end, points[i].dot(direction));
  for (std::size_t i = b.from; i <= b.to; ++i) begin = std::min(begin, points[i].dot(direction));
  return begin - end > 1e-9 * direction.norm() * (a.radius + b.radius);
}

bool are_apart(std::span<const Vec3> points, const Stretch& a, const Stretch& b) {
  const Vec3 way = b.centre - a.centre;
  const double radii = a.radius + b.radius;
  if (way.squaredNorm() > radii * radii * (1 + 1e-9)) return true;
  if (apart_along(points, a, b, way)) return true;
  // square to both chords, or to one of them
  const Vec3 one = points[a.to] - points[a.from];
  const Vec3 other = points[b.to] - points[b.from];
  const Vec3 across = one.cross(other);
  const auto facing = [&](const Vec3& direction) -> Vec3 { return direction.dot(way) < 0 ? -direction : direction; };
  const std::array<Vec3, 3> directions{facing(across), way - way.dot(one) / one.squaredNorm() * one,
                                       way - way.dot(other) / other.squaredNorm() * other};
  return std::any_of(directions.begin(), directions.end(),
                     [&](const Vec3& direction) { return apart_along(points, a, b, direction); });
}

// The ball about a stretch does not meet a ray.
bool is_off_ray(const Stretch& stretch, const Vec3& start, const Vec3& along) {
  const Vec3 way = stretch.centre - start;
  const double ahead = std::max(0.0, way.dot(along) / along.squaredNorm());
  return (way - ahead * along).squaredNorm() > stretch.radius * stretch.radius * (1 + 1e-9);
}

bool are_off_rays(std::span<const Vec3> points, std::span<const Stretch> list) {
  // the first two run forwards from the ray behind the start, the last towards the one beyond the end
  const std::size_t last = points.size() - 1;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k > 1 && !is_off_ray(list[k], points[0], points[0] - points[1])) return false;
    if (k + 1 < list.size() && !is_off_ray(list[k], points[last], points[last] - points[last - 1])) return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> shortened_line(std::span<const Vec3> points, bool closed) {
  if (points.size() <= kFewest) return {};
  const std::vector<Stretch> list = stretches_of(points, closed);
  const std::size_t count = list.size();
  if (count < 4 || 2 * count > points.size()) return {};
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 2; b < count; ++b) {
      if (closed && a == 0 && b + 1 == count) continue;
      if (!are_apart(points, list[a], list[b])) return {};
    }
  if (!closed && !are_off_rays(points, list)) return {};
  std::vector<std::size_t> kept{0};
  for (const Stretch& stretch : list) kept.push_back(stretch.to);
  return kept;
}

}  // namespace filum::rod
