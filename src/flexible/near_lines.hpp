// Which of many centre lines may pass near a point.
#pragma once

#include "flexible/tube_refine.hpp"
#include "geometry/box_tree.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace filum::flexible {

class NearLines {
 public:
  explicit NearLines(std::span<const CentreLine> lines) {
    std::vector<geometry::Box> boxes;
    for (const CentreLine& line : lines) {
      geometry::Box box;
      for (const Vec3& p : line.centre) box.add(p);
      boxes.push_back(box.grown(*std::max_element(line.radius.begin(), line.radius.end())));
    }
    tree_.build(boxes);
  }

  // Those whose tubes may be within `reach` of a point, in order.
  [[nodiscard]] std::vector<std::size_t> at(const Vec3& point, double reach) const {
    std::vector<std::size_t> found;
    tree_.near({point, point}, reach, [&](int line) { found.push_back(static_cast<std::size_t>(line)); });
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  geometry::BoxTree tree_;
};

}  // namespace filum::flexible
