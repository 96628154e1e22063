#include "flexible/surface.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace filum::flexible {
namespace {

// Points by the cell of a grid that they are in; who lies near a border of its cell is looked for beyond it too.
class Welder {
 public:
  Welder(const Vec3& low, double tolerance) : low_(low), tolerance_(tolerance), cell_(8 * tolerance) {}

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
          for (int other = first_[slot(key(home[0] + i, home[1] + j, home[2] + k))]; other >= 0;
               other = next_[at(other)])
            if ((points[at(other)] - point).squaredNorm() <= tolerance_ * tolerance_) return other;
    const int made = static_cast<int>(points.size());
    points.push_back(point);
    key_.push_back(key(home[0], home[1], home[2]));
    next_.push_back(-1);
    if (2 * key_.size() > first_.size()) return make_room(), made;
    enter(made);
    return made;
  }

 private:
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto part = [](std::int64_t v) { return static_cast<std::uint64_t>(v) & 0x1FFFFF; };
    return part(x) << 42 | part(y) << 21 | part(z);
  }
  // Where the points of a cell begin, in a table that is at most half full; the next free place if it has none.
  [[nodiscard]] std::size_t slot(std::uint64_t cell) const {
    std::size_t place = (cell * 0x9E3779B97F4A7C15u) >> 20;  // Knuth's multiplicative hashing
    while (true) {
      place &= first_.size() - 1;
      if (first_[place] < 0 || key_[at(first_[place])] == cell) return place;
      ++place;
    }
  }
  void enter(int point) {
    int& first = first_[slot(key_[at(point)])];
    next_[at(point)] = first;
    first = point;
  }
  void make_room() {
    first_.assign(2 * first_.size(), -1);
    for (std::size_t i = 0; i < key_.size(); ++i) enter(static_cast<int>(i));
  }

  Vec3 low_;
  double tolerance_;
  double cell_;
  std::vector<int> first_ = std::vector<int>(1024, -1);  // of the points of a cell, by what its key hashes to
  std::vector<std::uint64_t> key_;                       // of each point: its cell
  std::vector<int> next_;                                // of the points of a cell
};

using Keyed = std::pair<std::uint32_t, int>;

// By keys of 30 bits, ten at a time; what has the same key stays in order.
void sort_by_digits(std::vector<Keyed>& keys) {
  constexpr std::size_t kDigits = 1024;
  std::vector<Keyed> sorted(keys.size());
  for (const unsigned shift : {0u, 10u, 20u}) {
    std::array<std::size_t, kDigits> place{};
    const auto digit = [shift](const Keyed& each) { return each.first >> shift & (kDigits - 1); };
    for (const Keyed& each : keys) ++place[digit(each)];
    std::exclusive_scan(place.begin(), place.end(), place.begin(), std::size_t{0});
    for (const Keyed& each : keys) sorted[place[digit(each)]++] = each;
    keys.swap(sorted);
  }
}

// The triangles from neighbour to neighbour, along Morton's curve through their first corners: files list them in any
// order, and what lies together in space is then read together (a shuffled soup took three times as long).
std::vector<int> order_in_space(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles,
                                const Vec3& low, const Vec3& size) {
  constexpr double kCells = 1024;
  const auto spread = [](double share) {
    auto bits = static_cast<std::uint32_t>(std::clamp(share * kCells, 0.0, kCells - 1));
    bits = (bits | bits << 16) & 0x030000FFu;
    bits = (bits | bits << 8) & 0x0300F00Fu;
    bits = (bits | bits << 4) & 0x030C30C3u;
    return (bits | bits << 2) & 0x09249249u;
  };
  const double longest = size.maxCoeff();
  std::vector<Keyed> keys;
  keys.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec3 share = (points[at(triangles[t][0])] - low) / longest;
    keys.emplace_back(spread(share.x()) | spread(share.y()) << 1 | spread(share.z()) << 2, static_cast<int>(t));
  }
  sort_by_digits(keys);
  std::vector<int> order;
  order.reserve(keys.size());
  for (const auto& [key, triangle] : keys) order.push_back(triangle);
  return order;
}

