#include "sim/assembly/route_search.hpp"

#include <filum/curve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>

namespace filum::sim {
namespace {

using geometry::Segment;
using Cell = std::array<int, 3>;

constexpr std::size_t kMostCells = 400'000;
// So many are looked at from either end first: an end that is shut in shows soon, seen from there.
constexpr std::size_t kFewCells = 20'000;

struct CellHash {
  std::size_t operator()(const Cell& c) const {
    std::uint64_t h = 1469598103934665603ULL;
    for (const int x : c) h = (h ^ static_cast<std::uint32_t>(x)) * 1099511628211ULL;
    return static_cast<std::size_t>(h ^ (h >> 29U));
  }
};

class GridSearch {
 public:
  // `most`: the cost of a way that is known; `cells`: how many are looked at.
  GridSearch(const Surroundings& around, const RouteTask& task, const Vec3& from, const Vec3& to, double grid,
             double most, std::size_t cells)
      : around_(around), task_(task), from_(from), to_(to), grid_(grid), most_(most), cells_(cells) {}

  [[nodiscard]] double cost() const { return cost_; }

  FoundRoute run() {
    FoundRoute out;
    out.grid = grid_;
    open_.push({(to_ - from_).norm(), 0, {0, 0, 0}, {0, 0, 0}});
    while (!open_.empty()) {
      const Entry top = open_.top();
      open_.pop();
      if (closed_.contains(top.cell)) continue;
      const bool first = top.cell == Cell{0, 0, 0};
      // whether the way from its parent is clear is asked only of those that are wanted
      if (!first && !clear(point(top.parent), point(top.cell))) continue;
      closed_.emplace(top.cell, top.parent);
      if (closed_.size() % 256 == 0 && stops(task_.progress, 0, "a way on the grid")) {
        out.stopped = true;
        return out;
      }
      if ((point(top.cell) - to_).norm() < 2 * grid_ && clear(point(top.cell), to_)) {
        out.points = trace(top.cell);
        cost_ = top.cost + (point(top.cell) - to_).norm();
        return out;
      }
      if (closed_.size() > cells_) return out;
      expand(top);
    }
    out.complete = true;
    return out;
  }

 private:
  struct Entry {
    double estimate = 0;
    double cost = 0;
    Cell cell{};
    Cell parent{};
    bool operator<(const Entry& other) const { return estimate > other.estimate; }
  };

  [[nodiscard]] Vec3 point(const Cell& cell) const { return from_ + grid_ * Vec3(cell[0], cell[1], cell[2]); }
  [[nodiscard]] bool clear(const Vec3& a, const Vec3& b) const {
    return around_.distance(Segment{a, b}, task_.keep) >= task_.keep;
  }

  void expand(const Entry& top) {
    for (int k = 0; k < 27; ++k) {
      const Cell next{top.cell[0] + k % 3 - 1, top.cell[1] + k / 3 % 3 - 1, top.cell[2] + k / 9 - 1};
      if (next == top.cell || closed_.contains(next)) continue;
      const Vec3 x = point(next);
      if ((x.array() < task_.bounds.low.array()).any() || (x.array() > task_.bounds.high.array()).any()) continue;
      const double away = around_.nearest(x, 2 * task_.keep).value;
      if (away < task_.keep) continue;
      const double near = std::max(0.0, 2 - away / task_.keep);
      const double cost = top.cost + (x - point(top.cell)).norm() * (1 + 0.5 * near);
      const auto [known, fresh] = best_.try_emplace(next, cost);
      if (cost + (to_ - x).norm() > most_) continue;
      // the way that was cheaper may turn out not to be clear, so others are kept as well
      if (!fresh && known->second < 0.7 * cost) continue;
      known->second = std::min(known->second, cost);
      open_.push({cost + (to_ - x).norm(), cost, next, top.cell});
    }
  }
  [[nodiscard]] std::vector<Vec3> trace(Cell cell) const {
    std::vector<Vec3> points{to_};
    while (cell != Cell{0, 0, 0}) {
      points.push_back(point(cell));
      cell = closed_.at(cell);
    }
    points.push_back(from_);
    std::reverse(points.begin(), points.end());
    return points;
  }

