#include "flexible/tube_refine.hpp"

#include "base/index.hpp"
#include "flexible/bands.hpp"
#include "flexible/middle.hpp"
#include "math/frame.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::flexible {
namespace {

// A vertex of the tube in its own coordinates.
struct TubeVertex {
  Vec3 point;
  double s = 0;
  double turn = 0;  // of the surface round the tube at this vertex, rad
};

// Vertices that lie together across the tube.
struct Ring {
  Vec3 centre = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();
  double radius = 0;
  double lever = 0;  // by which a lean lifts its vertices out of its plane: the radius, of a flat one half its height
  double s = 0;
  double sigma = 0;          // how far its direction is off, as a rule, rad
  Vec2 half = Vec2::Zero();  // of a flat one
  double fill = 0;           // likewise: its area as a share of the box about it
  CircleRest rest;
};

double angle(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// The line from one ring to another: a cubic with their directions, as fast at its ends as a circular arc.
struct Span {
  Vec3 start;
  Vec3 end;
  double length;  // of the chord
  Vec3 from;      // directions, unit; that of the chord where a ring leans to it by less than its noise
  Vec3 to;
  double speed;

  Span(const Ring& a, const Ring& b) : start(a.centre), end(b.centre), length((end - start).norm()) {
    const Vec3 chord = (end - start) / length;
    const auto direction = [&](const Ring& ring) {
      return angle(ring.normal, chord) < 5 * ring.sigma ? chord : ring.normal;
    };
    from = direction(a);
    to = direction(b);
    const double bend = angle(from, to);
    speed = bend > 1e-6 ? length * (bend / 2) / std::sin(bend / 2) : length;
  }
  [[nodiscard]] Vec3 at(double t) const {
    const double u = 1 - t;
    return (1 + 2 * t) * u * u * start + t * t * (3 - 2 * t) * end + speed * t * u * (u * from - t * to);
  }
  // How far a point is from it, near the middle of it.
  [[nodiscard]] double off(const Vec3& p) const {
    const double t = std::clamp((p - start).dot(end - start) / (length * length), 0.0, 1.0);
    const Vec3 way = (at(t + 0.01) - at(t - 0.01)).normalized();
    const Vec3 aside = p - at(t);
    return (aside - aside.dot(way) * way).norm();
  }
};

// How far a line of spans may be off: at the rings by what their circles leave, between them by more.
//
// Of what lies between rings no vertex tells. A line that bends one way there lies between the chord and the directions at
// its ends. And the span from the ring before to the ring behind passes the one that it leaves out at some distance; a span
// half as long is off by less than that, sixteen times where the line is smooth. The least of these counts, but where the
// line does not bend evenly between two rings, or where a subdivision has put rings on chords, of which one may have been
// overlooked: there the first alone.
class RingBounds {
 public:
  RingBounds(const std::vector<Ring>& rings, bool divided)
      : rings_(rings), left_out_(rings.size(), std::numeric_limits<double>::infinity()) {
    for (const Ring& ring : rings) {
      circle_ = std::max(circle_, ring.rest.worst);
      plane_ = std::max(plane_, ring.rest.plane_worst);
    }
    for (std::size_t i = 1; i + 1 < rings.size() && !divided; ++i)
      left_out_[i] = Span(rings[i - 1], rings[i + 1]).off(rings[i].centre);
  }

  // Of a point of the span behind ring i.
  [[nodiscard]] double centre(std::size_t i, double t, const Vec3& point) const {
    const Ring& a = rings_[i];
    const Ring& b = rings_[i + 1];
    const double at_rings = std::max(centre_bound(a.rest, circle_), centre_bound(b.rest, circle_));
    if (t <= 0 || t >= 1) return at_rings;
    const Vec3 chord = b.centre - a.centre;
    const Lean from = lean(a, chord);
    const Lean to = lean(b, chord);
    const double aside = (point - a.centre - t * chord).norm();
    const double high = chord.norm() * std::min(t * std::tan(from.most), (1 - t) * std::tan(to.most));
    const double between = std::max(aside, high - aside);
    const bool evenly = std::abs(from.angle - to.angle) <
                        kUneven * (from.angle + to.angle) + from.most - from.angle + to.most - to.angle;
    return at_rings + (evenly ? std::min({between, left_out_[i], left_out_[i + 1]}) : between);
  }
  [[nodiscard]] double radius(std::size_t i) const {
    return std::max(radius_bound(rings_[i].rest, circle_), radius_bound(rings_[i + 1].rest, circle_));
  }

 private:
  static constexpr double kUneven = 0.25;  // share by which directions lean to the chord more on one side

  // How far a ring's direction leans to a chord, and at most.
  struct Lean {
    double angle;
    double most;
  };
  [[nodiscard]] Lean lean(const Ring& ring, const Vec3& chord) const {
    const double found = angle(ring.normal, chord);
    return {found, std::min(1.5, found + lean_bound(ring.rest, plane_, ring.lever))};
  }

  const std::vector<Ring>& rings_;
  std::vector<double> left_out_;  // how far the line without this ring passes it; infinite for the first and the last
  double circle_ = 0;             // how far vertices are from their circles and planes, at most
  double plane_ = 0;
};

std::vector<Vec3> centres_of(const TracedTube& tube) {
  std::vector<Vec3> centres;
  for (const Station& station : tube.stations) centres.push_back(station.centre);
  return centres;
}

class Refiner {
 public:
  Refiner(const Surface& surface, const TracedTube& tube, const std::vector<int>& triangles)
      : surface_(surface), tube_(tube), radius_(tube.radius()), sections_(centres_of(tube), radius_, 0) {
    collect(triangles);
  }

  [[nodiscard]] CentreLine run() const {
    if (all_.empty()) return by_bands();
    // along the sections as they are, and smoothed, which helps at kinks
    Rings best = find_rings(sections_);
    if (!is_complete(best)) keep_better(best, find_rings(Guide(centres_of(tube_), radius_, radius_)));
    for (int round = 0; round < 2 && best.list.size() > 1 && !is_complete(best); ++round) {
      const CentreLine line = by_rings(best.list, false);
      keep_better(best, find_rings(Guide(line.centre, radius_, 0)));
    }
    if (2 * best.members < turning_ || best.list.size() < 2) return by_bands();
    // on a surface that was meshed anew, chance rings lie as close as they are wide
    if (best.width > 0.3 * (best.list.back().s - best.list.front().s)) return by_bands();
    drop_crooked_rings(best.list);
    const std::size_t rings = best.list.size();
    drop_chord_rings(best.list);
    return by_rings(best.list, best.list.size() < rings);
  }

  // Where corrugations are divided so finely that their rings run into each other, circles through all vertices have a
  // mean radius. The crests are as far out as vertices go.
  void reach_crests(CentreLine& line) const {
    const Guide guide(line.centre, radius_, 0);
    const std::vector<TubeVertex> vertices = measured(guide, true);
    std::size_t first = 0;
    for (std::size_t k = 0; k < line.centre.size(); ++k) {
      while (first < vertices.size() && vertices[first].s < guide.arc[k] - radius_) ++first;
      for (std::size_t i = first; i < vertices.size() && vertices[i].s < guide.arc[k] + radius_; ++i)
        line.radius[k] = std::max(line.radius[k], (vertices[i].point - guide.at_arc(vertices[i].s)).norm());
    }
    line.kind = TubeKind::Corrugated;
  }

 private:
  struct Rings {
    std::vector<Ring> list;
    std::size_t members = 0;  // vertices in them
    double width = 0;         // along the tube, of all together
  };
  // No other line to measure along would find more: every vertex is in a ring, and each ring is one circle in one plane.
  [[nodiscard]] bool is_complete(const Rings& rings) const {
    constexpr double kExact = 1e-3;  // radii
    if (rings.members != turning_) return false;
    return std::all_of(rings.list.begin(), rings.list.end(), [&](const Ring& ring) {
      return std::max(ring.rest.plane_worst, ring.rest.worst) < kExact * radius_;
    });
  }
  static constexpr std::array kGaps{0.12, 0.06, 0.03, 0.015};  // radii, between rings that are two
  static void keep_better(Rings& best, Rings other) {
    if (other.members > best.members || (other.members == best.members && other.list.size() > best.list.size()))
      best = std::move(other);
  }

  // ---- vertices

  void collect(const std::vector<int>& triangles) {
    // the turn of the surface at each edge, shared between its ends
    std::vector<std::pair<int, double>> turns;
    turns.reserve(6 * triangles.size());
    std::size_t station = 0;
    for (const int t : triangles) {
      station = sections_.nearest(surface_.centroid(t), station);
      const Vec3& tangent = tube_.stations[station].tangent;
      for (int k = 0; k < 3; ++k) {
        const int a = surface_.triangle[at(t)][at(k)];
        const int b = surface_.triangle[at(t)][at((k + 1) % 3)];
        const int n = surface_.neighbour[at(t)][at(k)];
        if (n < 0) continue;
        const double bent = std::acos(std::min(1.0, std::abs(surface_.normal[at(t)].dot(surface_.normal[at(n)]))));
        const double along = (surface_.point[at(b)] - surface_.point[at(a)]).normalized().dot(tangent);
        // an edge inside the tube is met from both of its triangles
        turns.emplace_back(a, 0.5 * bent * along * along);
        turns.emplace_back(b, 0.5 * bent * along * along);
      }
    }
    std::sort(turns.begin(), turns.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t i = 0; i < turns.size();) {
      TubeVertex vertex;
      vertex.point = surface_.point[at(turns[i].first)];
      std::size_t next = i;
      for (; next < turns.size() && turns[next].first == turns[i].first; ++next) vertex.turn += turns[next].second;
      all_.push_back(vertex);
      i = next;
    }
    if (all_.empty()) return;
    // those where the surface turns
    std::vector<double> sorted;
    for (const TubeVertex& vertex : all_) sorted.push_back(vertex.turn);
    const std::size_t rank = sorted.size() * 8 / 10;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<long>(rank), sorted.end());
    least_turn_ = 0.1 * sorted[rank];
    for (const TubeVertex& vertex : all_) turning_ += vertex.turn > least_turn_ ? 1 : 0;
  }

  // Sorted along a line; `all`: also those where the surface does not turn.
  [[nodiscard]] std::vector<TubeVertex> measured(const Guide& guide, bool all) const {
    std::vector<TubeVertex> vertices;
    std::size_t station = 0;
    for (const TubeVertex& vertex : all_) {
      if (!all && !(vertex.turn > least_turn_)) continue;
      vertices.push_back(vertex);
      vertices.back().s = guide.along(vertex.point, station);
    }
    std::sort(vertices.begin(), vertices.end(), [](const TubeVertex& a, const TubeVertex& b) { return a.s < b.s; });
    return vertices;
  }

  // ---- rings

  [[nodiscard]] bool make_ring(const std::vector<TubeVertex>& vertices, std::size_t first, std::size_t last,
                               Ring& ring) const {
    const std::size_t fewest = tube_.kind == TubeKind::Flat ? 4 : 5;
    if (last - first < fewest || vertices[last - 1].s - vertices[first].s > 0.8 * radius_) return false;
    Vec3 mean = Vec3::Zero();
    for (std::size_t i = first; i < last; ++i) mean += vertices[i].point / static_cast<double>(last - first);
    Mat3 spread = Mat3::Zero();
    for (std::size_t i = first; i < last; ++i)
      spread += (vertices[i].point - mean) * (vertices[i].point - mean).transpose() / static_cast<double>(last - first);
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(spread);
    if (eigen.eigenvalues()[0] > 0.002 * radius_ * radius_) return false;
    ring.s = 0;
    for (std::size_t i = first; i < last; ++i) ring.s += vertices[i].s / static_cast<double>(last - first);
    const Vec3 along = tube_.stations[sections_.nearest(mean)].tangent;
    ring.normal = eigen.eigenvectors().col(0);
    if (ring.normal.dot(along) < 0) ring.normal = -ring.normal;
    if (ring.normal.dot(along) < 0.8) return false;
    std::vector<Vec3> points;
    for (std::size_t i = first; i < last; ++i) points.push_back(vertices[i].point);
    if (tube_.kind == TubeKind::Flat) return make_flat_ring(points, mean, eigen.eigenvalues()[0], ring);
    const std::vector<double> weights(points.size(), 1);
    const Circle circle = fit_circle(points, weights, ring.normal);
    if (!circle.found || circle.rms > 0.05 || circle.gap > 2.2) return false;
    if (std::abs(circle.radius / radius_ - 1) > 0.6) return false;
    ring.centre = circle.centre;
    ring.radius = ring.lever = circle.radius;
    // out of its plane as much as out of its circle
    const double flat = std::sqrt(std::max(eigen.eigenvalues()[0], 0.0)) / circle.radius;
    ring.sigma = std::max(circle.rms, flat) * std::sqrt(2.0 / static_cast<double>(points.size()));
    ring.rest = rest_of(points, weights, circle, ring.normal);
    return true;
  }

  // The same of a flat tube: as wide and as high as its sections are there.
  [[nodiscard]] bool make_flat_ring(const std::vector<Vec3>& points, const Vec3& mean, double variance,
                                    Ring& ring) const {
    Profile profile = fit_profile(points, ring.normal);
    const Station& station = tube_.stations[sections_.nearest(mean)];
    align(profile, station.wide, ring.normal);
    if ((profile.half - station.half).cwiseAbs().maxCoeff() > 0.1 * station.half.y()) return false;
    if (!is_convex(profile, points, ring.normal)) return false;
    ring.centre = profile.centre;
    ring.radius = std::sqrt(profile.half.x() * profile.half.y());
    ring.half = profile.half;
    ring.fill = profile.fill;
    ring.lever = profile.half.y();
    ring.sigma = std::sqrt(std::max(variance, 0.0)) / ring.radius * std::sqrt(2.0 / static_cast<double>(points.size()));
    ring.rest = rest_of(points, profile, ring.normal);
    return true;
  }

  // Clusters along the tube; one that is no ring is tried with the next ones: at a sharp kink a ring falls into pieces.
  [[nodiscard]] Rings find_rings(const Guide& guide) const {
    const std::vector<TubeVertex> vertices = measured(guide, false);
    // rings of a finely divided bend lie closer together than those of a noisy tube are wide
    Rings best;
    std::size_t last = 0;
    for (const double gap : kGaps) {
      std::vector<std::size_t> begins{0};
      for (std::size_t i = 1; i < vertices.size(); ++i)
        if (vertices[i].s - vertices[i - 1].s > gap * radius_) begins.push_back(i);
      begins.push_back(vertices.size());
      // as many are the same ones
      if (begins.size() != last) keep_better(best, rings_of(vertices, begins));
      last = begins.size();
    }
    return best;
  }

  [[nodiscard]] Rings rings_of(const std::vector<TubeVertex>& vertices, const std::vector<std::size_t>& begins) const {
    Rings found;
    for (std::size_t c = 0; c + 1 < begins.size(); ++c) {
      Ring ring;
      for (std::size_t more = 1; more <= 5 && c + more < begins.size(); ++more) {
        if (!make_ring(vertices, begins[c], begins[c + more], ring)) continue;
        found.list.push_back(ring);
        found.members += begins[c + more] - begins[c];
        found.width += vertices[begins[c + more] - 1].s - vertices[begins[c]].s;
        c += more - 1;
        break;
      }
    }
    return found;
  }

  // Rings whose vertices are those of two, of which one lies close by: much farther out of plane and circle than the others
  // are.
  void drop_crooked_rings(std::vector<Ring>& rings) const {
    constexpr double kLeast = 0.01;  // radii
    constexpr double kMore = 5;      // than the median
    const auto off = [](const Ring& ring) { return std::max(ring.rest.plane_worst, ring.rest.worst); };
    std::vector<double> all;
    for (const Ring& ring : rings) all.push_back(off(ring));
    const double most = std::max(kLeast * radius_, kMore * middle(all));
    // the tube ends at the first and the last
    rings.erase(std::remove_if(rings.begin() + 1, rings.end() - 1, [&](const Ring& ring) { return off(ring) > most; }),
                rings.end() - 1);
  }

  // Rings that a flat subdivision has put on the chord of a bend: their planes' neighbours turn, the line does not.
  static void drop_chord_rings(std::vector<Ring>& rings) {
    std::vector<Ring> kept;
    for (const Ring& next : rings) {
      // without a ring the one before may lie on a chord too
      while (kept.size() > 1 && is_on_chord(kept[kept.size() - 2], kept.back(), next)) kept.pop_back();
      kept.push_back(next);
    }
    rings = std::move(kept);
  }
  static bool is_on_chord(const Ring& a, const Ring& ring, const Ring& b) {
    const Vec3 chord = (b.centre - a.centre).normalized();
    const double turn = angle(ring.centre - a.centre, b.centre - ring.centre);
    const double sigma = std::max({a.sigma, b.sigma, ring.sigma});
    const double bend = angle(a.normal, b.normal);
    if (turn > std::max(0.02, 4 * sigma) || bend < 0.03) return false;
    return std::min(angle(a.normal, chord), angle(b.normal, chord)) >= std::max(0.25 * bend, 5 * sigma);
  }

  // ---- the line

  // `divided`: some rings lay on chords.
  [[nodiscard]] CentreLine by_rings(const std::vector<Ring>& rings, bool divided) const {
    CentreLine line;
    const RingBounds bounds(rings, divided);
    for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
      const Ring& a = rings[i];
      const Ring& b = rings[i + 1];
      const Span span(a, b);
      if (i == 0) line.start_tangent = span.from;
      line.end_tangent = span.to;
      const Vec3 chord = b.centre - a.centre;
      const bool wild = std::max(angle(span.from, chord), angle(span.to, chord)) > 0.35;
      const int pieces = std::max(1, static_cast<int>(std::ceil(span.length / (0.5 * std::min(a.radius, b.radius)))));
      for (int k = i == 0 ? 0 : 1; k <= pieces; ++k) {
        const double t = static_cast<double>(k) / pieces;
        const Vec3 smooth = span.at(t);
        // one bad ring must not throw the line off: there the sections tell
        const Vec3 point = wild && k > 0 && k < pieces ? beside(smooth) : smooth;
        line.centre.push_back(point);
        line.radius.push_back(a.radius + t * (b.radius - a.radius));
        line.centre_bound.push_back(bounds.centre(i, t, point) / line.radius.back());
        line.radius_bound.push_back(bounds.radius(i) / line.radius.back());
      }
    }
    if (tube_.kind == TubeKind::Flat) take_halves(line, rings);
    return line;
  }

