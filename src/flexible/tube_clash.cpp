#include "flexible/tube_clash.hpp"

#include "base/index.hpp"
#include "geometry/box_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace filum::flexible {
namespace {

constexpr double kAgainst = 0.9;  // of both radii
constexpr double kNode = 3;       // of both radii
constexpr double kAlong = 3;      // of both radii, between two places of one branch
constexpr double kSpacing = 0.4;  // of the radius

// Places along a branch, close enough that a chord does not hide a crossing.
struct Place {
  Vec3 centre;
  double radius;
  double s;
  int branch;
};

void add_places(const TreeBranch& branch, int number, std::vector<Place>& places) {
  places.push_back({branch.centre.front(), branch.radius.front(), 0, number});
  double s = 0;
  for (std::size_t i = 1; i < branch.centre.size(); ++i) {
    const Vec3 way = branch.centre[i] - branch.centre[i - 1];
    const double length = way.norm();
    const int pieces = std::max(1, static_cast<int>(std::ceil(length / (kSpacing * branch.radius[i]))));
    // points closer together than is needed are left out
    if (pieces == 1 && s + length - places.back().s < kSpacing * branch.radius[i] && i + 1 < branch.centre.size()) {
      s += length;
      continue;
    }
    for (int k = 1; k <= pieces; ++k) {
      const double t = static_cast<double>(k) / pieces;
      places.push_back({branch.centre[i - 1] + t * way, branch.radius[i], s + t * length, number});
    }
    s += length;
  }
}

// Places that follow each other on a branch, few enough that none of them can be against another.
struct Run {
  std::size_t first;
  std::size_t last;
  geometry::Box box;
};
constexpr std::size_t kMostInRun = 8;

std::vector<Run> runs_of(const std::vector<Place>& places) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (runs.empty() || places[runs.back().first].branch != places[i].branch || i - runs.back().first == kMostInRun)
      runs.push_back({i, i, {}});
    runs.back().last = i;
    runs.back().box.add(geometry::Box{places[i].centre, places[i].centre}.grown(kAgainst * places[i].radius));
  }
  return runs;
}

// Is there a node of both so near?
bool share_node(const TubeTree& tree, int first, int second, const Vec3& place, double near) {
  const TreeBranch& a = tree.branches[at(first)];
  const TreeBranch& b = tree.branches[at(second)];
  for (const int node : {a.start, a.end})
    if ((node == b.start || node == b.end) && (tree.nodes[at(node)].position - place).norm() < near) return true;
  return false;
}

}  // namespace

std::vector<TubeClash> find_clashes(const TubeTree& tree) {
  std::vector<Place> places;
  for (std::size_t b = 0; b < tree.branches.size(); ++b) add_places(tree.branches[b], static_cast<int>(b), places);
  const std::vector<Run> runs = runs_of(places);
  std::vector<geometry::Box> boxes;
  for (const Run& run : runs) boxes.push_back(run.box);
  geometry::BoxTree near;
  near.build(boxes);

  // of each two branches the place where they are deepest in each other
  struct Deepest {
    double off = kAgainst;
    Vec3 where = Vec3::Zero();
  };
  std::map<std::pair<int, int>, Deepest> found;
  const auto compare = [&](const Place& p, const Place& q) {
    const double both = p.radius + q.radius;
    if (p.branch == q.branch && q.s - p.s < kAlong * both) return;
    const double off = (p.centre - q.centre).norm() / both;
    if (off >= kAgainst) return;
    const Vec3 middle = (p.centre + q.centre) / 2;
    if (p.branch != q.branch && share_node(tree, p.branch, q.branch, middle, kNode * both)) return;
    Deepest& deepest = found[{p.branch, q.branch}];
    if (off < deepest.off) deepest = {off, middle};
  };
  for (std::size_t i = 0; i < runs.size(); ++i)
    near.near(boxes[i], 0, [&](int j) {
      if (at(j) <= i) return;
      for (std::size_t p = runs[i].first; p <= runs[i].last; ++p)
        for (std::size_t q = runs[at(j)].first; q <= runs[at(j)].last; ++q) compare(places[p], places[q]);
    });
  std::vector<TubeClash> clashes;
  for (const auto& [branches, deepest] : found) clashes.push_back({branches.first, branches.second, deepest.where});
  return clashes;
}

}  // namespace filum::flexible
