// Skins of rods whose section turns far from node to node.
#include "geometry/finer_rings.hpp"

#include <Eigen/Geometry>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace filum::test_finer_rings {

namespace {

// Straight along z, turning evenly.
geometry::Stations twisted(double turn, const geometry::TubeSection& section) {
  geometry::Stations made;
  for (int i = 0; i < 6; ++i) {
    made.position.emplace_back(0, 0, 10.0 * i);
    made.frame.emplace_back(Eigen::AngleAxisd(turn * i, Vec3::UnitZ()));
    made.section.push_back(section);
    made.scalar.push_back(i);
    made.piece.push_back(0);
  }
  return made;
}

double volume(const geometry::Stations& stations) {
  return geometry::enclosed_volume(geometry::tube_mesh(
      {stations.position, stations.frame, stations.section, stations.scalar, false, stations.piece}));
}

}  // namespace

TEST_CASE("a ribbon that turns far from node to node gets rings in between, and keeps its volume") {
  const geometry::TubeSection ribbon{Vec2(10, 0.5), true, 0};
  const geometry::Stations coarse = twisted(0.4, ribbon);
  const geometry::Stations fine = geometry::finer_rings(coarse);
  CHECK(fine.position.size() > 5 * coarse.position.size());
  // a twisted prism has the volume of a straight one; folded faces miss it by a third of what their middles are off
  const double exact = 4 * 10 * 0.5 * 50;
  CHECK(std::abs(volume(coarse) / exact - 1) > 0.3);
  CHECK(volume(fine) == doctest::Approx(exact).epsilon(0.1 / 3 + 0.001));
  // its own nodes are among them
  for (const Vec3& node : coarse.position) {
    double nearest = 1e9;
    for (const Vec3& p : fine.position) nearest = std::min(nearest, (p - node).norm());
    CHECK(nearest == 0);
  }
}

TEST_CASE("round rods, straight ribbons and what does not hang together get none") {
  CHECK(geometry::finer_rings(twisted(0.4, {Vec2(2, 2), false, 0})).position.size() == 6);
  CHECK(geometry::finer_rings(twisted(0, {Vec2(10, 0.5), true, 0})).position.size() == 6);
  geometry::Stations apart = twisted(0.4, {Vec2(10, 0.5), true, 0});
  for (std::size_t i = 0; i < 6; ++i) apart.piece[i] = static_cast<int>(i);
  CHECK(geometry::finer_rings(apart).position.size() == 6);
}

TEST_CASE("between the nodes of a bend rings lie on its arc") {
  geometry::Stations arc;
  constexpr double kRadius = 20;
  for (int i = 0; i < 5; ++i) {
    const double angle = 0.3 * i;
    arc.position.emplace_back(kRadius * (1 - std::cos(angle)), 0, kRadius * std::sin(angle));
    arc.frame.emplace_back(Eigen::AngleAxisd(angle, Vec3::UnitY()));
    arc.section.push_back({Vec2(3, 0.5), true, 0});
    arc.scalar.push_back(0);
    arc.piece.push_back(0);
  }
  const geometry::Stations fine = geometry::finer_rings(arc);
  CHECK(fine.position.size() > 10);
  for (const Vec3& p : fine.position) CHECK((p - Vec3(kRadius, 0, 0)).norm() == doctest::Approx(kRadius).epsilon(2e-5));
}

}  // namespace filum::test_finer_rings
