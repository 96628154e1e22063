// Link of an open rod: how often its ends are turned against each other, as twist and writhe, with no turn lost.
//
// The centre line, an open polyline, is prolonged from its ends by rays along −t_a and t_b to infinity and closed there
// in the plane of t_a and t_b. For frames along it
//   Tw + Wr − ψ/2π = integer
// (Călugăreanu, White and Fuller for the closed ribbon; van der Heijden, Peletier & Planqué, «On end rotation for open
// rods undergoing large deformations», 2007, for open ones), with
//   Tw   total twist in turns: the joint twists of rod/curve_kit summed and unwrapped, and those from the end frames to
//        the first and last edge's if the ends are not those edges
//   Wr   writhe of the polyline with its two rays; the closure at infinity adds nothing
//   ψ    closure angle: of the end frame against the start frame carried to it by the shortest rotation from t_a to t_b
// This holds exactly for polylines, at any number of segments.
//
// While the rod moves the integer stays, but for crossings of the line with itself or with a ray: each changes it by
// ±2, and so does an end tangent that is moved about −t_a (the belt trick, a ray that crosses the other). An odd change
// is no crossing: a turn was lost in the bookkeeping of the twist.
#pragma once

#include <filum/types.hpp>

#include <limits>
#include <span>

namespace filum::rod {

// Tangents of unit length. With fewer segments than the polyline has, the writhe of the thinned one is taken and the
// solid angle between both paths of tangents added [Fuller1978]: the same value, unless the two lines are on different
// sides of a crossing.
[[nodiscard]] double extended_writhe(std::span<const Vec3> points, const Vec3& start_tangent, const Vec3& end_tangent,
                                     int max_segments = std::numeric_limits<int>::max());

// ψ, the representative nearest to `near`; rad. Open when the tangents are opposite. Frames have columns d1, d2, d3.
[[nodiscard]] double closure_angle(const Mat3& start, const Mat3& end, double near);

// One look at a rod.
struct LinkView {
  double twist = 0;              // Tw, turns
  std::span<const Vec3> points;  // the centre line
  Mat3 start = Mat3::Identity();
  Mat3 end = Mat3::Identity();
};

// What has changed since the reference: twist + writhe = turns − 2 crossings + remainder.
struct LinkBalance {
  double turns = 0;      // of the ends against each other, Δψ/2π
  double twist = 0;      // ΔTw
  double writhe = 0;     // ΔWr
  int crossings = 0;     // signed: a line that crosses itself so that its writhe falls by two counts +1
  double remainder = 0;  // zero but for rounding: no turn was lost; ±1: one was
};

// Follows the ends and balances twist and writhe against them.
class LinkLedger {
 public:
  explicit LinkLedger(const LinkView& reference, int max_segments = std::numeric_limits<int>::max());

  // After every step, at the cost of two frames. `turned`: about how far the end has turned about its own tangent
  // against the start since the last look, in turns; the truth lies within half a turn of it.
  void follow(const Mat3& start, const Mat3& end, double turned = 0);

  // ψ − ψ_reference in turns.
  [[nodiscard]] double turns() const;

  // On demand, at the cost of the writhe. The ends must be those last followed.
  [[nodiscard]] LinkBalance balance(const LinkView& now) const;

 private:
  int max_segments_;
  double twist_;      // of the reference
  double writhe_;     // likewise
  double reference_;  // ψ
  Mat3 end_;          // in the frame of the start, as last followed
  double closure_;    // ψ, unwrapped
};

}  // namespace filum::rod
