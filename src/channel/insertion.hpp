// A beam is fed into its channel through the clamp, length by length.
//
// With the length ℓ inserted, what lies in the channel is a beam of that length, clamped at the start: the last ℓ of the
// whole beam, so that what is naturally bent at the tip stays there. A resistance P pushes the tip back along the channel.
// It is fed by F, which is not the push H that the clamp hands on. Material that is bent with the curvature κ as it
// leaves its straight guide pushes itself out by the configurational force EI κ²/2 [Bigoni2015]:
//
//   F = H − EI κ²/2,      F dℓ = dU − ½ EI κ̄² dℓ + P ds + heat,
//
// U the energy of what lies in the channel, κ̄ the natural curvature of what leaves the guide, s where the tip is, the heat that of
// all friction over dℓ. The second is how steps are checked: the first comes from forces, U from shapes.
#pragma once

#include <filum/channel.hpp>

namespace filum::channel {

// Loads of the problem are inserted lengths.
ChannelOutcome feed_in(const ChannelProblem& problem, const ChannelOptions& options);

}  // namespace filum::channel
