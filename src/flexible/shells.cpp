#include "flexible/shells.hpp"

#include "base/index.hpp"

#include <Eigen/Geometry>

#include <utility>

namespace filum::flexible {

Shells find_shells(const Surface& surface) {
  Shells found;
  found.of.assign(surface.triangle.size(), -1);
  std::vector<int> last(surface.point.size(), -1);  // of each point: the last shell that it was counted in
  std::vector<int> open;
  for (std::size_t seed = 0; seed < surface.triangle.size(); ++seed) {
    if (found.of[seed] >= 0) continue;
    const int number = static_cast<int>(found.shell.size());
    Shell shell;
    found.of[seed] = number;
    open.assign(1, static_cast<int>(seed));
    while (!open.empty()) {
      const int here = open.back();
      open.pop_back();
      const auto& corners = surface.triangle[at(here)];
      const Vec3& p = surface.point[at(corners[0])];
      shell.area += (surface.point[at(corners[1])] - p).cross(surface.point[at(corners[2])] - p).norm() / 2;
      for (const int corner : corners) shell.points += std::exchange(last[at(corner)], number) != number ? 1 : 0;
      ++shell.triangles;
      for (const int n : surface.neighbour[at(here)]) {
        if (n < 0) ++shell.borders;
        if (n < 0 || found.of[at(n)] >= 0) continue;
        found.of[at(n)] = number;
        open.push_back(n);
      }
    }
    found.shell.push_back(shell);
  }
  return found;
}

}  // namespace filum::flexible
