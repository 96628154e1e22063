// Splits a range into pieces for the caller's threads, if there are any.
#pragma once

#include <filum/channel.hpp>

#include <algorithm>

namespace filum::channel {

// body(begin, end) over [0, count) in pieces of at least `least`. What the pieces are has no influence on results as
// long as each index is worked on by itself.
template <class Body>
void for_ranges(const ParallelFor& parallel, int count, int least, const Body& body) {
  if (count <= 0) return;
  if (!parallel || count <= least) {
    body(0, count);
    return;
  }
  const int pieces = std::min(64, (count + least - 1) / least);
  parallel(pieces, [&](int piece) {
    const auto edge = [&](int k) { return static_cast<int>(static_cast<long long>(count) * k / pieces); };
    body(edge(piece), edge(piece + 1));
  });
}

}  // namespace filum::channel