// An edge that one triangle has alone.
struct Border {
  int a;
  int b;
  int triangle;
};

// The edges of all triangles, those between the same points together: in the order of their first points, then of their
// second ones.
class Sides {
 public:
  struct Side {
    int to;  // the larger number of its two points
    int triangle;
    int index;
  };

  explicit Sides(const Surface& surface) : first_(surface.point.size() + 1, 0), side_(3 * surface.triangle.size()) {
    const auto each = [&](const auto& take) {
      for (std::size_t t = 0; t < surface.triangle.size(); ++t)
        for (int k = 0; k < 3; ++k) {
          const auto [a, b] = std::minmax(surface.triangle[t][at(k)], surface.triangle[t][at(k == 2 ? 0 : k + 1)]);
          take(a, Side{b, static_cast<int>(t), k});
        }
    };
    each([&](int from, const Side&) { ++first_[at(from)]; });
    // each point's sides end where the next one's begin; filled in from behind
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    each([&](int from, const Side& side) { side_[--first_[at(from)]] = side; });
  }

  // In any order of those that are the same.
  [[nodiscard]] std::span<Side> from(std::size_t point) {
    const std::span<Side> all = std::span(side_).subspan(first_[point], first_[point + 1] - first_[point]);
    std::sort(all.begin(), all.end(), [](const Side& a, const Side& b) { return a.to < b.to; });
    return all;
  }

 private:
  std::vector<std::size_t> first_;  // of each point: where the sides begin that lead from it to a larger number
  std::vector<Side> side_;
};

