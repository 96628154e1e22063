// A tube made ready: a centreline of lines, circular arcs and corners in space, with a frame that does not twist.
//
// What channel/passage.hpp does in the plane. Arcs and lines are exact; splines and helices become pairs of arcs
// (biarcs in space, each in a plane of its own), 1e-9 of the length off. On an arc the frame turns with it about the axis
// of its plane, which is free of twist. So the nearest point of the centreline is in closed form everywhere.
//
// Notation: s arc length of the centreline; u, v the distances from it along the directors d1, d2; t its tangent. With r the
// distance of a point from the axis of its arc and N the unit vector towards that axis, b = N/r (0 beside a line):
//   ∇u = d1,  ∇∇u = −(b·d1) t tᵀ,  ∇s = q t,  ∇∇s = q (t bᵀ + b tᵀ),  q = radius/r.
#pragma once

#include <filum/curve.hpp>
#include <filum/types.hpp>

#include <vector>

namespace filum::channel {

struct SpacePiece {
  double s = 0, length = 0;  // a corner has no length
  double turn = 0;           // rad, > 0; 0: a line
  double radius = 0;         // of an arc; 0: a corner
  Vec3 start = Vec3::Zero();
  Vec3 centre = Vec3::Zero();
  Mat3 frame = Mat3::Identity();  // d1, d2, t at its start
  Vec3 axis = Vec3::UnitZ();      // about which it turns
};

// A point seen from the tube.
struct SpacePlace {
  int piece = 0;
  double s = 0, u = 0, v = 0;
  Vec3 tangent = Vec3::UnitX(), d1 = Vec3::UnitY(), d2 = Vec3::UnitZ();
  Vec3 bend = Vec3::Zero();  // b
  double stretch = 1;        // q
};

class SpacePassage {
 public:
  // Lengths are multiplied by `scale`; before and beyond its ends the tube goes on straight. `up` is d1 at the start,
  // made square to the tangent there.
  SpacePassage(const Curve& centreline, double scale, const Vec3& up);

  [[nodiscard]] SpacePlace locate(const Vec3& point, int hint) const;
  // On the centreline.
  [[nodiscard]] SpacePlace at_arc(double s) const;
  [[nodiscard]] Vec3 point_at(double s) const;
  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] const std::vector<SpacePiece>& pieces() const { return pieces_; }

 private:
  void add_line(const Vec3& from, double length);
  void add_arc(const Vec3& from, double length, double turn, const Vec3& axis);
  void add_corner(const Vec3& from, const Vec3& onward);
  void add_biarcs(const CurvePath& path, double scale, int count);
  void push(SpacePiece piece);
  [[nodiscard]] Mat3 end_frame() const;
  [[nodiscard]] SpacePlace place_on(int piece, const Vec3& point) const;
  [[nodiscard]] bool holds(int piece, const SpacePlace& place) const;
  // The share of the piece at which the place lies, below 0 and above 1 outside.
  [[nodiscard]] double share_of(int piece, const SpacePlace& place) const;

  std::vector<SpacePiece> pieces_;
  Mat3 first_frame_ = Mat3::Identity();
  double length_ = 0;
};

}  // namespace filum::channel