  // As wide, high and filled as the middle one of its rings; the others tell how far that may be off.
  static void take_halves(CentreLine& line, const std::vector<Ring>& rings) {
    for (int k = 0; k < 2; ++k) {
      std::vector<double> all;
      for (const Ring& ring : rings) all.push_back(ring.half[k]);
      line.half[k] = middle(all);
    }
    std::vector<double> fills;
    for (const Ring& ring : rings) fills.push_back(ring.fill);
    line.fill = middle(fills);
    double off = 0;
    for (const Ring& ring : rings) off = std::max(off, (ring.half - line.half).cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < line.radius.size(); ++i) line.radius_bound[i] += off / line.radius[i];
  }

  // The sections' own line next to a point.
  [[nodiscard]] Vec3 beside(const Vec3& point) const {
    std::size_t station = 0;
    return sections_.at_arc(sections_.along(point, station));
  }

  // Circles or hulls through all vertices near each section, carried along the tube into its plane; then once more along
  // the line that they give.
  CentreLine by_bands() const {
    const bool flat = tube_.kind == TubeKind::Flat;
    const auto along = [&](const Guide& guide) {
      return flat ? flat_bands(tube_, guide, placed(guide)) : bands_along(guide);
    };
    CentreLine line = along(sections_);
    for (int round = 0; round < 2; ++round) line = along(Guide(smoothed(line.centre), radius_, 0));
    if (flat) return line;
    line.start_tangent = tube_.stations.front().tangent;
    line.end_tangent = tube_.stations.back().tangent;
    straighten_end(line, true);
    straighten_end(line, false);
    return line;
  }

