// The implicit stepper on small scenes: what is kept, what is counted, how its steps converge.
#include "formulations/discrete/compile/compile_model.hpp"
#include "formulations/discrete/discrete_start.hpp"
#include "formulations/discrete/integrator.hpp"
#include "formulations/discrete/joint_law.hpp"
#include "formulations/discrete/system/rod_system.hpp"
#include "sim/drivers.hpp"
#include "sim/formulations.hpp"
#include "unit/newton_rig.hpp"
#include "unit/rod_rig.hpp"

#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace filum::test_implicit {

using namespace filum::discrete;

namespace {

// Plain steps, none of which may fail.
void move(const Scene& scene, double step, int steps, const std::function<void(double, const Pose&)>& look) {
  const auto formulation = sim::make_formulation("kirchhoff");
  const auto refusals = formulation->check(scene);
  REQUIRE_MESSAGE(refusals.empty(), (refusals.empty() ? "" : refusals.front().message));
  const auto model = formulation->compile(scene);
  const std::unique_ptr<Workspace> workspace = model->workspace();
  const Targets resting = sim::resting_targets(scene);
  const auto state = model->start(sim::targets_at(scene, resting, 0));
  look(0, model->sample(*workspace, *state, resting));
  for (int k = 1; k <= steps; ++k) {
    const Targets targets = sim::targets_at(scene, resting, k * step);
    const StepReport report = model->step(*workspace, *state, targets, step);
    REQUIRE_MESSAGE(report.converged, report.why);
    look(k * step, model->sample(*workspace, *state, targets));
  }
}

// The same for violent motion: steps that do not converge are halved.
void play(const Scene& scene, double step, int steps, const std::function<void(double, const Pose&)>& look) {
  Result<Session> session = Session::begin(scene);
  REQUIRE(session.ok());
  look(0, session->pose());
  for (int k = 1; k <= steps; ++k) {
    REQUIRE(session->step(step));
    look(k * step, session->pose());
  }
}

const std::string kFree = R"(gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 20, velocity: [1, 0.5, 0], spin: [0, 1, 9],
  shape: {arc: {centre: [0,0,0], start: [0.3,0,0], angle: 120 deg}}}}
)";

const std::string kHungBody = R"(
rods: {a: {material: rubber, section: hose, segments: 10, shape: {line: [[0,0,0],[0.5,0,0]]}}}
bodies: {b: {mass: 0.05, inertia: [1e-5, 2e-5, 2.5e-5], position: [0.55, 0.03, 0.02], motion: free, spin: [5, 0, 3]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
)";

}  // namespace

TEST_CASE("a free rod that springs open and tumbles keeps its momenta and its energy") {
  for (const double step : {1.0 / 60, 1.0 / 240}) {
    Vec3 p0, l0;
    double e0 = 0;
    play(test::scene_of(kFree), step, static_cast<int>(1 / step), [&](double t, const Pose& pose) {
      const Vec3 p = pose.momentum;
      const Vec3 l = pose.angular_momentum;
      if (t == 0) p0 = p, l0 = l, e0 = pose.energy.balance();
      // Newton leaves a residual of 1e-8 of the forces in each of the steps
      CHECK((p - p0).norm() < 1e-9 * p0.norm());
      CHECK((l - l0).norm() < 1e-8 * l0.norm());
      CHECK(std::abs(pose.energy.balance() - e0) < 1e-7 * e0);
      // waves that were too fast for the shortest steps
      CHECK(pose.energy.drained < 0.01 * e0);
    });
  }
}

