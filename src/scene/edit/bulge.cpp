// A curve made longer between places by bulges.
//
// The piece is pushed sideways by height·sin⁴(πu), u from 0 to 1 along it, so that position, tangent and curvature of
// its ends stay. Frames carried along the curve without twist turn by the solid angle that the tangents enclose with
// those of the old piece; of the directions to push in, one is taken that encloses none.
#include "base/index.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "scene/edit/curve_edits.hpp"
#include "scene/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace filum::edit {
namespace {

using math::kPi;

// The points of the curve before and after a place, without it.
std::vector<Vec3> points_before(const Curve& curve, double s) {
  if (s <= 1e-12 * curve_length(curve)) return {};
  std::vector<Vec3> points = points_of(curve, 0, s);
  points.pop_back();
  return points;
}
std::vector<Vec3> points_after(const Curve& curve, double s) {
  const double length = curve_length(curve);
  if (s >= length * (1 - 1e-12)) return {};
  std::vector<Vec3> points = points_of(curve, s, length);
  points.erase(points.begin());
  return points;
}

// The zero of f between a and b, where it has the values fa and fb of different sign: regula falsi, Illinois.
template <class F>
double root(const F& f, double a, double fa, double b, double fb, double near_zero) {
  for (int i = 0; i < 60; ++i) {
    const double c = (a * fb - b * fa) / (fb - fa);
    const double fc = f(c);
    if (std::abs(fc) <= near_zero || c == a || c == b) return c;
    if ((fc < 0) != (fb < 0)) {
      a = b;
      fa = fb;
    } else {
      fa /= 2;
    }
    b = c;
    fb = fc;
  }
  return b;
}

class Bulge {
 public:
  Bulge(const Curve& curve, double from, double to, double by, const Vec3& towards)
      : curve_(curve), length_(curve_length(curve) + by), beyond_(to + by) {
    const CurvePath path(curve);
    std::vector<Vec3> tangents;
    for (int i = 0; i <= kPieces; ++i) {
      const CurveSample sample = path.at(from + (to - from) * i / kPieces);
      base_.push_back(sample.position);
      tangents.push_back(sample.tangent);
    }
    frames_ = bishop_frames(tangents, towards);
    before_ = points_before(curve, from);
    after_ = points_after(curve, to);
    old_frame_ = frame_at(path, to);
  }

  // The points of the piece, bulged in this direction so that the whole has its new length.
  [[nodiscard]] std::vector<Vec3> piece(double angle) const {
    const auto missing = [&](double height) { return curve_length(whole(pushed(angle, height))) - length_; };
    // far enough at last
    double low = 0;
    double below = missing(low);
    double high = length_;
    double above = missing(high);
    while (above < 0) {
      low = high;
      below = above;
      high *= 2;
      above = missing(high);
    }
    return pushed(angle, below < 0 ? root(missing, low, below, high, above, 1e-14 * length_) : low);
  }

  // The direction nearest to 0 that leaves the frames beyond as they were.
  [[nodiscard]] double quiet_angle() const {
    constexpr double kQuiet = 1e-10;
    constexpr int kSteps = 12;
    const auto turned = [&](double angle) { return turn_of(whole(piece(angle))); };
    const double ahead = turned(0);
    if (std::abs(ahead) < kQuiet) return 0;
    // a change of sign to one side or the other, but not where the turn jumps
    std::array<double, 2> last{ahead, ahead};
    for (int k = 1; k <= kSteps; ++k)
      for (const int side : {0, 1}) {
        const double step = (side == 0 ? kPi : -kPi) / kSteps;
        const double before = last[at(side)];
        const double after = last[at(side)] = turned(k * step);
        if (before * after <= 0 && std::abs(before - after) < kPi)
          return root(turned, (k - 1) * step, before, k * step, after, kQuiet);
      }
    return 0;
  }

 private:
  static constexpr int kPieces = 128;

  [[nodiscard]] std::vector<Vec3> pushed(double angle, double height) const {
    std::vector<Vec3> points;
    for (int i = 0; i <= kPieces; ++i) {
      // the first and the last edge stay, and with them the tangents of a polyline
      const double u = std::clamp((i - 1.0) / (kPieces - 2.0), 0.0, 1.0);
      const double push = height * std::pow(std::sin(kPi * u), 4);
      points.push_back(base_[at(i)] + push * (frames_[at(i)] * Vec3(std::cos(angle), std::sin(angle), 0)));
    }
    return points;
  }

  [[nodiscard]] Curve whole(const std::vector<Vec3>& piece) const {
    std::vector<Vec3> points = before_;
    points.insert(points.end(), piece.begin(), piece.end());
    points.insert(points.end(), after_.begin(), after_.end());
    return through(curve_, std::move(points));
  }

  // Frame carried from the start, which all these curves share.
  [[nodiscard]] static Mat3 frame_at(const CurvePath& path, double s) {
    const Vec3 tangent = path.at(0).tangent;
    const std::vector<double> place{s};
    const Mat3 start = math::frame_from(tangent, math::any_perpendicular(tangent));
    return scene::place_along(path, path.length(), start, place)[0].frame;
  }

  // By how much frames beyond the bulge are turned against the old ones.
  [[nodiscard]] double turn_of(const Curve& curve) const {
    const Mat3 frame = frame_at(CurvePath(curve), beyond_);
    const Vec3 old = math::transport(old_frame_.col(0), old_frame_.col(2), frame.col(2));
    return math::signed_angle(old, frame.col(0), frame.col(2));
  }

  const Curve& curve_;
  double length_;  // of the whole when made
  double beyond_;  // where the bulge will end
  std::vector<Vec3> base_;
  std::vector<Quat> frames_;
  std::vector<Vec3> before_;
  std::vector<Vec3> after_;
  Mat3 old_frame_;
};

}  // namespace

Curve bulged(const Curve& curve, std::span<const double> places, double by, const Vec3& towards) {
  const double span = places.back() - places.front();
  std::vector<Vec3> points = points_before(curve, places.front());
  for (std::size_t i = 1; i < places.size(); ++i) {
    const Bulge bulge(curve, places[i - 1], places[i], by * (places[i] - places[i - 1]) / span, towards);
    // it begins where the one before ends
    if (i > 1) points.pop_back();
    const std::vector<Vec3> piece = bulge.piece(bulge.quiet_angle());
    points.insert(points.end(), piece.begin(), piece.end());
  }
  const std::vector<Vec3> rest = points_after(curve, places.back());
  points.insert(points.end(), rest.begin(), rest.end());
  return through(curve, std::move(points));
}

}  // namespace filum::edit
