#include "geometry/bend_path.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::geometry {
namespace {

constexpr double kNever = std::numeric_limits<double>::max();
constexpr double kSharpest = 2.6;    // rad; two tangents that turn more meet too far off
constexpr double kStraight = 1e-9;   // rad; less is no bend
constexpr std::size_t kPlaces = 80;  // of the curve where tangents may be taken

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// How far a point is from a piece.
double distance_to(const PathPiece& piece, const Vec3& p) {
  if (piece.axis.isZero()) {
    const Vec3 way = piece.to - piece.from;
    const double square = way.squaredNorm();
    const double t = square > 0 ? std::clamp((p - piece.from).dot(way) / square, 0.0, 1.0) : 0;
    return (piece.from + t * way - p).norm();
  }
  const Vec3 off = p - piece.centre;
  const double height = off.dot(piece.axis);
  const Vec3 flat = off - height * piece.axis;
  const Vec3 u = (piece.from - piece.centre) / piece.radius;
  const double turned = std::atan2(flat.dot(piece.axis.cross(u)), flat.dot(u));
  if (turned >= 0 && turned <= piece.angle) return std::hypot(height, flat.norm() - piece.radius);
  return std::min((p - piece.from).norm(), (p - piece.to).norm());
}

double distance_to(const std::vector<PathPiece>& pieces, const Vec3& p) {
  double least = kNever;
  for (const PathPiece& piece : pieces) least = std::min(least, distance_to(piece, p));
  return least;
}

// Where two tangents meet, or half way where they pass each other. False: they do not, ahead of a and behind b.
bool corner_between(const CurvePoint& a, const CurvePoint& b, Vec3& corner) {
  const double turn = angle_between(a.tangent, b.tangent);
  if (turn > kSharpest) return false;
  const Vec3 way = b.position - a.position;
  if (turn < 1e-6) {
    corner = a.position + way / 2;
    return true;
  }
  // shortest connection of a + x ta and b − y tb
  const double cosine = a.tangent.dot(b.tangent);
  const double sine2 = 1 - cosine * cosine;
  const double x = (way.dot(a.tangent) - cosine * way.dot(b.tangent)) / sine2;
  const double y = (way.dot(b.tangent) - cosine * way.dot(a.tangent)) / sine2;
  if (!(x > 0) || !(y > 0)) return false;
  corner = (a.position + x * a.tangent + b.position - y * b.tangent) / 2;
  return true;
}

// By how much the corners turn, and their planes.
void measure_angles(BendPath& path) {
  const std::size_t count = path.bends.size();
  const auto point = [&](std::size_t k) {
    return k == 0 ? path.start : k <= count ? path.bends[k - 1].corner : path.end;
  };
  for (std::size_t k = 1; k <= count; ++k) {
    Bend& bend = path.bends[k - 1];
    const Vec3 in = point(k) - point(k - 1);
    const Vec3 out = point(k + 1) - point(k);
    bend.angle = angle_between(in, out);
    if (k < 2) continue;
    // from the plane of the bend before to its own, about the piece between
    const Vec3 before = (point(k - 1) - point(k - 2)).cross(in);
    const Vec3 here = in.cross(out);
    bend.rotation = std::atan2(before.cross(here).dot(in.normalized()), before.dot(here));
  }
}

// The path of these corners, its radii yet to be given.
BendPath polygon(const Vec3& start, const std::vector<Vec3>& corners, const Vec3& end) {
  BendPath path;
  path.start = start;
  path.end = end;
  for (const Vec3& corner : corners) path.bends.emplace_back().corner = corner;
  measure_angles(path);
  return path;
}

// How far an arc of this radius reaches from its corner along each edge.
double reach_of(const Bend& bend) {
  return bend.radius * std::tan(bend.angle / 2);
}

void measure_straights(BendPath& path) {
  Vec3 last = path.start;
  double used = 0;
  for (Bend& bend : path.bends) {
    bend.straight = (bend.corner - last).norm() - used - reach_of(bend);
    used = reach_of(bend);
    last = bend.corner;
  }
  path.last_straight = (path.end - last).norm() - used;
}

// The radius that brings the arc of a corner nearest to some points, at most so wide that it stays on its edges.
double best_radius(const Vec3& before, const Vec3& corner, const Vec3& after, double room,
                   std::span<const CurvePoint> points, double& off) {
  const double turn = angle_between(corner - before, after - corner);
  off = 0;
  BendPath one = polygon(before, {corner}, after);
  const auto farthest = [&](double radius) {
    one.bends[0].radius = radius;
    measure_straights(one);
    const std::vector<PathPiece> pieces = pieces_of(one);
    double most = 0;
    for (const CurvePoint& point : points) most = std::max(most, distance_to(pieces, point.position));
    return most;
  };
  if (turn < kStraight) {
    off = farthest(0);
    return 0;
  }
  // the farthest point is nearest at one radius: golden section
  constexpr double kGolden = 0.6180339887498949;
  double low = 0;
  double high = room / std::tan(turn / 2);
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = farthest(left);
  double at_right = farthest(right);
  for (int i = 0; i < 40; ++i) {
    if (at_left < at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = farthest(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = farthest(right);
    }
  }
  const double radius = (low + high) / 2;
  off = farthest(radius);
  return radius;
}

class Fitter {
 public:
  Fitter(std::span<const CurvePoint> curve, double tolerance) : curve_(curve), tolerance_(tolerance) {
    const std::size_t last = curve.size() - 1;
    const std::size_t count = std::min(kPlaces, last);
    for (std::size_t k = 0; k <= count; ++k) places_.push_back(k * last / count);
    cost_.assign(places_.size() * places_.size(), -1);
  }

  BendPath run() {
    BendPath best;
    best.off = kNever;
    for (double span = tolerance_; span > 1e-3 * tolerance_; span *= 0.5) {
      const BendPath path = joined(fewest_spans(span));
      if (path.off < best.off) best = path;
      if (best.off <= tolerance_) break;
    }
    return best;
  }

 private:
  [[nodiscard]] std::span<const CurvePoint> part(std::size_t a, std::size_t b) const {
    return curve_.subspan(places_[a], places_[b] - places_[a] + 1);
  }

  // How far the curve between two places is from one bend between their tangents.
  double cost(std::size_t a, std::size_t b) {
    double& known = cost_[a * places_.size() + b];
    if (known >= 0) return known;
    const CurvePoint& from = curve_[places_[a]];
    const CurvePoint& to = curve_[places_[b]];
    Vec3 corner;
    if (!corner_between(from, to, corner)) return known = kNever;
    const double room = std::min((corner - from.position).norm(), (to.position - corner).norm());
    best_radius(from.position, corner, to.position, room, part(a, b), known);
    return known;
  }

  // Places from end to end: as few as keep every span this near, and of those the nearest in sum.
  std::vector<std::size_t> fewest_spans(double near) {
    const std::size_t count = places_.size();
    struct Way {
      std::size_t spans = std::numeric_limits<std::size_t>::max();
      double sum = kNever;
      std::size_t from = 0;
    };
    std::vector<Way> ways(count);
    ways[0] = {0, 0, 0};
    for (std::size_t b = 1; b < count; ++b)
      for (std::size_t a = 0; a < b; ++a) {
        if (ways[a].sum == kNever || ways[a].spans + 1 > ways[b].spans) continue;
        const double off = cost(a, b);
        // neighbours are always joined, so that there is a way
        if (off == kNever || (off > near && b > a + 1)) continue;
        if (ways[a].spans + 1 < ways[b].spans || ways[a].sum + off < ways[b].sum)
          ways[b] = {ways[a].spans + 1, ways[a].sum + off, a};
      }
    std::vector<std::size_t> chain;
    if (ways.back().sum == kNever) return chain;
    for (std::size_t b = count - 1; b > 0; b = ways[b].from) chain.push_back(b);
    chain.push_back(0);
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  // The corners of all spans, their arcs made as wide as is nearest, and all of it measured.
  BendPath joined(const std::vector<std::size_t>& chain) {
    BendPath none;
    none.off = kNever;
    if (chain.size() < 2) return none;
    std::vector<Vec3> corners;
    for (std::size_t k = 1; k < chain.size(); ++k)
      if (!corner_between(curve_[places_[chain[k - 1]]], curve_[places_[chain[k]]], corners.emplace_back()))
        return none;
    BendPath path = polygon(curve_.front().position, corners, curve_.back().position);
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 before = k == 0 ? path.start : corners[k - 1];
      const Vec3 after = k + 1 == corners.size() ? path.end : corners[k + 1];
      // half of an edge that two bends share, but as its tangent's own place parts it
      const double in = k == 0 ? (corners[k] - before).norm()
                               : (corners[k] - curve_[places_[chain[k]]].position).norm() * share(corners, chain, k);
      const double out = k + 1 == corners.size() ? (after - corners[k]).norm()
                                                 : (corners[k] - curve_[places_[chain[k + 1]]].position).norm() *
                                                       share(corners, chain, k + 1);
      double off = 0;
      path.bends[k].radius =
          best_radius(before, corners[k], after, std::min(in, out), part(chain[k], chain[k + 1]), off);
    }
    measure_straights(path);
    const std::vector<PathPiece> pieces = pieces_of(path);
    path.off = 0;
    for (const CurvePoint& point : curve_) path.off = std::max(path.off, distance_to(pieces, point.position));
    return path;
  }

  // The edge between two corners over the way by the place that its tangent was taken at: a little less than one.
  double share(const std::vector<Vec3>& corners, const std::vector<std::size_t>& chain, std::size_t k) const {
    const Vec3& place = curve_[places_[chain[k]]].position;
    const double way = (corners[k - 1] - place).norm() + (corners[k] - place).norm();
    return way > 0 ? std::min(1.0, (corners[k] - corners[k - 1]).norm() / way) : 1;
  }

  std::span<const CurvePoint> curve_;
  double tolerance_;
  std::vector<std::size_t> places_;
  std::vector<double> cost_;
};

}  // namespace

double BendPath::length() const {
  double sum = last_straight;
  for (const Bend& bend : bends) sum += bend.straight + bend.arc();
  return sum;
}

std::vector<PathPiece> pieces_of(const BendPath& path) {
  std::vector<PathPiece> pieces;
  Vec3 last = path.start;
  for (std::size_t k = 0; k < path.bends.size(); ++k) {
    const Bend& bend = path.bends[k];
    const Vec3 before = k == 0 ? path.start : path.bends[k - 1].corner;
    const Vec3 after = k + 1 == path.bends.size() ? path.end : path.bends[k + 1].corner;
    const Vec3 in = (bend.corner - before).normalized();
    const Vec3 out = (after - bend.corner).normalized();
    const bool turns = bend.angle > kStraight && bend.radius > 0;
    const double reach = turns ? reach_of(bend) : 0;
    const Vec3 begin = bend.corner - reach * in;
    const Vec3 end = bend.corner + reach * out;
    pieces.push_back({last, begin, Vec3::Zero(), Vec3::Zero(), 0, 0});
    if (turns) {
      const Vec3 axis = in.cross(out).normalized();
      pieces.push_back({begin, end, begin + bend.radius * axis.cross(in), axis, bend.radius, bend.angle});
    }
    last = end;
  }
  pieces.push_back({last, path.end, Vec3::Zero(), Vec3::Zero(), 0, 0});
  return pieces;
}

BendPath fit_bends(std::span<const CurvePoint> curve, double tolerance) {
  BendPath path;
  if (curve.empty()) return path;
  path.start = curve.front().position;
  path.end = curve.back().position;
  path.last_straight = (path.end - path.start).norm();
  if (curve.size() < 2) return path;
  // nothing to bend
  const std::vector<PathPiece> line = pieces_of(path);
  for (const CurvePoint& point : curve) path.off = std::max(path.off, distance_to(line, point.position));
  if (path.off <= 1e-3 * tolerance) return path;
  const BendPath bent = Fitter(curve, tolerance).run();
  if (bent.off < path.off) path = bent;
  std::erase_if(path.bends, [](const Bend& bend) { return bend.angle < kStraight || bend.radius <= 0; });
  measure_angles(path);
  measure_straights(path);
  return path;
}

}  // namespace filum::geometry