TEST_CASE("one iteration a step serves a stiff rod that swings from one hold, at a coarse step") {
  Scene scene = test::scene_of(R"(
rods: {a: {material: rubber, section: hose, segments: 50, shape: {line: [[0,0,0],[1,0,0]]}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
simulation: {iterations: 1}
)");
  // stretch is 2 000 000 times as stiff as bending: edges that lengthened as they turn would upset everything
  filum::Section& hose = scene.sections.front().section;
  hose.shape = SectionShape::Given;
  hose.EA = 1e5;
  hose.EI = Vec2(0.05, 0.05);
  hose.GJ = 0.05;
  hose.mass_per_length = 0.05;
  const auto model = sim::make_formulation("kirchhoff")->compile(scene);
  const std::unique_ptr<Workspace> workspace = model->workspace();
  const Targets targets = sim::resting_targets(scene);
  const auto state = model->start(targets);
  const double e0 = model->sample(*workspace, *state, targets).energy.balance();
  for (int k = 0; k < 300; ++k) {
    const StepReport report = model->step(*workspace, *state, targets, 1.0 / 60);
    REQUIRE(report.usable);
    CHECK(report.iterations <= 1);
    // of the forces; what one iteration leaves is of the square of its correction
    CHECK(report.residual < 1e-2);
  }
  // a hundredth of the 0.2 J that the fall turns over
  CHECK(std::abs(model->sample(*workspace, *state, targets).energy.balance() - e0) < 2e-3);
}

TEST_CASE("a body on the end of a rod stays where it is held, to the last bit of the tie") {
  const Vec3 arm(-0.05, -0.03, -0.02);
  double e0 = 0;
  move(test::scene_of(kHungBody), 1.0 / 240, 120, [&](double t, const Pose& pose) {
    const BodyPose& body = pose.bodies[0];
    CHECK((body.position + body.orientation * arm - pose.rods[0].position.back()).norm() < 1e-10);
    if (t == 0) e0 = pose.energy.balance();
    // of some 0.1 J that the fall turns over
    CHECK(std::abs(pose.energy.balance() - e0) < 1e-3);
  });
}

TEST_CASE("fifty turns in, fifty counted; half a turn in one step is refused in words") {
  const std::string text = R"(gravity: [0, 0, 0]
rods: {a: {material: rubber, section: hose, segments: 12, shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{name: l, rod: a, at: start, fix: [position, orientation]}, {name: r, rod: a, at: end, fix: [position, orientation]}]
drivers: [{hold: r, path: [{t: 0, turns: 0}, {t: 1, turns: 50}]}]
)";
  for (const char* integrator : {"energy-momentum", "implicit-euler", "bdf2", "generalised-alpha"}) {
    CAPTURE(integrator);
    Scene scene = test::scene_of(text + "simulation: {integrator: " + integrator + "}\n");
    // stiff against bending, soft against twist: fifty turns stay below the twist at which it would buckle
    filum::Section& hose = scene.sections.front().section;
    hose.shape = SectionShape::Given;
    hose.EA = 1e5;
    hose.EI = Vec2(10, 10);
    hose.GJ = 0.1;
    hose.mass_per_length = 0.1;
    const bool averaged = scene.simulation.integrator == Integrator::EnergyMomentum;
    move(scene, 1.0 / 300, 300, [&](double t, const Pose& pose) {
      CHECK(pose.rods[0].turns == doctest::Approx(50 * t).epsilon(1e-9));
      // all of the work is stored or sets the sections spinning; rules that evaluate the end of a step count its force for the whole
      if (averaged) CHECK(pose.energy.work == doctest::Approx(pose.energy.elastic + pose.energy.kinetic).epsilon(1e-6));
    });
    const auto model = sim::make_formulation("kirchhoff")->compile(scene);
    const std::unique_ptr<Workspace> workspace = model->workspace();
    const Targets resting = sim::resting_targets(scene);
    const auto state = model->start(resting);
    const StepReport report = model->step(*workspace, *state, sim::targets_at(scene, resting, 0.011), 0.011);
    CHECK_FALSE(report.usable);
    CHECK(std::string(report.why).find("half a turn") != std::string::npos);
  }
}

TEST_CASE("a torsional pendulum has its period, and its spin none of the damping of a first-order rule") {
  const std::string text = R"(gravity: [0, 0, 0]
rods: {a: {material: metal, section: wire, segments: 12, shape: {line: [[0,0,0],[0,0,-0.5]]}}}
bodies: {b: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, -0.5], motion: free, spin: [0, 0, 2]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
)";
  const double torsion = 70e9 / 2.6 * std::numbers::pi * 1e-12 / 2 / 0.5;
  const double period = 2 * std::numbers::pi * std::sqrt(1e-4 / torsion);
  double last = 0, first = 0, latest = 0, peak = 0;
  int crossings = 0;
  const double step = period / 300;
  move(test::scene_of(text), step, 1500, [&](double t, const Pose& pose) {
    const double spin = pose.bodies[0].spin[2];
    if (t > 0 && last < 0 && spin >= 0) {
      latest = t - step * spin / (spin - last);
      if (crossings++ == 0) first = latest;
    }
    last = spin;
    if (t > 4 * period) peak = std::max(peak, spin);
  });
  // the midpoint rule is late by (ωh)²/12 = 4e-5
  CHECK((latest - first) / (crossings - 1) == doctest::Approx(period).epsilon(1e-4));
  CHECK(peak == doctest::Approx(2).epsilon(1e-3));
}

TEST_CASE("damping takes what the ledger says") {
  const std::string text = R"(
rods: {a: {material: rubber, section: hose, segments: 16, shape: {line: [[0,0,0],[0.4,0,0]]},
  damping: {rayleigh: [0.5, 1e-3], bend: 1e-6, twist: 1e-6, stretch: 1e-2, air: 0.02}}}
holds: [{rod: a, at: start, fix: [position, orientation]}]
)";
  double e0 = 0, lost = 0;
  move(test::scene_of(text), 1.0 / 240, 240, [&](double t, const Pose& pose) {
    if (t == 0) e0 = pose.energy.balance();
    CHECK(pose.energy.dissipated >= lost);
    lost = pose.energy.dissipated;
    // 0.17 J fall; the ledger of a second-order rule closes to second order
    CHECK(std::abs(pose.energy.balance() - e0) < 1e-3 * 0.17);
  });
  CHECK(lost > 0.01);
}

