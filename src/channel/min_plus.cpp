#include "channel/min_plus.hpp"

namespace filum::channel {
namespace {

using Pair = double __attribute__((vector_size(16)));
using Mask = long long __attribute__((vector_size(16)));
using Unaligned = double __attribute__((vector_size(16), aligned(8), may_alias));

struct Best {
  double value;
  int index;
};

struct Sources {
  const double* from;
  const double* cost;
  double stiffness;
};

inline double total(const Sources& sources, int i, double x) {
  const double bent = x - sources.from[i];
  return sources.cost[i] + sources.stiffness * (bent * bent);
}

// The best of sources [low, high] for the angle x = to − rest.
inline Best scan(const Sources& sources, int low, int high, double x) {
  Best best{total(sources, low, x), low};
  int i = low + 1;
  if (high - low >= 8) {
    // four at a time: value and place of the best in each lane
    const Pair xs{x, x};
    const Pair k{sources.stiffness, sources.stiffness};
    Pair value_a{best.value, best.value}, value_b = value_a;
    Mask place_a{low, low}, place_b = place_a;
    Mask here{i, i + 1};
    const Mask two{2, 2};
    for (; i + 3 <= high; i += 4) {
      const Pair bent_a = xs - *reinterpret_cast<const Unaligned*>(sources.from + i);
      const Pair bent_b = xs - *reinterpret_cast<const Unaligned*>(sources.from + i + 2);
      const Pair sum_a = *reinterpret_cast<const Unaligned*>(sources.cost + i) + k * (bent_a * bent_a);
      const Pair sum_b = *reinterpret_cast<const Unaligned*>(sources.cost + i + 2) + k * (bent_b * bent_b);
      const Mask less_a = sum_a < value_a;
      const Mask less_b = sum_b < value_b;
      value_a = less_a ? sum_a : value_a;
      value_b = less_b ? sum_b : value_b;
      place_a = less_a ? here : place_a;
      place_b = less_b ? here + two : place_b;
      here += two + two;
    }
    // the lanes against each other: of equal values the first place
    const double values[4] = {value_a[0], value_a[1], value_b[0], value_b[1]};
    const long long placed[4] = {place_a[0], place_a[1], place_b[0], place_b[1]};
    for (int lane = 0; lane < 4; ++lane) {
      const int place = static_cast<int>(placed[lane]);
      const bool better = values[lane] < best.value || (values[lane] == best.value && place < best.index);
      if (better) best = {values[lane], place};
    }
  }
  for (; i <= high; ++i) {
    const double value = total(sources, i, x);
    if (value < best.value) best = {value, i};
  }
  return best;
}

struct Targets {
  const double* to;
  double rest;
  double* best;
  std::uint16_t* arg;
};

// Targets [first, last] whose best sources are known to lie in [low, high].
void halve(const Sources& sources, const Targets& targets, int first, int last, int low, int high) {
  while (first <= last) {
    const int middle = first + (last - first) / 2;
    const Best best = scan(sources, low, high, targets.to[middle] - targets.rest);
    targets.best[middle] = best.value;
    targets.arg[middle] = static_cast<std::uint16_t>(best.index);
    halve(sources, targets, first, middle - 1, low, best.index);
    first = middle + 1;
    low = best.index;
  }
}

}  // namespace

void min_plus(const double* from, const double* cost, int n, const double* to, int m, double stiffness, double rest,
              double* best, std::uint16_t* arg) {
  halve({from, cost, stiffness}, {to, rest, best, arg}, 0, m - 1, 0, n - 1);
}

}  // namespace filum::channel
