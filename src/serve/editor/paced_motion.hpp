// A movement towards a goal at a bounded speed that speeds up and brakes evenly, as a winch or a trolley does.
#pragma once

#include <algorithm>
#include <cmath>

namespace filum::serve {

class PacedMotion {
 public:
  // How far to go within dt of what is left, with its sign, at most at this speed; never beyond. What is left may be
  // infinite: it then goes on until it is told another goal. With speed 0 it brakes.
  double advance(double left, double speed, double dt) {
    if (speed > 0) fastest_ = speed;
    const double most = fastest_ / kRamp * dt;  // change of speed within dt
    const double braking = std::sqrt(2 * fastest_ / kRamp * std::abs(left));
    const double wanted = std::copysign(std::min(speed, braking), left);
    pace_ += std::clamp(wanted - pace_, -most, most);
    const double by = pace_ * dt;
    if (std::abs(by) < std::abs(left) || by * left < 0) return by;
    pace_ = 0;
    return left;
  }
  // Its speed now.
  [[nodiscard]] double pace() const { return pace_; }
  void stop() { pace_ = 0; }

 private:
  static constexpr double kRamp = 0.15;  // s from rest to the speed
  double pace_ = 0;
  double fastest_ = 0;
};

}  // namespace filum::serve
