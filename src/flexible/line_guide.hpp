// A line to measure along: which place of it a point of the tube lies beside.
#pragma once

#include "base/index.hpp"
#include "geometry/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace filum::flexible {

// Points, directions and the arc lengths of the points.
struct Guide {
  std::vector<Vec3> centre;
  std::vector<Vec3> tangent;
  std::vector<double> arc;
  // Points about a radius apart, and which of them are near.
  std::vector<std::size_t> few;
  geometry::BoxTree tree;

  // Directions over the neighbours that are `window` of arc length away, one point at least.
  Guide(std::vector<Vec3> points, double radius, double window) : centre(std::move(points)) {
    double s = 0;
    for (std::size_t k = 0; k < centre.size(); ++k) {
      if (k > 0) s += (centre[k] - centre[k - 1]).norm();
      arc.push_back(s);
      if (few.empty() || s - arc[few.back()] > 0.75 * radius) few.push_back(k);
    }
    std::size_t before = 0;
    std::size_t after = 0;
    for (std::size_t k = 0; k < centre.size(); ++k) {
      while (before + 1 < k && arc[k] - arc[before] > window) ++before;
      while (after + 1 < centre.size() && (after <= k || arc[after] - arc[k] < window)) ++after;
      const std::size_t from = k > 0 ? std::min(before, k - 1) : 0;
      tangent.push_back((centre[std::max(after, k)] - centre[from]).normalized());
    }
    std::vector<geometry::Box> boxes;
    for (const std::size_t k : few) boxes.push_back({centre[k], centre[k]});
    tree.build(boxes);
  }

  // The arc length of the place whose plane across holds the point. Exact on circular arcs, also far from the axis,
  // where the nearest point of the line alone would mix up rings of a tight bend.
  [[nodiscard]] double along(const Vec3& p, std::size_t& guess) const {
    const std::size_t k = guess = nearest(p, guess);
    const auto ahead = [&](std::size_t i) { return (p - centre[i]).dot(tangent[i]); };
    const double here = ahead(k);
    if (here >= 0 && k + 1 < centre.size()) {
      const double next = ahead(k + 1);
      if (next < here) return arc[k] + (arc[k + 1] - arc[k]) * std::min(here / (here - next), 1.5);
    }
    if (here < 0 && k > 0) {
      const double before = ahead(k - 1);
      if (before > here) return arc[k] - (arc[k] - arc[k - 1]) * std::min(here / (here - before), 1.5);
    }
    return arc[k] + here;
  }

  // First among a few, then downhill: a tube may come back near itself, so that downhill alone can end elsewhere. A good
  // guess spares most of the search.
  [[nodiscard]] std::size_t nearest(const Vec3& p, std::size_t guess = 0) const {
    const std::size_t count = centre.size();
    const auto off = [&](std::size_t k) { return (centre[k] - p).squaredNorm(); };
    std::size_t best = guess;
    double reach = std::sqrt(off(guess));
    tree.search({p, p}, reach, [&](int i) {
      const double here = std::sqrt(off(few[at(i)]));
      if (here > reach) return;
      best = few[at(i)];
      reach = here;
    });
    while (true) {
      std::size_t better = best;
      if (best + 1 < count && off(best + 1) < off(better)) better = best + 1;
      if (best > 0 && off(best - 1) < off(better)) better = best - 1;
      if (better == best) return best;
      best = better;
    }
  }

  [[nodiscard]] Vec3 at_arc(double s) const { return between(centre, s); }
  [[nodiscard]] Vec3 tangent_at(double s) const { return between(tangent, s).normalized(); }

 private:
  [[nodiscard]] Vec3 between(const std::vector<Vec3>& values, double s) const {
    const auto after = std::lower_bound(arc.begin(), arc.end(), s);
    const auto k =
        static_cast<std::size_t>(std::clamp<long>(after - arc.begin(), 1, static_cast<long>(arc.size()) - 1));
    const double t = std::clamp((s - arc[k - 1]) / (arc[k] - arc[k - 1]), 0.0, 1.0);
    return (1 - t) * values[k - 1] + t * values[k];
  }
};

}  // namespace filum::flexible
