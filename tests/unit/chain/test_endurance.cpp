// A day of simulated time at 60 Hz.
#include "math/rotation.hpp"
#include "unit/chain/chain_rig.hpp"

#include <vector>

namespace filum::test_endurance {

using namespace filum::test;

TEST_SUITE("long") {
  TEST_CASE("a load swings for 24 h under an anchor that moves at 0.3 of its rate, and is what it was") {
    constexpr double kLength = 10;
    constexpr double kMass = 2000;
    constexpr long kSteps = 24L * 3600 * 60;
    const Section steel = wire(1e11, 0.01, 7850, 0.1);
    const double rope = steel.mass_per_length * kLength;
    // the elastic length, with the rope's mass on its line
    const double stretched = kLength * (1 + (kMass + rope / 2) * 9.81 / steel.EA);
    const double rate = std::sqrt(9.81 / stretched * (kMass + rope / 2) / (kMass + rope / 3));
    ChainRig rig(pendulum(steel, kLength, 10, kMass, 0, stretched - kLength));
    for (long i = 1; i <= kSteps; ++i) {
      rig.targets.holds[0].position[0] = 0.5 * std::sin(0.3 * rate * kFrame * static_cast<double>(i));
      REQUIRE(rig.step());
    }
    // the anchor stops: what is left is the load's own swing
    const double anchor = rig.targets.holds[0].position[0];
    std::vector<double> crossings;
    double before = 0;
    double mean = 0;
    constexpr int kWatched = 3600;
    for (int i = 0; i < kWatched; ++i) {
      REQUIRE(rig.step());
      const Vec3 way = rig.model().where_it_is(rig.state(), rig.targets).bodies[0].position - Vec3(anchor, 0, 0);
      mean += way.norm() / kWatched;
      if (before > 0 && way[0] <= 0) crossings.push_back(i - way[0] / (way[0] - before));
      before = way[0];
    }
    REQUIRE(crossings.size() > 2);
    const double period = kFrame * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
    MESSAGE("period off by ", period * rate / (2 * math::kPi) - 1, ", length by ", mean / stretched - 1);
    CHECK(period == doctest::Approx(2 * math::kPi / rate).epsilon(1e-3));
    CHECK(mean == doctest::Approx(stretched).epsilon(1e-3));
  }
}

}  // namespace filum::test_endurance
