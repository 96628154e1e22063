#include "rod/linking_number.hpp"

#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/curve_kit.hpp"
#include "rod/writhe.hpp"

#include <cmath>
#include <vector>

namespace filum::rod {
namespace {

// Solid angle of a triangle of directions of any length, in [−2π, 2π], positive when a, b, c turn counter-clockwise
// seen from outside [VanOosterom1983].
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm();
  const double lb = b.norm();
  const double lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

// Gauss integrals of both rays against the line and each other.
double ray_sum(std::span<const Vec3> nodes, const Vec3& start_tangent, const Vec3& end_tangent) {
  return solid_angle(nodes.back() - nodes.front(), end_tangent, start_tangent) +
         2 * half_rays(nodes, start_tangent, end_tangent);
}

// How far the transport along the fine tangents turns against the one along the chords, both from `from` to `to`; rad.
// Chord by chord, as the solid angle of the loop over the chord, its middle edge, those between and back.
double thinning_angle(std::span<const Vec3> points, std::span<const std::size_t> kept, std::span<const Vec3> nodes,
                      const Vec3& from, const Vec3& to) {
  const std::vector<Vec3> fine = edge_tangents(points);
  const std::vector<Vec3> chords = edge_tangents(nodes);
  Vec3 chord = from;
  Vec3 edge = from;
  std::size_t next = 0;
  double angle = 0;
  for (std::size_t block = 0; block < kept.size(); ++block) {
    // the chord, or behind the last one the end
    const bool end = block + 1 == kept.size();
    const Vec3 next_chord = end ? to : chords[block];
    const std::size_t middle = end ? fine.size() : (kept[block] + kept[block + 1]) / 2;
    // there on both ways
    const Vec3 normal = math::any_perpendicular(chord);
    const Vec3 straight = math::transport(normal, chord, next_chord);
    Vec3 around = math::transport(normal, chord, edge);
    for (; next < middle; ++next) {
      around = math::transport(around, edge, fine[next]);
      edge = fine[next];
    }
    around = math::transport(around, edge, next_chord);
    angle += math::signed_angle(straight, around, next_chord);
    chord = next_chord;
  }
  return angle;
}

}  // namespace

double extended_writhe(std::span<const Vec3> points, const Vec3& start_tangent, const Vec3& end_tangent,
                       int max_segments) {
  if (points.size() < 2) return 0;
  const std::vector<std::size_t> kept = thinned(points.size() - 1, max_segments);
  std::vector<Vec3> nodes;
  for (const std::size_t i : kept) nodes.push_back(points[i]);
  const double line = writhe(nodes, false, std::numeric_limits<int>::max());
  const double rays = ray_sum(nodes, start_tangent, end_tangent) / (2 * math::kPi);
  if (nodes.size() == points.size()) return line + rays;
  return line + rays + thinning_angle(points, kept, nodes, start_tangent, end_tangent) / (2 * math::kPi);
}

double closure_angle(const Mat3& start, const Mat3& end, double near) {
  return joint_twist(Quat(start), Quat(end), near);
}

LinkLedger::LinkLedger(const LinkView& reference, int max_segments)
    : max_segments_(max_segments),
      twist_(reference.twist),
      writhe_(extended_writhe(reference.points, reference.start.col(2), reference.end.col(2), max_segments)),
      reference_(closure_angle(reference.start, reference.end, 0)),
      end_(reference.start.transpose() * reference.end),
      closure_(reference_) {}

// Seen from the start, t_a stays at z and the end alone moves. ψ grows by the end's turn about its own tangent and the
// solid angle that the great circle from z to t_b sweeps; the latter tells on which side of −z the tangent passed.
void LinkLedger::follow(const Mat3& start, const Mat3& end, double turned) {
  const Mat3 now = start.transpose() * end;
  const double spin = joint_twist(Quat(end_), Quat(now), 2 * math::kPi * turned);
  const double swept = solid_angle(Vec3::UnitZ(), end_.col(2), now.col(2));
  closure_ = closure_angle(Mat3::Identity(), now, closure_ + spin + swept);
  end_ = now;
}

double LinkLedger::turns() const {
  return (closure_ - reference_) / (2 * math::kPi);
}

LinkBalance LinkLedger::balance(const LinkView& now) const {
  LinkBalance balance;
  balance.turns = turns();
  balance.twist = now.twist - twist_;
  balance.writhe = extended_writhe(now.points, now.start.col(2), now.end.col(2), max_segments_) - writhe_;
  // crossings come in twos, what is left over are lost turns
  const double excess = balance.twist + balance.writhe - balance.turns;
  balance.crossings = -static_cast<int>(std::lround(excess / 2));
  balance.remainder = excess + 2.0 * balance.crossings;
  return balance;
}

}  // namespace filum::rod
