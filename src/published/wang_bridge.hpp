// The teaching example of dynamic programming in Z. Wang's dissertation (2016, section 3.2.1): people who walk at
// different speeds cross a bridge at night; it carries two, and there is one torch.
#pragma once

#include <string>
#include <vector>

namespace filum::published {

struct BridgeCrossing {
  double minutes = 0;
  std::vector<std::vector<std::string>> paths;  // who is across after each walk, of all fastest ways
  int evaluations = 0;                          // steps looked at
};

// Who needs how many minutes; at most 16 people, named A, B, C, …
BridgeCrossing cross_bridge(const std::vector<double>& minutes);

}  // namespace filum::published
