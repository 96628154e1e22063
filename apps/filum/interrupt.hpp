// Ctrl-C as a wish to stop, not as an end in the middle of a file.
#pragma once

namespace filum::app {

// While one exists, the first interrupt is noted; a second one ends the program as it would have without.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  [[nodiscard]] static bool interrupted();
};

}  // namespace filum::app
