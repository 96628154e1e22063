// The stiffness summed by elements is the tangent matrix, seen along motions that the constraints allow.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/equilibrium_search.hpp"
#include "formulations/kirchhoff/stiffness_form.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace filum::test_modes {

using namespace filum::discrete;
using namespace filum::kirchhoff;

namespace {

// K x = y, so that xᵀ K x = xᵀ y, and x obeys all constraints.
void compare(const std::string& text) {
  const ModelData model = compile_model(test::scene_of(text));
  RodSystem system(model);
  const Targets targets = sim::resting_targets(*model.scene);
  RodState state = start_state(model, targets);
  apply_targets(model, targets, state);
  const SolveReport report = newton(system, state, targets, Branch::Keep, {});
  REQUIRE_MESSAGE(report.converged, report.why);

  system.track_sliders(state);
  system.evaluate(state, targets, RodSystem::Want::TrueTangent);
  REQUIRE(system.factor());
  const auto rows = static_cast<Eigen::Index>(system.step().size());
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(rows, 2);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const int r = static_cast<int>(row);
    if (!system.is_free(r) || !system.is_primal(r)) continue;
    x(row, 0) = std::sin(0.3 * r);
    x(row, 1) = std::cos(1.1 * r);
  }
  const Eigen::MatrixXd y = x;
  system.resolve(x.col(0).data());
  system.resolve(x.col(1).data());
  const Eigen::Matrix2d expected = x.transpose() * y;

  const StiffnessForm form(model, system, state);
  const std::vector<StiffnessForm::Motion> motion{form.motion(x.col(0)), form.motion(x.col(1))};
  const double scale = expected.cwiseAbs().maxCoeff();
  // the matrix loses N⁴ round-offs of its largest entries, here up to 1e-9; the spring that keeps the spin of a branch
  // is 1e-8 of the twisting stiffness of each edge, N² times as much of that of the whole
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double found = form(motion[static_cast<std::size_t>(i)], motion[static_cast<std::size_t>(j)]);
      CHECK(std::abs(found - expected(i, j)) < 1e-6 * scale);
    }
}

}  // namespace

TEST_SUITE("stiffness form") {
  TEST_CASE("a band bent and twisted between clamps under its weight") {
    compare(R"(
rods: {r: {material: rubber, section: band, segments: 16, length: 0.5, shape: {line: [[0, 0, 0], [0.4, 0.1, 0.1]]}}}
holds:
  - {rod: r, at: start, fix: [position, orientation]}
  - {rod: r, at: end, fix: [position, orientation], orientation: {tangent: [1, 0.5, 0], normal: [0.3, 0, 1]}}
)");
  }

  TEST_CASE("a branch on a junction, and a hold in the middle") {
    compare(R"(
rods:
  a: {material: rubber, section: hose, segments: 12, shape: {line: [[0, 0, 0], [0.4, 0, 0]]}}
  b: {material: rubber, section: band, segments: 10, shape: {line: [[0.2, 0, 0.02], [0.2, 0.3, 0]]}}
junctions: [{rods: [{rod: a, at: middle}, {rod: b, at: start}]}]
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position]}]
forces: [{rod: b, at: end, force: [0.2, 0.1, 0.05]}]
)");
  }

  TEST_CASE("a hose that slides through an eye") {
    compare(R"(
rods: {r: {material: rubber, section: hose, segments: 20, shape: {line: [[0, 0, 0], [0.6, 0, 0]]}}}
holds:
  - {rod: r, at: start, fix: [position, orientation]}
  - {rod: r, at: 0.37, fix: [position], slide: true, position: [0.33, 0.1, 0]}
)");
  }

  TEST_CASE("a rod on a hinge, of another length than it was drawn") {
    compare(R"(
rods: {r: {material: rubber, section: band, segments: 12, length: 0.55, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}}
holds:
  - {rod: r, at: start, fix: {position: true, orientation: [x, z]}}
  - {rod: r, at: end, fix: [position]}
)");
  }
}

}  // namespace filum::test_modes
