// The median of some numbers.
#pragma once

#include <algorithm>
#include <vector>

namespace filum::flexible {

// The upper one of two; of at least one number, whose order is lost.
inline double middle(std::vector<double>& all) {
  std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

}  // namespace filum::flexible
