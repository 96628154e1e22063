// Segments that follow each other without a branching, one rod each.
//
// A node where two segments of the same bundle meet goes through; where three meet, or two different bundles, rods end
// and are joined.
#pragma once

#include "exchange/harness/harness.hpp"

#include <vector>

namespace filum::exchange {

struct BranchStep {
  int segment = -1;
  bool reversed = false;  // from its end to its start
};
struct Branch {
  std::vector<BranchStep> steps;
  int start = -1;  // nodes
  int end = -1;
};

// The wires of each segment, ascending.
std::vector<std::vector<int>> wires_by_segment(const Harness& harness);

std::vector<Branch> branches(const Harness& harness, const std::vector<std::vector<int>>& wires);

}  // namespace filum::exchange
