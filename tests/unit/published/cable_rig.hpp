// A cable of one metre in round numbers for the tests of Grégoire's scheme.
#pragma once

#include "math/dense.hpp"
#include "math/rotation.hpp"
#include "published/gregoire_solve.hpp"

#include <cmath>
#include <vector>

namespace filum::test {

inline constexpr double kWeight = 0.1 * 9.81;  // of the whole cable, N

// Springs of twenty weights, which give way by some percent until integral forces take over, and stiff handles.
inline published::CableDescription metre(int points, double stiffness) {
  published::CableDescription description;
  description.points = points;
  description.length = 1;
  description.line_density = 0.1;
  description.stiffness.setConstant(stiffness);
  description.length_penalty = description.norm_penalty = description.coherence_penalty = 20 * kWeight;
  description.handle_position = 1e4 * kWeight;
  description.handle_orientation = 1e2 * kWeight;
  return description;
}

// The quaternion of a segment along `direction`, turned the shortest way from (0, 1, 0).
inline published::Vec4 pointing(const Vec3& direction) {
  return math::to_vec4(math::smallest_turn(Vec3::UnitY(), direction));
}
inline Quat as_quaternion(const published::Vec4& q) {
  return {q[0], q[1], q[2], q[3]};
}

// Hung between (0, 0, 0) and (span, 0, 0) by its end points, drawn as a parabola.
struct Hung {
  published::Cable cable;
  published::CableState state;

  Hung(const published::CableDescription& description, double span) {
    const int last = description.points - 1;
    std::vector<Vec3> points;
    for (int i = 0; i <= last; ++i) {
      const double t = static_cast<double>(i) / last;
      points.emplace_back(span * t * description.length, 0, -1.6 * t * (1 - t) * description.length);
    }
    using published::HandleOn;
    cable = {
        description,
        {{HandleOn::Point, 0, points.front(), std::nullopt}, {HandleOn::Point, last, points.back(), std::nullopt}}};
    state = published::start_along(points);
  }
};

}  // namespace filum::test
