#include "flexible/traced_tube.hpp"

#include <algorithm>

namespace filum::flexible {

double TracedTube::radius() const {
  std::vector<double> all;
  for (const Station& station : stations) all.push_back(station.radius);
  std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

double TracedTube::length() const {
  double sum = 0;
  for (std::size_t i = 1; i < stations.size(); ++i) sum += (stations[i].centre - stations[i - 1].centre).norm();
  return sum;
}

bool comes_back(const Station& seed, const Vec3& tangent, const Vec3& from, const Station& to) {
  constexpr double kNear = 0.75;   // radii; what runs beside it is two away
  constexpr double kInLine = 0.9;  // cosine
  const auto beyond = [&](const Vec3& p) { return (p - seed.centre).dot(tangent) >= 0; };
  return !beyond(from) && beyond(to.centre) && (to.centre - seed.centre).norm() < kNear * seed.radius &&
         to.tangent.dot(tangent) > kInLine;
}

}  // namespace filum::flexible
