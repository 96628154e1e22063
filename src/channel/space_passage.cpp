#include "channel/space_passage.hpp"

#include "base/index.hpp"
#include "math/dense.hpp"
#include "math/frame.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::channel {
namespace {

constexpr double kLine = 1e-12;       // rad: a piece that turns less is straight
constexpr int kPiecesPerSpan = 48;    // biarcs between two points of a spline
constexpr int kPiecesPerTurn = 256;   // of a helix
constexpr int kMostPieces = 20000;

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

Mat3 turned(const Mat3& frame, const Vec3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix() * frame;
}

}  // namespace

SpacePassage::SpacePassage(const Curve& centreline, double scale, const Vec3& up) {
  const CurvePath path(centreline);
  const CurveSample first = path.at(0);
  const Vec3 across = up - up.dot(first.tangent) * first.tangent;
  const Vec3 d1 = across.norm() > 1e-6 ? Vec3(across.normalized()) : math::any_perpendicular(first.tangent);
  first_frame_.col(0) = d1;
  first_frame_.col(1) = first.tangent.cross(d1);
  first_frame_.col(2) = first.tangent;
  const Vec3 start = scale * first.position;
  const double turn = std::abs(centreline.angle);
  if (centreline.kind == CurveKind::Arc) {
    const Vec3 axis = first.tangent.cross(path.at(1e-3 * path.length()).tangent);
    add_arc(start, scale * path.length(), turn, axis.norm() > 0 ? Vec3(axis.normalized()) : d1);
  } else if (centreline.kind == CurveKind::Helix) {
    const int pieces = static_cast<int>(kPiecesPerTurn * turn / (2 * std::numbers::pi));
    add_biarcs(path, scale, std::clamp(pieces, 16, kMostPieces));
  } else if (centreline.kind == CurveKind::Spline) {
    const int spans = static_cast<int>(centreline.points.size()) - 1;
    add_biarcs(path, scale, std::clamp(kPiecesPerSpan * spans, kPiecesPerSpan, kMostPieces));
  } else {
    for (std::size_t i = 0; i + 1 < centreline.points.size(); ++i) {
      const Vec3 from = scale * centreline.points[i];
      const Vec3 edge = scale * centreline.points[i + 1] - from;
      if (edge.norm() == 0) continue;
      add_corner(from, edge.normalized());
      add_line(from, edge.norm());
    }
  }
  length_ = pieces_.back().s + pieces_.back().length;
}

Mat3 SpacePassage::end_frame() const {
  if (pieces_.empty()) return first_frame_;
  const SpacePiece& last = pieces_.back();
  return last.turn > 0 ? turned(last.frame, last.axis, last.turn) : last.frame;
}

void SpacePassage::push(SpacePiece piece) {
  piece.frame = end_frame();
  piece.s = pieces_.empty() ? 0 : pieces_.back().s + pieces_.back().length;
  pieces_.push_back(piece);
}

void SpacePassage::add_line(const Vec3& from, double length) {
  SpacePiece piece;
  piece.start = from;
  piece.length = length;
  push(piece);
}

void SpacePassage::add_arc(const Vec3& from, double length, double turn, const Vec3& axis) {
  if (turn < kLine) return add_line(from, length);
  SpacePiece piece;
  piece.start = from;
  piece.length = length;
  piece.turn = turn;
  piece.radius = length / turn;
  // square to the tangent to the last bit, so that the frame stays one
  const Vec3 tangent = end_frame().col(2);
  piece.axis = (axis - axis.dot(tangent) * tangent).normalized();
  piece.centre = from + piece.radius * piece.axis.cross(tangent);
  push(piece);
}

void SpacePassage::add_corner(const Vec3& from, const Vec3& onward) {
  const Vec3 tangent = end_frame().col(2);
  const double turn = angle_between(tangent, onward);
  if (turn < kLine) return;
  SpacePiece piece;
  piece.start = piece.centre = from;
  piece.turn = turn;
  piece.axis = tangent.cross(onward).normalized();
  push(piece);
}

void SpacePassage::add_biarcs(const CurvePath& path, double scale, int count) {
  Vec3 from = scale * path.at(0).position;
  for (int i = 0; i < count; ++i) {
    const CurveSample b = path.at(path.length() * (i + 1) / count);
    const Vec3 t0 = end_frame().col(2), t1 = b.tangent;
    const Vec3 way = scale * b.position - from;
    // |way − d (t0 + t1)|² = 4 d², as in the plane
    const double a = 2 * (1 - t0.dot(t1)), along = way.dot(t0 + t1), square = way.squaredNorm();
    const double d = square / (along + std::sqrt(std::max(0.0, along * along + a * square)));
    const Vec3 joint = from + 0.5 * (way + d * (t0 - t1));
    // each arc turns twice the angle between its tangent and its chord, in the plane of the two
    const auto arc = [&](const Vec3& to) {
      const Vec3 tangent = end_frame().col(2), chord = to - from;
      const double half = angle_between(tangent, chord);
      const Vec3 axis = tangent.cross(chord);
      add_arc(from, half < 1e-8 ? chord.norm() : chord.norm() * half / std::sin(half), 2 * half,
              axis.norm() > 0 ? axis : end_frame().col(0));
      from = to;
    };
    arc(joint);
    arc(scale * b.position);
  }
}

