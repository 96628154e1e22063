// What a spline remembers: turns however its ends were led, and its state as numbers.
#include "formulations/spline/spline.hpp"
#include "rod/pose_at.hpp"
#include "sim/drivers.hpp"
#include "unit/spline/spline_rig.hpp"

namespace filum::test::test_spline_states {

namespace {

// A soft cable of a metre, clamped at both ends 0.8 m apart, hanging through, turned by half a turn.
Scene cable(int segments) {
  Scene scene = scene_of(R"(rods: {hose: {section: hose, material: rubber, length: 1, segments: 24, twist: 3.0,
  shape: {line: [[0, 0, 0], [0.8, 0, 0]]}}}
holds:
  - {name: left, rod: hose, at: start, fix: [position, orientation]}
  - {name: right, rod: hose, at: end, fix: [position, orientation]}
)");
  scene.rods[0].segments = segments;
  return in_spline(scene);
}

double apart(const RodPose& a, const RodPose& b) {
  double most = 0;
  for (std::size_t i = 0; i < b.s.size(); ++i)
    most = std::max(most, (rod::position_at(a, b.s[i]) - b.position[i]).norm());
  return most;
}

}  // namespace

TEST_CASE("Three laps of an end leave the twist unchanged") {
  Scene scene = cable(20);
  Driver driver;
  driver.kind = DriverKind::Hold;
  driver.target = "right";
  // round the place where it is drawn, out of the plane of the sag
  for (int k = 0; k <= 36; ++k) {
    const double angle = 2 * M_PI * k / 12;
    Keyframe& frame = driver.path.emplace_back();
    frame.t = k;
    frame.position = Vec3(0.7 + 0.1 * std::cos(angle), 0.25 * std::sin(angle), 0.1 * std::sin(angle));
  }
  scene.drivers.push_back(driver);
  SolveOptions options;
  options.path = 73;
  const Outcome outcome = solved(scene, options);
  CHECK_MESSAGE(outcome.solve.converged, outcome.solve.why);
  REQUIRE(outcome.states.size() == 73);
  const RodPose& begin = outcome.states[0].pose.rods[0];
  for (const std::size_t lap : {std::size_t{24}, std::size_t{48}, std::size_t{72}}) {
    const RodPose& now = outcome.states[lap].pose.rods[0];
    CHECK(std::abs(now.turns - begin.turns) < 1e-9);
    CHECK(apart(now, begin) < 1e-8);
    for (std::size_t i = 0; i < now.twist.size(); ++i) CHECK(std::abs(now.twist[i] - begin.twist[i]) < 1e-7);
  }
}

TEST_CASE("A state as numbers comes back to the last bit, and none that does not fit is taken") {
  const Scene scene = cable(12);
  const spline::SplineFormulation formulation;
  const std::unique_ptr<Model> model = formulation.compile(scene);
  const std::unique_ptr<Workspace> work = model->workspace();
  const Targets targets = sim::resting_targets(scene);
  const std::unique_ptr<State> state = model->start(targets);
  CHECK(model->solve(*work, *state, targets).converged);
  std::vector<double> values = state->pack();
  const std::unique_ptr<State> back = model->unpack(values, targets);
  REQUIRE(back != nullptr);
  CHECK(back->pack() == values);
  CHECK(model->sample(*work, *back, targets).energy.elastic == model->sample(*work, *state, targets).energy.elastic);
  values.pop_back();
  CHECK(model->unpack(values, targets) == nullptr);
}

TEST_CASE("Splines that keep their knots keep their curve") {
  const Scene scene = cable(12);
  const spline::SplineFormulation formulation;
  const std::unique_ptr<Model> model = formulation.compile(scene);
  const std::unique_ptr<Workspace> work = model->workspace();
  const Targets targets = sim::resting_targets(scene);
  const std::unique_ptr<State> state = model->start(targets);
  CHECK(model->solve(*work, *state, targets).converged);
  const std::unique_ptr<Model> same = formulation.compile(scene);
  const std::unique_ptr<State> carried = same->carry_over(*model, *state, targets);
  CHECK(same->sample(*work, *carried, targets).rods[0].position.back() ==
        model->sample(*work, *state, targets).rods[0].position.back());
  const SolveReport report = same->solve(*work, *carried, targets);
  CHECK(report.converged);
  CHECK(report.iterations <= 1);
}

}  // namespace filum::test::test_spline_states