  // What is rough in a guide stays in the line; that a smooth one cuts corners does not.
  [[nodiscard]] static std::vector<Vec3> smoothed(const std::vector<Vec3>& line) {
    std::vector<Vec3> smooth = line;
    for (std::size_t k = 1; k + 1 < line.size(); ++k) {
      const std::size_t reach = std::min({k, line.size() - 1 - k, std::size_t{2}});
      smooth[k] = Vec3::Zero();
      for (std::size_t i = k - reach; i <= k + reach; ++i) smooth[k] += line[i] / static_cast<double>(2 * reach + 1);
    }
    return smooth;
  }

  [[nodiscard]] std::vector<PlacedVertex> placed(const Guide& guide) const {
    std::vector<PlacedVertex> vertices;
    for (const TubeVertex& vertex : measured(guide, true)) vertices.push_back({vertex.point, vertex.s});
    return vertices;
  }

  [[nodiscard]] CentreLine bands_along(const Guide& guide) const {
    const std::vector<TubeVertex> vertices = measured(guide, true);
    // from the line to each vertex, and the direction there
    std::vector<std::pair<Vec3, Vec3>> rays;
    rays.reserve(vertices.size());
    for (const TubeVertex& vertex : vertices)
      rays.emplace_back(vertex.point - guide.at_arc(vertex.s), guide.tangent_at(vertex.s));
    CentreLine line;
    std::vector<CircleRest> rests;
    std::vector<Vec3> points;
    std::vector<double> weights;
    std::size_t first = 0;
    for (std::size_t k = 0; k < tube_.stations.size(); ++k) {
      const Station& station = tube_.stations[k];
      const double reach = 0.5 * station.radius;
      while (first < vertices.size() && vertices[first].s < guide.arc[k] - reach) ++first;
      points.clear();
      weights.clear();
      for (std::size_t i = first; i < vertices.size() && vertices[i].s < guide.arc[k] + reach; ++i) {
        points.push_back(guide.centre[k] + math::transport(rays[i].first, rays[i].second, guide.tangent[k]));
        weights.push_back(std::min(vertices[i].turn, std::numbers::pi / 3));
      }
      const Circle circle = points.size() >= 6 ? fit_circle(points, weights, guide.tangent[k]) : Circle{};
      const bool good = circle.found && circle.rms < 0.05 && circle.gap < 2.2 &&
                        (circle.centre - station.centre).norm() < 0.3 * station.radius;
      line.centre.push_back(good ? circle.centre : station.centre);
      line.radius.push_back(good ? circle.radius : station.radius);
      rests.push_back(good ? rest_of(points, weights, circle, guide.tangent[k]) : CircleRest{});
    }
    bound_bands(line, rests, guide);
    return line;
  }