// Is one of the triangles at an edge there twice, with the same third corner?
bool has_twins(const Surface& surface, std::span<const Sides::Side> sides) {
  const auto third = [&](const Sides::Side& side) {
    return surface.triangle[at(side.triangle)][at((side.index + 2) % 3)];
  };
  for (std::size_t a = 0; a < sides.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (third(sides[a]) == third(sides[b])) return true;
  return false;
}

// Triangles that share an edge which no third one has. Returns the edges of one triangle.
std::vector<Border> find_neighbours(Surface& surface) {
  std::vector<Border> borders;
  Sides sides(surface);
  surface.neighbour.assign(surface.triangle.size(), {-1, -1, -1});
  surface.crowded = 0;
  surface.doubled = false;
  for (std::size_t point = 0; point < surface.point.size(); ++point) {
    const std::span<Sides::Side> all = sides.from(point);
    for (std::size_t i = 0; i < all.size();) {
      std::size_t next = i;
      while (next < all.size() && all[next].to == all[i].to) ++next;
      if (next - i == 2) {
        surface.neighbour[at(all[i].triangle)][at(all[i].index)] = all[i + 1].triangle;
        surface.neighbour[at(all[i + 1].triangle)][at(all[i + 1].index)] = all[i].triangle;
      } else if (next - i == 1) {
        borders.push_back({static_cast<int>(point), all[i].to, all[i].triangle});
      }
      if (next - i > 2) {
        ++surface.crowded;
        surface.doubled = surface.doubled || has_twins(surface, all.subspan(i, next - i));
      }
      i = next;
    }
  }
  return borders;
}

Vec3 twice_area(const Surface& surface, const std::array<int, 3>& corners) {
  const Vec3& a = surface.point[at(corners[0])];
  return (surface.point[at(corners[1])] - a).cross(surface.point[at(corners[2])] - a);
}

// Small holes, round by round from edge to edge.
class HoleFiller {
 public:
  HoleFiller(Surface& surface, const std::vector<Border>& borders)
      : surface_(surface), first_(surface.point.size() + 1, 0), ways_(2 * borders.size()) {
    for (const auto& [a, b, triangle] : borders) {
      ++first_[at(a)];
      ++first_[at(b)];
    }
    // each point's ways end where the next one's begin; filled in from behind
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (const auto& [a, b, triangle] : borders) {
      ways_[--first_[at(a)]] = {b, triangle};
      ways_[--first_[at(b)]] = {a, triangle};
    }
    // the smallest first: where two holes share a corner, the way through both is no hole
    for (std::size_t edges = 3; edges <= kMostEdges; ++edges)
      for (const auto& [a, b, triangle] : borders) {
        if (beside(a, b) < 0) continue;
        loop_ = {a, b};
        if (closes(edges)) fill();
      }
  }
  [[nodiscard]] bool filled() const { return filled_; }

 private:
  static constexpr std::size_t kMostEdges = 5;

  struct Way {
    int to;        // −1: it was taken
    int triangle;  // beside it
  };
  std::span<Way> ways_from(int point) {
    return std::span(ways_).subspan(first_[at(point)], first_[at(point) + 1] - first_[at(point)]);
  }

  // The triangle at a border; −1: there is no border between these.
  int beside(int a, int b) {
    for (const Way& way : ways_from(a))
      if (way.to == b) return way.triangle;
    return -1;
  }

  // Goes on to a loop of that many edges.
  bool closes(std::size_t edges) {
    if (loop_.size() == edges) return beside(loop_.back(), loop_.front()) >= 0;
    for (const Way& way : ways_from(loop_.back())) {
      if (way.to < 0 || std::find(loop_.begin(), loop_.end(), way.to) != loop_.end()) continue;
      loop_.push_back(way.to);
      if (closes(edges)) return true;
      loop_.pop_back();
    }
    return false;
  }

  // How well the fan from the first corner goes on what is around it: a wrong one cuts through the tube.
  double smoothness() {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < loop_.size(); ++i) {
      const Vec3 normal = twice_area(surface_, {loop_[0], loop_[i], loop_[i + 1]}).normalized();
      const auto add = [&](int a, int b) { sum += std::abs(normal.dot(surface_.normal[at(beside(a, b))])); };
      add(loop_[i], loop_[i + 1]);
      if (i == 1) add(loop_[0], loop_[1]);
      if (i + 2 == loop_.size()) add(loop_[i + 1], loop_[0]);
    }
    return sum;
  }

  void fill() {
    std::vector<int> best = loop_;
    double most = -1;
    for (std::size_t turn = 0; turn < loop_.size(); ++turn) {
      if (const double here = smoothness(); here > most) {
        most = here;
        best = loop_;
      }
      std::rotate(loop_.begin(), loop_.begin() + 1, loop_.end());
    }
    loop_ = best;
    const auto take = [&](int a, int b) {
      for (Way& way : ways_from(a))
        if (way.to == b) way.to = -1;
    };
    for (std::size_t i = 0; i < loop_.size(); ++i) {
      take(loop_[i], loop_[(i + 1) % loop_.size()]);
      take(loop_[(i + 1) % loop_.size()], loop_[i]);
    }
    for (std::size_t i = 1; i + 1 < loop_.size(); ++i) {
      const std::array<int, 3> corners{loop_[0], loop_[i], loop_[i + 1]};
      surface_.triangle.push_back(corners);
      surface_.normal.push_back(twice_area(surface_, corners).normalized());
      surface_.source.push_back(-1);
    }
    filled_ = true;
  }

  Surface& surface_;
  std::vector<std::size_t> first_;  // of each point: where its ways begin
  std::vector<Way> ways_;           // along borders, point by point
  std::vector<int> loop_;
  bool filled_ = false;
};

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
  Welder welder(low, tolerance * diagonal);
  std::vector<int> number(points.size(), -1);
  for (const int t : order_in_space(points, triangles, low, high - low)) {
    std::array<int, 3> corners = triangles[at(t)];
    for (int& corner : corners) {
      int& welded = number[at(corner)];
      if (welded < 0) welded = welder.add(points[at(corner)], surface.point);
      corner = welded;
    }
    const Vec3 twice = twice_area(surface, corners);
    if (!(twice.norm() > 1e-14 * diagonal * diagonal)) continue;
    surface.triangle.push_back(corners);
    surface.normal.push_back(twice.normalized());
    surface.source.push_back(t);
  }
  const std::vector<Border> borders = find_neighbours(surface);
  if (!borders.empty() && HoleFiller(surface, borders).filled()) find_neighbours(surface);
  return surface;
}

}  // namespace filum::flexible
