// The tree of boxes: near pairs and nearest things as all pairs together say, after refits too.
#include "geometry/box_tree.hpp"
#include "geometry/closest_points.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

namespace filum::test_box_tree {

using namespace filum::geometry;

namespace {

std::vector<Segment> walk(std::mt19937& engine, int count) {
  std::uniform_real_distribution<double> dice(-1, 1);
  std::vector<Segment> segments;
  Vec3 here(dice(engine), dice(engine), dice(engine));
  for (int i = 0; i < count; ++i) {
    const Vec3 next = here + 0.2 * Vec3(dice(engine), dice(engine), dice(engine));
    segments.push_back({here, next});
    here = next;
  }
  return segments;
}

std::vector<Box> boxes_of(const std::vector<Segment>& segments) {
  std::vector<Box> boxes(segments.size());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    boxes[i].add(segments[i].from);
    boxes[i].add(segments[i].to);
  }
  return boxes;
}

}  // namespace

TEST_CASE("pairs of segments within a margin: 100 000 cases as by brute force") {
  std::mt19937 engine(11);
  BoxTree tree;
  long cases = 0;
  long pairs = 0;
  for (int round = 0; round < 40; ++round) {
    const std::vector<Segment> one = walk(engine, 50);
    const std::vector<Segment> other = walk(engine, 50);
    const std::vector<Box> boxes = boxes_of(other);
    // the first is built, the others are refitted to places that have nothing to do with it
    if (round % 10 == 0)
      tree.build(boxes);
    else
      tree.refit(boxes);
    constexpr double kMargin = 0.3;
    std::set<std::pair<int, int>> found;
    for (int i = 0; i < 50; ++i) {
      Box box;
      box.add(one[static_cast<std::size_t>(i)].from);
      box.add(one[static_cast<std::size_t>(i)].to);
      tree.near(box, kMargin, [&](int k) {
        if (closest_between(one[static_cast<std::size_t>(i)], other[static_cast<std::size_t>(k)]).distance <= kMargin)
          found.emplace(i, k);
      });
      // the nearest, by a reach that shrinks
      double reach = 1e300;
      double nearest = 1e300;
      tree.search(box, reach, [&](int k) {
        const double d = closest_between(one[static_cast<std::size_t>(i)], other[static_cast<std::size_t>(k)]).distance;
        if (d < nearest) nearest = reach = d;
      });
      double least = 1e300;
      for (int k = 0; k < 50; ++k, ++cases) {
        const double d = closest_between(one[static_cast<std::size_t>(i)], other[static_cast<std::size_t>(k)]).distance;
        least = std::min(least, d);
        CHECK((d <= kMargin) == found.contains({i, k}));
        pairs += d <= kMargin;
      }
      CHECK(nearest == least);
    }
  }
  CHECK(cases == 100000);
  CHECK(pairs > 500);
}

TEST_CASE("things at one place, one thing, none") {
  BoxTree tree;
  tree.build({});
  int count = 0;
  tree.near(Box{Vec3::Zero(), Vec3::Zero()}, 1, [&](int) { ++count; });
  CHECK(count == 0);
  const std::vector<Box> same(100, Box{Vec3::Zero(), Vec3::Ones()});
  tree.build(same);
  tree.near(Box{Vec3::Zero(), Vec3::Zero()}, 0, [&](int) { ++count; });
  CHECK(count == 100);
}

}  // namespace filum::test_box_tree
