#include "rod/edge.hpp"

#include "math/lane_table.hpp"
#include "math/rotation_kernel.hpp"

#include <algorithm>

namespace filum::rod {

// Several side by side; what lies beyond the last is the last again.
void carry_frames(std::span<Mat3> frames, std::span<const Vec3> edges, std::span<const double> turns) {
  const int count = static_cast<int>(frames.size());
  math::in_lanes([&]<class T>() {
    for (int first = 0; first < count; first += math::kLanesOf<T>) {
      const auto at = [&](int lane) { return static_cast<std::size_t>(std::min(first + lane, count - 1)); };
      const math::Mat3Of<T> carried =
          carried_frame<T>(math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return frames[at(i)]; }),
                           math::gathered<math::Vec3Of, T>([&](int i) -> const Vec3& { return edges[at(i)]; }),
                           math::gathered<math::NumberOf, T>([&](int i) -> const double& { return turns[at(i)]; }));
      math::scatter<math::Mat3Of, T>(carried, count - first, [&](int i) -> Mat3& { return frames[at(i)]; });
    }
  });
}

void find_turns(std::span<const Mat3> starts, std::span<const Mat3> ends, std::span<double> turns) {
  const int count = static_cast<int>(ends.size());
  math::in_lanes([&]<class T>() {
    for (int first = 0; first < count; first += math::kLanesOf<T>) {
      const auto at = [&](int lane) { return static_cast<std::size_t>(std::min(first + lane, count - 1)); };
      const T turn =
          turn_between<T>(math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return starts[at(i)]; }),
                          math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return ends[at(i)]; }));
      math::scatter<math::NumberOf, T>(turn, count - first, [&](int i) -> double& { return turns[at(i)]; });
    }
  });
}

void turns_of_halves(std::span<const double> halves, std::span<double> turns) {
  const int count = static_cast<int>(turns.size());
  math::in_lanes([&]<class T>() {
    for (int first = 0; first < count; first += math::kLanesOf<T>) {
      const auto at = [&](int lane) { return static_cast<std::size_t>(std::min(first + lane, count - 1)); };
      const T half = math::gathered<math::NumberOf, T>([&](int i) -> const double& { return halves[at(i)]; });
      // the sine and the cosine of the whole
      const T per = 1.0 / (1.0 + half * half);
      const T turn = math::angle_of<T>(2.0 * half * per, (1.0 - half * half) * per);
      math::scatter<math::NumberOf, T>(turn, count - first, [&](int i) -> double& { return turns[at(i)]; });
    }
  });
}

void turn_frames(std::span<Mat3> frames, std::span<const Vec3> rotations) {
  const int count = static_cast<int>(frames.size());
  math::in_lanes([&]<class T>() {
    for (int first = 0; first < count; first += math::kLanesOf<T>) {
      const auto at = [&](int lane) { return static_cast<std::size_t>(std::min(first + lane, count - 1)); };
      const math::Mat3Of<T> turned =
          math::turned<T>(math::gathered<math::Mat3Of, T>([&](int i) -> const Mat3& { return frames[at(i)]; }),
                          math::gathered<math::Vec3Of, T>([&](int i) -> const Vec3& { return rotations[at(i)]; }));
      math::scatter<math::Mat3Of, T>(turned, count - first, [&](int i) -> Mat3& { return frames[at(i)]; });
    }
  });
}

}  // namespace filum::rod
