// The clock of benches: the processor time of this program, which a busy machine does not lengthen.
#pragma once

#include <ctime>

namespace filum::bench {

[[nodiscard]] inline double processor_microseconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// Of one piece of work.
template <class Work>
[[nodiscard]] double processor_microseconds_of(const Work& work) {
  const double start = processor_microseconds();
  work();
  return processor_microseconds() - start;
}

}  // namespace filum::bench
