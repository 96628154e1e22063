// A state carried over to an edited scene: what must be the same, to the last bit or to the order of the mesh.
#include "formulations/kirchhoff/kirchhoff.hpp"
#include "sim/drivers.hpp"
#include "unit/rod_rig.hpp"

#include <doctest/doctest.h>

#include <numbers>

namespace filum::test_transfer {

using test::scene_of;

namespace {

// A scene with its model, and a state that has moved for a while.
struct Moving {
  explicit Moving(const Scene& s) : scene(s), model(kirchhoff::KirchhoffFormulation{}.compile(s)) {
    workspace = model->workspace();
    targets = sim::resting_targets(scene);
    state = model->start(targets);
  }
  void step(int count, double dt) {
    for (int k = 0; k < count; ++k) {
      const StepReport report = model->step(*workspace, *state, targets, dt);
      REQUIRE_MESSAGE(report.usable, report.why);
    }
  }
  Pose pose() const { return model->sample(*workspace, *state, targets); }
  // The same motion under another scene.
  Moving under(const Scene& other) const {
    Moving now(other);
    now.state = now.model->carry_over(*model, *state, now.targets);
    return now;
  }

  Scene scene;
  std::unique_ptr<Model> model;
  std::unique_ptr<Workspace> workspace;
  Targets targets;
  std::unique_ptr<State> state;
};

const std::string kSwing = R"(
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 40, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]}]
)";

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

}  // namespace

TEST_CASE("on the same nodes everything is copied to the last bit") {
  Moving before(scene_of(kSwing));
  before.step(30, 0.01);
  Scene stiffer = before.scene;
  stiffer.materials[0].material.young *= 2;
  const Moving after = before.under(stiffer);
  const Pose was = before.pose(), is = after.pose();
  CHECK(is.rods[0].position == was.rods[0].position);
  CHECK(is.rods[0].velocity == was.rods[0].velocity);
  CHECK(is.rods[0].twist == was.rods[0].twist);
  CHECK(is.energy.kinetic == was.energy.kinetic);
  CHECK(is.energy.gravity == was.energy.gravity);
  CHECK(is.energy.work == was.energy.work);
  // bending and twist are twice as stiff, and stretching, of which there is little
  CHECK(is.energy.elastic == doctest::Approx(2 * was.energy.elastic).epsilon(1e-12));
}

TEST_CASE("on other nodes the shape is the same to the order of the mesh") {
  Moving before(scene_of(kSwing));
  before.step(30, 0.01);
  const Pose was = before.pose();
  auto remeshed = [&](int segments) {
    Scene scene = before.scene;
    scene.rods[0].segments = segments;
    return before.under(scene).pose();
  };
  const Pose fine = remeshed(120);
  // every third node is an old one
  for (std::size_t i = 0; i < was.rods[0].s.size(); ++i) {
    CHECK((fine.rods[0].position[3 * i] - was.rods[0].position[i]).norm() < 1e-14);
    CHECK((fine.rods[0].velocity[3 * i] - was.rods[0].velocity[i]).norm() < 1e-13);
  }
  // lumped masses see the parabola between the nodes: (h/L)² = 1/1600 of the energy at most
  CHECK(fine.energy.kinetic == doctest::Approx(was.energy.kinetic).epsilon(1.0 / 1600));
  CHECK(fine.energy.gravity == doctest::Approx(was.energy.gravity).epsilon(1.0 / 1600));
  // there and back again, on nodes that are all old ones
  Scene scene = before.scene;
  scene.rods[0].segments = 120;
  const Pose back = before.under(scene).under(before.scene).pose();
  CHECK(largest_difference(back.rods[0].position, was.rods[0].position) < 1e-14);
}

TEST_CASE("whole turns survive a change of the mesh, of a hold and of the stiffness") {
  Scene scene = scene_of(R"(
gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, length: 0.5, segments: 40, shape: {line: [[0,0,0],[0.5,0,0]]}, normal: [0,0,1]}}
holds: [{name: near, rod: a, at: start, fix: [position, orientation]},
        {name: far, rod: a, at: end, fix: [position, orientation]}]
)");
  Moving before(scene);
  // a fifth of a turn a step, three and a half in all: less than the rod needs to buckle away in the time
  for (int k = 1; k <= 35; ++k) {
    before.targets.holds[1].turns = 0.1 * k;
    before.step(1, 1e-4);
  }
  const double turns = before.pose().rods[0].turns;
  CHECK(turns == doctest::Approx(3.5).epsilon(1e-9));
  // the targets of the edited scenes ask for what was reached
  auto turns_under = [&](const Scene& other) {
    Moving now(other);
    now.targets.holds[1].turns = 3.5;
    now.state = now.model->carry_over(*before.model, *before.state, now.targets);
    const double carried = now.model->sample(*now.workspace, *now.state, now.targets).rods[0].turns;
    // and the first step finds nothing to turn
    REQUIRE(now.model->step(*now.workspace, *now.state, now.targets, 1e-4).usable);
    CHECK(now.pose().rods[0].turns == doctest::Approx(carried).epsilon(1e-6));
    return carried;
  };
  Scene other = scene;
  other.rods[0].segments = 23;
  CHECK(turns_under(other) == doctest::Approx(turns).epsilon(1e-6));
  other.rods[0].segments = 200;
  CHECK(turns_under(other) == doctest::Approx(turns).epsilon(1e-6));
  other = scene;
  other.holds[1].fix.position = {false, false, false};
  CHECK(turns_under(other) == turns);
  other = scene;
  other.materials[0].material.young *= 3;
  CHECK(turns_under(other) == turns);
}

