#include "flexible/traced_tube.hpp"

#include <algorithm>

namespace filum::flexible {

double TracedTube::radius() const {
  std::vector<double> all;
  for (const Station& station : stations) all.push_back(station.radius);
  std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

}  // namespace filum::flexible
