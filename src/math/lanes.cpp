#include "math/lanes.hpp"

#include <algorithm>

namespace filum::math {

namespace {

int widest() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") ? 4 : 2;
#else
  return 2;
#endif
}

int in_use = widest();

}  // namespace

int lanes_in_use() {
  return in_use;
}

void use_lanes(int most) {
  in_use = most >= 4 ? widest() : 2;
}

}  // namespace filum::math