SpacePlace SpacePassage::place_on(int index, const Vec3& point) const {
  const SpacePiece& piece = pieces_[at(index)];
  SpacePlace place;
  place.piece = index;
  Mat3 frame = piece.frame;
  Vec3 from;
  if (piece.turn == 0) {
    from = point - piece.start;
    place.s = piece.s + frame.col(2).dot(from);
  } else {
    // in the plane of the arc: outwards and onwards at its start
    const Vec3 r = point - piece.centre;
    const Vec3 inward = piece.axis.cross(frame.col(2));
    const double out = -inward.dot(r), on = frame.col(2).dot(r);
    const double distance = std::max(std::hypot(out, on), 1e-300);
    // the angle nearest to the middle of the piece
    const double middle = 0.5 * piece.turn;
    const double c = std::cos(middle), s = std::sin(middle);
    const double angle = middle + std::atan2(c * on - s * out, c * out + s * on);
    frame = turned(piece.frame, piece.axis, angle);
    const Vec3 towards = piece.axis.cross(frame.col(2));
    from = r + piece.radius * towards;
    place.s = piece.s + (piece.length > 0 ? piece.radius * angle : 0);
    place.bend = towards / distance;
    place.stretch = piece.radius / distance;
  }
  place.d1 = frame.col(0);
  place.d2 = frame.col(1);
  place.tangent = frame.col(2);
  place.u = place.d1.dot(from);
  place.v = place.d2.dot(from);
  return place;
}

double SpacePassage::share_of(int index, const SpacePlace& place) const {
  const SpacePiece& piece = pieces_[at(index)];
  if (piece.length > 0) return (place.s - piece.s) / piece.length;
  const double angle = std::atan2(piece.axis.dot(piece.frame.col(2).cross(place.tangent)),
                                  piece.frame.col(2).dot(place.tangent));
  return angle / piece.turn;
}

bool SpacePassage::holds(int index, const SpacePlace& place) const {
  const double share = share_of(index, place);
  const int last = static_cast<int>(pieces_.size()) - 1;
  return (share >= -1e-12 || index == 0) && (share <= 1 + 1e-12 || index == last);
}

SpacePlace SpacePassage::locate(const Vec3& point, int hint) const {
  const int last = static_cast<int>(pieces_.size()) - 1;
  int index = std::clamp(hint, 0, last);
  SpacePlace place = place_on(index, point);
  // walk towards the piece that holds the point; at a gap or an overlap the walk would turn back and stops
  int direction = 0;
  for (int step = 0; step <= last && !holds(index, place); ++step) {
    const int way = share_of(index, place) > 0.5 ? 1 : -1;
    if ((direction != 0 && way != direction) || index + way < 0 || index + way > last) break;
    direction = way;
    index += way;
    place = place_on(index, point);
  }
  // inside a corner two pieces hold the point: the nearer one counts
  const auto off = [](const SpacePlace& p) { return std::hypot(p.u, p.v); };
  for (int beside = std::max(0, index - 2); beside <= std::min(last, index + 2); ++beside) {
    const bool corner_near = pieces_[at(std::min(beside, index))].length == 0 ||
                             (std::abs(beside - index) == 2 && pieces_[at((beside + index) / 2)].length == 0);
    if (beside == index || !corner_near) continue;
    const SpacePlace other = place_on(beside, point);
    if (!holds(beside, other) || (holds(index, place) && off(other) >= off(place))) continue;
    place = other;
    index = beside;
  }
  return place;
}

Vec3 SpacePassage::point_at(double s) const {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), s,
                                [](double x, const SpacePiece& piece) { return x < piece.s; });
  const SpacePiece& piece = after == pieces_.begin() ? pieces_.front() : *std::prev(after);
  if (piece.turn == 0) return piece.start + (s - piece.s) * piece.frame.col(2);
  if (piece.length == 0) return piece.centre;
  const double angle = std::min(s - piece.s, piece.length) / piece.radius;
  const Mat3 frame = turned(piece.frame, piece.axis, std::max(angle, 0.0));
  const Vec3 on = piece.centre - piece.radius * piece.axis.cross(frame.col(2));
  // beyond the end, or before the start, straight on
  const double beyond = s > length_ ? s - length_ : std::min(0.0, s);
  return on + beyond * frame.col(2);
}

SpacePlace SpacePassage::at_arc(double s) const {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), s,
                                [](double x, const SpacePiece& piece) { return x < piece.s; });
  const int hint = std::max(0, static_cast<int>(after - pieces_.begin()) - 1);
  return place_on(hint, point_at(s));
}

}  // namespace filum::channel
