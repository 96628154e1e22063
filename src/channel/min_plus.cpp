#include "channel/min_plus.hpp"

#include "base/index.hpp"

#include <limits>

namespace filum::channel {

void MinPlus::run(const double* from, const double* cost, int n, const double* to, int m, double stiffness, double rest,
                  double* best, std::uint16_t* arg) {
  if (static_cast<int>(envelope_.size()) < n) envelope_.resize(at(n));
  Part* const parts = envelope_.data();
  const double half = 0.5 / stiffness;
  // the envelope, source by source: each new parabola is the lowest from some angle on
  int last = -1;
  for (int i = 0; i < n; ++i) {
    double begin = -std::numeric_limits<double>::infinity();
    bool hidden = false;
    while (last >= 0) {
      const double apart = from[i] - parts[last].from;
      // of two that start alike the cheaper one counts
      if (apart <= 0) {
        hidden = cost[i] >= parts[last].cost;
        if (hidden) break;
      } else {
        begin = 0.5 * (from[i] + parts[last].from) + half * (cost[i] - parts[last].cost) / apart;
        if (begin > parts[last].begin) break;
      }
      begin = -std::numeric_limits<double>::infinity();
      --last;
    }
    if (!hidden) parts[++last] = {begin, from[i], cost[i], static_cast<std::uint16_t>(i)};
  }
  // read off along it
  int part = 0;
  for (int j = 0; j < m; ++j) {
    const double x = to[j] - rest;
    while (part < last && parts[part + 1].begin < x) ++part;
    const double bent = x - parts[part].from;
    best[j] = parts[part].cost + stiffness * (bent * bent);
    arg[j] = parts[part].source;
  }
}

}  // namespace filum::channel
