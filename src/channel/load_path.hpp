// Along a sequence of loads: the shape follows its branch, and snaps when the branch ends.
#pragma once

#include "channel/describe.hpp"

#include <vector>

namespace filum::channel {

// From a state in equilibrium at the problem's first load through all others.
std::vector<ChannelStep> follow_loads(const ChannelProblem& problem, const Passage& passage, const ChannelState& start,
                                      const std::function<void(double share)>& progress);

}  // namespace filum::channel
