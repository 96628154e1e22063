// Grégoire's cable put together: derivatives and band of the whole energy, scaled constants, prediction.
#include "published/gregoire_cable.hpp"

#include "unit/published/cable_rig.hpp"
#include "unit/published/differences.hpp"

#include <Eigen/LU>

#include <doctest/doctest.h>
#include <random>

namespace filum::test_gregoire_cable {

using namespace filum::published;

namespace {

// All that a cable may have: rest strain, unequal stiffnesses, every kind of handle, integral forces; shape and
// quaternions off every constraint.
struct Whole {
  Cable cable;
  CableState state;

  explicit Whole(int points) {
    std::mt19937 rng(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    auto random3 = [&] { return Vec3(uniform(rng), uniform(rng), uniform(rng)); };
    cable.description = test::metre(points, 0.1);
    cable.description.stiffness = Vec3(0.1, 0.05, 0.3);
    cable.description.rest_strain = Vec3(1, -2, 0.5);
    cable.description.handle_position = 10;
    cable.description.handle_orientation = 3;
    state = start_straight(cable.description, random3(), random3());
    for (double& value : state.x) value += 0.1 * uniform(rng) / points;
    for (int i = 0; i < state.segments(); ++i) {
      state.x.segment<4>(7 * i + 3) += 0.2 * Vec4(uniform(rng), uniform(rng), uniform(rng), uniform(rng));
      state.length_force[i] = uniform(rng);
      state.norm_force[i] = uniform(rng);
      state.coherence_force[i] = random3();
    }
    const Vec4 q = math::to_vec4(math::exp_quat(random3()));
    cable.handles = {{HandleOn::Point, 0, random3(), q},
                     {HandleOn::Point, 2, random3(), q},
                     {HandleOn::Point, 3, random3(), std::nullopt},
                     {HandleOn::Segment, 1, random3(), q},
                     {HandleOn::Segment, points - 2, random3(), std::nullopt},
                     {HandleOn::Point, points - 1, random3(), q}};
  }
  [[nodiscard]] Evaluation at(const Eigen::VectorXd& x) const {
    CableState moved = state;
    moved.x = x;
    Evaluation result;
    evaluate(cable, moved, result);
    return result;
  }
};

}  // namespace

TEST_CASE("whole energy: gradient and Hessian equal differences, and nothing lies outside the band") {
  const Whole whole(8);
  const Evaluation here = whole.at(whole.state.x);
  const int unknowns = static_cast<int>(whole.state.x.size());
  CHECK(unknowns == 7 * 8 - 4);
  CHECK(here.hessian.half_band() == 10);

  // segments are a seventh long, so steps are a seventh of those that suit numbers of order one
  const double h = 1e-4;
  const Eigen::VectorXd gradient =
      test::gradient_of<Eigen::Dynamic>([&](const Eigen::VectorXd& x) { return whole.at(x).energy; }, whole.state.x, h);
  const Eigen::MatrixXd hessian = test::hessian_of<Eigen::Dynamic>(
      [&](const Eigen::VectorXd& x) { return whole.at(x).gradient; }, whole.state.x, h);
  CHECK((here.gradient - gradient).norm() < 1e-7 * here.gradient.norm());

  double inside = 0;
  double outside = 0;
  bool reaches_border = false;
  for (int i = 0; i < unknowns; ++i)
    for (int j = 0; j < unknowns; ++j) {
      inside = std::max(inside, std::abs(here.hessian.entry(i, j) - hessian(i, j)));
      if (std::abs(i - j) > 10) outside = std::max(outside, std::abs(hessian(i, j)));
      if (std::abs(i - j) == 10) reaches_border = reaches_border || hessian(i, j) != 0;
    }
  CHECK(inside < 1e-7 * hessian.norm());
  CHECK(outside == 0);
  CHECK(reaches_border);
}

TEST_CASE("whole energy: the band's solution equals that of the whole matrix") {
  const Whole whole(40);
  const Evaluation here = whole.at(whole.state.x);
  const int unknowns = here.hessian.rows();
  Eigen::MatrixXd dense(unknowns, unknowns);
  for (int i = 0; i < unknowns; ++i)
    for (int j = 0; j < unknowns; ++j) dense(i, j) = here.hessian.entry(i, j);
  Eigen::VectorXd x = here.gradient;
  REQUIRE(here.hessian.solve(x));
  const Eigen::VectorXd whole_solution = dense.partialPivLu().solve(here.gradient);
  CHECK((x - whole_solution).norm() < 1e-10 * whole_solution.norm());
}

TEST_CASE("constants: a stretched, an evenly bent and a raised cable cost the same however many points it has") {
  // by hand: half K strain², half B κ², weight times height; the polygon's chords are shorter by the share (κl)²/24
  const double radius = 0.5;
  const double strain = 0.01;
  for (const int points : {20, 80}) {
    Cable cable{test::metre(points, 0.2), {}};
    cable.description.gravity.setZero();
    CableState state = start_straight(cable.description, Vec3::Zero(), Vec3::UnitX());
    for (int i = 0; i < points; ++i) state.x.segment<3>(7 * i) *= 1 + strain;
    Evaluation result;
    evaluate(cable, state, result);
    CHECK(result.energy == doctest::Approx(0.5 * cable.description.length_penalty * strain * strain));

    std::vector<Vec3> arc;
    const double step = 1 / radius / (points - 1);
    for (int i = 0; i < points; ++i) arc.emplace_back(radius * Vec3(std::sin(i * step), 1 - std::cos(i * step), 0));
    cable.description.length_penalty = 0;
    evaluate(cable, start_along(arc), result);
    CHECK(result.energy == doctest::Approx(0.5 * 0.2 / (radius * radius)).epsilon(step * step));

    cable.description.gravity = Vec3(0, 0, -9.81);
    evaluate(cable, start_straight(cable.description, Vec3(0, 0, 2), Vec3::UnitX()), result);
    CHECK(result.energy == doctest::Approx(2 * test::kWeight));
  }
}

TEST_CASE("start: quaternions are unit, point along their segments and carry no twist") {
  std::vector<Vec3> helix;
  for (int i = 0; i < 30; ++i) helix.emplace_back(std::cos(0.4 * i), std::sin(0.4 * i), 0.1 * i);
  const CableState state = start_along(helix);
  CHECK(state.points() == 30);
  for (int i = 0; i < state.segments(); ++i) {
    CHECK(state.quaternion(i).norm() == doctest::Approx(1));
    CHECK((turned_reference(state.quaternion(i)) - state.delta(i).normalized()).norm() < 1e-14);
    if (i > 0) CHECK(std::abs(joint_strain(state.quaternion(i - 1), state.quaternion(i), 1)[1]) < 1e-14);
  }
}

TEST_CASE("prediction: the far end arrives exactly, the near end stays, turns beyond one are kept") {
  Whole whole(12);
  const CableState before = whole.state;
  const Vec3 translation(0.1, -0.2, 0.3);
  const Vec3 axis = Vec3(1, 2, 3).normalized();
  const double angle = 7;  // more than one turn
  predict(translation, angle * axis, whole.state);
  const int last = before.segments();
  CHECK(whole.state.point(0) == before.point(0));
  CHECK(whole.state.quaternion(0) == before.quaternion(0));
  CHECK((whole.state.point(last) - before.point(last) - translation).norm() < 1e-15);
  const Vec4 turned = math::quat_left(math::exp_quat(angle * axis)) * before.quaternion(last - 1);
  CHECK((whole.state.quaternion(last - 1) - turned).norm() < 1e-15);
  // and back
  predict(-translation, -angle * axis, whole.state);
  CHECK((whole.state.x - before.x).norm() < 1e-14);
}

}  // namespace filum::test_gregoire_cable
