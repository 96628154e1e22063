// Pairs of boxes against all pairs, and segments that move past each other.
#include "geometry/box_pairs.hpp"
#include "geometry/swept_distance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace filum::test_pairs {

using namespace filum::geometry;

namespace {

struct Random {
  std::mt19937 engine{11};
  double operator()() { return std::uniform_real_distribution<double>(-1, 1)(engine); }
  Vec3 vector() { return {(*this)(), (*this)(), (*this)()}; }
};

}  // namespace

TEST_CASE("box pairs: as all pairs, once each, for rows that wind, heaps and single boxes") {
  Random random;
  BoxPairs pairs;
  long met = 0;
  for (const int count : {0, 1, 2, 15, 16, 17, 33, 200, 700}) {
    for (int run = 0; run < 6; ++run) {
      std::vector<Box> boxes;
      Vec3 x = Vec3::Zero();
      for (int k = 0; k < count; ++k) {
        Box box;
        box.add(x);
        x = run % 2 == 0 ? Vec3(x + 0.3 * random.vector()) : Vec3(3 * random.vector());
        box.add(x);
        boxes.push_back(box.grown(0.05));
      }
      pairs.set(boxes);
      std::set<std::pair<int, int>> found;
      pairs.each([&](int i, int j) {
        CHECK(i < j);
        CHECK(found.emplace(i, j).second);
      });
      std::set<std::pair<int, int>> wanted;
      for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
          if (boxes[static_cast<std::size_t>(i)].square_distance(boxes[static_cast<std::size_t>(j)]) == 0)
            wanted.emplace(i, j);
      CHECK(found == wanted);
      met += static_cast<long>(wanted.size());
    }
  }
  CHECK(met > 10000);
}

TEST_CASE("swept segments: meet when a fine march through time says so, however fast") {
  Random random;
  constexpr double kNear = 0.05;
  int meet = 0;
  int unsure = 0;
  for (int run = 0; run < 3000; ++run) {
    const auto moving = [&] {
      const Segment from{random.vector(), random.vector()};
      const Vec3 way = 3 * random.vector();
      return MovingSegment{from, {from.from + way + 0.3 * random.vector(), from.to + way + 0.3 * random.vector()}};
    };
    const MovingSegment a = moving();
    const MovingSegment b = moving();
    double least = 1e9;
    for (int k = 0; k <= 2000; ++k)
      least = std::min(least, closest_between(a.at(k / 2000.0), b.at(k / 2000.0)).distance);
    const SweptMeeting told = first_meeting(a, b, kNear);
    // the march misses what lies between its instants
    if (least > kNear && least < kNear + 0.01) {
      ++unsure;
      continue;
    }
    CHECK(told.meets == (least <= kNear));
    meet += told.meets ? 1 : 0;
    if (told.meets) CHECK(closest_between(a.at(told.time), b.at(told.time)).distance <= 1.0101 * kNear);
  }
  CHECK(meet > 300);
  CHECK(unsure < 100);
}

TEST_CASE("swept segments: a thread at 100 m/s does not slip past another within a sixtieth of a second") {
  const MovingSegment still{{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
  const MovingSegment fast{{{0.1, -0.01, 0.8}, {0.1, 0.01, 0.8}}, {{0.1, -0.01, -0.87}, {0.1, 0.01, -0.87}}};
  const SweptMeeting told = first_meeting(still, fast, 0.5e-3);
  CHECK(told.meets);
  CHECK(told.time == doctest::Approx(0.8 / 1.67).epsilon(1e-3));
}

}  // namespace filum::test_pairs
