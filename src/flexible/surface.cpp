#include "flexible/surface.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace filum::flexible {
namespace {

// Points by the cell of a grid that they are in; who lies near a border of its cell is looked for beyond it too.
class Welder {
 public:
  Welder(const Vec3& low, double tolerance, std::size_t points)
      : low_(low), tolerance_(tolerance), cell_(8 * tolerance) {
    cells_.reserve(points / 2);
    next_.reserve(points / 2);
  }

  // The number of the point, which may be that of an earlier one.
  int add(const Vec3& point, std::vector<Vec3>& points) {
    const Vec3 scaled = (point - low_) / cell_;
    std::array<std::int64_t, 3> home;
    std::array<int, 3> from, to;
    for (int k = 0; k < 3; ++k) {
      const double whole = std::floor(scaled[k]);
      home[at(k)] = static_cast<std::int64_t>(whole);
      from[at(k)] = scaled[k] - whole < tolerance_ / cell_ ? -1 : 0;
      to[at(k)] = whole + 1 - scaled[k] < tolerance_ / cell_ ? 1 : 0;
    }
    for (int i = from[0]; i <= to[0]; ++i)
      for (int j = from[1]; j <= to[1]; ++j)
        for (int k = from[2]; k <= to[2]; ++k)
          if (const auto found = cells_.find(key(home[0] + i, home[1] + j, home[2] + k)); found != cells_.end())
            for (int other = found->second; other >= 0; other = next_[at(other)])
              if ((points[at(other)] - point).squaredNorm() <= tolerance_ * tolerance_) return other;
    const int made = static_cast<int>(points.size());
    points.push_back(point);
    const auto [entry, fresh] = cells_.emplace(key(home[0], home[1], home[2]), made);
    next_.push_back(fresh ? -1 : entry->second);
    entry->second = made;
    return made;
  }

 private:
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto part = [](std::int64_t v) { return static_cast<std::uint64_t>(v) & 0x1FFFFF; };
    return part(x) << 42 | part(y) << 21 | part(z);
  }

  Vec3 low_;
  double tolerance_;
  double cell_;
  std::unordered_map<std::uint64_t, int> cells_;
  std::vector<int> next_;  // of the points of a cell
};

// Triangles that share an edge which no third one has.
void find_neighbours(Surface& surface) {
  struct Side {
    std::uint64_t edge;
    int triangle;
    int index;
  };
  std::vector<Side> sides;
  sides.reserve(3 * surface.triangle.size());
  for (std::size_t t = 0; t < surface.triangle.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto a = static_cast<std::uint64_t>(surface.triangle[t][at(k)]);
      const auto b = static_cast<std::uint64_t>(surface.triangle[t][at((k + 1) % 3)]);
      sides.push_back({std::min(a, b) << 32 | std::max(a, b), static_cast<int>(t), k});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.edge < b.edge; });
  surface.neighbour.assign(surface.triangle.size(), {-1, -1, -1});
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t next = i;
    while (next < sides.size() && sides[next].edge == sides[i].edge) ++next;
    if (next - i == 2) {
      surface.neighbour[at(sides[i].triangle)][at(sides[i].index)] = sides[i + 1].triangle;
      surface.neighbour[at(sides[i + 1].triangle)][at(sides[i + 1].index)] = sides[i].triangle;
    }
    i = next;
  }
}

}  // namespace

Surface make_surface(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles, double tolerance) {
  Surface surface;
  if (points.empty()) return surface;
  Vec3 low = points[0];
  Vec3 high = points[0];
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double diagonal = (high - low).norm();
  if (!(diagonal > 0)) return surface;
  Welder welder(low, tolerance * diagonal, points.size());
  std::vector<int> number(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) number[i] = welder.add(points[i], surface.point);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::array<int, 3> corners{number[at(triangles[t][0])], number[at(triangles[t][1])],
                                     number[at(triangles[t][2])]};
    const Vec3& a = surface.point[at(corners[0])];
    const Vec3 twice = (surface.point[at(corners[1])] - a).cross(surface.point[at(corners[2])] - a);
    if (!(twice.norm() > 1e-14 * diagonal * diagonal)) continue;
    surface.triangle.push_back(corners);
    surface.normal.push_back(twice.normalized());
    surface.source.push_back(static_cast<int>(t));
  }
  find_neighbours(surface);
  return surface;
}

}  // namespace filum::flexible
