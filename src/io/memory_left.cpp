#include "io/memory_left.hpp"

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace filum::io {

namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

// The number that a small file of the system begins with; `none`: it says something else or is not there.
std::size_t number_in(const char* path, std::size_t none) {
  std::size_t number = 0;
  return std::ifstream(path) >> number ? number : none;
}

std::size_t rest(std::size_t most, std::size_t taken) {
  return most == kUnknown ? kUnknown : most - std::min(most, taken);
}

// MemAvailable, in kB: what can be had without swapping.
std::size_t of_machine() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    std::size_t kilobytes = 0;
    if (word == "MemAvailable:" && file >> kilobytes) return 1024 * kilobytes;
  }
  return kUnknown;
}

std::size_t of_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return rest(limit.rlim_cur, page * number_in("/proc/self/statm", 0));
}

std::size_t of_group() {
  return rest(number_in("/sys/fs/cgroup/memory.max", kUnknown), number_in("/sys/fs/cgroup/memory.current", 0));
}

}  // namespace

std::size_t memory_left() {
  return std::min({of_machine(), of_process(), of_group()});
}

}  // namespace filum::io
