#include "channel/passage.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::channel {
namespace {

using std::numbers::pi;

Vec2 unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

double cross(const Vec2& a, const Vec2& b) {
  return a[0] * b[1] - a[1] * b[0];
}

// The turn from direction a to direction b, in (−π, π].
double turn_between(const Vec2& a, const Vec2& b) {
  return std::atan2(cross(a, b), a.dot(b));
}

double heading_of(const Vec2& a) {
  return std::atan2(a[1], a[0]);
}

Vec2 flat(const Vec3& a) {
  return a.head<2>();
}

// The joint of the two arcs that lead from (p0, t0) to (p1, t1), with legs of equal length d.
Vec2 biarc_joint(const Vec2& p0, const Vec2& t0, const Vec2& p1, const Vec2& t1) {
  const Vec2 v = p1 - p0;
  const Vec2 t = t0 + t1;
  // |v − d t|² = 4 d²: quadratic in d, nearly linear where the tangents agree
  const double a = 2 * (1 - t0.dot(t1));
  const double b = v.dot(t);
  const double c = v.squaredNorm();
  const double d = c / (b + std::sqrt(std::max(0.0, b * b + a * c)));
  return 0.5 * (p0 + p1 + d * (t0 - t1));
}

}  // namespace

Passage::Passage(const Channel& channel, double scale, double reach)
    : left_(channel.left, scale), right_(channel.right, scale) {
  const Curve& curve = channel.centreline;
  const CurvePath path(curve);
  const CurveSample first = path.at(0);
  const double heading = heading_of(flat(first.tangent));
  const Vec2 start = scale * flat(first.position);
  // run-in: ends where the channel starts
  add_line(start - reach * unit(heading), start, heading);
  pieces_.front().s = -reach;
  pieces_.front().u = -reach;
  // the channel itself
  if (curve.kind == CurveKind::Arc) {
    const double turn = curve.axis[2] > 0 ? curve.angle : -curve.angle;
    add_arc(start, heading, scale * path.length(), turn);
  } else if (curve.kind == CurveKind::Spline) {
    add_biarcs(channel, scale);
  } else {
    std::vector<Vec2> points;
    for (const Vec3& point : curve.points) points.emplace_back(scale * flat(point));
    add_points(points);
  }
  length_ = pieces_.back().s + pieces_.back().length;
  // run-out: on along the last heading
  const Piece& last = pieces_.back();
  const double out = last.heading + last.turn;
  const Ruling end = ruling(last.u + last.extent);
  add_line(end.point, end.point + reach * unit(out), out);
}

void Passage::push(Piece piece) {
  if (!pieces_.empty()) {
    piece.s = pieces_.back().s + pieces_.back().length;
    piece.u = pieces_.back().u + pieces_.back().extent;
  }
  pieces_.push_back(piece);
}

void Passage::add_line(const Vec2& from, const Vec2& to, double heading) {
  Piece piece;
  piece.start = from;
  piece.length = piece.extent = (to - from).norm();
  piece.heading = heading;
  push(piece);
}

void Passage::add_corner(const Vec2& at, double heading, double turn) {
  Piece piece;
  piece.start = piece.centre = at;
  piece.heading = heading;
  piece.turn = turn;
  // rulings through the corner are even where it is longest: on the outer wall
  const double s = pieces_.back().s + pieces_.back().length;
  piece.extent = std::abs(turn) * (turn > 0 ? right_.at(s).value : left_.at(s).value);
  push(piece);
}

void Passage::add_arc(const Vec2& from, double heading, double length, double turn) {
  // an arc that turns less than round-off over its length is a line
  if (std::abs(turn) < 1e-12) {
    add_line(from, from + length * unit(heading), heading);
    return;
  }
  Piece piece;
  piece.start = from;
  piece.length = piece.extent = length;
  piece.heading = heading;
  piece.turn = turn;
  piece.radius = length / std::abs(turn);
  piece.centre = from + (turn > 0 ? piece.radius : -piece.radius) * unit(heading + pi / 2);
  push(piece);
}

void Passage::add_points(const std::vector<Vec2>& points) {
  double heading = pieces_.back().heading;
  bool first = true;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec2 edge = points[i + 1] - points[i];
    if (edge.norm() == 0) continue;
    const double turn = first ? 0.0 : turn_between(unit(heading), edge);
    if (std::abs(turn) > 1e-12) add_corner(points[i], heading, turn);
    heading += turn;
    add_line(points[i], points[i + 1], heading);
    first = false;
  }
}

void Passage::add_biarcs(const Channel& channel, double scale) {
  const CurvePath path(channel.centreline);
  // biarcs err like (length of one)⁴ against the bends between two points of the spline
  const int count = std::clamp(48 * static_cast<int>(channel.centreline.points.size() - 1), 48, 20000);
  double heading = pieces_.back().heading;
  for (int i = 0; i < count; ++i) {
    const CurveSample a = path.at(path.length() * i / count);
    const CurveSample b = path.at(path.length() * (i + 1) / count);
    const Vec2 p0 = scale * flat(a.position), p1 = scale * flat(b.position);
    const Vec2 t0 = flat(a.tangent).normalized(), t1 = flat(b.tangent).normalized();
    const Vec2 joint = biarc_joint(p0, t0, p1, t1);
    // each arc turns twice the angle between its tangent and its chord
    const auto arc = [&](const Vec2& from, const Vec2& to) {
      const double turn = 2 * turn_between(unit(heading), to - from);
      const double chord = (to - from).norm();
      const double half = 0.5 * turn;
      add_arc(from, heading, std::abs(half) < 1e-8 ? chord : chord * half / std::sin(half), turn);
      heading += turn;
    };
    arc(p0, joint);
    arc(joint, p1);
  }
}

