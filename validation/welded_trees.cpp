// The skin of a tree of tubes as one mesh: marching tetrahedra on the distance from its tubes.
//
// Only grid points near the tubes are looked at. Each remembers the place of each tube that is nearest to it, from where
// the distance of any point beside it is found again by walking along the centre line.
#include "base/index.hpp"
#include "validation/swept_trees.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace filum::validation {

namespace welded_trees_case {
namespace {

constexpr double kBlend = 0.4;  // radii over which tubes run into each other

struct Near {
  int branch;
  int place;  // the point of its centre line that is nearest
};

class Skin {
 public:
  Skin(TrueTree& tree, double cell) : tree_(tree), cell_(cell) {}

  void make() {
    tree_.points.clear();
    tree_.triangles.clear();
    for (std::size_t b = 0; b < tree_.branches.size(); ++b) mark(static_cast<int>(b));
    for (auto& [key, grid] : grid_) grid.value = value(place(key), grid.near);
    // in the order of the keys: that of the map is nobody's
    std::vector<std::uint64_t> keys;
    for (const auto& [key, grid] : grid_) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    for (const std::uint64_t key : keys) contour_cell(key);
  }

 private:
  struct GridPoint {
    std::vector<Near> near;
    double value = 0;
  };

  static constexpr std::int64_t kMiddle = 1 << 20;
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x + kMiddle) << 42 | static_cast<std::uint64_t>(y + kMiddle) << 21 |
           static_cast<std::uint64_t>(z + kMiddle);
  }
  static std::array<std::int64_t, 3> indices(std::uint64_t k) {
    const auto part = [](std::uint64_t v) { return static_cast<std::int64_t>(v & 0x1FFFFF) - kMiddle; };
    return {part(k >> 42), part(k >> 21), part(k)};
  }
  [[nodiscard]] Vec3 place(std::uint64_t k) const {
    const auto i = indices(k);
    return cell_ * Vec3(static_cast<double>(i[0]), static_cast<double>(i[1]), static_cast<double>(i[2]));
  }

  // Grid points around a tube, from one place every half radius.
  void mark(int b) {
    const TrueBranch& branch = tree_.branches[at(b)];
    const int last = static_cast<int>(branch.centre.size()) - 1;
    for (int i = 0; i <= last;) {
      const double reach = 1.9 * branch.radius[at(i)] + 2 * cell_;
      std::array<std::int64_t, 3> low, high;
      for (int k = 0; k < 3; ++k) {
        low[at(k)] = static_cast<std::int64_t>(std::floor((branch.centre[at(i)][k] - reach) / cell_));
        high[at(k)] = static_cast<std::int64_t>(std::ceil((branch.centre[at(i)][k] + reach) / cell_));
      }
      for (std::int64_t x = low[0]; x <= high[0]; ++x)
        for (std::int64_t y = low[1]; y <= high[1]; ++y)
          for (std::int64_t z = low[2]; z <= high[2]; ++z) note(key(x, y, z), b, i);
      int next = i + 1;
      while (next < last && (branch.centre[at(next)] - branch.centre[at(i)]).norm() < 0.5 * branch.radius[at(i)])
        ++next;
      i = next;
    }
  }

  void note(std::uint64_t k, int b, int i) {
    GridPoint& grid = grid_[k];
    const Vec3 p = place(k);
    const auto& centre = tree_.branches[at(b)].centre;
    for (Near& near : grid.near)
      if (near.branch == b) {
        if ((centre[at(i)] - p).squaredNorm() < (centre[at(near.place)] - p).squaredNorm()) near.place = i;
        return;
      }
    grid.near.push_back({b, i});
  }