  // Where a tube runs into others its last sections are drawn aside. If it is straight before them, it goes on so.
  static void straighten_end(CentreLine& line, bool at_start) {
    constexpr double kLooked = 2.5;      // radii
    constexpr double kStraight = 0.003;  // of the radius, rms from a straight line: good enough
    constexpr double kCrooked = 0.01;    // not straight at all
    const std::size_t count = line.centre.size();
    const auto index = [&](std::size_t i) { return at_start ? i : count - 1 - i; };
    const double radius = line.radius[index(0)];
    double least = kCrooked;
    StraightRun best;
    for (const double aside : {0.0, 0.5, 1.0, 1.5, 2.0}) {
      double s = 0;
      std::vector<std::size_t> used;
      for (std::size_t i = 1; i < count && s < (aside + kLooked) * radius; ++i) {
        s += (line.centre[index(i)] - line.centre[index(i - 1)]).norm();
        if (s > aside * radius) used.push_back(index(i));
      }
      if (used.size() < 5 || s < (aside + 0.8 * kLooked) * radius) break;
      const StraightRun run = straight_run(line, used);
      if (run.rms / radius >= least) continue;
      best = run;
      least = run.rms / radius;
      if (least < kStraight) break;
    }
    if (least >= kCrooked) return;
    Vec3& tangent = at_start ? line.start_tangent : line.end_tangent;
    tangent = best.along.dot(tangent) < 0 ? Vec3(-best.along) : best.along;
    for (std::size_t i = 0; index(i) != best.first; ++i) {
      Vec3& centre = line.centre[index(i)];
      centre = best.mean + (centre - best.mean).dot(tangent) * tangent;
      line.radius[index(i)] = line.radius[best.first];
    }
  }

