// The channel made ready: a centreline of lines, circular arcs and corners, and the walls beside it.
//
// Every centreline is a sequence of pieces whose headings follow each other without a jump. A corner of a polyline is a
// piece without length that turns; on its outer side the wall is the circle about the corner, on its inner side the two
// walls meet. Splines become pairs of arcs (biarcs), 1e-9 of the length off. So the nearest point of the centreline is
// in closed form everywhere, and the distance from it is continuously differentiable.
//
// Notation: s arc length of the centreline, y distance from it, positive to the left; t, n tangent and left normal of
// the level line y = const through a point; κ curvature, positive to the left. A straight run-in and run-out are added
// before the start and after the end. Along u, which runs like s but gives corners a length, rulings of the channel lie
// at even distances.
#pragma once

#include "channel/width_profile.hpp"

#include <filum/channel.hpp>

#include <vector>

namespace filum::channel {

struct Piece {
  double s = 0, u = 0;            // at its start
  double length = 0, extent = 0;  // in s and in u; a corner has no length
  double heading = 0;             // at its start, rad, unwrapped
  double turn = 0;                // rad; 0: a line
  Vec2 start = Vec2::Zero();
  Vec2 centre = Vec2::Zero();  // of an arc; of a corner: the corner
  double radius = 0;           // of an arc; 0: a corner
};

// A point seen from the channel.
struct Place {
  int piece = 0;
  double s = 0, u = 0, y = 0;
  double heading = 0;
  Vec2 tangent = Vec2::UnitX();
  Vec2 normal = Vec2::UnitY();
  double bend = 0;     // curvature of the level line through the point: ∇∇y = −bend t tᵀ
  double stretch = 1;  // ∇s = stretch t; a corner: 0
};

// A ruling of the channel: the line across it at u.
struct Ruling {
  double s = 0, u = 0;
  Vec2 point = Vec2::Zero();  // on the centreline
  double heading = 0;
  Vec2 tangent = Vec2::UnitX();
  Vec2 normal = Vec2::UnitY();
  double left = 0, right = 0;  // distances of the walls, as far as these give
  double give = 0;             // which is so far
  int piece = 0;
  int corner = 0;        // +1, −1: of a corner that turns left, right; it serves the outer side alone
  double curvature = 0;  // of the centreline; a corner: 0
};

class Passage {
 public:
  // Lengths are multiplied by `scale`; run-in and run-out are `reach` long (scaled).
  Passage(const Channel& channel, double scale, double reach);

  [[nodiscard]] Place locate(const Vec2& point, int hint) const;
  [[nodiscard]] Ruling ruling(double u) const;
  [[nodiscard]] double u_of(double s) const;
  [[nodiscard]] Width left(double s) const { return left_.at(s); }
  [[nodiscard]] Width right(double s) const { return right_.at(s); }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] double end_u() const { return pieces_.back().u + pieces_.back().extent; }
  [[nodiscard]] double widest() const { return left_.largest() + right_.largest(); }
  // Walls that give let the rulings reach so far into them, and at most so far that they do not cross in bends.
  void let_give(double depth);
  [[nodiscard]] double give() const { return give_; }
  // No bend, no change of width: where along it the beam lies makes no difference.
  [[nodiscard]] bool uniform() const;

 private:
  void add_line(const Vec2& from, const Vec2& to, double heading);
  void add_corner(const Vec2& at, double heading, double turn);
  void add_arc(const Vec2& from, double heading, double length, double turn);
  void add_biarcs(const Channel& channel, double scale);
  void add_points(const std::vector<Vec2>& points);
  void push(Piece piece);
  [[nodiscard]] Place place_on(int piece, const Vec2& point) const;
  [[nodiscard]] bool holds(int piece, const Place& place) const;

  std::vector<Piece> pieces_;
  WidthProfile left_, right_;
  double length_ = 0;
  double give_ = 0;
};

}  // namespace filum::channel
