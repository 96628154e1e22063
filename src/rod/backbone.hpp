// Moment curves of sections that yield, and parallel elements that follow them.
//
// x is the strain over that of first yield, B(x) the moment over that of first yield; B(x) = x up to x = 1. With σ_y
// the same in tension and compression and no hardening:
//
//     bent rectangle, twisted circle   c − (c − 1) x^(−1/(c−1)),   c = 3/2 and 4/3
//     bent circle and ellipse          (4/π) [x (a/2 − sin 4a/8) + (4/3) (1 − 1/x²)^(3/2)],   a = asin 1/x;  c = 16/3π
//     tube of bore b = r_i/r_o         (S(x) − b³ S(b x))/(1 − b⁴),   S the full one: at equal curvature they subtract
//
// c is the ratio of the fully plastic moment to that of first yield. Twisted rectangles and ellipses have no closed
// form between the two; the first line with their own c is exact at both ends and has the elastic slope.
// A bundle that slips has B(x) = tanh x, x over the slip curvature: from the stiffness of wires that stick to that of
// wires that slide.
//
// Elements: of all polygons above B, one that touches it in m points. Between two points of contact z lies the element
// of share B'(z_{i−1}) − B'(z_i) and of the corner where the two tangents meet. Its first slope is the elastic one and
// its end the fully plastic moment, exactly; the points are chosen so that the error is about the same in every corner,
// of second order in 1/m: less than 1 % with 12 elements (tests/unit/rod/test_plastic_sections.cpp).
#pragma once

#include "rod/parallel_elements.hpp"

namespace filum::rod {

struct Backbone {
  enum class Form { Power, Round, Slip };
  Form form = Form::Power;
  double full = 1.5;  // c of Power
  double bore = 0;    // b, < 1

  [[nodiscard]] double value(double x) const;
  [[nodiscard]] double slope(double x) const;
  [[nodiscard]] double plateau() const;  // B(∞)
};

// Each share times `scale`.
ParallelElements elements_below(const Backbone& backbone, int count, double scale);

// A single element: linear until it yields.
ParallelElements one_element(double scale);

}  // namespace filum::rod