TEST_CASE("a rod slides through a hold while it moves, and is where it is held") {
  const std::string text = R"(
rods: {a: {material: rubber, section: hose, segments: 20, shape: {line: [[0,0,0],[0.5,0,0]]}}}
holds: [{rod: a, at: start, fix: [position]}, {name: ring, rod: a, at: 0.4, fix: [position], slide: true}]
)";
  double e0 = 0;
  play(test::scene_of(text), 1.0 / 240, 120, [&](double t, const Pose& pose) {
    if (t == 0) e0 = pose.energy.balance();
    // also as it stops at the rod's end, which is a blow; some 0.05 J fall
    CHECK(std::abs(pose.energy.balance() - e0) < 1e-8);
    CHECK(pose.holds[1].s >= 0.39);
    CHECK(pose.holds[1].s <= 0.5);
  });
}

TEST_CASE("joints that fold flat and open on the other side neither stop a motion nor change its energy") {
  // a weight spins the rod up until it writhes, on a mesh that is far too coarse for that
  const std::string text = R"(
  g: {shape: given, EA: 1e5, EI: [1e-3, 1e-3], GJ: 8e-4, mass_per_length: 0.01, radius: 2 mm}
rods: {a: {section: g, segments: 20, velocity: [1e-3, 0, 0], shape: {line: [[0,0,0],[0,0,-1]]}}}
bodies: {b: {mass: 0.02, inertia: 1e-4, motion: free, position: [0,0,-1], spin: [0,0,150]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: end, fix: [position, orientation], body: b}]
)";
  double e0 = 0, sharpest = 0;
  play(test::scene_of(text), 1.0 / 240, 4 * 240, [&](double t, const Pose& pose) {
    if (t == 0) e0 = pose.energy.balance();
    const std::vector<Vec3>& x = pose.rods[0].position;
    for (std::size_t i = 2; i < x.size(); ++i) {
      const Vec3 a = x[i - 1] - x[i - 2], b = x[i] - x[i - 1];
      sharpest = std::max(sharpest, std::atan2(a.cross(b).norm(), a.dot(b)));
    }
    CHECK(std::abs(pose.energy.balance() - e0) < 1e-5);
    CHECK(pose.energy.drained < 0.1);
  });
  CHECK(sharpest > 5 * std::numbers::pi / 6);
}