void Passage::let_give(double depth) {
  give_ = depth;
  for (const Piece& piece : pieces_) {
    if (piece.radius == 0) continue;
    const double inside = (piece.turn > 0 ? left_ : right_).at(piece.s + 0.5 * piece.length).value;
    give_ = std::min(give_, 0.5 * std::max(0.0, piece.radius - inside));
  }
}

bool Passage::uniform() const {
  const bool straight =
      std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return std::abs(piece.turn) < 1e-12; });
  return straight && left_.constant() && right_.constant();
}

Place Passage::place_on(int index, const Vec2& point) const {
  const Piece& piece = pieces_[at(index)];
  Place place;
  place.piece = index;
  if (piece.turn == 0) {
    const Vec2 t = unit(piece.heading);
    const Vec2 from = point - piece.start;
    place.tangent = t;
    place.heading = piece.heading;
    place.normal = {-t[1], t[0]};
    place.s = piece.s + t.dot(from);
    place.u = piece.u + t.dot(from);
    place.y = place.normal.dot(from);
    return place;
  }
  // about the centre: y = ±(radius − distance), the normal points to or from it
  const double side = piece.turn > 0 ? 1 : -1;
  const Vec2 from = point - piece.centre;
  const double distance = std::max(from.norm(), 1e-300);
  place.normal = -side / distance * from;
  place.tangent = {place.normal[1], -place.normal[0]};
  // the heading nearest to the middle of the piece
  const double middle = piece.heading + 0.5 * piece.turn;
  const double turned = 0.5 * piece.turn + turn_between(unit(middle), place.tangent);
  place.heading = piece.heading + turned;
  const double share = turned / piece.turn;
  place.s = piece.s + share * piece.length;
  place.u = piece.u + share * piece.extent;
  place.y = side * (piece.radius - distance);
  place.bend = side / distance;
  place.stretch = piece.radius / distance;
  return place;
}

bool Passage::holds(int index, const Place& place) const {
  const Piece& piece = pieces_[at(index)];
  const double slack = 1e-12 * (1 + std::abs(piece.u));
  if (piece.turn == 0) return place.u >= piece.u - slack && place.u <= piece.u + piece.extent + slack;
  const double turned = place.heading - piece.heading;
  return piece.turn > 0 ? turned >= -1e-12 && turned <= piece.turn + 1e-12
                        : turned <= 1e-12 && turned >= piece.turn - 1e-12;
}

Place Passage::locate(const Vec2& point, int hint) const {
  const int last = static_cast<int>(pieces_.size()) - 1;
  int index = std::clamp(hint, 0, last);
  Place place = place_on(index, point);
  // walk towards the piece that holds the point; at a gap or an overlap the walk would turn back and stops
  int direction = 0;
  for (int step = 0; step <= last && !holds(index, place); ++step) {
    const Piece& piece = pieces_[at(index)];
    const double share = piece.turn == 0 ? (place.u - piece.u) / std::max(piece.extent, 1e-300)
                                         : (place.heading - piece.heading) / piece.turn;
    const int way = share > 0.5 ? 1 : -1;
    if ((direction != 0 && way != direction) || index + way < 0 || index + way > last) break;
    direction = way;
    index += way;
    place = place_on(index, point);
  }
  // inside a corner two pieces hold the point: the nearer one counts
  for (int beside = std::max(0, index - 2); beside <= std::min(last, index + 2); ++beside) {
    const bool corner_near = pieces_[at(std::min(beside, index))].length == 0 ||
                             (std::abs(beside - index) == 2 && pieces_[at((beside + index) / 2)].length == 0);
    if (beside == index || !corner_near) continue;
    const Place other = place_on(beside, point);
    const bool better = holds(beside, other) && (!holds(index, place) || std::abs(other.y) < std::abs(place.y));
    if (better) {
      place = other;
      index = beside;
    }
  }
  return place;
}

double Passage::u_of(double s) const {
  // the last piece that starts at or before s
  auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), s, [](double x, const Piece& piece) { return x < piece.s; });
  if (after == pieces_.begin()) return s;
  const Piece& piece = *std::prev(after);
  return piece.u + (piece.length > 0 ? s - piece.s : 0.5 * piece.extent);
}

Ruling Passage::ruling(double u) const {
  auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), u, [](double x, const Piece& piece) { return x < piece.u; });
  if (after != pieces_.begin()) --after;
  const Piece& piece = *after;
  Ruling ruling;
  ruling.piece = static_cast<int>(after - pieces_.begin());
  ruling.u = u;
  const double share = piece.extent > 0 ? (u - piece.u) / piece.extent : 0;
  ruling.s = piece.s + share * piece.length;
  ruling.heading = piece.heading + share * piece.turn;
  ruling.tangent = unit(ruling.heading);
  ruling.normal = {-ruling.tangent[1], ruling.tangent[0]};
  if (piece.turn == 0) {
    ruling.point = piece.start + (u - piece.u) * ruling.tangent;
  } else {
    const double side = piece.turn > 0 ? 1 : -1;
    ruling.point = piece.centre - side * piece.radius * ruling.normal;
    ruling.corner = piece.length == 0 ? static_cast<int>(side) : 0;
    ruling.curvature = piece.length == 0 ? 0 : side / piece.radius;
  }
  ruling.left = left_.at(ruling.s).value + give_;
  ruling.right = right_.at(ruling.s).value + give_;
  ruling.give = give_;
  return ruling;
}

}  // namespace filum::channel
