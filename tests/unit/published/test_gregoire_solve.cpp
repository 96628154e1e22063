// Grégoire's solver: integral forces make the geometry exact and become the tensions; equilibria agree with theory and
// do not depend on units, axes or number of points.
#include "published/gregoire_solve.hpp"

#include "unit/published/cable_rig.hpp"

#include <doctest/doctest.h>
#include <cmath>
#include <utility>
#include <vector>

namespace filum::test_gregoire_solve {

using namespace filum::published;
using filum::test::Hung;
using filum::test::kWeight;
using filum::test::metre;

namespace {

OuterSettings with_share(double alpha) {
  OuterSettings settings;
  settings.shares.length = settings.shares.coherence = alpha;
  return settings;
}

// Held by its top point alone.
Hung hanging_straight(int points) {
  Hung hung(metre(points, 1e-3), 0.6);
  hung.cable.handles.pop_back();
  hung.state = start_straight(hung.cable.description, Vec3::Zero(), Vec3(0, 0, -1));
  return hung;
}

double largest_distance(const CableState& a, const CableState& b) {
  double distance = 0;
  for (int i = 0; i < a.points(); ++i) distance = std::max(distance, (a.point(i) - b.point(i)).norm());
  return distance;
}

}  // namespace

TEST_CASE("solve: lengths, coherence and norms are met, and the energy falls in every step") {
  Hung hung(metre(30, 1e-2), 0.6);
  const OuterReport report = solve(hung.cable, with_share(1), hung.state);
  CHECK(report.converged);
  CHECK(report.errors.length < 1e-7);
  CHECK(report.errors.coherence < 1e-7);
  CHECK(report.errors.norm < 1e-7);
  CHECK(report.last.force < 1e-9);

  // from a violent state, with fall-backs: never up
  Hung wild(metre(30, 1e-2), 0.6);
  for (int i = 0; i < wild.state.x.size(); ++i) wild.state.x[i] += 0.05 * std::sin(17.0 * i);
  const InnerReport inner = solve_inner(wild.cable, {}, wild.state);
  CHECK(inner.taken[1] + inner.taken[2] + inner.taken[3] > 0);
  // round-off of an energy of order one
  CHECK(inner.largest_rise < 1e-13);
}

TEST_CASE("integral forces: the error of a spring shrinks by 1 − α, and α = 2 does not decay") {
  for (const double alpha : {0.1, 0.5, 1.0, 1.5, 2.0}) {
    Hung hung = hanging_straight(10);
    const CableConstants constants = scaled_constants(hung.cable.description);
    double first = 0;
    for (int iteration = 0; iteration < 12; ++iteration) {
      REQUIRE(solve_inner(hung.cable, {}, hung.state).converged);
      // of the uppermost segment, w/k (1 − α)ⁱ with the weight of all points below it
      const double error = hung.state.delta(0).norm() - constants.rest_length;
      if (iteration == 0) {
        first = error;
        CHECK(first == doctest::Approx(9 * constants.weight.norm() / constants.length));
      }
      // forces of 1e-9 are left, springs are of 180 N/m
      CHECK(std::abs(error - first * std::pow(1 - alpha, iteration)) < 1e-10);
      grow_integral_forces(hung.cable, {alpha, alpha, 0}, hung.state);
    }
  }
}

TEST_CASE("integral forces: those of a hanging cable are the weights below") {
  Hung hung = hanging_straight(20);
  // as one lets go of it, not yet straight
  hung.state = start_straight(hung.cable.description, Vec3::Zero(), Vec3(0.3, 0, -1));
  CHECK(solve(hung.cable, with_share(1), hung.state).converged);
  const double point = scaled_constants(hung.cable.description).weight.norm();
  for (int segment = 0; segment < 19; ++segment)
    CHECK(hung.state.length_force[segment] == doctest::Approx((19 - segment) * point).epsilon(1e-6));
}

TEST_CASE("catenary: a limp cable hangs in it, nearer with more points") {
  const double span = 0.6;
  // 2a sinh(D/2a) = 1 by bisection; sag a (cosh(D/2a) − 1)
  double low = 0.01;
  double high = 10;
  for (int i = 0; i < 100; ++i) {
    const double a = (low + high) / 2;
    (2 * a * std::sinh(span / (2 * a)) > 1 ? low : high) = a;
  }
  const double sag = low * (std::cosh(span / (2 * low)) - 1);
  std::vector<double> errors;
  for (const int points : {21, 41, 81}) {
    CableDescription description = metre(points, 1e-6);
    description.handle_position = 1e6 * kWeight;
    Hung hung(description, span);
    CHECK(solve(hung.cable, with_share(1), hung.state).converged);
    errors.push_back(std::abs(-hung.state.point(points / 2)[2] / sag - 1));
  }
  // a polygon of 20 segments has some (1/20)² of error
  CHECK(errors[0] < 5e-3);
  CHECK(errors[1] < errors[0] / 2);
  CHECK(errors[2] < errors[1] / 2);
}

TEST_CASE("rest curvature: a weightless cable becomes a polygon on the circle of that curvature, without energy") {
  const int points = 20;
  Cable cable{metre(points, 1e-2), {{HandleOn::Segment, 0, Vec3::Zero(), math::to_vec4(Quat::Identity())}}};
  cable.description.gravity.setZero();
  CableState state = start_straight(cable.description, Vec3(0, -0.5 / (points - 1), 0), Vec3::UnitY());
  cable.description.rest_strain = Vec3(2 * math::kPi, 0, 0);
  OuterSettings settings = with_share(1);
  settings.length = settings.coherence = 1e-6;
  const OuterReport report = solve(cable, settings, state);
  REQUIRE(report.converged);
  CHECK(std::abs(report.last.energy) < 1e-9);
  for (int i = 0; i + 2 < points; ++i) {
    const Vec3 a = state.delta(i);
    const Vec3 b = state.delta(i + 1);
    const double radius = a.norm() * b.norm() * (a + b).norm() / (2 * a.cross(b).norm());
    // as exact as the constraints
    CHECK(2 * math::kPi * radius == doctest::Approx(1).epsilon(3e-6));
  }
}

TEST_CASE("units: metres, centimetres and millimetres give one shape") {
  Hung metres(metre(20, 1e-2), 0.6);
  // the outer loop ends by errors without unit, the inner one by a step that is small in any
  OuterSettings settings = with_share(1);
  CHECK(solve(metres.cable, settings, metres.state).converged);
  for (const double unit : {1e2, 1e3}) {
    // lengths times `unit` with energies as they are: forces shrink, EI grows, weight per length shrinks twice
    CableDescription description = metres.cable.description;
    description.length *= unit;
    description.line_density /= unit * unit;
    description.stiffness *= unit;
    description.length_penalty /= unit;
    description.norm_penalty /= unit;
    description.coherence_penalty /= unit;
    description.handle_position /= unit * unit;
    Hung scaled(description, 0.6);
    CHECK(solve(scaled.cable, settings, scaled.state).converged);
    double distance = 0;
    for (int i = 0; i < 20; ++i)
      distance = std::max(distance, (scaled.state.point(i) / unit - metres.state.point(i)).norm());
    CHECK(distance < 1e-7);
  }
}

TEST_CASE("points: shapes of 20, 40, 80 and 160 segments converge, at first order at least") {
  // of the lowest point; ends carry as much mass as other points, and end segments no joint: first order
  std::vector<Vec3> middle;
  for (const int segments : {20, 40, 80, 160}) {
    Hung hung(metre(segments + 1, 1e-2), 0.6);
    CHECK(solve(hung.cable, with_share(1), hung.state).converged);
    middle.push_back(hung.state.point(segments / 2));
  }
  const double coarse = (middle[1] - middle[0]).norm();
  const double medium = (middle[2] - middle[1]).norm();
  const double fine = (middle[3] - middle[2]).norm();
  CHECK(coarse < 0.02);
  CHECK(medium < coarse / 1.7);
  CHECK(fine < medium / 1.7);
}

TEST_CASE("rigid motion: turned and moved inputs give the turned and moved shape") {
  auto with_orientation = [](Hung& hung) {
    hung.cable.handles[0].orientation = test::pointing(Vec3(1, 0, 0));
    hung.cable.description.handle_orientation = 1;  // soft: see the next test
  };
  Hung still(metre(20, 1e-2), 0.6);
  with_orientation(still);
  CHECK(solve(still.cable, with_share(1), still.state).converged);

  const Quat turn = math::exp_quat(Vec3(0.7, -1.1, 2.3));
  const Vec3 shift(3, -1, 2);
  auto moved = [&](const Vec3& p) -> Vec3 { return turn * p + shift; };
  Hung other(metre(20, 1e-2), 0.6);
  with_orientation(other);
  other.cable.description.gravity = turn * other.cable.description.gravity;
  for (Handle& handle : other.cable.handles) {
    handle.position = moved(handle.position);
    if (handle.orientation) handle.orientation = Vec4(math::quat_left(turn) * *handle.orientation);
  }
  for (int i = 0; i < 20; ++i) {
    other.state.x.segment<3>(7 * i) = moved(other.state.point(i));
    if (i < 19) other.state.x.segment<4>(7 * i + 3) = math::quat_left(turn) * other.state.quaternion(i);
  }
  CHECK(solve(other.cable, with_share(1), other.state).converged);
  CableState expected = still.state;
  for (int i = 0; i < 20; ++i) expected.x.segment<3>(7 * i) = moved(still.state.point(i));
  CHECK(largest_distance(other.state, expected) < 1e-8);
}

TEST_CASE("coherence: beside a handle that holds a quaternion it is met slowly, by a law") {
  // The part of u − r along u can be met by the length of q alone, which norm spring and handle hold: with |r| = |q|²
  // an error shrinks by 1 − 4 k_C/(4 k_C + k_norm + k_H) for α = 1.
  Hung hung(metre(20, 1e-2), 0.6);
  hung.cable.handles[0].orientation = test::pointing(Vec3(1, 0, 0));
  hung.cable.description.handle_orientation = 100;
  const CableConstants constants = scaled_constants(hung.cable.description);
  const double others = constants.norm + hung.cable.description.handle_orientation;
  double before = 0;
  for (int outer = 0; outer < 40; ++outer) {
    REQUIRE(solve_inner(hung.cable, {}, hung.state).converged);
    const double error = constraint_errors(hung.cable, hung.state).coherence;
    // bending moves the rest, but little
    if (outer == 39)
      CHECK(error / before == doctest::Approx(others / (4 * constants.coherence + others)).epsilon(1e-3));
    before = error;
    grow_integral_forces(hung.cable, {1, 1, 0}, hung.state);
  }
}

TEST_CASE("stiff cable: no quaternion collapses; with the energy that the source gave up one does") {
  auto smallest_norm = [](NormEnergy energy) {
    const int points = 20;
    CableDescription description = metre(points, 1);
    description.norm_penalty = description.coherence_penalty = description.length_penalty = 100;
    description.norm_energy = energy;
    description.handle_position = description.handle_orientation = 1e4;
    // bent into a half circle between handles that face away from each other
    std::vector<Vec3> arc;
    for (int i = 0; i < points; ++i) {
      const double angle = math::kPi * i / (points - 1);
      arc.emplace_back(0.32 * std::sin(angle), 0, 0.32 * (std::cos(angle) - 1));
    }
    const Cable cable{description,
                      {{HandleOn::Segment, 0, Vec3::Zero(), test::pointing(Vec3::UnitX())},
                       {HandleOn::Segment, points - 2, Vec3(0, 0, -0.6), test::pointing(-Vec3::UnitX())}}};
    CableState state = start_along(arc);
    double smallest = 1;
    double sharpest = 1;
    for (int outer = 0; outer < 10; ++outer) {
      solve_inner(cable, {}, state);
      for (int i = 0; i < points - 1; ++i) smallest = std::min(smallest, state.quaternion(i).norm());
      for (int i = 0; i + 2 < points; ++i)
        sharpest = std::min(sharpest, state.delta(i).normalized().dot(state.delta(i + 1).normalized()));
      grow_integral_forces(cable, {0.5, 0.5, 0}, state);
    }
    return std::pair{smallest, sharpest};
  };
  const auto [norm, cosine] = smallest_norm(NormEnergy::Inverse);
  CHECK(norm > 0.9);
  CHECK(cosine > 0.95);  // evenly bent: cos(π/18) = 0.985
  const auto [plain_norm, plain_cosine] = smallest_norm(NormEnergy::Plain);
  CHECK(plain_norm < 0.2);
  CHECK(plain_cosine < 0);  // the «V»
}

TEST_CASE("iterations: six for a large move, four for a smaller one, two with prediction") {
  // a taut cable whose far end is turned about its own axis
  const int points = 20;
  const Vec4 along = test::pointing(Vec3::UnitX());
  Cable cable{metre(points, 0.1),
              {{HandleOn::Point, 0, Vec3::Zero(), along}, {HandleOn::Point, points - 1, Vec3::UnitX(), along}}};
  CableState start = start_straight(cable.description, Vec3::Zero(), Vec3::UnitX());
  OuterSettings outer = with_share(0.5);
  outer.iterations = 12;
  solve(cable, outer, start);

  // «converged» to what is seen on a screen: forces of a ten-thousandth of the weight
  InnerSettings seen;
  seen.force = 1e-4;
  auto iterations = [&](double angle, bool predicted) {
    const Vec3 turn = angle * Vec3::UnitX();
    cable.handles[1].orientation = math::quat_left(math::exp_quat(turn)) * along;
    CableState state = start;
    if (predicted) predict(Vec3::Zero(), turn, state);
    const InnerReport report = solve_inner(cable, seen, state);
    CHECK(report.converged);
    CHECK(report.taken[0] == report.iterations);
    return report.iterations;
  };
  CHECK(iterations(3, false) <= 6);
  CHECK(iterations(1, false) <= 4);
  CHECK(iterations(1, true) <= 2);
}

}  // namespace filum::test_gregoire_solve