  struct StraightRun {
    Vec3 mean = Vec3::Zero();
    Vec3 along = Vec3::UnitZ();
    double rms = 0;
    std::size_t first = 0;
  };
  static StraightRun straight_run(const CentreLine& line, const std::vector<std::size_t>& used) {
    StraightRun run;
    run.first = used.front();
    const double share = 1.0 / static_cast<double>(used.size());
    for (const std::size_t i : used) run.mean += share * line.centre[i];
    Mat3 spread = Mat3::Zero();
    for (const std::size_t i : used)
      spread += share * (line.centre[i] - run.mean) * (line.centre[i] - run.mean).transpose();
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(spread);
    run.rms = std::sqrt(std::max(0.0, eigen.eigenvalues()[0] + eigen.eigenvalues()[1]));
    run.along = eigen.eigenvectors().col(2);
    return run;
  }

  const Surface& surface_;
  const TracedTube& tube_;
  double radius_;
  Guide sections_;
  std::vector<TubeVertex> all_;
  double least_turn_ = 0;    // of a vertex that counts
  std::size_t turning_ = 0;  // how many do
};

// Of a radius that goes to and fro by this share of it, several times, the crests count.
constexpr double kCorrugated = 0.03;

bool goes_to_and_fro(const CentreLine& line) {
  const double least = kCorrugated * line.radius[line.radius.size() / 2];
  int turns = 0;
  double way = 0;
  double extreme = line.radius.front();
  for (const double radius : line.radius) {
    if ((radius - extreme) * way > 0) extreme = radius;
    if (std::abs(radius - extreme) < least) continue;
    turns += way * (radius - extreme) < 0 ? 1 : 0;
    way = radius - extreme;
    extreme = radius;
  }
  return turns >= 4;
}

