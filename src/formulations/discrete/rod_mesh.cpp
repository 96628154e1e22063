#include "formulations/discrete/rod_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace filum::discrete {

namespace {

// Places closer together than this share of the rod's length are one place.
constexpr double kSamePlace = 1e-7;

// Sorted, with near doubles merged; the ends of the rod included.
std::vector<double> tidy_breaks(double length, bool closed, std::vector<double> breaks) {
  for (double& s : breaks) {
    if (closed) s -= length * std::floor(s / length);
    s = std::clamp(s, 0.0, length);
  }
  breaks.push_back(0);
  breaks.push_back(length);
  std::sort(breaks.begin(), breaks.end());
  std::vector<double> tidy;
  for (const double s : breaks)
    if (tidy.empty() || s - tidy.back() > kSamePlace * length) tidy.push_back(s);
  // the end itself, not what came just before it
  if (length - tidy.back() <= kSamePlace * length) tidy.back() = length;
  return tidy;
}

// Shares `segments` among the spans in proportion to their lengths, at least one each (largest remainders first).
std::vector<int> share_segments(const std::vector<double>& breaks, int segments) {
  const std::size_t spans = breaks.size() - 1;
  const double length = breaks.back();
  std::vector<int> count(spans);
  std::vector<double> remainder(spans);
  int total = 0;
  for (std::size_t k = 0; k < spans; ++k) {
    const double wanted = segments * (breaks[k + 1] - breaks[k]) / length;
    count[k] = std::max(1, static_cast<int>(std::floor(wanted + 1e-9)));
    remainder[k] = wanted - count[k];
    total += count[k];
  }
  std::vector<std::size_t> order(spans);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return remainder[a] > remainder[b]; });
  for (std::size_t k = 0; total < segments; k = (k + 1) % spans, ++total) ++count[order[k]];
  return count;
}

// The nodes given, if they begin and end with the rod, ascend, and have every break among them.
bool usable(const std::vector<double>& breaks, std::span<const double> given, bool closed) {
  const double length = breaks.back();
  if (given.size() < 2 || std::abs(given.front()) > kSamePlace * length) return false;
  if (!closed && std::abs(given.back() - length) > kSamePlace * length) return false;
  for (std::size_t i = 1; i < given.size(); ++i)
    if (given[i] - given[i - 1] < kSamePlace * length) return false;
  return std::all_of(breaks.begin(), breaks.end() - (closed ? 1 : 0), [&](double s) {
    const auto at = std::lower_bound(given.begin(), given.end(), s - kSamePlace * length);
    return at != given.end() && std::abs(*at - s) <= kSamePlace * length;
  });
}

}  // namespace

int RodMesh::node_at(double arc) const {
  if (closed) arc -= length * std::floor(arc / length);
  const auto after = std::lower_bound(s.begin(), s.end(), arc);
  auto i = static_cast<std::ptrdiff_t>(after - s.begin());
  const double gap_after = i < nodes() ? s[static_cast<std::size_t>(i)] - arc : (closed ? length - arc : 1e300);
  const double gap_before = i > 0 ? arc - s[static_cast<std::size_t>(i) - 1] : 1e300;
  if (gap_before < gap_after) --i;
  return i == nodes() ? 0 : static_cast<int>(i);
}

RodMesh make_mesh(double length, bool closed, int segments, std::vector<double> breaks, std::span<const double> given) {
  // where a ring begins is an ordinary place unless something acts there
  const bool break_at_start = !closed || std::any_of(breaks.begin(), breaks.end(), [&](double s) {
    return std::abs(s - length * std::round(s / length)) <= kSamePlace * length;
  });
  const std::vector<double> tidy = tidy_breaks(length, closed, std::move(breaks));
  RodMesh mesh;
  mesh.closed = closed;
  mesh.length = length;
  if (usable(tidy, given, closed)) {
    mesh.s.assign(given.begin(), given.end());
  } else {
    // a ring of fewer than three edges has no area: it could neither bend nor be drawn
    const std::vector<int> count = share_segments(tidy, std::max(segments, closed ? 3 : 1));
    for (std::size_t k = 0; k + 1 < tidy.size(); ++k)
      for (int i = 0; i < count[k]; ++i) mesh.s.push_back(tidy[k] + (tidy[k + 1] - tidy[k]) * i / count[k]);
    if (!closed) mesh.s.push_back(length);
  }
  // mark the breaks
  mesh.is_break.assign(mesh.s.size(), false);
  for (std::size_t k = break_at_start ? 0 : 1; k < tidy.size() - (closed ? 1 : 0); ++k)
    mesh.is_break[static_cast<std::size_t>(mesh.node_at(tidy[k]))] = true;
  return mesh;
}

std::vector<Reach> half_cells(const RodMesh& mesh) {
  std::vector<Reach> reach(mesh.s.size());
  for (int edge = 0; edge < mesh.edges(); ++edge) {
    const double half = 0.5 * mesh.edge_length(edge);
    reach[static_cast<std::size_t>(edge)].after = half;
    reach[static_cast<std::size_t>((edge + 1) % mesh.nodes())].before = half;
  }
  return reach;
}

std::vector<Reach> bending_reach(const RodMesh& mesh) {
  std::vector<Reach> reach = half_cells(mesh);
  const int nodes = mesh.nodes();
  auto around = [&](int node) { return (node % nodes + nodes) % nodes; };
  auto inside = [&](int node) { return mesh.closed || (node >= 0 && node < nodes); };
  // Gregory's weights as cell borders: in the edge next to a break the border moves towards the break by 1/8 of the
  // edge, in the one after it away from it by 1/24
  auto move_border = [&](int outer, int inner, int edge, double share) {
    const double move = share * mesh.edge_length(around(edge));
    Reach& near = reach[static_cast<std::size_t>(around(outer))];
    Reach& far = reach[static_cast<std::size_t>(around(inner))];
    (inner > outer ? near.after : near.before) += move;
    (inner > outer ? far.before : far.after) -= move;
  };
  for (int node = 0; node < nodes; ++node) {
    if (!mesh.is_break[static_cast<std::size_t>(node)]) continue;
    for (const int way : {1, -1}) {
      // a span of a single edge keeps its halves
      if (!inside(node + way) || mesh.is_break[static_cast<std::size_t>(around(node + way))]) continue;
      const int first_edge = way > 0 ? node : node - 1;
      move_border(node, node + way, first_edge, -1.0 / 8);
      move_border(node + way, node + 2 * way, first_edge + way, 1.0 / 24);
    }
  }
  return reach;
}

}  // namespace filum::discrete
