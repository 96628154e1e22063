// The explicit integrator runge-kutta: its own stability limit, energy, order of agreement with the default, holds and
// damping, and what it refuses.
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/spline/spline.hpp"
#include "formulations/spline/spline_explicit.hpp"
#include "formulations/spline/spline_nodes.hpp"
#include "formulations/spline/spline_system.hpp"
#include "sim/drivers.hpp"
#include "unit/spline/spline_rig.hpp"

#include <filum/run.hpp>

#include <Eigen/Eigenvalues>

namespace filum::test::test_spline_explicit {

namespace {

Scene swinging(const std::string& fix, Integrator integrator) {
  Scene scene =
      in_spline(scene_of("rods: {rope: {section: hose, material: rubber, segments: 8, shape: {line: [[0, 0, 0], "
                         "[0.5, 0, 0]]}}}\nholds: [{name: top, rod: rope, at: start, fix: " +
                         fix + "}]\n"));
  scene.simulation.integrator = integrator;
  scene.simulation.start = StartKind::AsShaped;
  scene.simulation.step = 1.0 / 240;
  scene.simulation.end = 0.25;
  return scene;
}

Outcome simulated(const Scene& scene) {
  auto outcome = run(scene);
  REQUIRE_MESSAGE(outcome.ok(), (outcome.ok() ? "" : outcome.error().text()));
  REQUIRE_MESSAGE(outcome->run->completed, outcome->run->why);
  return std::move(*outcome);
}

Vec3 tip_of(const Outcome& outcome) {
  return outcome.states.back().pose.rods[0].position.back();
}

}  // namespace

TEST_CASE("explicit steps are as long as 2.785/ω_max allows, less a tenth") {
  // straight and clamped: the fastest oscillation is the whole spectrum's last, found densely
  const Scene scene = cantilever(20, 8);
  const spline::SplineModel model = spline::compile_spline(scene);
  const Targets targets = sim::resting_targets(scene);
  const spline::SplineState state =
      spline::from_nodes(model, discrete::start_state(model.nodes, targets, discrete::Nodes::OnCurve));
  spline::System system(model);
  spline::ExplicitSteps steps(model, system);
  const double longest = steps.longest(state, targets);
  // M⁻¹K of what the grips leave free, column by column
  const int size = static_cast<int>(system.step().size());
  REQUIRE(system.factor_mass(state, targets, system.typical_stiffness()));
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  const auto force = [&](const Eigen::VectorXd& move) {
    spline::SplineState moved = state;
    std::copy(move.begin(), move.end(), system.step().begin());
    system.advance(moved, 1);
    system.evaluate(moved, targets, spline::System::Want::Residual);
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(system.step().data(), size));
  };
  for (int column = 0; column < size; ++column) {
    if (!system.is_primal(column)) continue;
    const Eigen::VectorXd unit = 1e-7 * Eigen::VectorXd::Unit(size, column);
    Eigen::VectorXd pull = (force(-unit) - force(unit)) / 2e-7;
    for (int row = 0; row < size; ++row)
      if (!system.is_primal(row)) pull[row] = 0;
    system.resolve(pull.data());
    for (int row = 0; row < size; ++row)
      if (system.is_primal(row)) matrix(row, column) = system.typical_stiffness() * pull[row];
  }
  const double fastest = std::sqrt(matrix.eigenvalues().cwiseAbs().maxCoeff());
  CHECK(longest < 2.785 / fastest);
  CHECK(longest == doctest::Approx(0.9 * 2.785 / fastest).epsilon(0.05));
}

TEST_CASE("an explicit swing keeps its energy and is that of the default step") {
  for (const std::string fix : {"[position]", "[position, orientation]"}) {
    CAPTURE(fix);
    const Outcome by_rule = simulated(swinging(fix, Integrator::RungeKutta));
    // 0.1 % a second is asked of the source's
    CHECK(by_rule.run->max_energy_error < 2.5e-4 * by_rule.run->energy_scale);
    CHECK(by_rule.run->iterations > 5 * by_rule.run->steps);  // substeps
    Scene fine = swinging(fix, Integrator::EnergyMomentum);
    fine.simulation.step /= 8;
    const Outcome by_default = simulated(fine);
    CHECK((tip_of(by_rule) - tip_of(by_default)).norm() < 2e-4);
    CHECK((by_rule.states.back().pose.rods[0].position[0]).norm() < 1e-9);
  }
}

TEST_CASE("explicit holds are led, turned and damped as by the default step") {
  const auto led = [](Integrator integrator) {
    Scene scene = swinging("[position, orientation]", integrator);
    scene.rods[0].damping.mass = 3;
    if (integrator == Integrator::EnergyMomentum) scene.simulation.step /= 8;
    Driver driver;
    driver.kind = DriverKind::Hold;
    driver.target = "top";
    Keyframe begin;
    begin.position = Vec3(0, 0, 0);
    Keyframe end = begin;
    end.t = 0.25;
    end.position = Vec3(0, 0.05, 0.1);
    driver.path = {begin, end};
    scene.drivers.push_back(driver);
    return simulated(scene);
  };
  const Outcome by_rule = led(Integrator::RungeKutta);
  const Outcome by_default = led(Integrator::EnergyMomentum);
  CHECK((by_rule.states.back().pose.rods[0].position[0] - Vec3(0, 0.05, 0.1)).norm() < 1e-9);
  CHECK((tip_of(by_rule) - tip_of(by_default)).norm() < 1e-3);
  CHECK(by_rule.states.back().pose.energy.dissipated ==
        doctest::Approx(by_default.states.back().pose.energy.dissipated).epsilon(0.01));
}

TEST_CASE("what explicit steps cannot do is refused by name") {
  Scene scene = swinging("[position]", Integrator::RungeKutta);
  CHECK(spline::SplineFormulation().check_motion(scene).empty());
  scene.holds[0].slide = true;
  REQUIRE_FALSE(spline::SplineFormulation().check_motion(scene).empty());
  CHECK(spline::SplineFormulation().check_motion(scene)[0].message.find("'top'") != std::string::npos);
  // no other formulation has it
  scene = swinging("[position]", Integrator::RungeKutta);
  scene.simulation.formulation = "kirchhoff";
  CHECK_FALSE(run(scene).ok());
}

}  // namespace filum::test::test_spline_explicit
