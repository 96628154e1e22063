// Centrelines, walls and the derivatives of the linkage.
#include "channel/heading_derivatives.hpp"
#include "channel/wall_rows.hpp"
#include "unit/channel/channel_kit.hpp"

#include <doctest/doctest.h>

namespace filum::test_passage {

using namespace filum::channel;
using namespace filum::channel::test;

namespace {

Channel bent_spline() {
  Channel channel;
  channel.centreline.kind = CurveKind::Spline;
  channel.centreline.points = {Vec3(0, 0, 0), Vec3(1, 0.2, 0), Vec3(2, -0.2, 0), Vec3(3, 0.3, 0)};
  channel.left = {{0, 0.1}, {1, 0.2}, {2.5, 0.05}};
  channel.right = {{0, 0.1}};
  return channel;
}

}  // namespace

TEST_CASE("a point of a ruling is found again where it was put") {
  for (const Channel& channel : {quarter_circle(0.2, 0.1), sectioned_quarter(6, 0.1), bent_spline()}) {
    const Passage passage(channel, 0.5, 0.25);
    int piece = 1;
    for (double u = 0.01; u < passage.end_u(); u += 0.013) {
      const Ruling ruling = passage.ruling(u);
      for (const double share : {-0.9, -0.3, 0.0, 0.4, 0.9}) {
        const double y = share > 0 ? share * ruling.left : share * ruling.right;
        // a corner serves its outer side, and inside of it rulings cross
        if (ruling.corner != 0 && ruling.corner * y >= 0) continue;
        const Place place = passage.locate(ruling.point + y * ruling.normal, piece);
        if (std::abs(place.y) < std::abs(y) - 1e-9) continue;
        CHECK(place.u == doctest::Approx(u).epsilon(1e-9));
        CHECK(place.y == doctest::Approx(y).epsilon(1e-9));
        CHECK(place.heading == doctest::Approx(ruling.heading).epsilon(1e-9));
      }
      piece = ruling.piece;
    }
  }
}

TEST_CASE("biarcs follow the spline") {
  const Channel channel = bent_spline();
  const Passage passage(channel, 1, 0.25);
  const CurvePath path(channel.centreline);
  // 48 pairs between two points: fourth order in their length
  CHECK(passage.length() == doctest::Approx(path.length()).epsilon(1e-8));
  for (double s = 0.1; s < path.length(); s += 0.37) {
    const CurveSample sample = path.at(s);
    CHECK((passage.ruling(passage.u_of(s)).point - sample.position.head<2>()).norm() < 1e-7);
  }
}

TEST_CASE("widths go through their points and never beyond them") {
  const WidthProfile width({{0, 1}, {1, 3}, {2, 3}, {4, 0.5}}, 1);
  CHECK(width.at(-1).value == 1);
  CHECK(width.at(1).value == doctest::Approx(3));
  CHECK(width.at(9).value == 0.5);
  // beyond the first and the last point it is constant: the slope ends there
  for (double s = 0.005; s < 4; s += 0.01) {
    const Width here = width.at(s);
    CHECK(here.value <= 3 + 1e-12);
    CHECK(here.value >= 0.5 - 1e-12);
    const double slope = (width.at(s + 1e-6).value - width.at(s - 1e-6).value) / 2e-6;
    CHECK(here.slope == doctest::Approx(slope).epsilon(1e-4).scale(1));
  }
}

TEST_CASE("rows and chain: derivatives against differences") {
  ChannelProblem problem = wang(bent_spline(), Vec2(-40, 15), 12);
  problem.beam.length = 2.4;
  problem.beam.curvature = {{0, 0.3}, {2, -0.5}};
  problem.loads = {{Vec2(-3, 2), {}}, {Vec2::Zero(), 0.3}};
  const Passage passage = passage_of(problem);
  Beam beam = make_beam(problem, passage, 12, problem.loads[1]);
  beam.force = Vec2(-20, 7);
  std::vector<double> angles(12, beam.heading);
  for (std::size_t i = 0; i < angles.size(); ++i) angles[i] += 0.3 * std::sin(1.7 * static_cast<double>(i));
  // a Lagrangian with any forces on the rows
  const auto rows_at = [&](const std::vector<double>& a) {
    return make_rows(passage, beam, configure(passage, beam, a));
  };
  std::vector<double> force(rows_at(angles).size());
  for (std::size_t r = 0; r < force.size(); ++r) force[r] = std::cos(2.3 * static_cast<double>(r)) * 4;
  const auto lagrangian = [&](const std::vector<double>& a) {
    double sum = energy(beam, a).total();
    const std::vector<Row> rows = rows_at(a);
    for (std::size_t r = 0; r < rows.size(); ++r) sum -= force[r] * rows[r].value;
    return sum;
  };
  const auto forces_at = [&](const std::vector<double>& a) {
    std::vector<Vec2> forces(13, Vec2::Zero());
    const std::vector<Row> rows = rows_at(a);
    for (std::size_t r = 0; r < rows.size(); ++r)
      forces[static_cast<std::size_t>(rows[r].node)] += force[r] * rows[r].gradient;
    return forces;
  };
  std::vector<Eigen::Matrix2d> stiffness(13, Eigen::Matrix2d::Zero());
  const std::vector<Row> rows = rows_at(angles);
  for (std::size_t r = 0; r < rows.size(); ++r)
    stiffness[static_cast<std::size_t>(rows[r].node)] -= force[r] * rows[r].hessian;
  const Eigen::VectorXd gradient = linkage_gradient(beam, angles, forces_at(angles));
  const Eigen::MatrixXd hessian = linkage_hessian(beam, angles, forces_at(angles), stiffness);
  constexpr double h = 1e-6;
  for (int j = 0; j < 12; ++j) {
    std::vector<double> up = angles, down = angles;
    up[static_cast<std::size_t>(j)] += h;
    down[static_cast<std::size_t>(j)] -= h;
    // central differences: 1e-9 of values of order 100
    CHECK(gradient[j] == doctest::Approx((lagrangian(up) - lagrangian(down)) / (2 * h)).epsilon(1e-6).scale(10));
    const Eigen::VectorXd column =
        (linkage_gradient(beam, up, forces_at(up)) - linkage_gradient(beam, down, forces_at(down))) / (2 * h);
    CHECK((column - hessian.col(j)).lpNorm<Eigen::Infinity>() < 1e-5 * hessian.lpNorm<Eigen::Infinity>());
  }
}

}  // namespace filum::test_passage
