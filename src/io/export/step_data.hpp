// The text of a STEP file (ISO 10303-21, AP214): numbered instances, a product with a wireframe in millimetres.
//
// A product whose shape is a geometrically bounded wireframe: one set of curves, in a context with its units. That is all
// that CAD programs ask for to read curves. Reference: ISO 10303-214, -42.
#pragma once

#include "geometry/bend_path.hpp"
#include "geometry/bspline.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace filum::io {

// The numbered instances of the data section; each call adds some and returns the number of the last.
class StepData {
 public:
  int add(const std::string& entity);
  int point(const Vec3& metres);
  int direction(const Vec3& unit);
  // B_SPLINE_CURVE_WITH_KNOTS.
  int curve(const geometry::BSpline& curve, const std::string& name);
  // A line or a circle, trimmed by its parameters.
  int piece(const geometry::PathPiece& piece, const std::string& name);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  int last_ = 0;
};

// The whole file: a product of this title with these curves of the data.
std::string step_file(StepData data, const std::vector<int>& curves, const std::string& title,
                      const std::string& description);

}  // namespace filum::io
