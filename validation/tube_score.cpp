#include "validation/tube_score.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace filum::validation {

namespace tube_score_case {
namespace {

constexpr double kFromNode = 2.5;   // radii
constexpr double kRoundOff = 1e-5;  // shares of the radius: of truths that are chords themselves, of single precision

struct NearTruth {
  double off = std::numeric_limits<double>::max();  // share of the radius there
  double radius = 0;
  double from_node = 0;  // radii to the nearer end of the branch
};

// Blocks of a centre line whose first point is too far off need no closer look.
NearTruth near_truth(const TrueTree& tree, const Vec3& p) {
  constexpr std::size_t kBlock = 16;
  NearTruth best;
  double nearest = std::numeric_limits<double>::max();
  for (const TrueBranch& branch : tree.branches)
    for (std::size_t i = 0; i + 1 < branch.centre.size(); i += kBlock) {
      const std::size_t end = std::min(i + kBlock, branch.centre.size() - 1);
      double span = 0;
      for (std::size_t k = i; k < end; k += 4) span += (branch.centre[std::min(k + 4, end)] - branch.centre[k]).norm();
      if ((branch.centre[i] - p).norm() - 1.05 * span > nearest) continue;
      for (std::size_t k = i; k < end; ++k) {
        const Vec3& a = branch.centre[k];
        const Vec3 d = branch.centre[k + 1] - a;
        const double t = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
        const double off = (a + t * d - p).norm();
        if (off >= nearest) continue;
        nearest = off;
        const double r = branch.radius[k] + t * (branch.radius[k + 1] - branch.radius[k]);
        best = {off / r, r, std::min((p - branch.centre.front()).norm(), (p - branch.centre.back()).norm()) / r};
      }
    }
  return best;
}

double largest_radius_at(const TrueTree& truth, int node) {
  double radius = 0;
  for (const TrueBranch& branch : truth.branches) {
    if (branch.start == node) radius = std::max(radius, branch.radius.front());
    if (branch.end == node) radius = std::max(radius, branch.radius.back());
  }
  return radius;
}

double length_of(const std::vector<Vec3>& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]).norm();
  return sum;
}

bool same_topology(const TrueTree& truth, const flexible::TubeTree& found, double end, TubeScore& score) {
  if (found.branches.size() != truth.branches.size() || found.nodes.size() != truth.nodes.size()) return false;
  std::vector<int> met(truth.nodes.size());
  double farthest = 0;
  for (std::size_t i = 0; i < truth.nodes.size(); ++i) {
    double nearest = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < found.nodes.size(); ++k) {
      const double off = (found.nodes[k].position - truth.nodes[i]).norm();
      if (off >= nearest) continue;
      nearest = off;
      met[i] = static_cast<int>(k);
    }
    nearest /= largest_radius_at(truth, static_cast<int>(i));
    const bool is_end = truth.degree[i] == 1;
    if (!is_end) farthest = std::max(farthest, nearest);
    if (nearest > (is_end ? end : 1) || found.nodes[at(met[i])].degree != truth.degree[i]) return false;
  }
  for (const TrueBranch& branch : truth.branches) {
    const int a = met[at(branch.start)];
    const int b = met[at(branch.end)];
    const auto same =
        std::find_if(found.branches.begin(), found.branches.end(), [&](const flexible::TreeBranch& other) {
          return (other.start == a && other.end == b) || (other.start == b && other.end == a);
        });
    if (same == found.branches.end()) return false;
    const double length = length_of(branch.centre);
    score.length = std::max(score.length, std::abs(same->length() / length - 1));
  }
  score.node = std::max(score.node, farthest);
  return true;
}

}  // namespace
}  // namespace tube_score_case

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto rank = values.begin() + static_cast<long>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), rank, values.end());
  return *rank;
}

void add_mesh(TubeScore& score, const TrueTree& truth, const flexible::TubeTree& found, const TubeBounds& bounds) {
  std::vector<double> centre;
  std::vector<double> radius;
  for (const flexible::TreeBranch& branch : found.branches) {
    score.bound.push_back(branch.centre_bound);
    for (std::size_t k = 0; k < branch.centre.size(); ++k) {
      const tube_score_case::NearTruth near = tube_score_case::near_truth(truth, branch.centre[k]);
      if (near.from_node < tube_score_case::kFromNode) continue;
      centre.push_back(near.off);
      radius.push_back(std::abs(branch.radius[k] / near.radius - 1));
      score.centre_of_bound =
          std::max(score.centre_of_bound, std::max(0.0, near.off - tube_score_case::kRoundOff) / branch.centre_bound);
      score.radius_of_bound = std::max(score.radius_of_bound,
                                       std::max(0.0, radius.back() - tube_score_case::kRoundOff) / branch.radius_bound);
    }
  }
  ++score.meshes;
  const bool right = tube_score_case::same_topology(truth, found, bounds.end, score);
  score.right += right ? 1 : 0;
  const bool within = percentile(centre, 0.99) <= bounds.centre && percentile(radius, 0.99) <= bounds.radius;
  score.within += right && within ? 1 : 0;
  score.centre.insert(score.centre.end(), centre.begin(), centre.end());
  score.radius.insert(score.radius.end(), radius.begin(), radius.end());
}

}  // namespace filum::validation
