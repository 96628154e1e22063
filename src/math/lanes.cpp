#include "math/lanes.hpp"

#include <algorithm>

namespace filum::math {

namespace {

int widest() {
#if defined(__x86_64__)
  const bool eight = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                     __builtin_cpu_supports("avx512vl");
  if (eight) return 8;
  if (__builtin_cpu_supports("avx2")) return 4;
#endif
  return 2;
}

int in_use = widest();

}  // namespace

int lanes_in_use() {
  return in_use;
}

void use_lanes(int most) {
  in_use = std::min(widest(), most >= 8 ? 8 : most >= 4 ? 4 : 2);
}

}  // namespace filum::math