TEST_CASE("a strip that springs open in the air keeps its energy, momentum included, and none is drained") {
  const std::string text = R"(
  strip: {shape: rectangle, width: 6.8 mm, height: 1.27 mm}
gravity: [0, 0, 0]
rods: {a: {material: metal, section: strip, segments: 20, velocity: [0.5, 0, 0.6], spin: [0, 4, 2], rest: straight,
  shape: {arc: {centre: [0,0,0], start: [0.1,0,0], angle: 160 deg}}}}
simulation: {step: 1/60}
)";
  double e0 = 0;
  Vec3 p0 = Vec3::Zero(), l0 = Vec3::Zero();
  play(test::scene_of(text), 1.0 / 60, 12, [&](double t, const Pose& pose) {
    if (t == 0) {
      e0 = pose.energy.balance();
      p0 = pose.momentum;
      l0 = pose.angular_momentum;
    }
    CHECK(pose.energy.drained == 0);
    CHECK(std::abs(pose.energy.balance() - e0) < 1e-7 * e0);
    CHECK((pose.momentum - p0).norm() < 1e-7 * p0.norm());
    CHECK((pose.angular_momentum - l0).norm() < 1e-6 * l0.norm());
  });
}

TEST_CASE("a body that falls on a slack rope is stopped when it is taut") {
  const std::string text = R"(
rods: {a: {material: rubber, section: hose, segments: 20, length: 0.5, shape: {arc: {centre: [0.125,0,0], axis: [0,-1,0],
  start: [0,0,0], angle: 180 deg}}}}
bodies: {b: {mass: 0.5, position: [0.25, 0, 0], motion: free}}
holds: [{rod: a, at: start, fix: [position]}, {rod: a, at: end, fix: [position], body: b}]
)";
  // energy at the stop: the fall, stored in a rope of stiffness EA/L
  const double stretch = 5e6 * std::numbers::pi * 25e-6 / 0.5;
  const double most = std::sqrt(2 * 0.6 * 9.81 * 0.6 / stretch);
  double farthest = 0;
  play(test::scene_of(text), 1.0 / 480, 480,
       [&](double, const Pose& pose) { farthest = std::max(farthest, pose.bodies[0].position.norm()); });
  CHECK(farthest > 0.5);
  CHECK(farthest < 0.5 + most);
}

TEST_CASE("Newton's corrections shrink to their squares: the tangent of a step is exact") {
  const std::vector<std::string> scenes{kFree, kHungBody, R"(
rods:
  a: {material: rubber, section: hose, segments: 4, shape: {line: [[0,0,0],[0.3,0,0]]}, damping: {rayleigh: [1, 1e-3], air: 0.1}}
  b: {material: rubber, section: band, segments: 4, shape: {line: [[0.31,0.02,0],[0.5,0.2,0]]}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: b, at: 60 %, fix: [position], slide: true}]
junctions: [{rods: [{rod: a, at: end}, {rod: b, at: start}]}]
)",
                                        R"(
rods:
  a: {material: rubber, section: hose, segments: 5, lay: {torque_factor: 0.15}, shape: {line: [[0,0,0],[0.3,0,0]]}}
  b: {material: rubber, section: hose, segments: 6, lay: {torque_factor: -0.1}, closed: true, damping: {rayleigh: [1, 1e-3]},
    shape: {arc: {centre: [0,1,0], start: [0.1,1,0], angle: 1 turn}}}
holds: [{rod: a, at: start, fix: [position, orientation]}, {rod: a, at: 60 %, fix: {orientation: [x, y]}},
        {rod: b, at: start, fix: [position]}]
)"};
  for (std::size_t n = 0; n < scenes.size(); ++n)
    for (const char* integrator : {"energy-momentum", "bdf2"}) {
      CAPTURE(n);
      CAPTURE(integrator);
      const ModelData model =
          compile_model(test::scene_of(scenes[n] + "simulation: {integrator: " + integrator + "}\n"));
      RodSystem system(model, RodSystem::Symmetry::None);
      const Targets targets = sim::resting_targets(*model.scene);
      RodState state = start_state(model, targets);
      give_past(model, state);
      Motion motion;
      size_motion(model, motion);
      set_motion(model, state, targets, 0.01, motion);
      system.set_motion(&motion);
      test::check_quadratic(system, state, targets);
    }
}

}  // namespace filum::test_implicit
