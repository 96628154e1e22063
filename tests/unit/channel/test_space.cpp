// Linkages in space: derivatives against differences, the plane as a case of it, twist against theory.
#include "channel/space_polish.hpp"
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

namespace filum::test_space {

using namespace filum::channel;
using namespace filum::channel::test;

namespace {

Curve helix() {
  Curve curve;
  curve.kind = CurveKind::Helix;
  curve.centre = Vec3(0, 0.3, 0);
  curve.angle = pi;
  curve.pitch = 0.5;
  return curve;
}

Curve line(double length) {
  Curve curve;
  curve.points = {Vec3::Zero(), Vec3(length, 0, 0)};
  return curve;
}

SpaceBeam beam_in(const SpacePassage& passage, int links) {
  SpaceBeam beam;
  beam.links = links;
  beam.step = 1.0 / links;
  beam.start = passage.point_at(0);
  beam.heading = passage.at_arc(0).tangent;
  return beam;
}

// Links along the centreline, each turned a little at random.
std::vector<Vec3> tangents_along(const SpacePassage& passage, const SpaceBeam& beam, double off, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, off);
  std::vector<Vec3> tangents;
  for (int i = 0; i < beam.links; ++i)
    tangents.emplace_back(
        (passage.at_arc((i + 0.5) * beam.step).tangent + Vec3(noise(random), noise(random), noise(random)))
            .normalized());
  return tangents;
}

}  // namespace

TEST_CASE("a place in a tube has the derivatives that are said") {
  const std::vector<Curve> curves = {helix(), line(1.2), [] {
                                       Curve curve;
                                       curve.kind = CurveKind::Spline;
                                       curve.points = {Vec3(0, 0, 0), Vec3(0.4, 0.2, 0.1), Vec3(0.7, 0, 0.4),
                                                       Vec3(1, 0.3, 0.2)};
                                       return curve;
                                     }()};
  for (const Curve& curve : curves) {
    const SpacePassage passage(curve, 1, Vec3::UnitZ());
    const TubeWall round({{0, 0.04}, {0.5, 0.06}, {1, 0.03}}, {}, 1);
    const TubeWall square({}, {{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.05}, {-0.05, 0.05}}, 1);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> some(-0.02, 0.02);
    int compared = 0;
    for (int trial = 0; trial < 200; ++trial) {
      // not on the knots of the radius, where its second derivative jumps
      const double s = 0.0513 + 0.0045 * trial;
      const SpacePlace centre = passage.at_arc(s);
      // one after the other: compilers differ in which they would take first
      const double aside = some(random);
      const double out = some(random) + 0.021;
      const Vec3 x = passage.point_at(s) + out * centre.d1 + aside * centre.d2;
      const double h = 1e-6;
      for (const TubeWall* wall : {&round, &square})
        for (int which = 0; which < wall->rows(); ++which) {
          const auto at_point = [&](const Vec3& p) { return wall->row(passage.locate(p, centre.piece), which, 0.3); };
          const SpaceRow row = at_point(x);
          const auto piece = [&](const Vec3& p) { return passage.locate(p, centre.piece).piece; };
          for (int axis = 0; axis < 3; ++axis) {
            const Vec3 step = h * Vec3::Unit(axis);
            const SpaceRow up = at_point(x + step), down = at_point(x - step);
            CHECK((up.value - down.value) / (2 * h) == doctest::Approx(row.gradient[axis]).epsilon(1e-6).scale(1));
            // the bend jumps from one arc to the next: a difference across both has neither
            if (piece(x + step) != piece(x - step)) continue;
            ++compared;
            const double close = 1e-6 * (1 + row.hessian.norm());
            CHECK(((up.gradient - down.gradient) / (2 * h) - row.hessian.col(axis)).norm() < close);
            CHECK(((up.push - down.push) / (2 * h) - row.turn.col(axis)).norm() < close);
          }
        }
    }
    CHECK(compared > 0.99 * 200 * 5 * 3);
  }
}

