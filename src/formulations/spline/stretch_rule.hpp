// Where a spline rod's stretch is sampled, and with which weights: a rule that does not lock.
//
// r′ is a quadratic spline with n − 1 unknowns a coordinate, n the number of control points. A stiff rod asks |r′| = 1
// at every point of the rule. Gauss points in every segment ask for more than the curve has unknowns, and a slender
// rod then cannot bend (at a slenderness of 10 000 the tip of a cantilever is off by half its length); one point a
// segment leaves axial mechanisms. This rule asks for as many as there are:
//
//     two Gauss points in a segment that touches a break, the middle of every other segment,
//
// and its weights integrate every quadratic spline of the part between two breaks exactly, Σ w_g B_i(u_g) = ∫ B_i: one
// banded system at compile time, so that a bar is stretched exactly. Selective reduced integration in the spirit of
// [Adam2014]. A part of one segment has its two Gauss points, and three where that would be one too few in all. A ring
// without breaks has the middles of its segments. Catmull-Rom's splines, which have one part, and splines with weights have
// the weights that integrate what r′ of theirs is made of.
#pragma once

#include "rod/cubic_spline.hpp"

#include <vector>

namespace filum::spline {

struct RulePoint {
  int segment = 0;
  double share = 0;   // of the segment
  double weight = 0;  // m
};

std::vector<RulePoint> stretch_rule(const rod::SplineKnots& knots);

}  // namespace filum::spline