TEST_CASE("what takes hold of a section finds it where it is, with no energy") {
  Moving before(scene_of(kSwing));
  before.step(30, 0.01);
  const Pose was = before.pose();

  // between two edges, whose joint is divided: nodes stay because a hold of nothing had one there already
  for (const ArcPosition place : {ArcPosition{0.5, 0}, ArcPosition{1, 0}}) {
    Scene scene = before.scene;
    Hold hold;
    hold.name = "new";
    hold.rod = "a";
    hold.at = place;
    hold.fix.orientation = kAllAxes;
    scene.holds.push_back(hold);
    const Moving after = before.under(scene);
    const Pose is = after.pose();
    CHECK(largest_difference(is.rods[0].position, was.rods[0].position) < 1e-14);
    // a break changes the cells of the joints around it; a free end had none
    if (place.fraction == 1) CHECK(is.energy.elastic == doctest::Approx(was.energy.elastic).epsilon(1e-12));
    const std::size_t i = place.fraction == 1 ? 40 : 20;
    CHECK(is.rods[0].frame[i].angularDistance(was.rods[0].frame[i]) < (place.fraction == 1 ? 0.02 : 1e-3));
    // there is nowhere to go from there
    const Targets found = after.model->where_it_is(*after.state, after.targets);
    CHECK(found.holds[1].orientation.angularDistance(is.rods[0].frame[i]) < 1e-7);
  }
}

TEST_CASE("free bodies keep pose, velocity and spin, whatever else is edited") {
  Scene scene = scene_of(R"(
rods: {a: {material: rubber, section: hose, length: 0.3, segments: 20, shape: {line: [[0,0,0],[0,0,-0.3]]}, normal: [1,0,0]}}
bodies: {bob: {box: [0.05, 0.04, 0.03], mass: 0.2, position: [0, 0, -0.32]}}
holds: [{name: top, rod: a, at: start, fix: [position, orientation]},
        {name: hook, rod: a, at: end, fix: [position, orientation], body: bob}]
)");
  scene.bodies[0].motion = BodyMotion::Free;
  scene.bodies[0].velocity = Vec3(0.3, 0, 0);
  scene.bodies[0].spin = Vec3(0, 0, 5);
  Moving before(scene);
  before.step(40, 0.005);
  const Pose was = before.pose();
  Scene other = scene;
  other.rods[0].segments = 30;
  Pose is = before.under(other).pose();
  CHECK(is.bodies[0].position == was.bodies[0].position);
  CHECK(is.bodies[0].velocity == was.bodies[0].velocity);
  CHECK(is.bodies[0].spin == was.bodies[0].spin);
  CHECK(is.bodies[0].orientation.coeffs() == was.bodies[0].orientation.coeffs());
  // drawn turned: the same body, counted from elsewhere
  other = scene;
  other.bodies[0].orientation = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
  is = before.under(other).pose();
  CHECK(is.bodies[0].orientation.angularDistance(was.bodies[0].orientation) < 1e-7);
  CHECK(is.bodies[0].spin.isApprox(was.bodies[0].spin, 1e-12));
}

TEST_CASE("a rod that is new is where its scene puts it") {
  Moving before(scene_of(kSwing));
  before.step(10, 0.01);
  Scene scene = before.scene;
  Rod rod = scene.rods[0];
  rod.name = "b";
  rod.shape.points = {Vec3(0, 1, 0), Vec3(0.5, 1, 0)};
  scene.rods.insert(scene.rods.begin(), rod);
  const Pose is = before.under(scene).pose();
  CHECK(is.rods[0].position.back().isApprox(Vec3(0.5, 1, 0)));
  CHECK(is.rods[1].position == before.pose().rods[0].position);
}

}  // namespace filum::test_transfer