void take_crests(CentreLine& line) {
  line.kind = TubeKind::Corrugated;
  const double crest = *std::max_element(line.radius.begin(), line.radius.end());
  const std::vector<double> as_found = line.radius;
  // the largest within this reach to both sides
  const auto look = [&](std::size_t i, long step) {
    for (long k = static_cast<long>(i); k >= 0 && k < static_cast<long>(as_found.size()); k += step) {
      if ((line.centre[i] - line.centre[at(static_cast<int>(k))]).norm() > 1.5 * crest) return;
      line.radius[i] = std::max(line.radius[i], as_found[at(static_cast<int>(k))]);
    }
  };
  for (std::size_t i = 0; i < line.centre.size(); ++i) {
    look(i, 1);
    look(i, -1);
  }
}

// How the way in which it is wide turns, carried along from section to section; on to its ends as beside them.
void take_turns(CentreLine& line, const TracedTube& tube) {
  const double length = line.length();
  double gone = (tube.stations.front().centre - line.centre.front()).dot(line.start_tangent) / length;
  std::vector<Turn> turns{{gone, 0}};
  for (std::size_t i = 1; i < tube.stations.size(); ++i) {
    const Station& a = tube.stations[i - 1];
    const Station& b = tube.stations[i];
    const Vec3 carried = math::transport(a.wide, a.tangent, b.tangent);
    const double more = std::atan2(carried.cross(b.wide).dot(b.tangent), carried.dot(b.wide));
    gone += (b.centre - a.centre).norm() / length;
    turns.push_back({gone, turns.back().angle + more});
  }
  constexpr std::size_t kBeside = 8;  // sections
  const std::size_t near = std::min(kBeside, turns.size() - 1);
  const auto beyond = [](const Turn& end, const Turn& inside, double share) {
    return end.angle + (share - end.share) * (end.angle - inside.angle) / (end.share - inside.share);
  };
  const double start = beyond(turns.front(), turns[near], 0);
  const double end = beyond(turns.back(), turns[turns.size() - 1 - near], 1);
  const Station& first = tube.stations.front();
  line.start_wide = Eigen::AngleAxisd(start, first.tangent) * first.wide;
  line.turns.push_back({0, 0});
  for (const Turn& turn : turns)
    if (turn.share > line.turns.back().share && turn.share < 1) line.turns.push_back({turn.share, turn.angle - start});
  line.turns.push_back({1, end - start});
}

// What the sections say of a flat tube: the middle of all, of what its rings do not say.
void take_profile(CentreLine& line, const TracedTube& tube) {
  line.kind = TubeKind::Flat;
  std::vector<double> wide;
  std::vector<double> high;
  std::vector<double> fill;
  for (const Station& station : tube.stations) {
    wide.push_back(station.half.x());
    high.push_back(station.half.y());
    fill.push_back(station.fill);
  }
  // where there are no rings; sections between them cut folded faces
  if (line.half.isZero()) line.half = {middle(wide), middle(high)};
  if (!(line.fill > 0)) line.fill = middle(fill);
  take_turns(line, tube);
}

}  // namespace

CentreLine refine(const Surface& surface, const TracedTube& tube, const std::vector<int>& triangles) {
  const Refiner refiner(surface, tube, triangles);
  CentreLine line = refiner.run();
  if (tube.kind == TubeKind::Flat)
    take_profile(line, tube);
  else if (goes_to_and_fro(line))
    take_crests(line);
  else if (tube.kind == TubeKind::Corrugated)
    refiner.reach_crests(line);
  return line;
}

}  // namespace filum::flexible
