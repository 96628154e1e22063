// Work on curves: moved, cut, prolonged, and made longer between two places. All lengths are arc lengths of the curve.
//
// Lines and polylines stay exact, and so do arcs and helices as long as they remain such. Otherwise a curve is sampled
// anew as a spline, finely, and still more so towards its ends: a natural spline has no curvature at its end, and where
// one is cut it should have.
#pragma once

#include <filum/curve.hpp>

#include <span>
#include <vector>

namespace filum::edit {

// The points of a part of a curve that a curve through them needs, and that curve: polylines stay such, others become
// splines.
[[nodiscard]] std::vector<Vec3> points_of(const Curve& curve, double from, double to);
[[nodiscard]] Curve through(const Curve& model, std::vector<Vec3> points);

// x → turn·x + shift
[[nodiscard]] Curve moved(const Curve& curve, const Mat3& turn, const Vec3& shift);

// From one arc length to another.
[[nodiscard]] Curve part_of(const Curve& curve, double from, double to);

// Goes on beyond its end, or before its start: straight, but arcs and helices round.
[[nodiscard]] Curve prolonged_end(const Curve& curve, double by);
[[nodiscard]] Curve prolonged_start(const Curve& curve, double by);

// Longer by a bulge between each place and the next, all in proportion. At the places and outside them positions and
// tangents stay, and so do frames carried along without twist, if there is a bulge that allows it: the one nearest to
// `towards` is taken. Two places or more, ascending.
[[nodiscard]] Curve bulged(const Curve& curve, std::span<const double> places, double by, const Vec3& towards);

// Longer because the part between two arc lengths is drawn in a larger scale; what follows moves on.
[[nodiscard]] Curve scaled_between(const Curve& curve, double from, double to, double by);

}  // namespace filum::edit
