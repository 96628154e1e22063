// From scaled angles and multipliers to what is reported.
#pragma once

#include "channel/polish.hpp"

namespace filum::channel {

ChannelState describe(const ChannelProblem& problem, const Passage& passage, const Beam& beam,
                      const Polished& polished);

}  // namespace filum::channel
