// The channel, the shapes in it and the forces of its walls, drawn.
#pragma once

#include <filum/channel.hpp>

#include <string>
#include <vector>

namespace filum::io {

struct DrawnShape {
  const ChannelState* state = nullptr;
  std::string name;
};

// All shapes in one picture; `forces`: with arrows for walls and tip.
std::string channel_svg(const ChannelProblem& problem, const std::vector<DrawnShape>& shapes, bool forces);

}  // namespace filum::io
