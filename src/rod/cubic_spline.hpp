// Cubic splines along a rod: where the control points act, and the spline through given points. B-splines on any knots, with
// weights or without, or Catmull-Rom's.
//
// Knots are places along the unstretched rod, so the parameter u is rest arc length. The ends are fourfold: the curve
// begins and ends at its first and last control point. Inside, a knot is simple (the curve is C²) or double (C¹: the
// curvature may jump there, as it does where something grips the rod). The part between two neighbouring knots is a
// segment; its curve is made of four control points [DeBoor1978, ch. IX and X].
//
// With weights w_i the functions are R_i = w_i N_i/W, W = Σ w N (NURBS): the spline W r is then a B-spline with the control
// points w_i P_i, and W itself one with the w_i, so that knots are inserted into both as into any other.
//
// Catmull-Rom's has a control point at each knot and one beyond either end; at a knot between widths h and k it goes with
// the slope (P_{i+1} − P_{i−1})/(h + k). It is C¹ everywhere, has no double knots, and none can be inserted: what breaks
// ask for it cannot give.
//
// A closed curve has knots that repeat after its length. Its last segments are made of its first control points again:
// these stand at the end of the list once more, as «ghosts», so that a segment's four are always neighbours.
//
// Slopes are given as weights of the legs D_i = P_{i+1} − P_i of the control polygon, not of the points: differences of
// stored points would lose the digits that a stiff rod's strain is made of.
#pragma once

#include <filum/types.hpp>

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace filum::rod {

// At one place: r = Σ value_i P_{first+i}, r′ = Σ slope_i D_{first+i}, r″ = Σ bend_i D_{first+i}.
struct SplineBasis {
  int first = 0;
  std::array<double, 4> value{};
  std::array<double, 3> slope{};
  std::array<double, 3> bend{};
};

// The weights of the four control points that weights of their three legs amount to.
[[nodiscard]] inline std::array<double, 4> on_points(const std::array<double, 3>& legs) {
  return {-legs[0], legs[0] - legs[1], legs[1] - legs[2], legs[2]};
}

class SplineKnots {
 public:
  enum class Kind { BSpline, CatmullRom };
  SplineKnots() = default;
  // `places` ascend and include both ends; `is_double` has one entry each (those of the ends mean nothing).
  SplineKnots(std::span<const double> places, std::vector<bool> is_double, Kind kind = Kind::BSpline);
  // Closed: the last place is the first one again, a length further on. Four segments at least.
  static SplineKnots ring(std::span<const double> places, std::vector<bool> is_double, Kind kind = Kind::BSpline);

  // Gives an open B-spline weights: W goes through these positive values at the places, with their slopes at the breaks.
  // Where that would take a weight below zero each is the value at its own place: as positive, and nearly the same.
  struct Weight {
    double value = 1;
    double slope = 0;
  };
  void weigh(const std::function<Weight(double s)>& weight_at);
  [[nodiscard]] bool weighted() const { return !weight_.empty(); }
  [[nodiscard]] bool catmull_rom() const { return kind_ == Kind::CatmullRom; }

  [[nodiscard]] int segments() const { return static_cast<int>(first_.size()); }
  [[nodiscard]] int controls() const { return static_cast<int>(knot_.size()) - 4; }
  [[nodiscard]] bool closed() const { return period_ > 0; }
  // How many control points there are but for ghosts; a ghost's own is so many places before it.
  [[nodiscard]] int own_controls() const { return closed() ? period_ : controls(); }
  [[nodiscard]] double length() const { return places_.back() - places_.front(); }
  [[nodiscard]] double start(int segment) const { return places_[static_cast<std::size_t>(segment)]; }
  [[nodiscard]] double width(int segment) const { return start(segment + 1) - start(segment); }
  [[nodiscard]] int first_control(int segment) const { return first_[static_cast<std::size_t>(segment)]; }
  // Whether the curvature may jump at a place; the ends of an open curve count.
  [[nodiscard]] bool is_break(int place) const { return break_[static_cast<std::size_t>(place)]; }

  // At this share of a segment, in [0, 1].
  [[nodiscard]] SplineBasis at(int segment, double share) const;

  // Of a control point. With these ones r(u) = u, with weights at the places alone.
  [[nodiscard]] double abscissa(int control) const;

  // The control points of the spline through a point at every place, with these slopes at the breaks (one per place;
  // those elsewhere are not looked at; Catmull-Rom's looks at those of the ends). Of a closed curve the last place has
  // none of its own.
  [[nodiscard]] std::vector<Vec3> through(std::span<const Vec3> points, std::span<const Vec3> slopes) const;

 private:
  [[nodiscard]] double knot(int i) const { return knot_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] double width_beside(int segment) const;
  [[nodiscard]] SplineBasis polynomial(int segment, double share) const;
  [[nodiscard]] SplineBasis catmull_rom_at(int segment, double share) const;
  [[nodiscard]] std::vector<Vec3> smooth_slopes(std::span<const Vec3> points, std::span<const Vec3> slopes) const;
  [[nodiscard]] std::vector<Vec3> polynomial_through(std::span<const Vec3> points, std::span<const Vec3> slopes) const;
  [[nodiscard]] std::vector<Vec3> catmull_rom_through(std::span<const Vec3> points, std::span<const Vec3> slopes) const;

  Kind kind_ = Kind::BSpline;
  std::vector<double> places_;
  std::vector<bool> break_;       // per place
  std::vector<double> knot_;      // with their multiplicities
  std::vector<int> first_;        // per segment: its first control point
  int period_ = 0;                // of a closed curve: its knots in one round
  std::vector<double> weight_;    // per control point, or none
  std::vector<double> abscissa_;  // of a weighted one, per control point
};

}  // namespace filum::rod
