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

// A step that is stable by itself is one substep: the order is that of the rule.
Vec3 tip_after(const Scene& scene, double dt, double end) {
  const auto model = spline::SplineFormulation().compile(scene);
  const Targets targets = sim::resting_targets(scene);
  const auto work = model->workspace();
  const auto state = model->start(targets);
  for (long k = std::lround(end / dt); k > 0; --k) REQUIRE(model->step(*work, *state, targets, dt).usable);
  return model->sample(*work, *state, targets).rods[0].position.back();
}

}  // namespace

TEST_CASE("explicit steps are of fourth order in a plane") {
  const Scene scene = swinging("[position, orientation]", Integrator::RungeKutta);
  // the stability limit of this hose is 5e-4 s; far below it nothing but the rule's own error is left
  constexpr double kEnd = 0.048;
  const Vec3 exact = tip_after(scene, 1.25e-5, kEnd);
  const double a = (tip_after(scene, 2e-4, kEnd) - exact).norm();
  const double b = (tip_after(scene, 1e-4, kEnd) - exact).norm();
  CAPTURE(a);
  CAPTURE(b);
  CHECK(std::log2(a / b) > 3.7);
}

TEST_CASE("explicit clamps turn, about the rod and across it, as by the default step") {
  const auto turned = [](Integrator integrator) {
    Scene scene = swinging("[position, orientation]", integrator);
    if (integrator == Integrator::EnergyMomentum) scene.simulation.step /= 8;
    Driver driver;
    driver.kind = DriverKind::Hold;
    driver.target = "top";
    Keyframe begin, end;
    begin.turns = 0;
    end.t = 0.25;
    end.turns = 0.5;
    // along x with d1 downwards, as the rod is drawn
    scene.rods[0].normal = -Vec3::UnitZ();
    begin.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()));
    end.orientation = Quat(Eigen::AngleAxisd(0.6, Vec3::UnitZ())) * *begin.orientation;
    driver.path = {begin, end};
    scene.drivers.push_back(driver);
    return simulated(scene);
  };
  const Outcome by_rule = turned(Integrator::RungeKutta);
  const Outcome by_default = turned(Integrator::EnergyMomentum);
  const RodPose& a = by_rule.states.back().pose.rods[0];
  const RodPose& b = by_default.states.back().pose.rods[0];
  CHECK((a.frame[0].toRotationMatrix() - b.frame[0].toRotationMatrix()).norm() < 1e-9);
  CHECK((a.position.back() - b.position.back()).norm() < 2e-3);
  CHECK(a.turns == doctest::Approx(b.turns).epsilon(0.02));
}

TEST_CASE("an explicit ring springs round as by the default step") {
  const auto sprung = [](Integrator integrator) {
    Scene scene = in_spline(scene_of(R"(rods: {ring: {section: hose, material: rubber, segments: 16, closed: true,
  shape: {spline: [[0.1, 0, 0], [0, 0.06, 0], [-0.1, 0, 0], [0, -0.06, 0]]}}}
)"));
    scene.gravity.setZero();
    scene.simulation.integrator = integrator;
    scene.simulation.start = StartKind::AsShaped;
    // far below the stability limit, near which what oscillates fast is damped
    scene.simulation.step = 1.0 / (integrator == Integrator::EnergyMomentum ? 4000 : 20000);
    scene.simulation.end = 0.04;
    return simulated(scene);
  };
  const Outcome by_rule = sprung(Integrator::RungeKutta);
  const Outcome by_default = sprung(Integrator::EnergyMomentum);
  CHECK(by_rule.run->max_energy_error < 1e-3 * by_rule.run->energy_scale);
  const RodPose& a = by_rule.states.back().pose.rods[0];
  const RodPose& b = by_default.states.back().pose.rods[0];
  double most = 0, moved = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    most = std::max(most, (a.position[i] - b.position[i]).norm());
    moved = std::max(moved, (a.position[i] - by_rule.states.front().pose.rods[0].position[i]).norm());
  }
  CHECK(moved > 0.01);
  CHECK(most < 0.02 * moved);
}

TEST_CASE("explicit steps of a laid rope converge to the default's") {
  const auto turns = [](Integrator integrator, double dt) {
    Scene scene = in_spline(
        scene_of("rods: {rope: {section: hose, material: rubber, segments: 6, lay: {torque_factor: 0.08}, shape: "
                 "{line: [[0, 0, 0], "
                 "[0, 0, -0.5]]}}}\nholds: [{name: top, rod: rope, at: start, fix: [position, orientation]}]\n"));
    Section& laid = scene.sections[0].section;
    laid.shape = SectionShape::Given;
    laid.EA = 2e3;
    laid.EI = Vec2(0.02, 0.02);
    laid.GJ = 0.05;
    laid.mass_per_length = 0.25;
    laid.radius = 0.004;
    scene.simulation.integrator = integrator;
    const auto model = spline::SplineFormulation().compile(scene);
    const Targets targets = sim::resting_targets(scene);
    const auto work = model->workspace();
    const auto state = model->start(targets);
    for (long k = std::lround(0.02 / dt); k > 0; --k) REQUIRE(model->step(*work, *state, targets, dt).usable);
    return model->sample(*work, *state, targets).rods[0].turns;
  };
  const double exact = turns(Integrator::EnergyMomentum, 5e-6);
  const double coarse = std::abs(turns(Integrator::RungeKutta, 8e-5) - exact);
  const double fine = std::abs(turns(Integrator::RungeKutta, 2e-5) - exact);
  CAPTURE(exact);
  CAPTURE(coarse);
  CAPTURE(fine);
  CHECK(std::abs(exact) > 1e-4);
  CHECK(fine < 1e-3 * std::abs(exact));
  CHECK(fine < coarse + 1e-6 * std::abs(exact));
}

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
