// How somebody watches a long computation, and asks it to stop.
#pragma once

#include <functional>

namespace filum {

// Told now and then the share of the work that is done, in [0, 1], and what is going on. False: stop. It then has to
// answer false until the call has returned, which it does soon, with what it has and a report that says `stopped`. May
// be empty.
using Progress = std::function<bool(double, const char*)>;

// Tells it. True: it asks to stop.
inline bool stops(const Progress& progress, double share, const char* what) {
  return progress && !progress(share, what);
}

// Why something is not done that was stopped.
inline constexpr const char* kStopped = "stopped on request";

}  // namespace filum
