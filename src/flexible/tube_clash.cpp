#include "flexible/tube_clash.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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
};

std::vector<Place> places_of(const TreeBranch& branch) {
  std::vector<Place> places{{branch.centre.front(), branch.radius.front(), 0}};
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
      places.push_back({branch.centre[i - 1] + t * way, branch.radius[i], s + t * length});
    }
    s += length;
  }
  return places;
}

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::max());
  Vec3 high = -low;
};
Box box_of(const std::vector<Place>& places) {
  Box box;
  for (const Place& place : places) {
    box.low = box.low.cwiseMin(place.centre - Vec3::Constant(place.radius));
    box.high = box.high.cwiseMax(place.centre + Vec3::Constant(place.radius));
  }
  return box;
}

std::vector<Vec3> common_nodes(const TubeTree& tree, const TreeBranch& a, const TreeBranch& b) {
  std::vector<Vec3> nodes;
  for (const int node : {a.start, a.end})
    if (node == b.start || node == b.end) nodes.push_back(tree.nodes[at(node)].position);
  return nodes;
}

}  // namespace

std::vector<TubeClash> find_clashes(const TubeTree& tree) {
  std::vector<std::vector<Place>> places;
  std::vector<Box> boxes;
  for (const TreeBranch& branch : tree.branches) {
    places.push_back(places_of(branch));
    boxes.push_back(box_of(places.back()));
  }
  std::vector<TubeClash> found;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a; b < places.size(); ++b) {
      if ((boxes[a].low - boxes[b].high).maxCoeff() > 0 || (boxes[b].low - boxes[a].high).maxCoeff() > 0) continue;
      const std::vector<Vec3> nodes =
          a == b ? std::vector<Vec3>{} : common_nodes(tree, tree.branches[a], tree.branches[b]);
      double nearest = kAgainst;
      std::optional<Vec3> where;
      for (const Place& p : places[a])
        for (const Place& q : places[b]) {
          const double both = p.radius + q.radius;
          if (a == b && q.s - p.s < kAlong * both) continue;
          const double off = (p.centre - q.centre).norm() / both;
          if (off >= nearest) continue;
          const Vec3 middle = (p.centre + q.centre) / 2;
          const bool joined = std::any_of(nodes.begin(), nodes.end(),
                                          [&](const Vec3& node) { return (node - middle).norm() < kNode * both; });
          if (joined) continue;
          nearest = off;
          where = middle;
        }
      if (where) found.push_back({static_cast<int>(a), static_cast<int>(b), *where});
    }
  return found;
}

}  // namespace filum::flexible
