#include "flexible/bands.hpp"

#include "base/index.hpp"
#include "flexible/middle.hpp"

#include <algorithm>
#include <cmath>

namespace filum::flexible {
namespace {

// The two ways across a flat tube at a place of its guide: wide, then high.
struct Across {
  Vec3 wide;
  Vec3 high;
};

Across across(const Vec3& wide, const Vec3& tangent) {
  const Vec3 in_plane = (wide - wide.dot(tangent) * tangent).normalized();
  return {in_plane, tangent.cross(in_plane)};
}

// Between two sections as far turned as it is far along.
Across across_at(const TracedTube& tube, const Guide& guide, double s) {
  const auto after = std::lower_bound(guide.arc.begin(), guide.arc.end(), s) - guide.arc.begin();
  const auto k = static_cast<std::size_t>(std::clamp<long>(after, 1, static_cast<long>(guide.arc.size()) - 1));
  const double share = std::clamp((s - guide.arc[k - 1]) / (guide.arc[k] - guide.arc[k - 1]), 0.0, 1.0);
  const Vec3 wide = (1 - share) * tube.stations[k - 1].wide + share * tube.stations[k].wide;
  return across(wide, guide.tangent_at(s));
}

// How far a convex curve through the corners may stand out between two of them: as far as where their neighbours' sides
// meet, if they are prolonged. Sharp corners are the section's own, and the side between them is straight.
double bulge(const std::vector<Vec2>& corners) {
  constexpr double kSharp = 1;  // rad
  const std::size_t count = corners.size();
  const auto corner = [&](std::size_t i) -> const Vec2& { return corners[i % count]; };
  const auto turn = [&](std::size_t i) {
    const Vec2 in = corner(i) - corner(i + count - 1);
    const Vec2 out = corner(i + 1) - corner(i);
    const double turned = std::atan2(cross(in, out), in.dot(out));
    return turned > kSharp ? 0 : turned;
  };
  double most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = turn(i);
    const double b = turn(i + 1);
    if (a > 0 && b > 0) most = std::max(most, (corner(i + 1) - corner(i)).norm() / (1 / std::tan(a) + 1 / std::tan(b)));
  }
  return most;
}

// What the vertices about one section say of it.
struct Slice {
  Profile profile;
  CircleRest rest;
  double bulge = 0;
};

Slice slice_of(const std::vector<Vec2>& flat, const Vec3& centre, const Across& ways) {
  const std::vector<Vec2> corners = convex_hull(flat);
  std::vector<Vec3> points;
  points.reserve(corners.size());
  for (const Vec2& p : corners) points.push_back(centre + p.x() * ways.wide + p.y() * ways.high);
  const Vec3 normal = ways.wide.cross(ways.high);
  Slice slice;
  slice.profile = fit_profile(points, normal);
  if (!(slice.profile.half.y() > 0)) return slice;
  align(slice.profile, ways.wide, normal);
  slice.rest = rest_of(points, slice.profile, normal);
  slice.bulge = bulge(corners);
  return slice;
}

bool is_like(const Profile& profile, const Station& station) {
  return (profile.half - station.half).cwiseAbs().maxCoeff() < 0.15 * station.half.y() &&
         (profile.centre - station.centre).norm() < 0.3 * station.radius;
}

// As wide and as high as the middle one of its sections; how far that may be off.
void take_halves(CentreLine& line, const std::vector<Slice>& slices) {
  for (int k = 0; k < 2; ++k) {
    std::vector<double> all;
    for (const Slice& slice : slices)
      if (slice.profile.half.y() > 0) all.push_back(slice.profile.half[k]);
    if (all.empty()) return;
    line.half[k] = middle(all);
  }
  for (std::size_t i = 0; i < slices.size(); ++i)
    line.radius_bound[i] +=
        ((slices[i].profile.half - line.half).cwiseAbs().maxCoeff() + slices[i].bulge) / line.radius[i];
}

}  // namespace

void bound_bands(CentreLine& line, const std::vector<CircleRest>& rests, const Guide& guide) {
  double eta = 0;
  for (std::size_t k = 0; k < rests.size(); ++k) {
    const double from_end = std::min(guide.arc[k], guide.arc.back() - guide.arc[k]);
    if (from_end > kFromEnd * line.radius[k]) eta = std::max(eta, rests[k].worst);
  }
  for (std::size_t k = 0; k < rests.size(); ++k) {
    line.centre_bound.push_back(centre_bound(rests[k], eta) / line.radius[k]);
    line.radius_bound.push_back(radius_bound(rests[k], eta) / line.radius[k]);
  }
}

CentreLine flat_bands(const TracedTube& tube, const Guide& guide, const std::vector<PlacedVertex>& vertices) {
  constexpr double kReach = 0.5;  // radii
  std::vector<Vec2> seen;         // of each vertex: across the tube where it is
  seen.reserve(vertices.size());
  for (const auto& [point, s] : vertices) {
    const Vec3 off = point - guide.at_arc(s);
    const Across ways = across_at(tube, guide, s);
    seen.emplace_back(off.dot(ways.wide), off.dot(ways.high));
  }
  CentreLine line;
  std::vector<Slice> slices;
  std::vector<CircleRest> rests;
  std::size_t first = 0;
  for (std::size_t k = 0; k < tube.stations.size(); ++k) {
    const Station& station = tube.stations[k];
    const double reach = kReach * station.radius;
    while (first < vertices.size() && vertices[first].s < guide.arc[k] - reach) ++first;
    std::vector<Vec2> near;
    for (std::size_t i = first; i < vertices.size() && vertices[i].s < guide.arc[k] + reach; ++i)
      near.push_back(seen[i]);
    Slice slice = near.size() < 4 ? Slice{} : slice_of(near, guide.centre[k], across(station.wide, guide.tangent[k]));
    if (!is_like(slice.profile, station)) slice = {};
    const bool good = slice.profile.half.y() > 0;
    line.centre.push_back(good ? slice.profile.centre : station.centre);
    line.radius.push_back(good ? std::sqrt(slice.profile.half.x() * slice.profile.half.y()) : station.radius);
    rests.push_back(slice.rest);
    slices.push_back(slice);
  }
  bound_bands(line, rests, guide);
  take_halves(line, slices);
  line.start_tangent = tube.stations.front().tangent;
  line.end_tangent = tube.stations.back().tangent;
  return line;
}

}  // namespace filum::flexible
