// Where a scene's rods lie before anything moves: positions and material frames along the initial shape.
//
// The frame at the start has d1 from the rod's `normal`, made square to the tangent; along the shape it is carried
// without twist and turned by the `roll` of the shape's control points, and the rod's own `twist` is spread evenly on top.
#pragma once

#include <filum/curve.hpp>
#include <filum/scene.hpp>

#include <span>
#include <vector>

namespace filum::scene {

struct Placement {
  Vec3 position = Vec3::Zero();
  Mat3 frame = Mat3::Identity();  // columns d1, d2, d3
  double roll = 0;                // by how much the shape's control points have turned it, rad
};

class RodLayout {
 public:
  explicit RodLayout(const Rod& rod);

  [[nodiscard]] double length() const { return length_; }               // of the material, m
  [[nodiscard]] double shape_length() const { return path_.length(); }  // of the drawn shape, m

  // Placements at ascending arc lengths of the material; `twisted`: with the rod's initial twist.
  [[nodiscard]] std::vector<Placement> place(std::span<const double> s, bool twisted = true) const;
  [[nodiscard]] Placement at(double s) const;

  // The material's twist between two arc lengths, unwrapped, rad.
  [[nodiscard]] double twist_between(double from, double to) const;

 private:
  CurvePath path_;
  double length_;
  double twist_;
  Mat3 start_frame_;
};

// The same for a rest curve: frames along `path`, without twist but for its roll, stretched over a rod of this length.
std::vector<Placement> place_along(const CurvePath& path, double length, const Mat3& start_frame,
                                   std::span<const double> s);

}  // namespace filum::scene
