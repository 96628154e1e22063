#include "published/gregoire_circles.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace filum::published {
namespace {

// The source's own constants.
constexpr double kRim = 0.3;       // cosine of the sharpest bend below which a vertex lies on the rim of an end
constexpr double kFlat = 0.98;     // cosine above which a way is flat
constexpr std::size_t kMost = 40;  // vertices of a circle

// A way across a vertex: in from a neighbour, out in the direction that prolongs it best.
struct Way {
  int from = -1;
  Vec3 out = Vec3::Zero();  // unit
  double cosine = -1;       // between in and out: 1 is straight on
};

class CircleTracer {
 public:
  CircleTracer(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles)
      : points_(points), faces_(points.size()), neighbours_(points.size()), circle_of_(points.size(), -1) {
    for (const auto& [a, b, c] : triangles)
      for (const auto& [v, x, y] : {std::array{a, b, c}, std::array{b, c, a}, std::array{c, a, b}}) {
        faces_[at(v)].emplace_back(x, y);
        neighbours_[at(v)].insert({x, y});
      }
  }

  CircleTrace run() {
    for (int v = 0; v < static_cast<int>(points_.size()); ++v) {
      if (circle_of_[at(v)] >= 0 || neighbours_[at(v)].size() < 3) continue;
      if (const auto found = circle_through(v))
        keep(*found);
      else
        ++trace_.open;
    }
    link();
    return std::move(trace_);
  }

 private:
  // The direction out of a vertex that goes on best from one into it: within a face, or along an edge.
  [[nodiscard]] Way prolonged(int at_vertex, int from) const {
    const Vec3& here = points_[at(at_vertex)];
    const Vec3 in = (here - points_[at(from)]).normalized();
    Way way{from, Vec3::Zero(), -1};
    const auto offer = [&](const Vec3& direction) {
      if (!(direction.norm() > 0)) return;
      const double cosine = in.dot(direction.normalized());
      if (cosine <= way.cosine) return;
      way.cosine = cosine;
      way.out = direction.normalized();
    };
    for (const auto& [x, y] : faces_[at(at_vertex)]) {
      const Vec3 u = points_[at(x)] - here;
      const Vec3 v = points_[at(y)] - here;
      const Vec3 n = v.cross(u).normalized();
      const Vec3 within = in - in.dot(n) * n;
      if (u.cross(n).dot(in) >= 0 && n.cross(v).dot(in) >= 0) offer(within);
      offer(u);
      offer(v);
    }
    return way;
  }

  // The neighbour that lies nearest to a direction.
  [[nodiscard]] int towards(int vertex, const Vec3& direction, int not_back_to) const {
    int best = -1;
    double most = -2;
    for (const int n : neighbours_[at(vertex)]) {
      const double cosine = (points_[at(n)] - points_[at(vertex)]).normalized().dot(direction);
      if (n == not_back_to || cosine <= most) continue;
      most = cosine;
      best = n;
    }
    return best;
  }

  [[nodiscard]] std::optional<std::vector<int>> circle_through(int start) const {
    std::vector<Way> ways;
    for (const int n : neighbours_[at(start)]) ways.push_back(prolonged(start, n));
    const auto sharper = [](const Way& a, const Way& b) { return a.cosine < b.cosine; };
    const Way& sharpest = *std::min_element(ways.begin(), ways.end(), sharper);
    // on the rim of an end the sharp way leads over the edge, the flat one round it
    if (sharpest.cosine < kRim) return followed(start, *std::max_element(ways.begin(), ways.end(), sharper));
    if (sharpest.cosine <= kFlat) return followed(start, sharpest);
    // all is flat: every way is tried, the shortest that closes is taken
    std::optional<std::vector<int>> best;
    for (const Way& way : ways) {
      const auto found = followed(start, way);
      if (found && (!best || found->size() < best->size())) best = found;
    }
    return best;
  }

  // From vertex to vertex, always on to the neighbour nearest to the prolongation, until it is back.
  [[nodiscard]] std::optional<std::vector<int>> followed(int start, const Way& first) const {
    std::vector<int> circle{start};
    int last = start;
    int next = towards(start, first.out, first.from);
    while (next >= 0 && circle.size() <= kMost) {
      if (next == start) return circle.size() > 2 ? std::optional(circle) : std::nullopt;
      if (std::find(circle.begin(), circle.end(), next) != circle.end()) return std::nullopt;
      circle.push_back(next);
      const Way on = prolonged(next, last);
      last = next;
      next = towards(next, on.out, circle[circle.size() - 2]);
    }
    return std::nullopt;
  }

  void keep(const std::vector<int>& vertices) {
    TracedCircle circle;
    circle.vertices = vertices;
    for (const int v : vertices) circle.centre += points_[at(v)] / static_cast<double>(vertices.size());
    for (const int v : vertices)
      circle.radius += (points_[at(v)] - circle.centre).norm() / static_cast<double>(vertices.size());
    for (const int v : vertices)
      if (circle_of_[at(v)] < 0) circle_of_[at(v)] = static_cast<int>(trace_.circles.size());
    trace_.circles.push_back(std::move(circle));
  }

  void link() {
    std::set<std::pair<int, int>> links;
    for (std::size_t v = 0; v < points_.size(); ++v)
      for (const int n : neighbours_[v]) {
        const int a = circle_of_[v];
        const int b = circle_of_[at(n)];
        if (a >= 0 && b > a) links.emplace(a, b);
      }
    trace_.links.assign(links.begin(), links.end());
  }

  std::span<const Vec3> points_;
  std::vector<std::vector<std::pair<int, int>>> faces_;  // about each vertex: the other two corners
  std::vector<std::set<int>> neighbours_;
  std::vector<int> circle_of_;
  CircleTrace trace_;
};

}  // namespace

CircleTrace trace_circles(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles) {
  return CircleTracer(points, triangles).run();
}

}  // namespace filum::published
