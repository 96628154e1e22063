// Where rods lie before anything moves: positions and frames along the drawn shape.
#include "scene/layout.hpp"

#include <doctest/doctest.h>

#include <numbers>
#include <vector>

namespace filum::test_layout {

using filum::scene::Placement;
using filum::scene::RodLayout;

namespace {

constexpr double kPi = std::numbers::pi;

Rod helix_rod() {
  Rod rod;
  rod.shape.kind = CurveKind::Helix;
  rod.shape.start = {0.05, 0, 0};
  rod.shape.angle = 3 * 2 * kPi;
  rod.shape.pitch = 0.1;
  return rod;
}

}  // namespace

TEST_CASE("a straight rod: places in proportion, d1 from the normal, made square") {
  Rod rod;
  rod.shape.points = {{1, 0, 0}, {3, 0, 0}};
  rod.normal = Vec3(5, 0, 2);
  rod.length = 4.0;
  const RodLayout layout(rod);
  CHECK(layout.length() == 4.0);
  CHECK(layout.shape_length() == doctest::Approx(2));
  const Placement middle = layout.at(2);
  CHECK((middle.position - Vec3(2, 0, 0)).norm() < 1e-14);
  CHECK((middle.frame.col(2) - Vec3::UnitX()).norm() < 1e-14);
  CHECK((middle.frame.col(0) - Vec3::UnitZ()).norm() < 1e-14);
  CHECK((middle.frame.col(1) - Vec3::UnitX().cross(Vec3::UnitZ())).norm() < 1e-14);
}

TEST_CASE("initial twist is spread evenly, and left out on request") {
  Rod rod;
  rod.shape.points = {{0, 0, 0}, {2, 0, 0}};
  rod.normal = Vec3(0, 0, 1);
  rod.twist = kPi;
  const RodLayout layout(rod);
  // a positive twist turns d1 towards d2 = d3 × d1 = −y
  CHECK((layout.at(1).frame.col(0) + Vec3::UnitY()).norm() < 1e-13);
  const std::vector<double> s{0, 2};
  CHECK((layout.place(s, false)[1].frame.col(0) - Vec3::UnitZ()).norm() < 1e-13);
  CHECK((layout.place(s)[1].frame.col(0) + Vec3::UnitZ()).norm() < 1e-13);
}

TEST_CASE("in a plane the normal stays") {
  Rod rod;
  rod.shape.kind = CurveKind::Arc;
  rod.shape.start = {1, 0, 0};
  rod.shape.angle = 1.5 * kPi;
  rod.normal = Vec3(0, 0, 1);
  const RodLayout layout(rod);
  for (const double share : {0.1, 0.5, 1.0}) {
    const Placement place = layout.at(share * layout.length());
    CHECK((place.frame.col(0) - Vec3::UnitZ()).norm() < 1e-12);
    CHECK((place.frame.transpose() * place.frame - Mat3::Identity()).norm() < 1e-13);
  }
}

TEST_CASE("a helix turns its twist-free frame by its torsion") {
  // the Frenet frame turns by ∫ τ ds against the twist-free one: τ = c / (r² + c²), c the pitch per radian
  const RodLayout layout(helix_rod());
  const double r = 0.05;
  const double c = 0.1 / (2 * kPi);
  const double torsion = c / (r * r + c * c);
  auto normal = [&](double s) {
    // towards the axis
    const double phi = s / std::sqrt(r * r + c * c);
    return Vec3(-std::cos(phi), -std::sin(phi), 0);
  };
  auto angle = [&](double s) {
    const Placement place = layout.at(s);
    return std::atan2(normal(s).dot(place.frame.col(1)), normal(s).dot(place.frame.col(0)));
  };
  const double length = layout.length();
  for (const double share : {0.3, 0.7, 1.0}) {
    const double turned = angle(share * length) - angle(0);
    // the transport's own error is to stay far below what a mesh brings
    CHECK(std::abs(std::remainder(turned - torsion * share * length, 2 * kPi)) < 1e-8);
  }
}

TEST_CASE("a place has one frame, whatever other places are asked for with it") {
  const RodLayout layout(helix_rod());
  const double length = layout.length();
  const std::vector<double> few{0.31 * length, length};
  std::vector<double> many;
  for (int i = 0; i <= 700; ++i) many.push_back(length * i / 700);
  const Mat3 alone = layout.at(length).frame;
  CHECK((layout.place(few)[1].frame - alone).norm() < 1e-9);
  CHECK((layout.place(many)[700].frame - alone).norm() < 1e-9);
}

}  // namespace filum::test_layout