  const Surroundings& around_;
  const RouteTask& task_;
  Vec3 from_;
  Vec3 to_;
  double grid_;
  double most_;
  std::size_t cells_;
  double cost_ = 0;
  std::priority_queue<Entry> open_;
  std::unordered_map<Cell, Cell, CellHash> closed_;
  std::unordered_map<Cell, double, CellHash> best_;
};

// On one grid: from the start, from the end, and from the start again as far as it takes.
struct OnGrid {
  FoundRoute route;
  double cost = 0;
};
OnGrid search_grid(const Surroundings& around, const RouteTask& task, const Vec3& from, const Vec3& to, double grid,
                   double most) {
  OnGrid out;
  for (const auto& [backwards, cells] : {std::pair{false, kFewCells}, {true, kFewCells}, {false, kMostCells}}) {
    GridSearch search(around, task, backwards ? to : from, backwards ? from : to, grid, most, cells);
    out.route = search.run();
    out.cost = search.cost();
    if (backwards) std::reverse(out.route.points.begin(), out.route.points.end());
    if (out.route.complete || out.route.stopped || !out.route.points.empty()) break;
  }
  return out;
}

// Straight on, wherever that is clear.
std::vector<Vec3> cut_short(const Surroundings& around, const RouteTask& task, const std::vector<Vec3>& points) {
  std::vector<Vec3> out{points.front()};
  for (std::size_t k = 0; k + 1 < points.size();) {
    std::size_t next = points.size() - 1;
    while (next > k + 1 && around.distance(Segment{points[k], points[next]}, task.keep) < task.keep) --next;
    out.push_back(points[next]);
    k = next;
  }
  return out;
}

std::vector<Vec3> even(const std::vector<Vec3>& points, std::size_t count) {
  Curve curve;
  curve.kind = CurveKind::Points;
  curve.points = points;
  std::vector<double> shares;
  for (std::size_t k = 0; k < count; ++k) shares.push_back(static_cast<double>(k) / static_cast<double>(count - 1));
  return resample(curve, shares);
}

// The two points at each end stay: place and direction. A node that is too near is pushed out.
std::vector<Vec3> smooth(const Surroundings& around, const RouteTask& task, std::vector<Vec3> x) {
  constexpr int kRounds = 400;
  constexpr double kBend = 0.06;  // below 1/8 it is stable
  constexpr double kTaut = 0.05;
  const std::size_t n = x.size();
  std::vector<Vec3> next = x;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 2; i + 2 < n; ++i) {
      const Vec3 bend = -x[i - 2] + 4 * x[i - 1] - 6 * x[i] + 4 * x[i + 1] - x[i + 2];
      next[i] = x[i] + kBend * bend + kTaut * (x[i - 1] - 2 * x[i] + x[i + 1]);
      const double keep = 1.02 * task.keep;
      const geometry::Distance near = around.nearest(next[i], keep);
      if (near.value < keep) next[i] += (keep - near.value) * near.normal;
    }
    std::swap(x, next);
    next = x;
  }
  return x;
}

}  // namespace

FoundRoute find_route(const Surroundings& around, const RouteTask& task) {
  constexpr int kCoarsest = 24;  // cells along the longest side of the bounds
  constexpr std::size_t kPoints = 161;
  const Vec3 from = task.start.position + task.lead * task.start.outwards;
  const Vec3 to = task.end.position + task.lead * task.end.outwards;
  const double size = (task.bounds.high - task.bounds.low).maxCoeff();
  // finer grids find narrower ways, which may be shorter
  constexpr double kShorter = 0.98;
  FoundRoute found;
  double most = geometry::kFarAway;
  for (double grid = size / kCoarsest;; grid *= 0.5) {
    OnGrid search = search_grid(around, task, from, to, grid, kShorter * most);
    FoundRoute& here = search.route;
    if (here.stopped) return here;
    const bool goes_on = here.complete || !here.points.empty();
    if (!here.points.empty()) most = search.cost;
    if (!here.points.empty() || found.points.empty()) found = std::move(here);
    if (grid < task.keep || !goes_on) break;
  }
  if (found.points.empty()) return found;
  std::vector<Vec3> points = cut_short(around, task, found.points);
  if (!task.start.outwards.isZero(0)) points.insert(points.begin(), task.start.position);
  if (!task.end.outwards.isZero(0)) points.push_back(task.end.position);
  found.points = smooth(around, task, even(points, kPoints));
  return found;
}

}  // namespace filum::sim
