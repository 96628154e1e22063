// The inner loop of the search: the best way on from every incoming link to every outgoing one of a node.
//
// The energy of a joint is a parabola in the angle of the outgoing link, the same for every incoming one but for its
// place. So the lowest of all is the lower envelope of parabolas, which with both lists sorted by angle takes O(n + m)
// steps instead of O(n m), and nothing is lost [Felzenszwalb2012].
#pragma once

#include <cstdint>
#include <vector>

namespace filum::channel {

class MinPlus {
 public:
  // From n links of angle `from` and cost `cost`, both lists sorted by angle, to m links of angle `to`:
  //   best[j] = min_i cost[i] + stiffness (to[j] − from[i] − rest)²,   arg[j] an i that gives it, to round-off.
  // Needs n >= 1 and finite costs.
  void run(const double* from, const double* cost, int n, const double* to, int m, double stiffness, double rest,
           double* best, std::uint16_t* arg);

 private:
  struct Part {
    double begin;  // angle where this parabola becomes the lowest
    double from;
    double cost;
    std::uint16_t source;
  };
  std::vector<Part> envelope_;
};

}  // namespace filum::channel