TEST_CASE("gradient and Hessian of a linkage in space agree with differences") {
  const SpacePassage passage(helix(), 1, Vec3::UnitX());
  SpaceBeam beam = beam_in(passage, 7);
  beam.force = Vec3(-3, 5, 2);
  beam.twist_stiffness = 0.7;
  beam.turn = 1.3;
  const SpaceConfiguration now = configure(passage, beam, tangents_along(passage, beam, 0.15, 3));
  const std::vector<Vec3> none(8, Vec3::Zero());
  const std::vector<Eigen::Matrix3d> nothing(8, Eigen::Matrix3d::Zero());
  const Eigen::VectorXd gradient = linkage_gradient(beam, now, none);
  const Eigen::MatrixXd hessian = linkage_hessian(beam, now, none, nothing);
  const double h = 1e-5;
  for (int i = 0; i < gradient.size(); ++i) {
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(gradient.size(), i);
    const double up = energy(beam, moved(passage, beam, now, step)).total();
    const double down = energy(beam, moved(passage, beam, now, -step)).total();
    CHECK((up - down) / (2 * h) == doctest::Approx(gradient[i]).epsilon(1e-6).scale(1));
    for (int j = 0; j < gradient.size(); ++j) {
      // along the great circle of both steps together
      const Eigen::VectorXd other = h * 10 * Eigen::VectorXd::Unit(gradient.size(), j);
      const Eigen::VectorXd one = 10 * step;
      const auto e = [&](const Eigen::VectorXd& d) { return energy(beam, moved(passage, beam, now, d)).total(); };
      const double second = (e(one + other) - e(one - other) - e(other - one) + e(-one - other)) / (4 * 1e-8);
      CAPTURE(i);
      CAPTURE(j);
      CHECK(second == doctest::Approx(hessian(i, j)).epsilon(1e-3).scale(30));
    }
  }
}

TEST_CASE("a planar linkage has the same energy and equilibrium in space") {
  ChannelProblem problem = wang(quarter_circle(0.05, 0.05), Vec2(-200, -200), 40);
  const ChannelOutcome flat = solve_channel(problem);
  REQUIRE(flat.converged);
  const double length = problem.beam.length;
  const SpacePassage passage(problem.channel.centreline, 1 / length, Vec3::UnitZ());
  const TubeWall wall({{0, 0.05}}, {}, 1 / length);
  SpaceBeam beam = beam_in(passage, 40);
  beam.force = Vec3(-200, -200, 0);
  std::vector<Vec3> tangents;
  for (const double angle : flat.shapes[0].angles) tangents.emplace_back(std::cos(angle), std::sin(angle), 0);
  const SpaceConfiguration now = configure(passage, beam, tangents);
  CHECK(energy(beam, now).total() == doctest::Approx(flat.shapes[0].dimensionless).epsilon(1e-12));
  const SpaceModel model{passage, wall, beam};
  const SpacePolished found = polish(model, tangents);
  REQUIRE(found.converged);
  CHECK(energy(beam, found.configuration).total() <= flat.shapes[0].dimensionless * (1 + 1e-9));
  CHECK(found.breach < 1e-9);
}

TEST_CASE("a twisted rod with a free end leaves the straight at M L/EI = π") {
  // clamped; its tip turned, free to tilt and to move: with w = y′ + i z′, w″ = i M w′, w(0) = 0 and w′ = ½ i M w at the tip,
  // so that e^{iM} = −1. The torque acts at the middle of the last link: first order in Δs
  const SpacePassage passage(line(1.3), 1, Vec3::UnitZ());
  const TubeWall wall({{0, 0.5}}, {}, 1);
  double off[2];
  for (int i = 0; i < 2; ++i) {
    const int links = 30 << i;
    const auto stable = [&](double torque) {
      SpaceBeam beam = beam_in(passage, links);
      beam.twist_stiffness = 1;
      beam.turn = torque;
      const SpaceModel model{passage, wall, beam};
      const SpacePolished found = polish(model, std::vector<Vec3>(static_cast<std::size_t>(links), Vec3::UnitX()));
      return found.converged && found.stable;
    };
    double low = 0.1, high = 12;
    REQUIRE(stable(low));
    REQUIRE_FALSE(stable(high));
    while (high - low > 1e-4) (stable(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
    off[i] = low / pi - 1;
  }
  CHECK(std::abs(off[1]) < 0.01);
  // what is left without the part of first order
  CHECK(std::abs(2 * off[1] - off[0]) < 1e-3);
}

}  // namespace filum::test_space