  // Distance from one tube: flat at free ends, round at nodes.
  [[nodiscard]] double distance(const Vec3& p, Near near) const {
    const TrueBranch& branch = tree_.branches[at(near.branch)];
    const int last = static_cast<int>(branch.centre.size()) - 1;
    const auto off = [&](int i) { return (branch.centre[at(i)] - p).squaredNorm(); };
    int i = near.place;
    for (const int stride : {16, 1})
      while (true) {
        if (i + stride <= last && off(i + stride) < off(i))
          i += stride;
        else if (i - stride >= 0 && off(i - stride) < off(i))
          i -= stride;
        else
          break;
      }
    double best = std::numeric_limits<double>::max();
    for (int a = std::max(0, i - 1); a < std::min(last, i + 1); ++a) {
      const Vec3& from = branch.centre[at(a)];
      const Vec3 way = branch.centre[at(a + 1)] - from;
      double t = (p - from).dot(way) / way.squaredNorm();
      const bool before = a == 0 && t < 0;
      const bool beyond = a + 1 == last && t > 1;
      const bool flat =
          (before && tree_.degree[at(branch.start)] == 1) || (beyond && tree_.degree[at(branch.end)] == 1);
      const double out = flat ? (before ? -t : t - 1) * way.norm() : -std::numeric_limits<double>::max();
      if (!flat) t = std::clamp(t, 0.0, 1.0);
      const double share = std::clamp(t, 0.0, 1.0);
      const double radius = branch.radius[at(a)] + share * (branch.radius[at(a + 1)] - branch.radius[at(a)]);
      best = std::min(best, std::max((from + t * way - p).norm() - radius, out));
    }
    return best;
  }

  // Below zero inside the skin.
  [[nodiscard]] double value(const Vec3& p, const std::vector<Near>& near) const {
    double sum = std::numeric_limits<double>::max();
    double blend = 0;
    for (const Near& each : near) {
      const TrueBranch& branch = tree_.branches[at(each.branch)];
      const double d = distance(p, each);
      const double width = kBlend * branch.radius[at(each.place)];
      blend = blend > 0 ? std::min(blend, width) : width;
      const double h = std::max(blend - std::abs(sum - d), 0.0) / blend;
      sum = std::min(sum, d) - h * h * blend / 4;
    }
    return sum;
  }

  // A cube of eight grid points as six tetrahedra about its long diagonal.
  void contour_cell(std::uint64_t k) {
    static constexpr std::array<std::array<int, 4>, 6> kTetrahedra{
        {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};
    const auto [x, y, z] = indices(k);
    std::array<std::uint64_t, 8> corner;
    for (int i = 0; i < 8; ++i) {
      corner[at(i)] = key(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2 & 1));
      if (!grid_.count(corner[at(i)])) return;
    }
    for (const auto& tetrahedron : kTetrahedra) {
      std::vector<std::uint64_t> in, out;
      for (const int i : tetrahedron) (grid_.at(corner[at(i)]).value < 0 ? in : out).push_back(corner[at(i)]);
      if (in.size() == 1 || out.size() == 1) {
        const auto& one = in.size() == 1 ? in : out;
        const auto& three = in.size() == 1 ? out : in;
        tree_.triangles.push_back({vertex(one[0], three[0]), vertex(one[0], three[1]), vertex(one[0], three[2])});
      } else if (in.size() == 2) {
        const int a = vertex(in[0], out[0]);
        const int b = vertex(in[0], out[1]);
        const int c = vertex(in[1], out[1]);
        const int d = vertex(in[1], out[0]);
        tree_.triangles.push_back({a, b, c});
        tree_.triangles.push_back({a, c, d});
      }
    }
  }

  // Where the skin crosses the way between two grid points, by the rule of false position.
  int vertex(std::uint64_t a, std::uint64_t b) {
    if (a > b) std::swap(a, b);
    auto& known = made_[a];
    for (const auto& [other, number] : known)
      if (other == b) return number;
    const Vec3 from = place(a);
    const Vec3 to = place(b);
    const std::vector<Near>& near = grid_.at(a).near;
    double low = 0;
    double high = 1;
    double at_low = grid_.at(a).value;
    double at_high = value(to, near);
    double t = 0.5;
    for (int i = 0; i < 30; ++i) {
      t = i % 3 == 2 ? (low + high) / 2 : low - at_low * (high - low) / (at_high - at_low);
      const double here = value(from + t * (to - from), near);
      if (std::abs(here) < 1e-9 * cell_) break;
      ((here < 0) == (at_low < 0) ? low : high) = t;
      ((here < 0) == (at_low < 0) ? at_low : at_high) = here;
    }
    known.emplace_back(b, static_cast<int>(tree_.points.size()));
    tree_.points.push_back(from + t * (to - from));
    return known.back().second;
  }

  TrueTree& tree_;
  double cell_;
  std::unordered_map<std::uint64_t, GridPoint> grid_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint64_t, int>>> made_;
};

}  // namespace
}  // namespace welded_trees_case

void mesh_anew(TrueTree& tree, double cell) {
  welded_trees_case::Skin(tree, cell).make();
}

}  // namespace filum::validation
