// Other knots on the same curve: more of them leave it as it is.
#include "formulations/spline/spline.hpp"
#include "sim/drivers.hpp"
#include "unit/spline/spline_rig.hpp"

namespace filum::test::test_spline_recut {

namespace {

// A hose of a metre that hangs from its clamped start: bent sharply there, straight below.
Scene hanging(int segments) {
  Scene scene = scene_of(R"(rods: {hose: {section: hose, material: rubber, segments: 8, twist: 1.0,
  shape: {line: [[0, 0, 0], [1, 0, 0]]}}}
holds:
  - {name: left, rod: hose, at: start, fix: [position, orientation]}
)");
  scene.gravity *= 5;
  scene.rods[0].segments = segments;
  return in_spline(scene);
}

// A state of one scene as one of another, with what it looks like.
struct Carried {
  std::unique_ptr<Model> model;
  std::unique_ptr<State> state;
  Pose pose;
};
Carried carried(const Carried& from, const Scene& to) {
  Carried made;
  made.model = spline::SplineFormulation().compile(to);
  const Targets targets = sim::resting_targets(to);
  made.state = made.model->carry_over(*from.model, *from.state, targets);
  REQUIRE(made.state != nullptr);
  const auto work = made.model->workspace();
  made.pose = made.model->sample(*work, *made.state, targets);
  return made;
}

}  // namespace

TEST_CASE("more knots leave the curve as it is, in whatever order they come") {
  const Scene scene = hanging(12);
  Carried rough;
  rough.model = spline::SplineFormulation().compile(scene);
  const Targets targets = sim::resting_targets(scene);
  rough.state = rough.model->start(targets);
  const auto work = rough.model->workspace();
  REQUIRE(rough.model->solve(*work, *rough.state, targets).converged);
  const Carried at_once = carried(rough, hanging(96));
  const Carried in_steps = carried(carried(carried(rough, hanging(24)), hanging(48)), hanging(96));
  const RodPose& a = at_once.pose.rods[0];
  const RodPose& b = in_steps.pose.rods[0];
  REQUIRE(a.s.size() == b.s.size());
  for (std::size_t i = 0; i < a.s.size(); ++i) {
    CHECK((a.position[i] - b.position[i]).norm() < 1e-12);
    CHECK((a.curvature[i] - b.curvature[i]).norm() < 1e-8);
    CHECK(a.twist[i] == doctest::Approx(b.twist[i]).epsilon(1e-8));
  }
  CHECK(a.turns == doctest::Approx(b.turns).epsilon(1e-12));
  // and back again: nothing has changed
  const Carried back = carried(in_steps, scene);
  const RodPose was = rough.model->sample(*work, *rough.state, targets).rods[0];
  for (std::size_t i = 0; i < was.s.size(); ++i)
    CHECK((was.position[i] - back.pose.rods[0].position[i]).norm() < 1e-12);
}

}  // namespace filum::test::test_spline_recut
