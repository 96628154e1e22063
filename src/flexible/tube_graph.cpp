#include "flexible/tube_graph.hpp"

#include "math/frame.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <utility>

namespace filum::flexible {

double TreeBranch::length() const {
  double sum = 0;
  for (std::size_t i = 1; i < centre.size(); ++i) sum += (centre[i] - centre[i - 1]).norm();
  return sum;
}

double TreeBranch::mean_radius() const {
  double sum = 0;
  double total = 0;
  for (std::size_t i = 1; i < centre.size(); ++i) {
    const double length = (centre[i] - centre[i - 1]).norm();
    sum += length * (radius[i] + radius[i - 1]) / 2;
    total += length;
  }
  return total > 0 ? sum / total : 0;
}

Vec3 TreeBranch::wide_at(double s) const {
  if (kind != TubeKind::Flat) return Vec3::Zero();
  Vec3 carried = wide;
  double gone = 0;
  Vec3 along = (centre[1] - centre[0]).normalized();
  for (std::size_t i = 1; i + 1 < centre.size(); ++i) {
    gone += (centre[i] - centre[i - 1]).norm();
    if (gone > s) break;
    const Vec3 next = (centre[i + 1] - centre[i]).normalized();
    carried = math::transport(carried, along, next);
    along = next;
  }
  return Eigen::AngleAxisd(turn_at(turns, s / length()), along) * carried;
}

void turn_round(TreeBranch& branch) {
  // seen from the other end it turns as much about itself, and the same way
  branch.wide = branch.wide_at(branch.length());
  const double whole = turn_at(branch.turns, 1);
  for (Turn& turn : branch.turns) turn = {1 - turn.share, whole - turn.angle};
  std::reverse(branch.turns.begin(), branch.turns.end());
  std::reverse(branch.centre.begin(), branch.centre.end());
  std::reverse(branch.radius.begin(), branch.radius.end());
  std::swap(branch.start, branch.end);
}

}  // namespace filum::flexible
